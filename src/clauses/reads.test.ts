import { expect, test } from 'vitest';
import { readCases } from './literal/reads.ts';
import { judged, stated } from './literal/trace.ts';

test.each(readCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
