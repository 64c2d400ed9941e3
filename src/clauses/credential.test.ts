import { expect, test } from 'vitest';
import { credentialCases } from './literal/credentials.ts';
import { judged, stated } from './literal/trace.ts';

test.each(credentialCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
