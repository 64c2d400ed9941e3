import { expect, test } from 'vitest';
import { judged, stated } from './cases/judged.ts';
import { requestIdCases } from './cases/request-ids.ts';

test.each(requestIdCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
