import { basename } from 'node:path';
import { clauses as catalogue } from '../clauses/catalogue.ts';
import { withParameters } from '../contract/given.ts';
import { parseContract } from '../contract/load.ts';
import { isRegularFile } from '../evidence/regular-file.ts';
import { type LogProblem, replay } from '../evidence/replay.ts';
import type { Clause } from '../model/clause.ts';
import { trouble } from '../model/input-error.ts';
import { type Judged, makeTally } from './tally.ts';

/** The report of a log: judge(replay(log)). */
export async function judged(file: string, clauses: readonly Clause[] = catalogue): Promise<Judged> {
  if (!(await isRegularFile(file)))
    throw trouble(
      file,
      'there is no such log',
      'name the folder of a run, such as reports/2026-01-31T10-00-00-000Z-abc123',
    );
  const { entries, problems: broken, totals } = replay(file);
  const other: LogProblem[] = [];
  const tally = makeTally({ clauses });
  let begun = false;
  for await (const entry of entries) {
    if (entry.kind === 'header') {
      const { header } = entry;
      const contract = withParameters(
        await parseContract(header.contract.text, header.contract.file, undefined, header.contract.beside),
        header.parameters ?? {},
        header.principals,
      );
      if (contract.digest !== header.contract.digest)
        other.push({ line: 1, problem: 'the contract in the header is not the one whose digest it names' });
      tally.begin(header, contract);
      begun = true;
    } else tally.take(entry);
  }
  const problems = [...broken, ...other];
  if (begun) return tally.finish({ file: basename(file), ...totals }, problems);
  const [unreadable] = problems;
  throw trouble(file, unreadable?.problem ?? 'it is empty', 'name the folder of a run of Assay');
}
