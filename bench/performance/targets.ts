import { resolve } from 'node:path';
import type { Settings } from '../../src/reference/behaviour.ts';
import { fairWeather } from '../../src/reference/weather.ts';
import { inTemporaryFolder } from '../../src/run/temporary-folder.ts';
import type { Section } from './section.ts';
import { measured, served } from './served.ts';

const slow = (slowMs: number): Partial<Settings> => ({ weather: { ...fairWeather, slow: 1, slowMs } });

const kinds: readonly (readonly [string, Partial<Settings>])[] = [
  ['5 ms', slow(5)],
  ['50 ms', slow(50)],
  ['500 ms', slow(500)],
  ['10 requests per second', { rateLimit: 10, rateWindowMs: 1000 }],
  ['reads lag 2 s', { readLagMs: 2000 }],
];

/** POST /cases on targets that differ in what makes a run wait. */
export async function targets(budgets: readonly ('quick' | 'standard')[]): Promise<Section> {
  const rows: string[][] = [];
  await inTemporaryFolder('targets', async (folder) => {
    for (const [name, settings] of kinds)
      for (const budget of budgets)
        await served(resolve('harness.config.yaml'), settings, async (config) => {
          const { exchanges, report, said, seconds } = await measured(folder, config, budget);
          const [, least = 'NaN', by = ''] = /at least ([\d.]+) s \(([^)]*)\)/.exec(said) ?? [];
          const most = 1.2 * Number(least) + 1;
          rows.push([
            name,
            budget,
            String(exchanges),
            `${seconds.toFixed(1)} s`,
            `${least} s`,
            by,
            seconds <= most ? 'yes' : `no, by ${(seconds - most).toFixed(1)} s`,
            report?.verdict.outcome ?? 'none',
          ]);
        });
  });
  return {
    title: 'Time to a verdict',
    method:
      'POST /cases with the usual configuration, where nothing is declared about limits or reads. The bound is what `assay run` prints: the longest chain of waits, or requests, latency and concurrency, or the limit that it met.',
    columns: [
      'target',
      'budget',
      'requests',
      'time',
      'bound',
      'set by',
      'within 1.2 x bound + 1 s',
      'verdict',
    ],
    rows,
  };
}
