import { suggestion, unknownName } from '../document/nearest.ts';
import { openedGate } from '../evidence/gate.ts';
import { trouble } from '../model/input-error.ts';
import { compare } from '../report/compare.ts';
import type { Format } from '../report/format.ts';
import { formats } from '../report/formats.ts';
import type { Finding, Report } from '../report/report.ts';
import { supportRequest } from '../report/support.ts';
import { evidenceFile, readReport, writeComparison, writeFormats } from '../run/bundle.ts';
import { writeDispute } from '../run/dispute.ts';
import { hasOwnLog } from '../run/own-log.ts';
import { makeFolder } from '../run/write-file.ts';
import type { Output } from './terminal/output.ts';

export type ReportFlags = {
  readonly format?: readonly string[] | undefined;
  /** Folder to write to; undefined for that of the run. */
  readonly output?: string | undefined;
  readonly against?: string | undefined;
  /** A finding whose support request is printed, and nothing written. */
  readonly support?: string | undefined;
  /** A finding whose bundle is written, into the folder of `output`. */
  readonly finding?: string | undefined;
};

/** Renders the report of a run again. @throws InputError */
export async function report(folder: string, flags: ReportFlags, output: Output): Promise<number> {
  const read = await readReport(folder);
  if (!(await hasOwnLog(folder, read)))
    output.err(`assay: ${folder} has no ${evidenceFile}: the renderings show no requests of the run\n`);
  if (flags.support !== undefined) {
    output.out(supportRequest(read, findingNamed(read, flags.support, '--support')));
    return 0;
  }
  if (flags.finding !== undefined) {
    if (flags.output === undefined)
      throw trouble(
        '--finding',
        'the bundle of a finding needs a folder of its own',
        'name one with --output',
      );
    const finding = findingNamed(read, flags.finding, '--finding');
    output.out(`${await writeDispute(folder, flags.output, read, finding)}\n`);
    return 0;
  }
  const chosen = chosenFormats(flags.format);
  const comparison = flags.against === undefined ? undefined : compare(await readReport(flags.against), read);
  const into = flags.output ?? folder;
  if (flags.output !== undefined) await makeFolder(into);
  if (comparison !== undefined) await writeComparison(into, comparison);
  for (const file of await writeFormats(folder, into, read, chosen, openedGate.document, comparison))
    output.out(`${file}\n`);
  return 0;
}

function findingNamed(read: Report, id: string, flag: string): Finding {
  const findings = [...read.violations, ...read.advisories];
  const finding = findings.find((one) => one.id === id);
  if (finding !== undefined) return finding;
  throw trouble(
    flag,
    `the run has no finding '${id}'`,
    findings.length === 0
      ? 'it has none at all'
      : suggestion(
          id,
          findings.map((one) => one.id),
        ),
  );
}

function chosenFormats(names: readonly string[] | undefined): readonly Format[] {
  if (names === undefined) return formats;
  return names.map((name) => {
    const format = formats.find((one) => one.name === name);
    if (format === undefined)
      throw unknownName(
        '--format',
        'format',
        name,
        formats.map((one) => one.name),
      );
    return format;
  });
}
