import { expect, test } from 'vitest';
import { judged, stated } from '../cases/judged.ts';
import { otherParameterCases } from '../cases/other-parameters.ts';

test.each(otherParameterCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
