import { expect, test } from 'vitest';
import { otherTargetCases } from '../literal/other-targets.ts';
import { judged, stated } from '../literal/trace.ts';

test.each(otherTargetCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
