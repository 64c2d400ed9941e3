import { expect, test } from 'vitest';
import { failedAttemptCases } from '../literal/failed-attempts.ts';
import { judged, stated } from '../literal/trace.ts';

test.each(failedAttemptCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
