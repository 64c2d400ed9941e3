import { expect, test } from 'vitest';
import { precedenceCases } from './literal/precedence.ts';
import { judged, stated } from './literal/trace.ts';

test.each(precedenceCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
