import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { run } from '../src/cli/run.ts';
import type { Settings } from '../src/reference/behaviour.ts';
import { fairWeather } from '../src/reference/weather.ts';
import type { Report } from '../src/report/report.ts';
import { capture } from './captured.ts';
import { syntheticConfig } from './synthetic.ts';

/**
 * What the harness costs: seconds to a verdict next to the least that is possible, CPU per exchange, and throughput next
 * to the bare client. The target is the reference service in a process of its own. `npm run bench -- targets cost`.
 */
type Measured = {
  readonly report: Report | undefined;
  readonly seconds: number;
  readonly cpuMs: number;
  readonly exchanges: number;
  readonly said: string;
};

const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'));
const usual = resolve('harness.config.yaml');

/** The reference service in another process, with a copy of the configuration that names its URL. */
async function served<Result>(
  config: string,
  settings: Partial<Settings>,
  use: (config: string, url: string) => Promise<Result>,
): Promise<Result> {
  const child = fork(
    fileURLToPath(new URL('./served.js', import.meta.url)),
    [config, JSON.stringify(settings)],
    { stdio: 'inherit' },
  );
  try {
    const [message] = await once(child, 'message');
    const url: unknown = message.url;
    if (typeof url !== 'string') throw new Error('the reference service did not start');
    const copy = join(dirname(config), `.bench-${process.pid}.yaml`);
    const text = await readFile(config, 'utf8');
    await writeFile(
      copy,
      text.replace(/baseUrl: reference/, `baseUrl: ${url}`).replaceAll('reference:/', `${url}/__reference/`),
    );
    try {
      return await use(copy, url);
    } finally {
      await rm(copy);
    }
  } finally {
    child.disconnect();
    await once(child, 'exit');
  }
}

async function measured(
  config: string,
  budget: 'quick' | 'standard',
  operations?: readonly string[],
): Promise<Measured> {
  const output = await mkdtemp(join(folder, 'run-'));
  const captured = capture();
  const cpu = process.cpuUsage();
  const from = performance.now();
  const { report } = await run(
    config,
    { overrides: { budget, seed: 1, output }, suites: undefined, operations, quiet: false },
    captured.output,
    new AbortController().signal,
  );
  const { user, system } = process.cpuUsage(cpu);
  await rm(output, { recursive: true });
  return {
    report,
    seconds: (performance.now() - from) / 1000,
    cpuMs: (user + system) / 1000,
    exchanges: report?.run.exchanges ?? 0,
    said: captured.text(),
  };
}

/** POST /cases on targets that differ in what makes a run wait. */
async function targets(): Promise<void> {
  const slow = (slowMs: number): Partial<Settings> => ({ weather: { ...fairWeather, slow: 1, slowMs } });
  const rows: readonly (readonly [string, Partial<Settings>, string])[] = [
    ['latency 5 ms', slow(5), '{}'],
    ['latency 50 ms', slow(50), '{}'],
    ['latency 500 ms', slow(500), '{}'],
    ['10 requests per second', { rateLimit: 10, rateWindowMs: 1000 }, '{}'],
    ['reads lag 2 s', { readLagMs: 2000 }, '{ G15: { seconds: 2.5 } }'],
  ];
  print('Target                   Budget      Requests  Seconds  At least  Over 1.2 x + 1 s  Verdict');
  for (const [name, settings, declares] of rows)
    for (const budget of ['quick', 'standard'] as const)
      await served(usual, settings, async (config) => {
        void declares;
        const { report, seconds, exchanges, said } = await measured(config, budget);
        const least = Number(/at least ([\d.]+) s/.exec(said)?.[1] ?? Number.NaN);
        const by = /at least [\d.]+ s \(([^)]*)\)/.exec(said)?.[1] ?? '';
        const over = seconds - (1.2 * least + 1);
        print(
          `${name.padEnd(24)} ${budget.padEnd(10)} ${String(exchanges).padStart(9)} ${seconds.toFixed(1).padStart(8)} ${least.toFixed(1).padStart(9)} ${(over > 0 ? `${over.toFixed(1)} s` : 'no').padStart(17)}  ${report?.verdict.outcome ?? 'none'}; ${by}`,
        );
      });
}

/** CPU of this process for each exchange, the second time, with the reports written. */
async function cost(): Promise<void> {
  print('Operations  Requests  Seconds  CPU per exchange  Requests per second  Peak');
  for (const count of [1, 29, 293]) {
    const config = await syntheticConfig(folder, count, '{ G15: { seconds: 0.2 } }');
    await served(config, { rateLimit: 100_000 }, async (copy) => {
      if (count < 100) await measured(copy, 'quick');
      const { seconds, cpuMs, exchanges } = await measured(copy, 'quick');
      print(
        `${String(count).padStart(10)} ${String(exchanges).padStart(9)} ${seconds.toFixed(1).padStart(8)} ${`${(cpuMs / exchanges).toFixed(3)} ms`.padStart(17)} ${(exchanges / seconds).toFixed(0).padStart(20)} ${`${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`.padStart(5)}`,
      );
    });
  }
}

/** Throughput of the whole path and of the bare client, interleaved, at one concurrency on one target. */
async function bare(): Promise<void> {
  const config = await syntheticConfig(folder, 29, '{ G15: { seconds: 0.2 } }');
  for (const [concurrency, slowMs] of [
    [16, 5],
    [32, 0],
  ] as const)
    await served(
      config,
      { rateLimit: 1e6, weather: { ...fairWeather, slow: slowMs === 0 ? 0 : 1, slowMs } },
      async (_, url) => {
        const pool = new Pool(url, { connections: concurrency, pipelining: 1 });
        const count = 8000;
        const cpu = process.cpuUsage();
        const from = performance.now();
        let left = count;
        await Promise.all(
          Array.from({ length: concurrency }, async () => {
            while (left > 0) {
              left -= 1;
              const { body } = await pool.request({ path: '/nothing', method: 'GET' });
              await body.text();
            }
          }),
        );
        const { user, system } = process.cpuUsage(cpu);
        print(
          `bare undici, concurrency ${concurrency}, latency ${slowMs} ms: ${(count / ((performance.now() - from) / 1000)).toFixed(0)} requests per second, ${((user + system) / 1000 / count).toFixed(3)} ms of CPU each`,
        );
        await pool.close();
      },
    );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const parts = { targets, cost, bare };
const named = process.argv.slice(2);
try {
  for (const [name, part] of Object.entries(parts))
    if (named.length === 0 || named.includes(name)) await part();
} finally {
  await rm(folder, { recursive: true, force: true });
}
