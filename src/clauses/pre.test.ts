import { expect, test } from 'vitest';
import { judged, stated } from './cases/judged.ts';
import { precedenceCases } from './cases/precedence.ts';

test.each(precedenceCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
