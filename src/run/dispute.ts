import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { widths, writeExcerpt } from '../evidence/excerpt.ts';
import { trouble } from '../model/input-error.ts';
import { formats } from '../report/formats.ts';
import type { Finding, Report } from '../report/report.ts';
import { evidenceFile, writeBundle } from './bundle.ts';
import { judged } from './rejudge.ts';
import { makeFolder } from './write-file.ts';

/** Writes the smallest part of the evidence from which the same finding follows. @throws InputError where it does not */
export async function writeDispute(
  folder: string,
  into: string,
  report: Report,
  finding: Finding,
): Promise<string> {
  const from = join(folder, evidenceFile);
  const to = join(into, evidenceFile);
  if ((await stat(to).catch(() => undefined)) !== undefined)
    throw trouble(to, 'evidence already exists here', 'name a new folder with --output');
  await makeFolder(into);
  const cited = [...finding.exchanges, ...(finding.control === undefined ? [] : [finding.control])];
  const wanted = {
    exchanges: new Set(cited.map(({ id }) => id)),
    suite: finding.suite,
    probe: finding.probe,
  };
  for (const width of widths) {
    await rm(to, { force: true });
    await writeExcerpt(from, to, wanted, width, { of: report.evidence.sha256, finding: finding.id });
    const { report: part } = await judged(to);
    const found = [...part.violations, ...part.advisories].find(({ id }) => id === finding.id);
    if (found?.verdict !== finding.verdict) continue;
    await writeBundle(into, part, formats);
    return `${to}: ${part.run.exchanges} of ${report.run.exchanges} exchanges; ${finding.id} ${found.verdict} follows from them`;
  }
  throw trouble(
    from,
    `'${finding.id}' does not follow from this log with the clauses of this version`,
    'make the report again with `assay judge`, or use the version that made it',
  );
}
