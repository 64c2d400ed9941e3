import { mkdir } from 'node:fs/promises';
import { suggestion } from '../document/nearest.ts';
import { openedGate } from '../evidence/gate.ts';
import { InputError } from '../model/input-error.ts';
import { compare } from '../report/compare.ts';
import type { Format } from '../report/format.ts';
import { formats } from '../report/formats.ts';
import { supportRequest } from '../report/support.ts';
import { readReport, writeComparison, writeFormats } from '../run/bundle.ts';
import type { Output } from './terminal/output.ts';

export type ReportFlags = {
  /** Names of formats; undefined for all. */
  readonly formats: readonly string[] | undefined;
  /** Folder to write to; undefined for that of the run. */
  readonly output: string | undefined;
  /** An earlier run to compare with. */
  readonly against?: string | undefined;
  /** A finding whose support request is printed, and nothing written. */
  readonly support: string | undefined;
};

/** Renders the report of a run again. @throws InputError */
export async function report(folder: string, flags: ReportFlags, output: Output): Promise<number> {
  const read = await readReport(folder);
  if (flags.support !== undefined) {
    const findings = [...read.violations, ...read.advisories];
    const finding = findings.find(({ id }) => id === flags.support);
    if (finding === undefined)
      throw new InputError({
        file: '--support',
        position: undefined,
        problem: `the run has no finding '${flags.support}'`,
        remedy:
          findings.length === 0
            ? 'it has none at all'
            : suggestion(
                flags.support,
                findings.map(({ id }) => id),
              ),
      });
    output.out(supportRequest(read, finding));
    return 0;
  }
  const chosen = chosenFormats(flags.formats);
  const comparison = flags.against === undefined ? undefined : compare(await readReport(flags.against), read);
  const into = flags.output ?? folder;
  if (flags.output !== undefined) await mkdir(into, { recursive: true });
  if (comparison !== undefined) await writeComparison(into, comparison);
  for (const file of await writeFormats(folder, into, read, chosen, openedGate.document, comparison))
    output.out(`${file}\n`);
  return 0;
}

function chosenFormats(names: readonly string[] | undefined): readonly Format[] {
  if (names === undefined) return formats;
  return names.map((name) => {
    const format = formats.find((one) => one.name === name);
    if (format === undefined)
      throw new InputError({
        file: '--format',
        position: undefined,
        problem: `there is no format '${name}'`,
        remedy: suggestion(
          name,
          formats.map((one) => one.name),
        ),
      });
    return format;
  });
}
