import { expect, test } from 'vitest';
import { bodyCases } from '../cases/bodies.ts';
import { fieldNameCases } from '../cases/field-names.ts';
import { judged, stated } from '../cases/judged.ts';

test.each([...bodyCases, ...fieldNameCases])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
