import { expect, test } from 'vitest';
import { credentialCases } from './cases/credentials.ts';
import { judged, stated } from './cases/judged.ts';

test.each(credentialCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
