import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formats } from '../../src/report/formats.ts';
import { evidenceFile } from '../../src/run/bundle.ts';
import { inTemporaryFolder } from '../../src/run/temporary-folder.ts';
import { faultyRun, faultyServices } from '../../src/testing/faulty-run.ts';
import { lengthen } from '../long-log.ts';
import { costOfCommand } from './child.ts';
import type { Section } from './section.ts';

/** Reports of a long run, each format in a process of its own. */
export function rendering(exchanges: number): Promise<Section> {
  return inTemporaryFolder('rendering', async (above) => {
    const folder = join(above, 'run');
    await mkdir(folder);
    const base = await faultyRun(faultyServices['wrong status and no IDs at all'] ?? {});
    await lengthen(join(base.folder, evidenceFile), join(folder, evidenceFile), exchanges);
    const rows: string[][] = [];
    for (const [name, args] of [
      ['judge, and render all', ['judge', folder]],
      ['verify', ['verify', folder]],
      ['report, all formats', ['report', folder]],
      ...formats.map(
        (format) => [`report, ${format.name}`, ['report', folder, '--format', format.name]] as const,
      ),
    ] as const) {
      const { cpuMs, megabytes, seconds } = await costOfCommand(args);
      rows.push([
        name,
        `${seconds.toFixed(1)} s`,
        `${(cpuMs / 1000).toFixed(1)} s`,
        `${megabytes.toFixed(0)} MB`,
      ]);
    }
    return {
      title: 'Rendering',
      method: `Reports of a run of ${exchanges.toLocaleString('en')} exchanges against a faulty service, each command in a process of its own.`,
      columns: ['command', 'time', 'CPU', 'peak memory'],
      rows,
    };
  });
}
