import { expect, test } from 'vitest';
import { conflictCases } from './literal/conflict.ts';
import { judged } from './literal/trace.ts';

test.each(conflictCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual({ kind: one.kind, advisory: one.advisory ?? false });
});
