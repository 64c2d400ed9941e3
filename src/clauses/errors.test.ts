import { expect, test } from 'vitest';
import { errorCases } from './literal/errors.ts';
import { judged, stated } from './literal/trace.ts';

test.each(errorCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
