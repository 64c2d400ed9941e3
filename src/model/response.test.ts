import { expect, test } from 'vitest';
import { isAccepted, isDecided, isFailed, isThrottled, responseClass } from './response.ts';

test('the class of a response', () => {
  const classes = [100, 199, 200, 299, 300, 302, 400, 428, 429, 430, 499, 500, 599].map(
    (status) => `${status} ${responseClass({ status })}`,
  );
  expect(classes).toEqual([
    '100 refused',
    '199 refused',
    '200 accepted',
    '299 accepted',
    '300 refused',
    '302 refused',
    '400 refused',
    '428 refused',
    '429 throttled',
    '430 refused',
    '499 refused',
    '500 failed',
    '599 failed',
  ]);
  expect(responseClass(undefined)).toBe('no-response');
});

test('each class has one predicate, and the two that the service decided have one in common', () => {
  const rows = [200, 422, 429, 500].map((status) =>
    [isAccepted, isDecided, isThrottled, isFailed].map((is) => is({ status })),
  );
  expect(rows).toEqual([
    [true, true, false, false],
    [false, true, false, false],
    [false, false, true, false],
    [false, false, false, true],
  ]);
  expect([isAccepted, isDecided, isThrottled, isFailed].map((is) => is(undefined))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
