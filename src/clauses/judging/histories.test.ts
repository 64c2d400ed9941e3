import { expect, test } from 'vitest';
import { historyCases } from '../cases/histories.ts';
import { judged, stated } from '../cases/judged.ts';

test.each(historyCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
