import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../cli/run.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { secondReading } from '../reference/variants/catalogue.ts';
import { combined } from '../reference/variants/variant.ts';
import { accuracyPage, quantile } from '../selftest/accuracy-page.ts';
import { removal } from '../selftest/removal.ts';
import { makeTrials, type TrialOf } from '../selftest/trial.ts';
import type { Job } from './accuracy.ts';
import { lineOf } from './lines.ts';
import { jobsOf, logName } from './selftest.ts';

const trial = makeTrials();
const never = new AbortController().signal;

async function tried(id: string, folder: string): Promise<readonly string[]> {
  const fault = faults.find((one) => one.id === id);
  if (fault === undefined) return [`there is no fault ${id}`];
  const job: Job = { kind: 'fault', ids: [id], seed: 1, budget: 'quick', early: false };
  const of: TrialOf = { ...fault, seed: 1, budget: 'quick', keep: join(folder, logName(job)) };
  const result = await trial(of, never);
  const line = lineOf(job, result);
  expect([id, line.missed, line.unexpected]).toEqual([id, [], []]);
  return result.fired;
}

test('each variant that is named is tried with each seed', () => {
  const usual = { seeds: 2, budget: 'quick', combinations: 0 } as const;
  const jobs = jobsOf({ ...usual, variant: ['W41', 'W41f'] });
  expect(jobs.map(({ ids, seed }) => `${ids.join()} ${seed}`)).toEqual([
    'W41 1',
    'W41f 1',
    'W41 2',
    'W41f 2',
  ]);
  const whole = jobsOf(usual).filter(({ kind, seed }) => kind === 'variant' && seed > 1);
  expect(whole).toEqual([]);
});

test('a second effect behind equal answers, a key taken by a 401, a replay before the permission, a wait that is too short', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-kept-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [twice, occupied, replayed, short] = await Promise.all(
    ['I07', 'A18', 'P17', 'T08'].map((id) => tried(id, folder)),
  );
  expect(twice).toContain('IDM-4');
  expect(occupied).toContain('AUT-10');
  expect(replayed).toContain('PRM-8');
  expect(short).toContain('THR-4');
  // Without traffic: each of them is missed once its clause is removed, and no fault of these needs RDS-1.
  let said = '';
  const output = {
    out: (text: string) => {
      said += text;
    },
    err: () => undefined,
    live: false,
    columns: 80,
    colours: pc.createColors(false),
  };
  expect(await removal(folder, ['IDM-4', 'AUT-10', 'PRM-8', 'THR-4'], output)).toBe(0);
  expect(said).toContain('ok     IDM-4: without it I07 is not caught by all that it breaks');
  expect(await removal(folder, ['RDS-1'], output)).toBe(1);
  expect(said).toContain('NOT OK RDS-1: nothing is missed without it');
  await expect(removal(folder, ['IDM-444'], output)).rejects.toThrow(/there is no clause 'IDM-444'/);
  await expect(removal(join(folder, 'nowhere'), undefined, output)).rejects.toThrow(/no kept evidence/);
}, 240_000);

test('a scope of the first page alone, records doubled behind the second one, a filter ignored for one value', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-kept-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const ids = ['G81', 'G82', 'G83'];
  const [leaked, doubled, unfiltered] = await Promise.all(ids.map((id) => tried(id, folder)));
  expect(leaked).toContain('RDS-7');
  expect(doubled).toContain('RDS-4');
  expect(unfiltered).toContain('RDS-3');
}, 240_000);

test('a second reading of the contract is conformant: 409 for duplicates, other errors, guidance as a date', async () => {
  const { change, settings, declares, operations } = combined(secondReading);
  const result = await trial(
    {
      change,
      settings: settings ?? {},
      declares: declares ?? {},
      operations,
      seed: 1,
      budget: 'quick',
    },
    never,
  );
  expect(result).toMatchObject({ outcome: 'conformant', fired: [], inconclusive: [] });
}, 240_000);

test('one token and POST /cases alone: nothing is claimed, and what more would unlock is shown', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-one-token-'));
  try {
    const file = join(folder, 'assay.yaml');
    await writeFile(
      file,
      [
        'target: { baseUrl: reference, environment: test }',
        `contract: ${join(process.cwd(), 'fixtures/contracts/governed-command-1.27.0.yaml')}`,
        'principals:',
        '  only: { token: { value: Reference-Token-0001 }, permissions: [case.create], scope: tenant-a }',
        `output: ${join(folder, 'reports')}`,
      ].join('\n'),
    );
    let text = '';
    const take = (more: string): void => {
      text += more;
    };
    const { exitCode, report } = await run(
      file,
      { overrides: { budget: 'quick', seed: 1 }, suites: undefined, operations: undefined, quiet: true },
      { out: take, err: take, live: false, columns: 100, colours: pc.createColors(false) },
      never,
    );
    expect(exitCode).toBe(3);
    expect(report?.verdict).toMatchObject({ outcome: 'not fully verified', certifiable: false });
    const verdicts = new Map(report?.cells.map((cell) => [cell.clause, cell.verdict]));
    for (const code of ['AUT-3', 'AUT-7', 'PRM-1', 'PRM-3', 'PRM-8', 'IDM-9', 'IDM-12', 'IDM-15', 'IDM-18'])
      expect([code, verdicts.get(code)]).toEqual([code, 'not-tested']);
    // Nothing that was not counted is said to be counted: there is no read.
    const cells = report?.cells.filter((cell) => ['IDM-4', 'IDM-6', 'VAL-7'].includes(cell.clause)) ?? [];
    expect(cells.filter((cell) => cell.verdict === 'pass').every((cell) => cell.idsOnly)).toBe(true);
    for (const remedy of [
      /Give a valid principal without case\.create/,
      /Give a valid principal whose permission resembles case\.create/,
      /Give a principal whose token is expired/,
      /Give a principal whose token is revoked/,
      /Configure the hook/,
      /Give a second caller that holds case\.create/,
      /Give a second token of the same caller/,
    ])
      expect(text).toMatch(remedy);
    expect((await readdir(join(folder, 'reports'))).filter((name) => name !== 'latest')).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 120_000);

test('the page says what was missed and what was accused', () => {
  const line = {
    id: 'X01',
    describes: 'A fault.',
    seed: 1,
    budget: 'quick' as const,
    breaks: ['IDM-4'],
    fired: [],
    missed: ['IDM-4'],
    unexpected: [],
    requests: 10,
    firstRequest: undefined,
    firstSeconds: undefined,
    outcome: 'conformant',
  };
  const page = accuracyPage(
    {
      format: 'assay-accuracy/1',
      harness: { name: 'assay', version: '0' },
      build: 'def',
      budget: 'quick',
      seeds: 1,
      faults: [line],
      variants: [{ ...line, id: 'W01+W02', breaks: [], missed: [], unexpected: ['ERR-1'] }],
      passed: false,
    },
    'abc',
  );
  expect(page).toContain('| faults caught with the quick budget | 0 of 1 trials (0.0%) |');
  expect(page).toContain('**missed IDM-4 with seed 1, quick budget**');
  expect(page).toContain('accused: W01+W02 (ERR-1)');
  expect([quantile([], 0.5), quantile([3, 1, 2], 0.5), quantile([1, 2, 3, 4], 0.95)]).toEqual([
    undefined,
    2,
    4,
  ]);
});
