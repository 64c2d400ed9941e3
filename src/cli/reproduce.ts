import type { Overrides } from '../config/config.ts';
import { openedGate } from '../evidence/gate.ts';
import { har, httpFile, type Shown, vitestFile } from '../report/case-files.ts';
import type { CaseFormat } from '../report/case-formats.ts';
import { selfTestDigest } from '../run/package.ts';
import { type Reproducible, sendAgain, violationIn } from '../run/reproduce.ts';
import { openSession } from '../run/session.ts';
import type { Output } from './terminal/output.ts';

export type ReproduceFlags = {
  readonly config?: string | undefined;
  readonly overrides: Overrides;
  readonly as?: CaseFormat | undefined;
};

/** Sends the minimal case of a violation again: 1 where it is still there, 0 where not, 3 where that cannot be said. */
export async function reproduce(
  folder: string,
  finding: string | undefined,
  flags: ReproduceFlags,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const violation = await violationIn(folder, finding);
  const { header, minimal } = violation;
  const config = flags.config ?? header.configuration.file;
  const baseUrl = flags.overrides.baseUrl ?? header.target.baseUrl;
  if (flags.as !== undefined) {
    output.out(openedGate.document(printed(violation, flags.as, { config, baseUrl })));
    return 0;
  }
  const session = await openSession(config, {
    ...flags.overrides,
    baseUrl,
    budget: header.budget,
    seed: header.seed,
  });
  output.err(`assay: sending ${minimal.finding} again (${minimal.scenario.title})\n`);
  const got = await sendAgain(session, minimal, { selfTest: await selfTestDigest() }, signal);
  if ('kind' in got) {
    output.err(`assay: ${got.because}\n`);
    return 2;
  }
  const { bold, dim, green, red, yellow } = output.colours;
  const { attempts, outcome } = got;
  const paint = outcome === 'reproduced' ? red : outcome === 'not reproduced' ? green : yellow;
  const lines = [
    `${paint(bold(`${minimal.finding}: ${outcome}`))}  ${dim(`(${attempts.violated} of ${attempts.of} checks violated)`)}`,
    ...(got.expected === undefined ? [] : [`  expected     ${got.expected}`]),
    ...(got.actual === undefined ? [] : [`  actual       ${got.actual}`]),
    ...(got.because === '' ? [] : [`  because      ${got.because}`]),
    ...(got.requestIds.length === 0 ? [] : [`  request IDs  ${got.requestIds.join(', ')}`]),
    dim(`  evidence     ${got.folder}`),
    '',
  ];
  output.out(openedGate.document(lines.join('\n')));
  return outcome === 'reproduced' ? 1 : outcome === 'not reproduced' ? 0 : 3;
}

function printed(
  { cell, header, minimal, report }: Reproducible,
  as: CaseFormat,
  { config, baseUrl }: { readonly config: string; readonly baseUrl: string },
): string {
  const finding = [...report.violations, ...report.advisories].find(({ id }) => id === minimal.finding);
  if (finding === undefined || cell.example === undefined) return '';
  const shown: Shown = {
    finding,
    report,
    trace: cell.example.trace,
    principals: header.principals,
    baseUrl: baseUrl === 'reference' ? 'http://127.0.0.1:8787' : baseUrl,
  };
  switch (as) {
    case 'curl':
      return `${finding.curl.join('\n')}\n`;
    case 'har':
      return har(shown);
    case 'http':
      return httpFile(shown);
    case 'vitest':
      return vitestFile(shown, minimal, { config, baseUrl });
  }
}
