import { expect, test } from 'vitest';
import { judged, stated } from './literal/trace.ts';
import { versionCases } from './literal/version.ts';

test.each(versionCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
