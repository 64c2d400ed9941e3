import { join } from 'node:path';
import { formats } from '../report/formats.ts';
import { terminalReport } from '../report/terminal.ts';
import { writeBundle } from '../run/bundle.ts';
import { judged } from '../run/rejudge.ts';
import type { Output } from './terminal/output.ts';

/** Judges the log of an earlier run with today's clauses. No request is sent. @throws InputError where there is no log to judge */
export async function judge(folder: string, output: Output): Promise<number> {
  const file = folder.endsWith('.jsonl') ? folder : join(folder, 'evidence.jsonl');
  const { report, problems } = await judged(file);
  for (const { line, problem } of problems) output.err(`assay: ${file}:${line}: ${problem}\n`);
  if (problems.length > 0)
    output.err(
      'assay: the log is incomplete, or was altered; finish the run with `assay run --resume`, or judge an unaltered copy\n',
    );
  output.out(terminalReport(report, output.colours, folder.endsWith('.jsonl') ? undefined : folder));
  if (!folder.endsWith('.jsonl')) await writeBundle(folder, report, formats);
  return report.verdict.exitCode;
}
