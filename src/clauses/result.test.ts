import { expect, test } from 'vitest';
import { resultCases } from './literal/results.ts';
import { judged, stated } from './literal/trace.ts';

test.each(resultCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
