import type { Gate } from '../evidence/gate.ts';
import { trouble } from '../model/input-error.ts';
import { compare } from '../report/compare.ts';
import { formats } from '../report/formats.ts';
import { type GatePolicy, gateOf } from '../report/gate.ts';
import { reportText } from '../report/read.ts';
import type { Report } from '../report/report.ts';
import { terminalReport } from '../report/terminal.ts';
import { readReport, writeBundle, writeComparison, writeFormats, writeGate } from '../run/bundle.ts';
import { announce, pointLatest } from '../run/ci.ts';
import { type Created, writeCreated } from '../run/created.ts';
import type { NamedKey } from '../run/keys.ts';
import { addSignatures } from './attest.ts';
import type { Output } from './terminal/output.ts';

export type Ending = {
  /** What makes the run end with 1; every violation where nothing is given. */
  readonly gate?: GatePolicy | undefined;
  readonly against?: string | undefined;
  /** Prints report.json in place of the report as text. */
  readonly json?: boolean | undefined;
};

const usualGate: GatePolicy = { failOn: 'any', unstable: 'fail' };

/** The report to compare with. @throws InputError where there is none, and one is needed */
export async function earlierReport({ against, gate }: Ending): Promise<Report | undefined> {
  if (gate?.failOn === 'new' && against === undefined)
    throw trouble(
      '--fail-on',
      "'new' needs an earlier run to compare with",
      'name its folder with --against',
    );
  return against === undefined ? undefined : readReport(against);
}

/** Writes the bundle of a run that was judged, prints its report, and returns its exit code. */
export async function conclude(
  {
    clean,
    created,
    folder,
    report,
  }: {
    readonly folder: string;
    readonly report: Report;
    readonly clean: Gate['document'];
    readonly created?: readonly Created[] | undefined;
  },
  ending: Ending & { readonly keys: readonly NamedKey[]; readonly earlier: Report | undefined },
  output: Output,
): Promise<number> {
  const { earlier, keys } = ending;
  await writeBundle(folder, report, [], clean);
  const comparison = earlier === undefined ? undefined : compare(earlier, report);
  if (comparison !== undefined) await writeComparison(folder, comparison, clean);
  const gate = gateOf(report, ending.gate ?? usualGate, comparison);
  if (ending.gate !== undefined) await writeGate(folder, gate, clean);
  if (keys.length > 0) output.err(`assay: ${await addSignatures(folder, keys)}\n`);
  await writeFormats(folder, folder, report, formats, clean);
  await writeCreated(folder, clean, created);
  await pointLatest(folder);
  const { lines, troubles } = await announce(folder, report, gate, process.env);
  for (const one of troubles) output.err(`assay: ${one}\n`);
  if (ending.json === true) output.out(clean(reportText(report)));
  else {
    for (const line of lines) output.out(clean(`${line}\n`));
    output.out(clean(terminalReport(report, output.colours, folder, gate, comparison)));
  }
  return gate.exitCode;
}
