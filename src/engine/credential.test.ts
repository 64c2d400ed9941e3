import { expect, test } from 'vitest';
import { credentialOf } from './credential.ts';

test.each([
  ['start-changed', 'Bearer a4f1-0c9e-77b2'],
  ['middle-changed', 'Bearer 34f1-0cae-77b2'],
  // The last letter of base64 may have bits that stand for nothing.
  ['end-changed', 'Bearer 34f1-0c9e-77a2'],
] as const)('%s: one letter of the token is another', (variant, authorization) => {
  const made = credentialOf('34f1-0c9e-77b2', variant, '00');
  expect(made.authorization).toBe(authorization);
  expect(made.derived).toEqual([authorization.slice('Bearer '.length)]);
});

test('a second word behind the token is no part of a credential', () => {
  expect(credentialOf('34f1-0c9e-77b2', 'two-words', '00').authorization).toBe('Bearer 34f1-0c9e-77b2 assay');
});

test.each(['null', 'undefined'] as const)('%s: the word stands where the token would', (word) => {
  expect(credentialOf('34f1-0c9e-77b2', word, '00')).toMatchObject({
    authorization: `Bearer ${word}`,
    derived: [],
  });
});

test('the token is in headers that other APIs have for it, and in no Authorization', () => {
  const token = '34f1-0c9e-77b2';
  expect(credentialOf(token, 'in-header', '00')).toMatchObject({
    authorization: undefined,
    headers: [
      ['X-Api-Key', token],
      ['X-Auth-Token', token],
      ['X-Access-Token', token],
    ],
  });
});
