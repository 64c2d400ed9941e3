import { expect, test } from 'vitest';
import { precedenceCases } from './cases/precedence.ts';
import { judged, stated } from './cases/trace.ts';

test.each(precedenceCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
