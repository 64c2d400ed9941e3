import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stampOf, stampRequest, timestampFrom } from './timestamp.ts';

const evidence = Buffer.from('{"line":"header"}\n');
const sha256 = createHash('sha256').update(evidence).digest('hex');
const openssl = spawnSync('openssl', ['version']).status === 0;

test('what is no time-stamp is said to be none', () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('hello'), Buffer.from('30820000', 'hex')])
    expect(stampOf(bytes, sha256)).toBe('it is not a time-stamp response of RFC 3161');
});

describe.skipIf(!openssl)(`with an authority made by openssl${openssl ? '' : ' (not installed)'}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-tsa-'));
  const run = (...args: string[]): Buffer => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const config = `
[req]
distinguished_name = name
x509_extensions = v3
prompt = no
[name]
CN = Assay test authority
[v3]
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = one
[one]
serial = ${folder}/serial
signer_cert = ${folder}/tsa.pem
signer_key = ${folder}/tsa.key.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
`;
  const reply = (query: Uint8Array): Buffer<ArrayBuffer> => {
    writeFileSync(join(folder, 'query.tsq'), query);
    run('ts', '-reply', '-config', 'tsa.cnf', '-queryfile', 'query.tsq', '-out', 'reply.tsr');
    return readFileSync(join(folder, 'reply.tsr'));
  };
  const ready = (): void => {
    writeFileSync(join(folder, 'tsa.cnf'), config);
    writeFileSync(join(folder, 'serial'), '01\n');
    writeFileSync(join(folder, 'evidence.jsonl'), evidence);
    run(
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '3650'],
      ...['-config', 'tsa.cnf', '-keyout', 'tsa.key.pem', '-out', 'tsa.pem'],
    );
  };

  test('our request is one that openssl reads, and its response is of the evidence', () => {
    ready();
    const der = reply(stampRequest(sha256));
    expect(stampOf(der, sha256)).toEqual({ at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) });
    expect(
      stampOf(
        der,
        sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      ),
    ).toMatch(/^it stamps other bytes/);
    expect(
      run('ts', '-verify', '-data', 'evidence.jsonl', '-in', 'reply.tsr', '-CAfile', 'tsa.pem').toString(),
    ).toContain('OK');
  });

  test('a query made by openssl does as well, but not one of another digest', () => {
    ready();
    const query = (digest: string): Buffer => run('ts', '-query', '-data', 'evidence.jsonl', digest, '-cert');
    expect(stampOf(reply(query('-sha256')), sha256)).toHaveProperty('at');
    expect(stampOf(reply(query('-sha512')), sha256)).toBe('it does not stamp a SHA-256 digest');
  });

  test('an authority is asked over HTTP, and one of other bytes is refused', async () => {
    ready();
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => response.end(reply(Buffer.concat(chunks))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
    try {
      expect(stampOf(await timestampFrom({ url }, sha256), sha256)).toHaveProperty('at');
      await expect(timestampFrom({ file: join(folder, 'reply.tsr') }, '0'.repeat(64))).rejects.toThrow(
        /reply\.tsr: it stamps other bytes .*; stamp evidence\.jsonl/,
      );
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
    await expect(timestampFrom({ url }, sha256)).rejects.toThrow(
      'there is no time-stamp from this authority',
    );
  });
});
