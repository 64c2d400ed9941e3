import { expect, test } from 'vitest';
import { readCases } from './literal/reads.ts';
import { judged } from './literal/trace.ts';

test.each(readCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual({ kind: one.kind, advisory: one.advisory ?? false });
});
