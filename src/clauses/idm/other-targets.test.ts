import { expect, test } from 'vitest';
import { judged, stated } from '../cases/judged.ts';
import { otherTargetCases } from '../cases/other-targets.ts';

test.each(otherTargetCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
