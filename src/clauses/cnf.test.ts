import { expect, test } from 'vitest';
import { conflictCases } from './cases/conflict.ts';
import { judged, stated } from './cases/trace.ts';

test.each(conflictCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
