import { join } from 'node:path';
import { type Gate, openedGate } from '../evidence/gate.ts';
import { regularText } from '../evidence/regular-file.ts';
import type { Clean } from '../model/clean.ts';
import { trouble } from '../model/input-error.ts';
import { attestationFile, parseEnvelope } from '../report/attestation.ts';
import type { Format } from '../report/format.ts';
import { type CiGate, parseGate } from '../report/gate.ts';
import { parseComparison, parseReport, reportText } from '../report/read.ts';
import type { Comparison, Report } from '../report/report.ts';
import { writeOwnFile } from './write-file.ts';

export const reportFile = 'report.json';
export const evidenceFile = 'evidence.jsonl';
/** What changed since an earlier run. It is not part of the report and never signed, since half of it comes from another run. */
export const comparisonFile = 'comparison.json';
/** The result of a pipeline's own policy (--fail-on); it is not evidence. */
export const gateFile = 'gate.json';

/** The report of a run as it is on the disk. @throws InputError where there is none */
export async function readReport(folder: string): Promise<Report> {
  const file = join(folder, reportFile);
  const text = await regularText(file);
  if (text === undefined)
    throw trouble(
      file,
      'there is no such report',
      'name the folder of a run, or make its report with `assay judge`',
    );
  return parseReport(text, file);
}

/** Writes report.json and the given formats; resolves to the files that were written. `clean` is a last guard against secrets. */
export async function writeBundle(
  folder: string,
  report: Report,
  formats: readonly Format[],
  clean: Gate['document'] = openedGate.document,
): Promise<readonly string[]> {
  await write(folder, join(folder, reportFile), clean(reportText(report)));
  return [join(folder, reportFile), ...(await writeFormats(folder, folder, report, formats, clean))];
}

function write(folder: string, file: string, text: Clean<string>): Promise<void> {
  return writeOwnFile(file, text, `make the reports from the evidence with \`assay judge ${folder}\``);
}

async function signersOf(folder: string): Promise<readonly string[]> {
  const text = await regularText(join(folder, attestationFile));
  const envelope = text === undefined ? undefined : parseEnvelope(text);
  return (envelope?.signatures ?? []).map(({ keyid }) => keyid);
}

/** What the run was compared with, if anything. @throws InputError where the file is broken */
export async function readComparison(folder: string): Promise<Comparison | undefined> {
  const file = join(folder, comparisonFile);
  const text = await regularText(file);
  return text === undefined ? undefined : parseComparison(text, file);
}

export function writeComparison(
  folder: string,
  comparison: Comparison,
  clean: Gate['document'] = openedGate.document,
): Promise<void> {
  return write(folder, join(folder, comparisonFile), clean(`${JSON.stringify(comparison, undefined, 2)}\n`));
}

async function readGate(folder: string): Promise<CiGate | undefined> {
  const text = await regularText(join(folder, gateFile));
  return text === undefined ? undefined : parseGate(text);
}

export function writeGate(
  folder: string,
  gate: CiGate,
  clean: Gate['document'] = openedGate.document,
): Promise<void> {
  return write(folder, join(folder, gateFile), clean(`${JSON.stringify(gate, undefined, 2)}\n`));
}

export async function rendered(
  folder: string,
  report: Report,
  format: Format,
  comparison: Comparison | undefined,
): Promise<string> {
  return format.render({
    report,
    evidence: join(folder, evidenceFile),
    signers: await signersOf(folder),
    comparison,
    gate: await readGate(folder),
  });
}

export async function writeFormats(
  folder: string,
  into: string,
  report: Report,
  formats: readonly Format[],
  clean: Gate['document'] = openedGate.document,
  comparison?: Comparison,
): Promise<readonly string[]> {
  const files: string[] = [];
  const compared = comparison ?? (await readComparison(folder));
  for (const format of formats) {
    const file = join(into, format.file);
    await write(folder, file, clean(await rendered(folder, report, format, compared)));
    files.push(file);
  }
  return files;
}
