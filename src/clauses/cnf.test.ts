import { expect, test } from 'vitest';
import { conflictCases } from './cases/conflict.ts';
import { judged, stated } from './cases/judged.ts';

test.each(conflictCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
