import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../cli/run.ts';
import type { StopSuspect } from '../model/stop.ts';
import { capture } from '../testing/captured.ts';
import { startFaulty } from '../testing/faulty-run.ts';
import { judged } from './rejudge.ts';

/** A server that keeps its records elsewhere, reads each body as JSON without a guard, and so ends where it is none. */
const fragile = `
const http = require('node:http');
const [port, upstream] = process.argv.slice(1);
http.createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
    const body = Buffer.concat(chunks);
    if (body.length > 0) JSON.parse(body.toString());
    const { method, headers, url } = request;
    const onwards = http.request(upstream + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.rawHeaders);
      answer.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    onwards.end(body);
  });
}).listen(Number(port), '127.0.0.1');
`;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

const listens = (port: number): Promise<void> =>
  new Promise((done) => {
    const look = (): void => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy();
        done();
      }).on('error', () => void setTimeout(look, 50));
    };
    look();
  });

const times = ['', 'once', '2 times', '3 times'];
const countedWords = ({ again, stopped }: StopSuspect): string =>
  `sent again alone ${times[again]}; the target stopped ${times[stopped]}`;

/** A run against a process that ends at broken JSON; a supervisor starts it again `lives - 1` times. */
async function runAgainst(lives: number, returnSeconds: number) {
  const service = await startFaulty({}, 'harness.config.yaml');
  const port = await freePort();
  let child: ChildProcess | undefined;
  let left = lives;
  const start = (): void => {
    left -= 1;
    child = spawn(process.execPath, ['-e', fragile, String(port), service.reference.url], {
      stdio: 'ignore',
    });
    child.on('exit', () => void setTimeout(() => left > 0 && start(), 500));
  };
  start();
  onTestFinished(async () => {
    left = 0;
    child?.kill();
    await service.reference.close();
  });
  await listens(port);
  const folder = await mkdtemp(join(tmpdir(), 'assay-stops-'));
  const file = join(folder, 'harness.config.yaml');
  const token = service.principals.find(({ name }) => name === 'full')?.token ?? '';
  process.env['STOPS_TEST_TOKEN'] = token;
  await writeFile(
    file,
    JSON.stringify({
      target: { baseUrl: `http://127.0.0.1:${port}`, environment: 'test', returnSeconds },
      contract: resolve('fixtures/contracts/governed-command-1.27.0.yaml'),
      principals: { full: { token: { env: 'STOPS_TEST_TOKEN' }, permissions: ['case.create'] } },
      seed: 7,
      output: folder,
    }),
  );
  const said = capture();
  const { exitCode, report } = await run(
    file,
    {
      overrides: { budget: 'quick' },
      suites: ['schema-violations', 'missing-keys'],
      operations: undefined,
      quiet: true,
    },
    said.output,
    new AbortController().signal,
  );
  if (report === undefined) throw new Error(said.text());
  const [made = ''] = (await readdir(folder)).filter((name) => !name.endsWith('.yaml'));
  return { exitCode, report, folder: join(folder, made), text: said.text() };
}

describe('a target that ends at a request', () => {
  test('and is started again: the request is named with how often, outside the verdict; exit 3', async () => {
    const { exitCode, folder, report, text } = await runAgainst(1000, 60);
    expect([report.violations, report.run.ended, exitCode]).toEqual([[], 'complete', 3]);
    const stopping = (report.run.stops ?? []).filter(({ stopped }) => stopped > 0);
    expect(stopping).not.toEqual([]);
    // Which of them depends on what was in flight together: one explains the stop, and the others are left alone.
    for (const stop of stopping) {
      // A process that is back before anybody looks has not been seen to stop: then it counts fewer than three.
      expect(stop.operation).toBe('createCase');
      expect(stop.again).toBeLessThanOrEqual(3);
      expect(stop.stopped).toBeLessThanOrEqual(stop.again);
      const [, body = '{}'] = /^POST \/cases, body of \d+ bytes: (.*)$/s.exec(stop.request) ?? [];
      expect(() => JSON.parse(body)).toThrow(SyntaxError);
    }
    const [first] = stopping;
    if (first === undefined) throw new Error('no stop');
    expect(text).toContain(
      `The target stopped responding (not part of the verdict)\n  createCase ${first.exchange}: ${countedWords(first)}\n`,
    );
    expect(report.verdict.shortfalls).toContain('the target stopped responding at createCase');
    const page = await readFile(join(folder, 'report.html'), 'utf8');
    expect(page).toContain(countedWords(first));
    expect(await readFile(join(folder, 'summary.md'), 'utf8')).toContain('**The target stopped responding**');
    // The log alone gives the same.
    const again = await judged(join(folder, 'evidence.jsonl'));
    expect(again.report.run.stops).toEqual(report.run.stops);
    expect(again.report.verdict).toEqual(report.verdict);
  }, 300_000);

  test('and does not return: what was in flight is named; exit 3', async () => {
    const { exitCode, report, text } = await runAgainst(1, 1);
    expect([report.violations, report.run.cause?.what, exitCode]).toEqual([
      [],
      'target stopped responding',
      3,
    ]);
    expect(report.run.stops?.length).toBeGreaterThan(0);
    for (const stop of report.run.stops ?? [])
      expect(stop).toMatchObject({ stops: 1, there: 1, again: 0, stopped: 0 });
    expect(text).toMatch(
      /createCase x\d+: in flight or just ended at 1 of 1 stop; not sent again\n {4}POST \/cases/,
    );
  }, 300_000);
});
