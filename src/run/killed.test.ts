import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judged } from './rejudge.ts';

const main = resolve('dist/src/cli/main.js');
const env = { ...process.env, NO_COLOR: '1' };

type Ended = { readonly code: number | string; readonly out: string; readonly err: string };

function shell(line: string): Promise<Ended> {
  return new Promise((done) => {
    execFile('/bin/sh', ['-c', line], { env }, (error, out, err) =>
      done({ code: error === null ? 0 : (error.code ?? 'killed'), out, err }),
    );
  });
}

const assay = (line: string): Promise<Ended> => shell(`"${process.execPath}" "${main}" ${line}`);

/** Starts a run of the embedded reference service, and kills it when its progress says so. */
async function killedAt(progress: RegExp): Promise<string> {
  const output = await mkdtemp(join(tmpdir(), 'assay-killed-'));
  const child = spawn(
    process.execPath,
    [main, 'run', '--budget', 'quick', '--seed', '3', '--concurrency', '2', '--output', output],
    { env, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<NodeJS.Signals | null>((done) =>
    child.once('exit', (_code, signal) => done(signal)),
  );
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    if (progress.test(said)) child.kill('SIGKILL');
  }
  expect(await ended, said).toBe('SIGKILL');
  const [name = ''] = await readdir(output);
  return join(output, name);
}

/** Says that the run is incomplete, at a line of its log, and accuses of nothing. */
async function expectIncomplete(folder: string): Promise<void> {
  const log = join(folder, 'evidence.jsonl');
  expect(await readdir(folder)).toEqual(['evidence.jsonl']);
  const verified = await assay(`verify "${folder}"`);
  expect(verified.out).toMatch(/evidence\.jsonl:\d+: there is no footer: the run did not end/);
  expect(verified.out).toMatch(/Not verified: \d problems?\n$/);
  expect(verified.code).toBe(1);
  const again = await assay(`judge "${folder}"`);
  expect(again.err).toMatch(
    /^(assay: \S+evidence\.jsonl:\d+: .+\n)+assay: the log is incomplete.+--resume.+\n$/,
  );
  expect(again.err).toContain('there is no footer: the run did not end\n');
  expect(again.out).toContain('not fully verified');
  expect(again.code).toBe(3);
  const { report } = await judged(log);
  expect(report.violations).toEqual([]);
  expect(report.verdict.shortfalls).toContain('the run was interrupted');
}

describe('a run that is killed leaves a log that can be read, is called incomplete, and accuses of nothing', () => {
  test.each([
    ['as it begins', /probes on/],
    ['amid its probes', /duplicate-keys/],
    ['late', /stale|throttling|lost-responses/],
  ])('%s', async (_, progress) => {
    const folder = await killedAt(progress);
    const whole = (await readFile(join(folder, 'evidence.jsonl'), 'utf8')).split('\n').slice(0, -1);
    // What was seen to its end is on the disk: at least preflight is.
    expect(whole.filter((line) => line.startsWith('{"line":"trace"')).length).toBeGreaterThan(0);
    await expectIncomplete(folder);
  });

  test('a file that may grow no more voids the run', async () => {
    const output = await mkdtemp(join(tmpdir(), 'assay-limit-'));
    // 64 blocks of 512 bytes: the kernel refuses what goes beyond.
    const { code, out, err } = await shell(
      `ulimit -f 64; exec "${process.execPath}" "${main}" run --quiet --budget quick --output "${output}"`,
    );
    expect(err).toMatch(
      /^assay: the evidence cannot be written \(EFBIG: file too large, write\); free some space or choose another --output\. The run is void\. What was written is in \S+\n$/,
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const [name = ''] = await readdir(output);
    await expectIncomplete(join(output, name));
  });
});
