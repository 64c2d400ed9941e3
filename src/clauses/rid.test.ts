import { expect, test } from 'vitest';
import { requestIdCases } from './cases/request-ids.ts';
import { judged, stated } from './cases/trace.ts';

test.each(requestIdCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
