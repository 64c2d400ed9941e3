import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dsse, crypto as sigstoreCrypto } from '@sigstore/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { capture } from '../testing/captured.ts';
import { faultyRun } from '../testing/faulty-run.ts';
import { edit, type SignedRun, signedRun } from '../testing/signed-run.ts';
import { attest } from './attest.ts';

let made: SignedRun['made'];
let keys: SignedRun['keys'];
let bundle: SignedRun['bundle'];
let verified: SignedRun['verified'];

beforeAll(async () => {
  ({ made, keys, bundle, verified } = await signedRun());
}, 120_000);

describe('the attestation', () => {
  test('is verified by an implementation that is not ours', async () => {
    const folder = await bundle();
    const envelope = JSON.parse(await readFile(join(folder, 'attestation.dsse.json'), 'utf8'));
    expect(envelope.signatures).toHaveLength(2);
    const bytes = dsse.preAuthEncoding(envelope.payloadType, Buffer.from(envelope.payload, 'base64'));
    for (const [index, key] of [keys.vendor, keys.auditor].entries()) {
      const sig = Buffer.from(envelope.signatures[index].sig, 'base64');
      expect(sigstoreCrypto.verify(bytes, sigstoreCrypto.createPublicKey(key.pem), sig)).toBe(true);
      expect(sigstoreCrypto.verify(bytes, sigstoreCrypto.createPublicKey(keys.stranger.pem), sig)).toBe(
        false,
      );
    }
  });

  test('is an in-toto statement about the bundle, and says FAILED for violations', async () => {
    const folder = await bundle();
    const envelope = JSON.parse(await readFile(join(folder, 'attestation.dsse.json'), 'utf8'));
    expect(JSON.parse(Buffer.from(envelope.payload, 'base64').toString())).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'evidence.jsonl', digest: { sha256: made.report?.evidence.sha256 } },
        { name: 'report.json' },
      ],
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      predicate: { result: 'FAILED', failedTests: expect.arrayContaining(['PRM-1/createCase']) },
    });
  });

  test('the summary that was there names the signers afterwards', async () => {
    const folder = await bundle();
    const { signatures } = JSON.parse(await readFile(join(folder, 'attestation.dsse.json'), 'utf8'));
    const ids = signatures.map(({ keyid }: { keyid: string }) => `\`${keyid.slice(0, 16)}\``).join(' ');
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain(`- **Signed** with keys ${ids}\n`);
  });

  test('`assay run --key` signs as it ends', async () => {
    const run = await faultyRun({}, { suites: ['missing-keys'], keys: [keys.vendor.secret] });
    expect(run.terminal).toMatch(/attestation\.dsse\.json: WARNED, signed with .*vendor\.pem/);
    expect((await verified(run.folder, [keys.vendor.open])).code).toBe(0);
  });

  test('a run that does not hold is not signed', async () => {
    const folder = await bundle(edit('report.json', '"outcome": "violations"', '"outcome": "conformant"'));
    await expect(attest(folder, [keys.stranger.secret], capture().output)).rejects.toThrow(
      /the run does not verify, and is not signed/,
    );
  });

  test.each([
    ['nowhere.pem', undefined, 'nowhere.pem: the key cannot be read; check the path given with --key'],
    ['no.pem', 'hello', 'no.pem: it is not a PEM key; make one with `openssl genpkey'],
    [
      'rsa.pem',
      String(
        generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
          type: 'pkcs8',
          format: 'pem',
        }),
      ),
      'rsa.pem: it is a key of another type (rsa); use an ed25519 key',
    ],
    [
      'locked.pem',
      String(
        generateKeyPairSync('ed25519').privateKey.export({
          type: 'pkcs8',
          format: 'pem',
          cipher: 'aes-256-cbc',
          passphrase: 'open sesame',
        }),
      ),
      'locked.pem: the key is encrypted; set ASSAY_KEY_PASSPHRASE to its passphrase',
    ],
  ])('%s is one clear error', async (name, content, message) => {
    const file = join(await mkdtemp(join(tmpdir(), 'assay-key-')), name);
    if (content !== undefined) await writeFile(file, content);
    await expect(attest(made.folder, [file], capture().output)).rejects.toThrow(message);
  });
});
