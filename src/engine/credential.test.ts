import { expect, test } from 'vitest';
import { alteredVerification, caseMatters, credentialOf } from './credential.ts';

test.each([
  ['start-changed', 'Bearer a4f1-0c9e-77b2'],
  ['middle-changed', 'Bearer 34f1-0cae-77b2'],
  ['end-changed', 'Bearer 34f1-0c9e-77bW'],
] as const)('%s: one letter of the token is another', (variant, authorization) => {
  const made = credentialOf('34f1-0c9e-77b2', variant, '00');
  expect(made.authorization).toBe(authorization);
  expect(made.derived).toEqual([authorization.slice('Bearer '.length)]);
});

// A decoder that drops what it cannot read must not find the same bytes.
test.each([
  ['tok_a1b2c3d4', 'tok_a1b2c3d', 'tok_a1b2c3d4aa', 'base64url'],
  ['34f10c9e77b2', '34f10c9e77b', '34f10c9e77b2aa', 'hex'],
  ['34f10c9e77b21f3', '34f10c9e77b21', '34f10c9e77b21f3aa', 'hex'],
  ['c2VjcmV0LWI=', 'c2VjcmV0LW', 'c2VjcmV0LWIaa', 'base64'],
  ['e30.e30.c2VjcmV0c', 'e30.e30.c2VjcmV', 'e30.e30.c2VjcmV0caa', 'base64url'],
  ['e30.e30.c2VjcmV0LWI', 'e30.e30.c2VjcmV0LW', 'e30.e30.c2VjcmV0LWIaa', 'base64url'],
] as const)('%s is cut and grows by as little as makes it another token', (token, short, long, form) => {
  expect(credentialOf(token, 'truncated', '00').authorization).toBe(`Bearer ${short}`);
  expect(credentialOf(token, 'extended', '00').authorization).toBe(`Bearer ${long}`);
  const bytes = (text: string): string => Buffer.from(text.split('.').at(-1) ?? '', form).toString('hex');
  expect([bytes(short), bytes(long)]).not.toContain(bytes(token));
});

// The last letter of base64 may have bits that stand for nothing.
test.each([
  ['aGVsbG8', 'base64url'],
  ['aGVsbG8h', 'base64url'],
  ['aGVsbA', 'base64url'],
  ['c2VjcmV0LWI=', 'base64'],
  ['c2VjcmV0LQ==', 'base64'],
  ['/+/+', 'base64'],
  ['34f10c9e77b2', 'hex'],
] as const)('%s has another last character that counts', (token, form) => {
  const other = credentialOf(token, 'end-changed', '00').derived[0] ?? '';
  expect([other.length, other.slice(0, token.replace(/=+$/, '').length - 1)]).toEqual([
    token.length,
    token.replace(/=+$/, '').slice(0, -1),
  ]);
  expect(Buffer.from(other, form).toString('hex')).not.toBe(Buffer.from(token, form).toString('hex'));
});

test.each([
  ['tok-full-case', true],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', false],
  ['JBSWY3DPEHPK3PXPJBSW', false],
  ['JBSWY3DPEHPk3PXPJBSW', true],
  ['34F1-0C9E', false],
])('the case of %s matters: %s', (token, matters) => expect(caseMatters(token)).toBe(matters));

test.each([
  ['aGVsbG8tV29ybGQ', 'flip-case', 'AgvSBg8Tv29YBgq'],
  ['aGVsbG8tV29ybGQ', 'end-changed', 'aGVsbG8tV29ybGw'],
  ['123456', 'end-changed', '123451'],
  // In letters of one case it may be compared in either.
  ['stv9f0c1d', 'flip-case', 'stv9a0c1d'],
  ['Stv9f0c1d', 'flip-case', 'Stv9a0c1d'],
  ['123456', 'extended', '12345600'],
  ['123456', 'truncated', '12345'],
  ['code=123456; note=storm damage', 'end-changed', 'xcode=123456; note=storm damage'],
] as const)('the verification %s becomes another one: %s', (issued, how, other) =>
  expect(alteredVerification(issued, how)).toBe(other),
);

test.each([
  ['two-words', 'Bearer 34f1-0c9e-77b2 assay'],
  ['last-word', 'Bearer assay 34f1-0c9e-77b2'],
  ['quoted', 'Bearer "34f1-0c9e-77b2"'],
  ['no-value', ''],
  ['scheme-twice', 'Bearer Bearer 34f1-0c9e-77b2'],
  ['late-scheme', 'assay Bearer 34f1-0c9e-77b2'],
  ['longer-scheme', 'BearerToken 34f1-0c9e-77b2'],
  ['colon', 'Bearer: 34f1-0c9e-77b2'],
  ['unspaced', 'Bearer34f1-0c9e-77b2'],
  ['bracketed', 'Bearer <34f1-0c9e-77b2>'],
  ['dotted', 'Bearer assay.assay.assay'],
] as const)('%s is no form of a credential', (variant, authorization) => {
  expect(credentialOf('34f1-0c9e-77b2', variant, '00')).toMatchObject({ authorization, derived: [] });
});

test.each([
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.Q2hhcmdl', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.q2HHCMDL'],
  ['Key.34f1-0c9e', 'kEY.34F1-0C9E'],
  ['Key-Full', 'kEY-fULL'],
])('%s in the other case is %s: a JWT keeps the parts that are JSON', (token, other) =>
  expect(credentialOf(token, 'flip-case', '00').authorization).toBe(`Bearer ${other}`),
);

test.each([
  ['percent-encoded', '%334f1-0c9e-77b2'],
  ['base64', 'MzRmMS0wYzllLTc3YjI='],
  ['accented', '34f1-0c9e-77b\u00e4'],
  ['long', `34f1-0c9e-77b2${'a'.repeat(3986)}`],
] as const)('%s: the token in another form is redacted as well', (variant, value) => {
  expect(credentialOf('34f1-0c9e-77b2', variant, '00')).toMatchObject({
    authorization: `Bearer ${value}`,
    derived: [value],
  });
});

test('what cuts off seven characters finds the token under a scheme as long as Bearer', () => {
  const { authorization } = credentialOf('34f1-0c9e-77b2', 'equally-long-scheme', '00');
  expect([authorization, authorization?.slice(7)]).toEqual(['ApiKey 34f1-0c9e-77b2', '34f1-0c9e-77b2']);
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

test('a long token is copied only as often as keeps the head of a request near that of a valid one', () => {
  const token = 'a1B2'.repeat(700);
  expect(credentialOf(token, 'in-header', '00').headers).toEqual([['X-Api-Key', token]]);
  expect(credentialOf(token, 'in-cookie', '00').cookie).toBe(`access_token=${token}`);
  const half = 'a1B2'.repeat(250);
  expect(credentialOf(half, 'in-header', '00').headers.map(([name]) => name)).toEqual([
    'X-Api-Key',
    'X-Auth-Token',
  ]);
  expect(credentialOf(half, 'in-cookie', '00').cookie).toBe(`access_token=${half}; token=${half}`);
});
