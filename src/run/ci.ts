import { appendFile, readFile, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../model/thrown.ts';
import { annotations } from '../report/annotations.ts';
import type { CiGate } from '../report/gate.ts';
import { markdown } from '../report/markdown.ts';
import type { Report } from '../report/report.ts';

export type Announcement = {
  readonly lines: readonly string[];
  /** What could not be written, a sentence each; it changes no verdict. */
  readonly troubles: readonly string[];
};

/** GitHub's errors at the lines of the contract, the summary of the job and the outputs of the step. */
export async function announce(
  folder: string,
  report: Report,
  gate: CiGate,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Announcement> {
  const troubles: string[] = [];
  const append = async (variable: string, text: () => Promise<string>): Promise<void> => {
    const file = env[variable];
    if (file === undefined || file === '') return;
    try {
      await appendFile(file, await text());
    } catch (error) {
      troubles.push(`${variable} cannot be written (${messageOf(error)}); see ${folder}`);
    }
  };
  await append('GITHUB_STEP_SUMMARY', () => readFile(join(folder, markdown.file), 'utf8'));
  await append('GITHUB_OUTPUT', async () =>
    [
      ['verdict', report.verdict.outcome],
      ['exit-code', String(gate.exitCode)],
      ['gate', gate.passed ? 'passed' : 'failed'],
      ['certifiable', String(report.verdict.certifiable)],
      ['violations', String(report.violations.length)],
      ['run', folder.replaceAll(/[\r\n]/g, ' ')],
    ]
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  return {
    lines: env['GITHUB_ACTIONS'] === 'true' ? annotations(report, env['GITHUB_WORKSPACE']) : [],
    troubles,
  };
}

/** Points `latest` in the folder of the runs at the newest one; does nothing where links cannot be made. */
export async function pointLatest(folder: string): Promise<void> {
  const link = join(dirname(folder), 'latest');
  try {
    await unlink(link).catch(() => undefined);
    await symlink(basename(folder), link, 'dir');
  } catch {
    // Some file systems have no links; the name of the run is printed anyway.
  }
}
