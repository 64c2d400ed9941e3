import { expect, test } from 'vitest';
import { judged, stated } from '../cases/judged.ts';
import { readCases } from '../cases/reads.ts';

test.each(readCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
