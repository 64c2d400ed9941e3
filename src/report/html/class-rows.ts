import { group } from 'd3-array';
import type { CellReport, Report } from '../report.ts';

/** A clause with its cells, in the order of the operations. */
export type ClauseRow = {
  readonly code: string;
  readonly text: string;
  readonly level: string;
  readonly cells: readonly CellReport[];
};

/** Clauses by class (`IDM`), in the order of the catalogue. */
export type ClassRows = { readonly name: string; readonly rows: readonly ClauseRow[] };

export function classesOf({
  cells,
  clauses,
  scope,
}: Pick<Report, 'cells' | 'clauses' | 'scope'>): readonly ClassRows[] {
  const places = new Map(scope.operations.map(({ id }, index) => [id, index]));
  const place = ({ operation }: CellReport): number => places.get(operation) ?? places.size;
  const known = new Map(clauses.map((clause) => [clause.code, clause]));
  const byClause = group(cells, ({ clause }) => clause);
  const codes = [...new Set([...clauses.map(({ code }) => code), ...byClause.keys()])];
  const rows = codes.map((code) => ({
    code,
    text: known.get(code)?.text ?? '',
    level: known.get(code)?.level ?? 'stated',
    cells: [...(byClause.get(code) ?? [])].sort((one, other) => place(one) - place(other)),
  }));
  return [...group(rows, ({ code }) => code.split('-')[0] ?? code)].map(([name, ofClass]) => ({
    name,
    rows: ofClass,
  }));
}
