import { expect, test } from 'vitest';
import { errorCases } from './cases/errors.ts';
import { judged, stated } from './cases/judged.ts';

test.each(errorCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
