import { join } from 'node:path';
import type { Overrides } from '../config/config.ts';
import { compare } from '../report/compare.ts';
import { formats } from '../report/formats.ts';
import type { Report } from '../report/report.ts';
import { terminalReport } from '../report/terminal.ts';
import {
  appendSummary,
  evidenceFile,
  readReport,
  writeBundle,
  writeComparison,
  writeFormats,
} from '../run/bundle.ts';
import { type Conduct, conduct, type Means, usualMeans } from '../run/conduct.ts';
import { signingKeys } from '../run/keys.ts';
import { selfTestDigest } from '../run/package.ts';
import { judged } from '../run/rejudge.ts';
import { checkSelection, openSession, type ReferenceChange } from '../run/session.ts';
import { addSignatures } from './attest.ts';
import type { Output } from './terminal/output.ts';
import { makeProgress, type Progress } from './terminal/progress.ts';

export type RunFlags = {
  readonly overrides: Overrides;
  readonly suites: readonly string[] | undefined;
  readonly operations: readonly string[] | undefined;
  readonly quiet: boolean;
  /** Files of private keys to sign the run with. */
  readonly keys?: readonly string[] | undefined;
  /** What an auditor gave, so that the run cannot be an older one. */
  readonly challenge?: string | undefined;
  /** Folder of an earlier run to compare with. */
  readonly against?: string | undefined;
  /** How the embedded reference service departs from its usual decisions. */
  readonly reference?: ReferenceChange;
  /** Hears what happens, beside the number of requests sent by then. */
  readonly tell?: NonNullable<Conduct['tell']>;
  /** What the run works with, in place of the usual. */
  readonly means?: Means;
};

/** A conformance run from its configuration to its exit code. @throws InputError where it cannot begin (exit 2) */
export async function run(
  file: string,
  flags: RunFlags,
  output: Output,
  signal: AbortSignal,
): Promise<{ readonly exitCode: number; readonly report: Report | undefined }> {
  const session = await openSession(file, flags.overrides, flags.reference?.declares);
  const { config, contract } = session;
  checkSelection(session, flags);
  const earlier = flags.against === undefined ? undefined : await readReport(flags.against);
  const keys = await signingKeys(flags.keys ?? [], process.env);
  const means = flags.means ?? usualMeans;
  let progress: Progress | undefined;
  const conducted = await conduct(
    session,
    {
      suites: flags.suites,
      operations: flags.operations,
      reference: flags.reference,
      selfTest: await selfTestDigest(),
      challenge: flags.challenge,
      begin: ({ probes, target, now, spent }) => {
        if (flags.quiet) return;
        progress = makeProgress(output, now, spent);
        for (const warning of contract.warnings ?? []) output.err(`assay: ${warning}\n`);
        for (const { method, path, reasons } of contract.leftOut ?? [])
          output.err(`assay: ${method} ${path} is left out: ${reasons.join('; ')}\n`);
        output.err(
          `assay: ${probes} probes on ${contract.operations.length} ${contract.operations.length === 1 ? 'operation' : 'operations'} of ${target}, seed ${session.seed}, budget ${config.budget}\n`,
        );
      },
      tell: (event, requests) => {
        flags.tell?.(event, requests);
        progress?.tell(event);
      },
    },
    signal,
    means,
  );
  progress?.end();
  if (conducted.kind === 'void') {
    output.err(`assay: ${conducted.because}\n`);
    return { exitCode: 2, report: undefined };
  }
  if (conducted.gone)
    output.err(
      'assay: the target stopped answering; the run ends here, and what was not reached is not tested\n',
    );
  const { folder, clean } = conducted;
  const { report } = await judged(join(folder, evidenceFile), means.clauses);
  await writeBundle(folder, report, [], clean);
  if (earlier !== undefined) await writeComparison(folder, compare(earlier, report), clean);
  if (keys.length > 0) output.err(`assay: ${await addSignatures(folder, keys)}\n`);
  await writeFormats(folder, folder, report, formats, clean);
  await appendSummary(folder, process.env).catch((error: unknown) =>
    output.err(
      `assay: the summary cannot be added to the page of the job (${error instanceof Error ? error.message : String(error)}); it is in ${folder}\n`,
    ),
  );
  output.out(clean(terminalReport(report, output.colours, folder)));
  return { exitCode: report.verdict.exitCode, report };
}
