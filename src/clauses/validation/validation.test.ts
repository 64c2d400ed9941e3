import { expect, test } from 'vitest';
import { bodyCases } from '../literal/bodies.ts';
import { fieldNameCases } from '../literal/field-names.ts';
import { judged, stated } from '../literal/trace.ts';

test.each([...bodyCases, ...fieldNameCases])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
