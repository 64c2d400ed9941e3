import { expect, test } from 'vitest';
import { conflictCases } from './literal/conflict.ts';
import { judged, stated } from './literal/trace.ts';

test.each(conflictCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
