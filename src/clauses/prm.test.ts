import { expect, test } from 'vitest';
import { judged, stated } from './cases/judged.ts';
import { permissionCases } from './cases/permissions.ts';
import { refusedCallerCases } from './cases/refused-callers.ts';

test.each([...permissionCases, ...refusedCallerCases])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});
