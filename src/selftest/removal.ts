import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { clauses } from '../clauses/catalogue.ts';
import { unknownName } from '../document/nearest.ts';
import type { ClauseCode } from '../model/clause.ts';
import { trouble } from '../model/input-error.ts';
import type { TextOutput } from '../model/text-output.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { judged } from '../run/rejudge.ts';
import { codesOf } from './trial.ts';

/** Judges kept evidence without each clause in turn: 0 where the removal of each is noticed. @throws InputError */
export async function removal(
  folder: string,
  codes: readonly ClauseCode[] | undefined,
  output: TextOutput,
): Promise<number> {
  const logs = await logsIn(folder);
  for (const code of codes ?? [])
    if (!clauses.some((clause) => clause.code === code))
      throw unknownName(
        '--without',
        'clause',
        code,
        clauses.map((clause) => clause.code),
      );
  const removed = clauses.filter((clause) =>
    codes === undefined ? clause.level !== 'advisory' : codes.includes(clause.code),
  );
  const whole = new Map<string, ReadonlySet<ClauseCode>>();
  /** The clauses that fire in a kept log. */
  const firing = async (log: string, without?: ClauseCode): Promise<ReadonlySet<ClauseCode>> => {
    const known = without === undefined ? whole.get(log) : undefined;
    if (known !== undefined) return known;
    const { report } = await judged(
      join(folder, log),
      clauses.filter((clause) => clause.code !== without),
    );
    const { advised, fired } = codesOf(report.cells);
    const found = new Set([...fired, ...advised]);
    if (without === undefined) whole.set(log, found);
    return found;
  };
  let unnoticed = 0;
  for (const { code } of removed) {
    const noticed = await noticedIn(code);
    if (noticed === undefined) unnoticed += 1;
    output.out(
      noticed === undefined
        ? `NOT OK ${code}: nothing is missed without it\n`
        : `ok     ${code}: without it ${noticed} is not caught by all that it breaks\n`,
    );
  }
  output.out(
    `\n${removed.length - unnoticed} of ${removed.length} clauses are missed where they are removed.\n`,
  );
  return unnoticed === 0 ? 0 : 1;

  /** A fault that is caught with the clause, and no longer without it. */
  async function noticedIn(code: ClauseCode): Promise<string | undefined> {
    for (const { breaks, id } of faults) {
      if (!breaks.includes(code)) continue;
      for (const log of logs.filter((name) => name.startsWith(`${id}.`)))
        if ((await firing(log)).has(code) && !(await firing(log, code)).has(code)) return id;
    }
    return undefined;
  }
}

async function logsIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl')).sort();
  if (names.length === 0)
    throw trouble(folder, 'there is no kept evidence', 'make some: assay selftest --keep <folder>');
  return names;
}
