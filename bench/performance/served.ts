import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from '../../src/cli/run.ts';
import { tuneEngine } from '../../src/cli/terminal/tuning.ts';
import type { Settings } from '../../src/reference/behaviour.ts';
import type { Report } from '../../src/report/report.ts';
import { capture } from '../../src/testing/captured.ts';
import { scriptNamed } from './child.ts';

/** The reference service in another process, with a copy of the configuration that names its URL. */
export async function served<Result>(
  config: string,
  settings: Partial<Settings>,
  use: (config: string, url: string) => Promise<Result>,
): Promise<Result> {
  const child = fork(scriptNamed('../served.js'), [config, JSON.stringify(settings)], { stdio: 'inherit' });
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

export type Measured = {
  readonly report: Report | undefined;
  readonly seconds: number;
  readonly cpuMs: number;
  readonly exchanges: number;
  readonly said: string;
  /** The folder of the run; it is the caller's to remove. */
  readonly folder: string;
};

export async function measured(
  folder: string,
  config: string,
  budget: 'quick' | 'standard',
  concurrency?: number,
): Promise<Measured> {
  const output = await mkdtemp(join(folder, 'run-'));
  const captured = capture();
  tuneEngine();
  const cpu = process.cpuUsage();
  const from = performance.now();
  const { report } = await run(
    config,
    {
      overrides: {
        budget,
        seed: 1,
        output,
        ...(concurrency === undefined ? {} : { concurrency }),
      },
      quiet: false,
      runName: 'bench',
    },
    captured.output,
    new AbortController().signal,
  );
  const { user, system } = process.cpuUsage(cpu);
  return {
    report,
    seconds: (performance.now() - from) / 1000,
    cpuMs: (user + system) / 1000,
    exchanges: report?.run.exchanges ?? 0,
    said: captured.text(),
    folder: join(output, 'bench'),
  };
}
