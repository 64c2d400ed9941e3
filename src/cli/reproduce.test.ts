import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sendAgain, violationIn } from '../run/reproduce.ts';
import { reproduce as reproduceCase } from '../run/reproduce-case.ts';
import { openSession } from '../run/session.ts';
import { capture } from '../testing/captured.ts';
import { faultyServices, startFaulty } from '../testing/faulty-run.ts';
import { reproduce } from './reproduce.ts';
import { type RunFlags, run } from './run.ts';
import { watch } from './watch.ts';

vi.setConfig({ testTimeout: 240_000 });

let config = '';
const never = new AbortController().signal;
const targets: Awaited<ReturnType<typeof startFaulty>>['reference'][] = [];
let faulty = '';
let fixed = '';
let output = '';

async function runOn(baseUrl: string, more: Omit<RunFlags, 'overrides' | 'quiet'>) {
  const captured = capture();
  const { exitCode, report } = await run(
    config,
    { overrides: { baseUrl, output, budget: 'quick', seed: 3 }, quiet: true, ...more },
    captured.output,
    never,
  );
  if (report === undefined) throw new Error(captured.text());
  return { exitCode, report, text: captured.text(), folder: join(output, 'latest') };
}

beforeAll(async () => {
  output = await mkdtemp(join(tmpdir(), 'assay-reproduce-'));
  // The reference shows what was written at once: nothing has to settle.
  config = join(output, 'quick.yaml');
  await writeFile(
    config,
    (await readFile('harness.config.yaml', 'utf8'))
      .replace('declares: {}', 'declares: { G15: { seconds: 0.1 } }')
      .replace('contract: ./', `contract: ${process.cwd()}/`),
  );
  for (const behaviour of [faultyServices['no ID on 401'] ?? {}, {}])
    targets.push((await startFaulty(behaviour, config)).reference);
  [faulty = '', fixed = ''] = targets.map(({ url }) => url);
}, 120_000);

afterAll(async () => {
  for (const target of targets) await target.close();
});

describe('a violation is sent again', () => {
  test('it is there, it is gone, or nothing can be said', async () => {
    const { report, folder } = await runOn(faulty, { suites: ['credentials'] });
    const [{ id } = { id: '' }] = report.violations;
    const on = async (baseUrl: string | undefined) => {
      const captured = capture();
      const flags = { config: undefined, as: undefined, overrides: { output, baseUrl } };
      const exitCode = await reproduce(folder, id.toLowerCase(), flags, captured.output, never);
      return { exitCode, text: captured.text() };
    };
    expect(await on(undefined)).toEqual({
      exitCode: 1,
      text: expect.stringContaining(`${id}: reproduced`),
    });
    expect(await on(fixed)).toEqual({
      exitCode: 0,
      text: expect.stringContaining(`${id}: not reproduced`),
    });
    expect(await on('http://127.0.0.1:1')).toEqual({
      exitCode: 2,
      text: expect.stringContaining('correct the port in target.baseUrl'),
    });
    await expect(on(undefined).then(() => violationIn(folder, 'RID-1/createCas'))).rejects.toThrow(
      /the run has no finding 'RID-1\/createCas'; did you mean/,
    );
  });

  test('it is printed for other tools, and the printed test case is what is sent', async () => {
    const { folder } = await runOn(faulty, { suites: ['credentials'] });
    const { minimal } = await violationIn(folder, undefined);
    const as = async (format: 'curl' | 'har' | 'http' | 'vitest') => {
      const captured = capture();
      const flags = { config: undefined, as: format, overrides: {} };
      expect(await reproduce(folder, undefined, flags, captured.output, never)).toBe(0);
      return captured.text();
    };
    expect(await as('curl')).toContain(`-X POST ${faulty}/cases`);
    const { log } = JSON.parse(await as('har'));
    expect(log.version).toBe('1.2');
    expect(log.entries[0].request).toMatchObject({ method: 'POST', url: `${faulty}/cases` });
    expect(log.entries[0].response.status).toBe(401);
    const http = await as('http');
    expect(http).toMatch(new RegExp(`^### .*returned 401\nPOST ${faulty}/cases$`, 'm'));
    expect(http).not.toBe(await as('http'));
    const printed = await as('vitest');
    const from = printed.indexOf('case: ') + 'case: '.length;
    const given = JSON.parse(printed.slice(from, printed.indexOf(',\n  });', from)));
    expect(given).toEqual(JSON.parse(JSON.stringify(minimal)));
    expect((await reproduceCase({ config, output, baseUrl: fixed, case: given })).outcome).toBe(
      'not reproduced',
    );
    expect((await reproduceCase({ config, output, baseUrl: faulty, case: given })).outcome).toBe(
      'reproduced',
    );
  });

  test('a case of another contract is an error of the input', async () => {
    const session = await openSession(config, { baseUrl: fixed, output });
    const minimal = {
      finding: 'IDM-6/renameCase',
      suite: 's',
      probe: 'p',
      seed: 1,
      scenario: { title: '', bodies: {}, waves: [] },
    };
    await expect(sendAgain(session, minimal, {}, never)).rejects.toThrow(
      /the contract no longer has an operation 'renameCase'/,
    );
  });
});

