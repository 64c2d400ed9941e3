import { expect, test } from 'vitest';
import { otherTargetCases } from '../cases/other-targets.ts';
import { judged, stated } from '../cases/trace.ts';

test.each(otherTargetCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
