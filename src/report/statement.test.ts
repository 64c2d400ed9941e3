import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { busy } from '../testing/busy-report.ts';
import { reportWith } from '../testing/sample-report.ts';
import {
  envelopeOf,
  isSignedBy,
  keyId,
  parseEnvelope,
  signed,
  statementIn,
  statementOf,
} from './attestation.ts';

const statementType = 'application/vnd.in-toto+json';
const digest = '0'.repeat(64);

describe('the statement', () => {
  test('names the files of the bundle, what it was reached with, and every cell that counts', () => {
    expect(statementOf(busy, { 'report.json': 'ab', 'evidence.jsonl': 'cd' })).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'report.json', digest: { sha256: 'ab' } },
        { name: 'evidence.jsonl', digest: { sha256: 'cd' } },
      ],
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      predicate: {
        result: 'FAILED',
        configuration: [
          { name: 'contract', digest: { sha256: digest } },
          { name: 'configuration', digest: { sha256: digest } },
          { name: 'suites', digest: { sha256: digest } },
          {
            name: 'harness',
            annotations: {
              name: 'assay',
              version: '0.1.0',
              run: '2026-01-31T10-00-00-000Z-abc123',
              certifiable: false,
            },
          },
        ],
        passedTests: ['RID-1/create_case'],
        warnedTests: ['IDM-9/create_case', 'IDM-10/create_case', 'IDM-11/close_case'],
        failedTests: ['IDM-6/create_case', 'IDM-7/create_case', 'IDM-8/create_case'],
      },
    });
  });

  test('names the self-test where there was one', () => {
    const base = reportWith({});
    const statement = statementOf({ ...base, baseline: { ...base.baseline, selfTest: 'ef' } }, {});
    expect(statement).toMatchObject({
      predicate: {
        configuration: [{}, {}, {}, { name: 'self-test', digest: { sha256: 'ef' } }, { name: 'harness' }],
      },
    });
  });
});

describe('the envelope', () => {
  const key = generateKeyPairSync('ed25519');
  const envelope = envelopeOf({ a: 'é' });

  test('holds a statement, and no signature yet', () => {
    expect(envelope).toEqual({
      payloadType: statementType,
      payload: Buffer.from('{"a":"é"}').toString('base64'),
      signatures: [],
    });
  });

  test('holds for a signature that was made elsewhere, over type and payload with their lengths in bytes', () => {
    const bytes = Buffer.from(`DSSEv1 28 ${statementType} 10 {"a":"é"}`);
    const sig = sign(null, bytes, key.privateKey).toString('base64');
    expect(isSignedBy({ ...envelope, signatures: [{ keyid: '', sig }] }, key.publicKey)).toBe(true);
    expect(signed(envelope, key.privateKey).signatures).toEqual([{ keyid: keyId(key.publicKey), sig }]);
    expect(keyId(key.publicKey)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('of another type or content holds no statement', () => {
    expect(statementIn(envelope)).toEqual({ a: 'é' });
    expect(statementIn({ ...envelope, payloadType: 'text/plain' })).toBeUndefined();
    expect(statementIn({ ...envelope, payload: Buffer.from('[1]').toString('base64') })).toBeUndefined();
    expect(statementIn({ ...envelope, payload: Buffer.from('{').toString('base64') })).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['{"payload":"a","payloadType":"b","signatures":{}}', undefined],
    ['{"payload":"a","payloadType":2,"signatures":[]}', undefined],
    ['{"payload":1,"payloadType":"b","signatures":[]}', undefined],
    ['{"payload":"a","payloadType":"b"}', undefined],
    ['null', undefined],
    ['{"payload":"a","payloadType":"b","signatures":[]}', { payload: 'a', payloadType: 'b', signatures: [] }],
    [
      '{"payload":"a","payloadType":"b","signatures":[1,{"sig":2},{"keyid":"k"},{"sig":"s"},{"sig":"t","keyid":3},{"sig":"u","keyid":"k"}],"more":1}',
      {
        payload: 'a',
        payloadType: 'b',
        signatures: [
          { keyid: '', sig: 's' },
          { keyid: '', sig: 't' },
          { keyid: 'k', sig: 'u' },
        ],
      },
    ],
  ])('in %s', (text, expected) => {
    expect(parseEnvelope(text)).toEqual(expected);
  });
});
