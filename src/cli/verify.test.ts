import { createHash, createPrivateKey } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { signed } from '../report/attestation.ts';
import { capture } from '../testing/captured.ts';
import { faultyRun, faultyServices } from '../testing/faulty-run.ts';
import { edit, linesOf, type SignedRun, signedRun, writeLines } from '../testing/signed-run.ts';
import { attest } from './attest.ts';
import { verify } from './verify.ts';

/** JSON that a forger changes as they like. */
type Loose = { [name: string]: Loose } & { push(value: unknown): void; at(index: number): Loose | undefined };
let made: SignedRun['made'];
let keys: SignedRun['keys'];
let bundle: SignedRun['bundle'];
let verified: SignedRun['verified'];

beforeAll(async () => {
  ({ made, keys, bundle, verified } = await signedRun());
}, 120_000);

const isExchange = (line: string): boolean => line.startsWith('{"line":"exchange"');

describe('assay verify', () => {
  test('an untouched bundle holds, and every signer is named', async () => {
    const { code, text } = await verified(await bundle());
    expect(text).toMatch(
      /signed with .*vendor\.pub\.pem[\s\S]*signed with .*auditor\.pub\.pem[\s\S]*Verified\n$/,
    );
    expect(text).not.toContain('not checked');
    expect(code).toBe(0);
  });

  test('without keys it says which signatures it did not check', async () => {
    const { code, text } = await verified(await bundle(), []);
    expect(text.match(/^not checked .*give its public key with --key/gm)?.length).toBe(2);
    expect(text).toMatch(/Consistent; origin not checked\n$/);
    expect(code).toBe(0);
  });

  test('a run that nobody signed is said to be unsigned', async () => {
    const { code, text } = await verified(made.folder, []);
    expect(text).toContain('there is no attestation: nobody signed this run');
    expect(text).toMatch(/Consistent; origin not checked\n$/);
    expect(code).toBe(0);
    expect((await verified(made.folder, [keys.vendor.open])).text).toMatch(
      /broken .*it does not exist, so .*vendor/,
    );
  });

  test.each<[string, (folder: string) => Promise<void>, RegExp]>([
    [
      'one changed byte of evidence',
      edit('evidence.jsonl', '"status":201', '"status":200'),
      /broken .*evidence\.jsonl:\d+: the digest of the lines before is [0-9a-f]{64}, and the footer says/,
    ],
    [
      'a changed footer',
      edit('evidence.jsonl', /"elapsedMs":(\d)/, '"elapsedMs":1$1'),
      /broken .*evidence\.jsonl:\d+: this footer, or the digest in report\.json, was changed/,
    ],
    [
      'a signature in other letters of base64',
      async (folder) => {
        const file = join(folder, 'attestation.dsse.json');
        const envelope = JSON.parse(await readFile(file, 'utf8'));
        envelope.signatures[0].sig = envelope.signatures[0].sig.replace(/==$/, '');
        await writeFile(file, JSON.stringify(envelope));
      },
      /broken .*\/signatures\/0: the signature of key [0-9a-f]{16} was not made with that key/,
    ],
    [
      'a signature under the name of another key',
      async (folder) => {
        const file = join(folder, 'attestation.dsse.json');
        const envelope = JSON.parse(await readFile(file, 'utf8'));
        envelope.signatures[1].keyid = 'f'.repeat(64);
        await writeFile(file, JSON.stringify(envelope));
      },
      /broken .*\/signatures\/1: the signature of key f{16} was not made with that key/,
    ],
    [
      'a dropped footer',
      async (folder) => writeLines(folder, (await linesOf(folder)).slice(0, -1)),
      /broken .*evidence\.jsonl:\d+: there is no footer: the run did not end/,
    ],
    [
      'two lines in another order',
      async (folder) => {
        const lines = [...(await linesOf(folder))];
        const [one, other] = [lines.findIndex(isExchange), lines.findLastIndex(isExchange)];
        [lines[one], lines[other]] = [lines[other] ?? '', lines[one] ?? ''];
        await writeLines(folder, lines);
      },
      /broken .*evidence\.jsonl:\d+: exchange x\d+ is where x\d+ belongs: lines were left out, repeated, altered or put into another order/,
    ],
    [
      'a swapped verdict in report.json',
      async (folder) => {
        const file = join(folder, 'report.json');
        const report = JSON.parse(await readFile(file, 'utf8'));
        for (const cell of report.cells) if (cell.clause === 'PRM-1') cell.verdict = 'pass';
        await writeFile(file, JSON.stringify(report));
      },
      /broken .*report\.json: \/cells\/\d+: PRM-1\/createCase is 'pass' in the report, and 'fail' by the evidence/,
    ],
    [
      'another outcome in report.json',
      edit('report.json', '"outcome": "violations"', '"outcome": "conformant"'),
      /broken .*report\.json: \/verdict\/outcome: "conformant" in the report, "violations" by the evidence/,
    ],
    [
      'a violation left out of report.json',
      edit('report.json', /"violations": \[[\s\S]*?\n {2}\],/, '"violations": [],'),
      /broken .*report\.json: \/violations: \[\] in the report/,
    ],
    [
      'a stripped signature',
      async (folder) => {
        const file = join(folder, 'attestation.dsse.json');
        const envelope = JSON.parse(await readFile(file, 'utf8'));
        await writeFile(file, JSON.stringify({ ...envelope, signatures: envelope.signatures.slice(1) }));
      },
      /broken .*no signature was made with the key in .*vendor\.pub\.pem/,
    ],
    [
      'no signature at all',
      async (folder) => {
        const file = join(folder, 'attestation.dsse.json');
        await writeFile(
          file,
          JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), signatures: [] }),
        );
      },
      /broken .*it has no signature/,
    ],
    [
      'a stripped attestation',
      (folder) => rm(join(folder, 'attestation.dsse.json')),
      /broken .*it does not exist, so .*vendor\.pub\.pem did not sign/,
    ],
    [
      'a signature of another statement',
      edit('attestation.dsse.json', /"payload": "(\w{40})\w/, '"payload": "$1_'),
      /broken .*(no signature was made with the key|holds no in-toto statement)/,
    ],
    [
      'a report that is none',
      edit('report.json', '"exitCode": 1', '"exitCode": 7'),
      /broken .*report\.json:\d+:\d+: it is not a report of format/,
    ],
  ])('names %s', async (_, change, message) => {
    const { code, text } = await verified(await bundle(change));
    expect(text).toMatch(message);
    expect(text).toMatch(/Not verified: \d+ problems?\n$/);
    expect(code).toBe(1);
  });

  /** A file of the bundle, as JSON, changed and written as Assay writes it. */
  function editJson(name: string, change: (value: Loose) => void): (folder: string) => Promise<void> {
    return async (folder) => {
      const value: Loose = JSON.parse(await readFile(join(folder, name), 'utf8'));
      change(value);
      await writeFile(join(folder, name), `${JSON.stringify(value, undefined, 2)}\n`);
    };
  }

  test.each<[string, (report: Loose) => void, RegExp]>([
    [
      'another judge',
      (report) => Object.assign(report['baseline']?.['judgedBy'] ?? {}, { name: 'other' }),
      /\/baseline\/judgedBy\/name/,
    ],
    [
      'another version of the judge',
      (report) => Object.assign(report['baseline']?.['judgedBy'] ?? {}, { version: '9.9.9' }),
      /names version 9\.9\.9 of Assay/,
    ],
    [
      'another count of lines',
      (report) => Object.assign(report['evidence'] ?? {}, { lines: 3 }),
      /\/evidence\/lines: 3 in the report/,
    ],
    [
      'another file of evidence',
      (report) => Object.assign(report['evidence'] ?? {}, { file: 'other.jsonl' }),
      /\/evidence\/file/,
    ],
    [
      'another vendor',
      (report) => Object.assign(report['subject']?.['asserted'] ?? {}, { vendor: 'Somebody' }),
      /\/subject\/asserted\/vendor/,
    ],
  ])('a report with %s is refused, by verify and by attest', async (_, change, message) => {
    const folder = await bundle(editJson('report.json', change));
    const { code, text } = await verified(folder, []);
    expect(text).toMatch(message);
    expect(code).toBe(1);
    await expect(attest(folder, [keys.stranger.secret], capture().output)).rejects.toThrow(/is not signed/);
  });

  test('a report that says one thing twice is refused', async () => {
    const folder = await bundle(
      edit('report.json', '"outcome": "violations"', '"outcome": "conformant",\n    "outcome": "violations"'),
    );
    const { code, text } = await verified(folder, []);
    expect(text).toMatch(/broken .*report\.json:\d+:\d+: it is not written as Assay writes it/);
    expect(code).toBe(1);
  });

  /** An attestation whose statement was changed and signed again by the stranger, the other signatures removed. */
  function restated(change: (statement: Loose) => void): (folder: string) => Promise<void> {
    return async (folder) => {
      const file = join(folder, 'attestation.dsse.json');
      const envelope = JSON.parse(await readFile(file, 'utf8'));
      const statement: Loose = JSON.parse(Buffer.from(envelope.payload, 'base64').toString());
      change(statement);
      const again = signed(
        { ...envelope, payload: Buffer.from(JSON.stringify(statement)).toString('base64'), signatures: [] },
        createPrivateKey(await readFile(keys.stranger.secret)),
      );
      await writeFile(file, `${JSON.stringify(again, undefined, 2)}\n`);
    };
  }

  test.each<[string, (statement: Loose) => void, RegExp]>([
    [
      'tests that passed',
      ({ predicate }) => predicate?.['passedTests']?.push('IDM-8/createCase'),
      /\/predicate\/passedTests/,
    ],
    [
      'a certificate',
      ({ predicate }) =>
        Object.assign(predicate?.['configuration']?.at(-1)?.['annotations'] ?? {}, { certifiable: true }),
      /\/predicate\/configuration\/\d\/annotations\/certifiable: true in the statement, false by the evidence/,
    ],
    [
      'another contract',
      ({ predicate }) =>
        Object.assign(predicate?.['configuration']?.[0]?.['digest'] ?? {}, { sha256: '0'.repeat(64) }),
      /\/predicate\/configuration\/0\/digest\/sha256/,
    ],
    [
      'a further subject',
      ({ subject }) => subject?.push({ name: 'other.bin', digest: { sha256: '0'.repeat(64) } }),
      /\/subject/,
    ],
    [
      'two subjects of one name',
      ({ subject }) => subject?.push({ name: 'report.json', digest: { sha256: '0'.repeat(64) } }),
      /\/subject/,
    ],
    [
      'a further member',
      (statement) => Object.assign(statement, { note: 'approved' }),
      /\/note: "approved" in the statement, nothing by the evidence/,
    ],
    [
      'a result of its own',
      ({ predicate }) => Object.assign(predicate ?? {}, { result: 'PASSED' }),
      /\/predicate\/result: "PASSED" in the statement, "FAILED" by the evidence/,
    ],
  ])('a statement with %s is refused, even if signed', async (_, change, message) => {
    const folder = await bundle(restated(change));
    for (const given of [[], [keys.stranger.open]]) {
      const { code, text } = await verified(folder, given);
      expect(text).toMatch(message);
      expect(code).toBe(1);
    }
    await expect(attest(folder, [keys.vendor.secret], capture().output)).rejects.toThrow(/is not signed/);
  });

  test('an envelope with two payloads is refused', async () => {
    const folder = await bundle(
      edit('attestation.dsse.json', '"payload":', '"payload": "e30=",\n  "payload":'),
    );
    expect((await verified(folder)).text).toMatch(/broken .*the envelope has a member twice/);
  });

  test.each(['report.html', 'junit.xml', 'summary.md', 'report.sarif', 'earl.jsonld'])(
    'a replaced %s is named',
    async (name) => {
      const folder = await bundle((into) => writeFile(join(into, name), 'All is well.'));
      const { code, text } = await verified(folder);
      expect(text).toMatch(
        new RegExp(`broken .*${name.replace('.', '\\.')}:1:1: it does not show what the evidence says`),
      );
      expect(code).toBe(1);
    },
  );

  test('a file that is not derived is named, and the bare word is not printed', async () => {
    const folder = await bundle((into) => writeFile(join(into, 'letter.txt'), 'All is well.'));
    const { code, text } = await verified(folder);
    expect(text).toContain('letter.txt: not derived from the evidence');
    expect(text).toMatch(/Consistent and signed by the keys given; 1 item not checked\n$/);
    expect(code).toBe(0);
  });

  test('a signature that names a key and is not by it is broken', async () => {
    const folder = await bundle(
      editJson('attestation.dsse.json', ({ signatures }) => {
        signatures?.push({ ...signatures[0], sig: Buffer.alloc(64).toString('base64') });
      }),
    );
    const { code, text } = await verified(folder);
    expect(text).toMatch(/broken .*the signature of key [0-9a-f]{16} was not made with that key/);
    expect(code).toBe(1);
  });

  test('a bundle made by somebody else holds under that key alone', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'assay-verify-')), 'run');
    await cp(made.folder, folder, { recursive: true });
    await attest(folder, [keys.stranger.secret], capture().output);
    expect((await verified(folder, [keys.stranger.open])).text).toMatch(/Verified\n$/);
    expect((await verified(folder, [])).text).toMatch(/Consistent; origin not checked\n$/);
    expect((await verified(folder, [keys.vendor.open])).code).toBe(1);
  });

  test('a run carries the challenge of its auditor, and all its keys derive from it', async () => {
    const run = await faultyRun({}, { suites: ['missing-keys'], challenge: 'auditor-2026-11-21' });
    const said = async (challenge: string | undefined, folder = run.folder): Promise<string> => {
      const { output, text } = capture();
      await verify(folder, [], output, challenge);
      return text();
    };
    expect(await said('auditor-2026-11-21')).toContain('the run carries the challenge given');
    expect(await said(undefined)).toContain('carries the challenge "auditor-2026-11-21": compare it');
    expect(await said('another-challenge')).toMatch(
      /broken .*its challenge is "auditor-2026-11-21", and "another-challenge" was given/,
    );
    expect(await said('another-challenge', made.folder)).toMatch(/broken .*it carries no challenge, and/);
    // A header with another challenge, its footer made to agree.
    const folder = join(await mkdtemp(join(tmpdir(), 'assay-verify-')), 'run');
    await cp(run.folder, folder, { recursive: true });
    const lines = (await readFile(join(folder, 'evidence.jsonl'), 'utf8')).trimEnd().split('\n');
    const footer = JSON.parse(lines.pop() ?? '{}');
    const body = `${lines.join('\n')}\n`.replace('auditor-2026-11-21', 'auditor-2026-11-22');
    const sha256 = createHash('sha256').update(body).digest('hex');
    await writeFile(join(folder, 'evidence.jsonl'), `${body}${JSON.stringify({ ...footer, sha256 })}\n`);
    expect(await said(undefined, folder)).toMatch(
      /broken .*the keys of trace t\d+ do not derive from the nonce/,
    );
  });

  test('a run with a burst holds, in which a plain name stands for a numbered one', async () => {
    const run = await faultyRun({}, { suites: ['throttling'] });
    const { output, text } = capture();
    await verify(run.folder, [], output, undefined);
    expect(await readFile(join(run.folder, 'evidence.jsonl'), 'utf8')).toContain('"key#1"');
    expect(text()).not.toContain('broken');
  });

  test('names another key', async () => {
    const { code, text } = await verified(await bundle(), [keys.stranger.open]);
    expect(text).toMatch(/broken .*no signature was made with the key in .*stranger\.pub\.pem/);
    expect(code).toBe(1);
  });

  test('a whole forgery with new digests and a new report is found only by the signatures', async () => {
    const folder = await bundle(async (into) => {
      const other = await faultyRun(faultyServices['no ID on 401'] ?? {}, { suites: ['wrong-permissions'] });
      await cp(join(other.folder, 'evidence.jsonl'), join(into, 'evidence.jsonl'));
      await cp(join(other.folder, 'report.json'), join(into, 'report.json'));
    });
    const { code, text } = await verified(folder);
    expect(text).toMatch(/broken .*\/subject\/0\/digest\/sha256: "[0-9a-f]{59}\.\.\. in the statement/);
    expect(text).toMatch(/broken .*\/predicate\/result: "FAILED" in the statement, "WARNED" by the evidence/);
    expect(code).toBe(1);
  });

  test('any changed byte of the evidence is found, and nothing crashes', async () => {
    const folder = await bundle();
    const file = join(folder, 'evidence.jsonl');
    const bytes = await readFile(file);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const altered = Buffer.from(bytes);
          altered[at] = (altered[at] ?? 0) ^ change;
          await writeFile(file, altered);
          const { code, text } = await verified(folder, []);
          expect(text).toContain('broken');
          expect(code).toBe(1);
        },
      ),
      { numRuns: 40 },
    );
  });
});
