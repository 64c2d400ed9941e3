import { expect, test } from 'vitest';
import { isAccepted, isDecided, isFailed, isThrottled, responseClass, unescapedBody } from './response.ts';

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

test('a body is read without needless escapes', () => {
  expect(unescapedBody({ body: '{"id": "a\\/b\\u00fc", "n": 12345678901234567890}' })).toBe(
    '{"id":"a/b\u00fc","n":"12345678901234567890"}',
  );
  expect(unescapedBody({ body: '{"id": "a"}' })).toBe('{"id": "a"}');
  expect(unescapedBody({ body: 'no \\ JSON' })).toBe('no \\ JSON');
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
