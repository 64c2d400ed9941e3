import { expect, test } from 'vitest';
import { requestIdCases } from './literal/request-ids.ts';
import { judged, stated } from './literal/trace.ts';

test.each(requestIdCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
