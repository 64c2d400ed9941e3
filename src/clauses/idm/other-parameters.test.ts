import { expect, test } from 'vitest';
import { otherParameterCases } from '../cases/other-parameters.ts';
import { judged, stated } from '../cases/trace.ts';

test.each(otherParameterCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
