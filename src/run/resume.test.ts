import { execFile, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replay } from '../evidence/replay.ts';
import type { Trace } from '../model/exchange.ts';
import { startFaulty } from '../testing/faulty-run.ts';
import { judged } from './rejudge.ts';
import { readResumable } from './resume.ts';

const main = resolve('dist/src/cli/main.js');
const env = { ...process.env, NO_COLOR: '1' };
const config = 'fixtures/contracts/extended.config.yaml';
/** The long form kills twenty times, in a run of every suite but one: what its races show is not the same twice. */
const long = process.env['ASSAY_LONG'] === '1';
const suites = readdirSync('suites')
  .filter((name) => !name.includes('.test.') && !name.startsWith('command-histories'))
  .map((name) => name.replace(/\..*$/, ''));
const plan = long
  ? ['--suite', suites.join(), '--operation', 'createCase']
  : ['--suite', 'missing-keys,duplicate-keys,wrong-permissions', '--operation', 'createCase'];
const moments = long
  ? Array.from({ length: 20 }, () => Math.random())
  : [0.2 + Math.random() / 5, 0.5, 0.7 + Math.random() / 4];

let target: Awaited<ReturnType<typeof startFaulty>>['reference'] | undefined;
let folder = '';
let whole: { readonly cells: ReadonlyMap<string, string>; readonly bytes: number };

type Ended = { readonly code: number | string; readonly out: string; readonly err: string };

function assay(args: readonly string[]): Promise<Ended> {
  return new Promise((done) =>
    execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
      done({ code: error === null ? 0 : (error.code ?? 'killed'), out, err }),
    ),
  );
}

const given = (name: string): readonly string[] => [
  'run',
  '--config',
  config,
  '--base-url',
  target?.url ?? '',
  '--budget',
  'quick',
  '--seed',
  '4',
  '--output',
  folder,
  '--run-name',
  name,
  '--quiet',
  ...plan,
];

async function cellsOf(run: string): Promise<ReadonlyMap<string, string>> {
  const { report, problems } = await judged(join(run, 'evidence.jsonl'));
  expect(problems).toEqual([]);
  return new Map(report.cells.map(({ clause, operation, verdict }) => [`${clause}/${operation}`, verdict]));
}

async function tracesIn(run: string): Promise<readonly Trace[]> {
  const traces: Trace[] = [];
  for await (const entry of replay(join(run, 'evidence.jsonl')).entries)
    if (entry.kind === 'trace') traces.push(entry.trace);
  return traces;
}

/** Starts a run, and kills it when its log is so long. */
async function killedAt(bytes: number, name: string): Promise<string> {
  const child = spawn(process.execPath, [main, ...given(name)], { env, stdio: 'ignore' });
  const ended = new Promise<NodeJS.Signals | null>((done) =>
    child.once('exit', (_code, signal) => done(signal)),
  );
  const log = join(folder, name, 'evidence.jsonl');
  const size = async (): Promise<number> => (await stat(log).catch(() => ({ size: 0 }))).size;
  while (child.exitCode === null && (await size()) < bytes) await pause(5);
  child.kill('SIGKILL');
  // On a busy machine it may have come to its end first: then its log is cut where the kill was to be.
  if ((await ended) !== 'SIGKILL') await truncate(log, bytes);
  return join(folder, name);
}

beforeAll(async () => {
  target = (await startFaulty({}, config)).reference;
  folder = await mkdtemp(join(tmpdir(), 'assay-resume-'));
  const { code, err } = await assay(given('whole'));
  expect([0, 3], err).toContain(code);
  const run = join(folder, 'whole');
  whole = { cells: await cellsOf(run), bytes: (await stat(join(run, 'evidence.jsonl'))).size };
}, 300_000);

afterAll(() => target?.close());

const first = 60_000;

