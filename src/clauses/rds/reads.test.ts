import { expect, test } from 'vitest';
import { readCases } from '../cases/reads.ts';
import { judged, stated } from '../cases/trace.ts';

test.each(readCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
