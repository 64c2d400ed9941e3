import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isArray, isObject, type Json, type JsonObject, parseJson } from '../model/json.ts';
import type { Report } from './report.ts';

export const attestationFile = 'attestation.dsse.json';

const payloadType = 'application/vnd.in-toto+json';

/** A DSSE envelope: one payload, several signers. */
export type Envelope = {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
};

/** SHA-256 of the files of a bundle, hexadecimal, by file name. */
export type BundleDigests = Readonly<Record<string, string>>;

/** An in-toto Statement v1: PASSED for a whole conformant run on intact evidence, WARNED where less was verified. */
export function statementOf(report: Report, digests: BundleDigests): JsonObject {
  const { baseline } = report;
  const described = (name: string, sha256: string): JsonObject => ({ name, digest: { sha256 } });
  const cells = (...verdicts: readonly string[]): Json =>
    report.cells
      .filter((cell) => cell.level !== 'advisory' && verdicts.includes(cell.verdict))
      .map((cell) => `${cell.clause}/${cell.operation}`);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: Object.entries(digests).map(([name, sha256]) => described(name, sha256)),
    predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
    predicate: {
      result: resultOf(report),
      configuration: [
        described('contract', baseline.contract.digest),
        described('configuration', baseline.configuration.digest),
        described('suites', baseline.suites.digest),
        ...(baseline.selfTest === undefined ? [] : [described('self-test', baseline.selfTest)]),
        {
          name: 'harness',
          annotations: {
            ...baseline.harness,
            run: report.run.id,
            certifiable: report.verdict.certifiable,
            ...(baseline.challenge === undefined ? {} : { challenge: baseline.challenge }),
          },
        },
      ],
      passedTests: cells('pass'),
      warnedTests: cells('inconclusive', 'not-tested'),
      failedTests: cells('fail', 'unstable'),
    },
  };
}

export function resultOf({ verdict, run, evidence }: Report): 'PASSED' | 'WARNED' | 'FAILED' {
  if (verdict.outcome === 'violations') return 'FAILED';
  const whole = run.ended === 'complete' && !verdict.partial && evidence.problems.length === 0;
  return verdict.outcome === 'conformant' && whole ? 'PASSED' : 'WARNED';
}

export function envelopeOf(statement: JsonObject): Envelope {
  const payload = Buffer.from(JSON.stringify(statement)).toString('base64');
  return { payloadType, payload, signatures: [] };
}

/** The envelope with one more signature, or with a new one of the same key. */
export function signed(envelope: Envelope, key: KeyObject): Envelope {
  const keyid = keyId(createPublicKey(key));
  const sig = sign(null, signedBytes(envelope), key).toString('base64');
  const others = envelope.signatures.filter((signature) => signature.keyid !== keyid);
  return { ...envelope, signatures: [...others, { keyid, sig }] };
}

export function isSignedBy(envelope: Envelope, key: KeyObject): boolean {
  return envelope.signatures.some(({ sig }) => isSignatureBy(envelope, sig, key));
}

/** Whether the key made the signature; key ids are hints, and nothing is taken from them. */
export function isSignatureBy(envelope: Envelope, sig: string, key: KeyObject): boolean {
  const bytes = Buffer.from(sig, 'base64');
  // The decoder passes over what is not base64: two texts would be one signature.
  return bytes.toString('base64') === sig && verify(null, signedBytes(envelope), key, bytes);
}

/** SHA-256 of the public key (SubjectPublicKeyInfo, DER), hexadecimal. */
export function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** The statement in an envelope; undefined where it holds none. */
export function statementIn(envelope: Envelope): JsonObject | undefined {
  if (envelope.payloadType !== payloadType) return undefined;
  const value = parseJson(Buffer.from(envelope.payload, 'base64').toString('utf8'));
  return isObject(value) ? value : undefined;
}

/** The envelope in a text; undefined where it is none. */
export function parseEnvelope(text: string): Envelope | undefined {
  const value = parseJson(text);
  if (!isObject(value) || typeof value['payload'] !== 'string' || typeof value['payloadType'] !== 'string')
    return undefined;
  const given = value['signatures'];
  if (!isArray(given)) return undefined;
  const signatures = given.flatMap((each) =>
    isObject(each) && typeof each['sig'] === 'string'
      ? [{ keyid: typeof each['keyid'] === 'string' ? each['keyid'] : '', sig: each['sig'] }]
      : [],
  );
  return { payloadType: value['payloadType'], payload: value['payload'], signatures };
}

/** What is signed: DSSE's pre-authentication encoding of type and payload. */
function signedBytes(envelope: Envelope): Buffer {
  const body = Buffer.from(envelope.payload, 'base64');
  const type = Buffer.from(envelope.payloadType);
  return Buffer.concat([Buffer.from(`DSSEv1 ${type.length} `), type, Buffer.from(` ${body.length} `), body]);
}