test.each(moments.map((moment, index) => [index + 1, moment] as const))(
  'a run that is killed goes on: %i, at %f of its log',
  async (index, moment) => {
    const run = await killedAt(Math.max(first, whole.bytes * moment * 0.9), `killed-${index}`);
    const log = join(run, 'evidence.jsonl');
    const flushed = await readFile(log);
    const kept = flushed.subarray(0, flushed.lastIndexOf(10) + 1);
    const before = await tracesIn(run);
    const { code, err } = await assay(['run', '--resume', run, '--quiet']);
    expect([0, 3], err).toContain(code);
    // Nothing that was flushed is lost, and the whole is what an uninterrupted run gives.
    expect((await readFile(log)).subarray(0, kept.length).equals(kept)).toBe(true);
    // What the load of the machine left open in one of them says nothing, nor whether a limit of the target was reached, nor
    // whether its list has a full page by now.
    for (const [cell, verdict] of await cellsOf(run))
      if (
        verdict !== 'inconclusive' &&
        whole.cells.get(cell) !== 'inconclusive' &&
        !/^(THR|IDM-14|RDS-5)/.test(cell)
      )
        expect(verdict, cell).toBe(whole.cells.get(cell));
    const verified = await assay(['verify', run]);
    expect(verified.code, verified.out).toBe(0);
    // What had come to its end is not sent again; a burst is, where it did not reach the limit.
    const name = ({ scenarioIndex, probe, seed, suite }: Trace): string =>
      `${suite} ${probe} ${seed} ${scenarioIndex}`;
    const own = ({ ended, purpose, suite }: Trace): boolean =>
      purpose === 'first' && ended === 'complete' && !['preflight', 'sweep', 'throttling'].includes(suite);
    const failed = ({ exchanges }: Trace): boolean =>
      exchanges.some(({ answer }) => answer === undefined || answer.status === 429 || answer.status >= 500);
    const done = new Set(before.filter((trace) => own(trace) && !failed(trace)).map(name));
    const after = (await tracesIn(run)).slice(before.length).filter(own);
    expect(after.filter((trace) => done.has(name(trace))).map(name)).toEqual([]);
    // No key of the first part is used again.
    const keys = new Set(before.flatMap(({ bound }) => Object.values(bound.keys)));
    expect(after.flatMap(({ bound }) => Object.values(bound.keys)).filter((key) => keys.has(key))).toEqual(
      [],
    );
  },
  300_000,
);

test('a run that came to its end, was altered, or was begun otherwise cannot be resumed', async () => {
  const run = join(folder, 'whole');
  await expect(readResumable(run)).rejects.toThrow(/the run came to its end; run again/);
  await expect(readResumable(join(folder, 'nowhere'))).rejects.toThrow(/there is no such log/);
  const copy = async (
    name: string,
    change: (lines: readonly string[]) => readonly string[],
  ): Promise<string> => {
    const other = join(folder, name);
    await mkdir(other);
    const lines = (await readFile(join(run, 'evidence.jsonl'), 'utf8')).trimEnd().split('\n');
    await writeFile(join(other, 'evidence.jsonl'), `${change(lines).join('\n')}\n`);
    return other;
  };
  const altered = await copy('altered', (lines) =>
    lines.filter((line, index) => index === 0 || !line.includes('"id":"x5"')).slice(0, -1),
  );
  await expect(readResumable(altered)).rejects.toThrow(/an altered log cannot be resumed/);
  const early = await copy('early', (lines) => lines.slice(0, 1));
  await expect(readResumable(early)).rejects.toThrow(/it ends before its plan/);
  const { code, err } = await assay(['run', '--resume', run, '--seed', '5']);
  expect([code, err]).toEqual([
    2,
    'assay: --resume: it does not go with --seed: a resumed run keeps its options; leave one of them out\n',
  ]);
});

test('a segment that does not chain to what is before it is a problem of the log', async () => {
  const run = join(folder, 'whole');
  const other = join(folder, 'chained');
  await mkdir(other);
  const log = join(other, 'evidence.jsonl');
  await copyFile(join(run, 'evidence.jsonl'), log);
  const line = {
    line: 'segment',
    number: 2,
    startedAt: '2027-01-01T00:00:00.000Z',
    at: 1,
    salt: '0'.repeat(32),
    harness: { name: 'a', version: '1' },
    sha256: 'e'.repeat(64),
  };
  await appendFile(log, `${JSON.stringify(line)}\n`);
  const problemsOf = async (): Promise<readonly string[]> => {
    const { problems, entries } = replay(log);
    for await (const _ of entries);
    return problems.map(({ problem }) => problem);
  };
  expect(await problemsOf()).toEqual(['there are more lines after the footer']);
  const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
  await writeFile(log, `${[...lines.slice(0, -2), lines.at(-1)].join('\n')}\n`);
  expect(await problemsOf()).toEqual([
    expect.stringMatching(/^the digest of the lines before is [0-9a-f]{64}, and the segment says e{64}$/),
    'there is no footer: the run did not end',
  ]);
  expect((await readdir(other)).length).toBe(1);
});
