import { expect, test } from 'vitest';
import { oddForgeries } from '../model/token-variants.ts';
import { credentialOf } from './credential.ts';
import { isJwt } from './jwt.ts';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (text = ''): unknown => JSON.parse(Buffer.from(text, 'base64url').toString());
const header = part({ alg: 'HS256', kid: 'k1' });
const payload = part({ sub: 'a' });
const token = `${header}.${payload}.c2lnbmVk`;

test('a token with three parts, two of which are JSON, is a JWT', () => {
  expect([token, `${header}.${payload}`, 'a.b.c', 'tok_1'].map(isJwt)).toEqual([true, false, false, false]);
});

test('no forgery is the token, and each has one thing that nobody signed', () => {
  const all = [...(['unsigned', 'payload-altered'] as const), ...oddForgeries];
  const made = Object.fromEntries(
    all.map((how) => [how, credentialOf(token, how, '00').authorization?.slice('Bearer '.length).split('.')]),
  );
  expect(new Set([token, ...Object.values(made).map((parts) => parts?.join('.'))]).size).toBe(all.length + 1);
  expect(read(made['unsigned']?.[0])).toEqual({ alg: 'none', kid: 'k1' });
  expect(made['unsigned']?.slice(1)).toEqual([payload, '']);
  expect(read(made['unsigned-mixed-case']?.[0])).toEqual({ alg: 'nOnE', kid: 'k1' });
  expect(made['unsigned-signed']?.slice(1)).toEqual([payload, 'c2lnbmVk']);
  expect(read(made['unknown-key']?.[0])).toEqual({ alg: 'HS256', kid: 'assay-unknown' });
  expect(read(made['payload-altered']?.[1])).toEqual({ sub: 'a', assay: 'altered' });
  expect(made['signature-empty']).toEqual([header, payload, '']);
  expect(made['signature-missing']).toEqual([header, payload]);
  expect(made['zero-signature']?.[2]).toBe('A'.repeat(86));
});
