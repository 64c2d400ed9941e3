import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportWith } from '../testing/sample-report.ts';
import {
  envelopeOf,
  isSignedBy,
  keyId,
  parseEnvelope,
  resultOf,
  signed,
  statementIn,
  statementOf,
} from './attestation.ts';
import type { Report } from './report.ts';

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

describe('the result', () => {
  const base = reportWith({});
  test.each<[string, Report, string]>([
    ['conformant and whole', base, 'PASSED'],
    ['interrupted', { ...base, run: { ...base.run, ended: 'interrupted' } }, 'WARNED'],
    ['ended by its budget', { ...base, run: { ...base.run, ended: 'budget' } }, 'WARNED'],
    ['narrowed', { ...base, verdict: { ...base.verdict, partial: true } }, 'WARNED'],
    [
      'not fully verified',
      { ...base, verdict: { ...base.verdict, outcome: 'not fully verified', exitCode: 3 } },
      'WARNED',
    ],
    [
      'on a damaged log',
      { ...base, evidence: { ...base.evidence, problems: [{ line: 1, problem: 'torn' }] } },
      'WARNED',
    ],
    [
      'with violations',
      { ...base, verdict: { ...base.verdict, outcome: 'violations', exitCode: 1 } },
      'FAILED',
    ],
  ])('of a run that is %s', (_, report, result) => {
    expect(resultOf(report)).toBe(result);
    expect(statementOf(report, {})).toMatchObject({ predicate: { result } });
  });
});
