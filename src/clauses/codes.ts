import type { ClauseCode } from '../model/clause.ts';

/** The classes in the order of reports, each with the number of its clauses. */
const classes = [
  ['RID', 9],
  ['AUT', 13],
  ['PRM', 10],
  ['CMD', 6],
  ['VAL', 15],
  ['IDM', 25],
  ['CNF', 2],
  ['VER', 7],
  ['STV', 4],
  ['THR', 8],
  ['RDS', 8],
  ['ERR', 4],
  ['PRE', 4],
] as const;

/** The codes of all clauses, in the order of reports. Names can be checked with them before what judges is loaded. */
export const clauseCodes: readonly ClauseCode[] = classes.flatMap(([name, count]) =>
  Array.from({ length: count }, (_, index) => `${name}-${index + 1}`),
);
