import { expect, test } from 'vitest';
import { judged } from './literal/trace.ts';
import { verificationCases } from './literal/verification.ts';

test.each(verificationCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual({ kind: one.kind, advisory: one.advisory ?? false });
});