describe('filters make a run partial', () => {
  test('--last-failed sends what the last run violated, and is done when that is fixed', async () => {
    const all = await runOn(faulty, { suites: ['credentials', 'missing-keys'] });
    const again = await runOn(faulty, { lastFailed: true });
    const ids = ({ report }: typeof all) => report.violations.map(({ id }) => id);
    expect(ids(again)).toEqual(ids(all));
    expect(again.report.run.exchanges).toBeLessThan(all.report.run.exchanges);
    expect(again.report.verdict).toMatchObject({ partial: true, certifiable: false });
    expect(again.report.verdict.shortfalls[0]).toMatch(/^the run was narrowed with --last-failed \(\S+\)$/);
    const after = await runOn(fixed, { lastFailed: true });
    expect([after.exitCode, after.report.verdict.outcome]).toEqual([0, 'conformant']);
    await expect(runOn(fixed, { lastFailed: true })).rejects.toThrow(/the last run violated nothing/);
  });

  test.each([
    [{ clauses: ['idm-1'] }, '--clause IDM-1'],
    [{ paths: ['/cas*'], suites: ['missing-keys'] }, '--suite missing-keys --path /cas*'],
  ])('%j', async (filters, words) => {
    const { exitCode, report, text } = await runOn(fixed, filters);
    expect(report.verdict).toMatchObject({ partial: true, certifiable: false, outcome: 'conformant' });
    expect(report.verdict.shortfalls).toContain(`the run was narrowed with ${words}`);
    expect(text).toContain('PARTIAL');
    expect(exitCode).toBe(0);
  });

  test.each([
    [{ clauses: ['IDM-99'] }, /--clause: there is no clause 'IDM-99'/],
    [{ tags: ['nothing'] }, /--tag: no operation has the tag 'nothing'/],
    [{ paths: ['/case'] }, /--path: no operation is at '\/case'; did you mean '\/cases'/],
  ])('%j is an error', async (filters, message) => {
    await expect(runOn(fixed, filters)).rejects.toThrow(message);
  });

  test('a clause that cannot be tested is not conformant', async () => {
    const { exitCode, report } = await runOn(fixed, { clauses: ['PRM-1'], suites: ['missing-keys'] }).catch(
      () => ({ exitCode: 2, report: undefined }),
    );
    expect([exitCode, report]).toEqual([2, undefined]);
  });

  test('--bail ends after a violation that was confirmed', async () => {
    const { exitCode, report } = await runOn(faulty, { bail: 1 });
    expect(report.violations.length).toBeGreaterThan(0);
    expect(report.run).toMatchObject({ ended: 'interrupted', cause: { what: 'enough violations (--bail)' } });
    expect(exitCode).toBe(1);
  });
});

test('--watch runs again at each key, and ends with the last exit code', async () => {
  const keys = new PassThrough();
  const { output: said, text } = capture();
  const codes = [1, 3, 0];
  let times = 0;
  const watched = watch(
    async () => {
      times += 1;
      return codes[times - 1] ?? 2;
    },
    keys,
    {
      ...said,
      err: (line) => {
        said.err(line);
        keys.write(times < 3 ? ' ' : 'q');
      },
    },
    never,
  );
  expect(await watched).toBe(0);
  expect(times).toBe(3);
  expect(text()).toContain('press a key to run again, q to end');
});

test('no token is in what reproduce prints or writes', async () => {
  const { folder } = await runOn(faulty, { suites: ['credentials'] });
  const captured = capture();
  for (const as of ['curl', 'har', 'http', 'vitest', undefined] as const)
    await reproduce(
      folder,
      undefined,
      { config: undefined, as, overrides: { output } },
      captured.output,
      never,
    );
  const logs = await Promise.all(
    (await readdir(output))
      .filter((name) => name !== 'quick.yaml')
      .map((name) => readFile(join(output, name, 'evidence.jsonl'), 'utf8')),
  );
  expect([captured.text(), ...logs].join('\n')).not.toContain('Reference-Token-Full-0001');
});
