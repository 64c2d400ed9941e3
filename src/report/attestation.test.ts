import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { envelopeOf, isSignedBy, keyId, parseEnvelope, signed, statementIn } from './attestation.ts';

const one = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');

test('an envelope comes back from its text, and each signer is known', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ noUnicodeString: false })), (value) => {
      const statement = JSON.parse(JSON.stringify(value));
      const envelope = signed(signed(envelopeOf(statement), one.privateKey), other.privateKey);
      const back = parseEnvelope(JSON.stringify(envelope));
      expect(back).toEqual(envelope);
      expect(back && statementIn(back)).toEqual(statement);
      expect(back && isSignedBy(back, one.publicKey)).toBe(true);
      expect(back && isSignedBy(back, other.publicKey)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('signing twice with one key leaves one signature', () => {
  const envelope = signed(signed(envelopeOf({}), one.privateKey), one.privateKey);
  expect(envelope.signatures.map(({ keyid }) => keyid)).toEqual([keyId(one.publicKey)]);
});

test('a key id is no proof: the signature itself must verify', () => {
  const envelope = signed(envelopeOf({}), one.privateKey);
  const forged = {
    ...envelope,
    signatures: envelope.signatures.map(({ sig }) => ({ keyid: keyId(other.publicKey), sig })),
  };
  expect(isSignedBy(forged, other.publicKey)).toBe(false);
  expect(isSignedBy({ ...envelope, payloadType: 'text/plain' }, one.publicKey)).toBe(false);
});

test.each(['', '{}', '[]', '{"payload":1,"payloadType":"a","signatures":[]}'])(
  '%j is no envelope',
  (text) => {
    expect(parseEnvelope(text)).toBeUndefined();
  },
);
