import { expect, test } from 'vitest';
import { judged, stated } from './literal/trace.ts';
import { verificationCases } from './literal/verification.ts';

test.each(verificationCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
