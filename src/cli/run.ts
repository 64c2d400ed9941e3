import type { Overrides } from '../config/config.ts';
import { boundText } from '../engine/estimate.ts';
import { InputError } from '../model/input-error.ts';
import { compare } from '../report/compare.ts';
import { formats } from '../report/formats.ts';
import { type GatePolicy, gateOf } from '../report/gate.ts';
import { reportText } from '../report/read.ts';
import type { Report } from '../report/report.ts';
import { terminalReport } from '../report/terminal.ts';
import { readReport, writeBundle, writeComparison, writeFormats, writeGate } from '../run/bundle.ts';
import { announce, pointLatest } from '../run/ci.ts';
import { type Conduct, conduct, type Means, usualMeans } from '../run/conduct.ts';
import { writeCreated } from '../run/created.ts';
import { signingKeys } from '../run/keys.ts';
import { selfTestDigest } from '../run/package.ts';
import { checkSame, type Resumable } from '../run/resume.ts';
import { type Narrowing, narrowed } from '../run/selection.ts';
import { openSession, type ReferenceChange } from '../run/session.ts';
import { addSignatures } from './attest.ts';
import type { Output } from './terminal/output.ts';
import { makeProgress, type Progress } from './terminal/progress.ts';

export type RunFlags = Omit<Narrowing, 'lastFailed'> & {
  readonly overrides: Overrides;
  /** Only what the newest run in the folder of the runs violated. */
  readonly lastFailed?: boolean | undefined;
  /** A run that did not come to its end, to go on with. */
  readonly resume?: Resumable | undefined;
  /** Ends after so many violations. */
  readonly bail?: number | undefined;
  readonly quiet: boolean;
  /** Files of private keys to sign the run with. */
  readonly keys?: readonly string[] | undefined;
  /** What an auditor gave, so that the run cannot be an older one. */
  readonly challenge?: string | undefined;
  /** Folder of an earlier run to compare with. */
  readonly against?: string | undefined;
  /** What makes the run end with 1; every violation where nothing is given. */
  readonly gate?: GatePolicy | undefined;
  /** Prints report.json in place of the report as text. */
  readonly json?: boolean | undefined;
  /** Name of the run's folder, in place of one from its start. */
  readonly runName?: string | undefined;
  /** How the embedded reference service departs from its usual decisions. */
  readonly reference?: ReferenceChange;
  /** Called at each event, with the number of requests sent by then. */
  readonly onEvent?: NonNullable<Conduct['onEvent']>;
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
  if (flags.resume !== undefined) checkSame(flags.resume, session);
  const selection = await narrowed(session, {
    ...flags,
    lastFailed: flags.lastFailed === true ? config.output : undefined,
  });
  if (flags.gate?.failOn === 'new' && flags.against === undefined)
    throw new InputError({
      file: '--fail-on',
      position: undefined,
      problem: "'new' needs an earlier run to compare with",
      remedy: 'name its folder with --against',
    });
  const earlier = flags.against === undefined ? undefined : await readReport(flags.against);
  const keys = await signingKeys(flags.keys ?? [], process.env);
  const means = flags.means ?? usualMeans;
  let progress: Progress | undefined;
  const conducted = await conduct(
    session,
    {
      ...selection,
      bail: flags.bail,
      resume: flags.resume,
      reference: flags.reference,
      selfTest: await selfTestDigest(),
      challenge: flags.resume?.header.challenge ?? flags.challenge,
      runName: flags.runName,
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
      onEvent: (event, requests) => {
        flags.onEvent?.(event, requests);
        progress?.show(event);
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
  if (!flags.quiet && conducted.ended === 'complete')
    output.err(`assay: ${conducted.seconds.toFixed(1)} s; at least ${boundText(conducted.bound)}\n`);
  const { folder, clean } = conducted;
  const { report, failures } = conducted.judged();
  for (const failure of failures)
    output.err(`assay: the harness itself failed, which says nothing about the target: ${clean(failure)}\n`);
  await writeBundle(folder, report, [], clean);
  const comparison = earlier === undefined ? undefined : compare(earlier, report);
  if (comparison !== undefined) await writeComparison(folder, comparison, clean);
  const gate = gateOf(report, flags.gate ?? usualGate, comparison);
  if (flags.gate !== undefined) await writeGate(folder, gate, clean);
  if (keys.length > 0) output.err(`assay: ${await addSignatures(folder, keys)}\n`);
  await writeFormats(folder, folder, report, formats, clean);
  await writeCreated(folder, clean);
  await pointLatest(folder);
  const { lines, troubles } = await announce(folder, report, gate, process.env);
  for (const trouble of troubles) output.err(`assay: ${trouble}\n`);
  if (flags.json === true) output.out(clean(reportText(report)));
  else {
    for (const line of lines) output.out(clean(`${line}\n`));
    output.out(clean(terminalReport(report, output.colours, folder, gate)));
  }
  return { exitCode: gate.exitCode, report };
}

const usualGate: GatePolicy = { failOn: 'any', unstable: 'fail' };
