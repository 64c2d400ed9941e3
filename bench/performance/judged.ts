import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../src/cli/run.ts';
import { evidenceFile } from '../../src/run/bundle.ts';
import { inTemporaryFolder } from '../../src/run/temporary-folder.ts';
import { capture } from '../../src/testing/captured.ts';
import { lengthen } from '../long-log.ts';
import { costOfCommand } from './child.ts';
import type { Section } from './section.ts';

/** Judging logs of growing length, each in a process of its own. */
export function judged(sizes: readonly number[]): Promise<Section> {
  return inTemporaryFolder('judged', async (folder) => {
    const log = await someLog(folder);
    const rows: string[][] = [];
    let least: { readonly exchanges: number; readonly cpuMs: number } | undefined;
    for (const size of sizes) {
      const long = join(folder, String(size));
      await mkdir(long);
      const exchanges = await lengthen(log, join(long, evidenceFile), size);
      const { size: bytes } = await stat(join(long, evidenceFile));
      const { cpuMs, megabytes, seconds } = await costOfCommand(['judge', long]);
      // What start-up and rendering take is the same for each: it is left out of the rate.
      const rate =
        least === undefined ? undefined : ((exchanges - least.exchanges) / (cpuMs - least.cpuMs)) * 1000;
      least ??= { exchanges, cpuMs };
      rows.push([
        exchanges.toLocaleString('en'),
        `${(bytes / 1024 / 1024).toFixed(0)} MiB`,
        `${seconds.toFixed(1)} s`,
        `${(cpuMs / 1000).toFixed(1)} s`,
        rate === undefined ? '-' : Math.round(rate).toLocaleString('en'),
        `${megabytes.toFixed(0)} MB`,
      ]);
      await rm(long, { recursive: true });
    }
    return {
      title: 'Judging',
      method:
        '`assay judge` on the log of a run against the extended catalogue at quick, whose traces are repeated with new IDs. Exchanges per second of CPU: those beyond the shortest log, so that start-up and rendering do not count.',
      columns: ['exchanges', 'log', 'time', 'CPU', 'exchanges per second of CPU', 'peak memory'],
      rows,
    };
  });
}

async function someLog(folder: string): Promise<string> {
  await run(
    'fixtures/contracts/extended.config.yaml',
    {
      overrides: { budget: 'quick', seed: 1, output: join(folder, 'reports') },
      quiet: true,
      runName: 'base',
      reference: { change: {}, settings: { rateLimit: 100_000 } },
    },
    capture().output,
    new AbortController().signal,
  );
  return join(folder, 'reports', 'base', evidenceFile);
}
