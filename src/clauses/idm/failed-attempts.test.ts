import { expect, test } from 'vitest';
import { failedAttemptCases } from '../cases/failed-attempts.ts';
import { judged, stated } from '../cases/judged.ts';

test.each(failedAttemptCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
