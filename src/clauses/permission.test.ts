import { expect, test } from 'vitest';
import { permissionCases } from './literal/permissions.ts';
import { judged, stated } from './literal/trace.ts';

test.each(permissionCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
