import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const main = resolve('dist/src/cli/main.js');
/** A short run of the embedded reference service. */
const short = 'run --quiet --budget quick --suite missing-keys';

type Ended = { readonly code: number | string; readonly out: string; readonly err: string };

/** Runs `assay` through the shell, for the sake of its redirections. */
function assay(line: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return new Promise((done) => {
    execFile(
      '/bin/sh',
      ['-c', `"${process.execPath}" "${main}" ${line}`],
      { env: { ...process.env, NO_COLOR: '1', ...env } },
      (error, out, err) => done({ code: error === null ? 0 : (error.code ?? 'killed'), out, err }),
    );
  });
}

const output = (): Promise<string> => mkdtemp(join(tmpdir(), 'assay-ending-'));

describe('a failed harness never ends with 1, the code of violations, nor with a stack trace', () => {
  test.each([
    ['run --bogus', /^assay: unknown option '--bogus'; .+\n$/],
    ['run --budget enormous', /^assay: option '-b, --budget <name>' argument 'enormous' is invalid\./],
    ['run --seed x', /^assay: option '--seed <number>' argument 'x' is invalid\. It must be a whole number/],
    ['nonsense', /^assay: unknown command 'nonsense'; .+\n$/],
    ['judge', /^assay: missing required argument 'run'; .+\n$/],
    ['', /^Usage: assay/],
  ])('assay %s', async (line, said) => {
    expect(await assay(line)).toEqual({ code: 2, out: '', err: expect.stringMatching(said) });
  });

  test('standard output on a full disk: one line, and the report is in its folder', async () => {
    const folder = await output();
    const { code, err } = await assay(`${short} --output "${folder}" > /dev/full`);
    expect(err).toBe('assay: standard output cannot be written (ENOSPC)\n');
    expect(code).toBe(2);
    const [run = ''] = await readdir(folder);
    expect(await readdir(join(folder, run))).toContain('report.json');
  });

  test.each([
    ['ends the process', 'process.exit(0)'],
    ['never ends', 'await new Promise(() => {}); export default {}'],
  ])('a suite that %s gives no green result', async (_, code) => {
    const folder = await output();
    await writeFile(join(folder, 'a.mjs'), code);
    await writeFile(
      join(folder, 'a.yaml'),
      `target: { baseUrl: reference, environment: test }
contract: ${resolve('fixtures/contracts/governed-command-1.27.0.yaml')}
principals: { full: { token: { value: Reference-Token-Full-0001 }, permissions: [case.create] } }
suites: [a.mjs]
`,
    );
    expect(await assay(`plan --config "${join(folder, 'a.yaml')}"`)).toEqual({
      code: 2,
      out: '',
      err: 'assay: the process ended before the command did; look in your own modules for process.exit, or for an await that never ends\n',
    });
  });

  test('progress on a full disk changes nothing', async () => {
    const { code, out } = await assay(
      `run --budget quick --suite missing-keys --output "${await output()}" 2> /dev/full`,
    );
    expect(out).toContain('Verdict: PARTIAL: conformant');
    expect(code).toBe(0);
  });

  // mkdir with `recursive` never ends below /proc.
  test.each(['/dev/full', '/proc/reports'])(
    'a folder that cannot be made, below %s: one line, and the run does not begin',
    async (folder) => {
      const { code, out, err } = await assay(`${short} --output ${folder}`);
      expect(err).toMatch(
        /^assay: \/\S+: the folder cannot be made \((?:ENOTDIR|ENOENT).*\); choose another --output\n$/,
      );
      expect({ code, out }).toEqual({ code: 2, out: '' });
    },
  );

  test.each([
    ['hello', 'there is no certificate in PEM'],
    ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'certificate 1 cannot be read'],
  ])('certificates of the target that are none: one line (%j)', async (pem, problem) => {
    const folder = await output();
    await writeFile(join(folder, 'ca.pem'), pem);
    await writeFile(
      join(folder, 'assay.yaml'),
      `target: { baseUrl: "https://127.0.0.1:1", environment: test, ca: ./ca.pem }\ncontract: ${resolve('fixtures/contracts/governed-command-1.27.0.yaml')}\nprincipals: { a: { token: { value: 0123456789abcdef }, permissions: [case.create] } }\n`,
    );
    const { code, out, err } = await assay(`${short} --config "${folder}/assay.yaml" --output "${folder}"`);
    expect(err).toBe(
      `assay: ${join(folder, 'ca.pem')}: ${problem}; target.ca names a file of certificates in PEM\n`,
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('a report that cannot be written: one line that says how to make it later', async () => {
    const folder = await output();
    await assay(`${short} --output "${folder}"`);
    const run = join(folder, (await readdir(folder))[0] ?? '');
    await rm(join(run, 'report.html'));
    await mkdir(join(run, 'report.html'));
    const { code, err } = await assay(`judge "${run}"`);
    expect(err).toMatch(
      /^assay: .*report\.html: it cannot be written \(EISDIR.*\); remove the folder of that name, then make the reports from the evidence with `assay judge .*`\n$/,
    );
    expect(code).toBe(2);
  });

  test('a summary page that cannot be written is reported, and changes no verdict', async () => {
    const { code, out, err } = await assay(`${short} --output "${await output()}"`, {
      GITHUB_STEP_SUMMARY: '/dev/full',
    });
    expect(err).toMatch(/^assay: GITHUB_STEP_SUMMARY cannot be written \(ENOSPC.*\); see /);
    expect(out).toContain('Verdict: PARTIAL: conformant');
    expect(code).toBe(0);
  });
});
