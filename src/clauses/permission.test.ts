import { expect, test } from 'vitest';
import { permissionCases } from './literal/permissions.ts';
import { refusedCallerCases } from './literal/refused-callers.ts';
import { judged, stated } from './literal/trace.ts';

test.each([...permissionCases, ...refusedCallerCases])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});
