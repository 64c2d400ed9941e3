import { expect, test } from 'vitest';
import { judged, stated } from './cases/judged.ts';
import { namedRecordCases } from './cases/named-records.ts';

test.each(namedRecordCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
