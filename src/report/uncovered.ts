import { codesInShort } from './codes.ts';
import type { CellReport, Report } from './report.ts';

type Uncovered = { readonly words: string; readonly codes: string };

/** Derived cells that apply and have no verdict, unless they were not selected: exit 0 says nothing about them. */
export function uncovered({ cells, verdict }: Pick<Report, 'cells' | 'verdict'>): Uncovered | undefined {
  const open = cells.filter(
    (cell) =>
      cell.level === 'derived' &&
      (cell.verdict === 'inconclusive' ||
        (cell.verdict === 'not-tested' && (!verdict.partial || cell.needs.length > 0))),
  );
  if (open.length === 0) return undefined;
  const count = (of: CellReport['verdict']): number => open.filter((cell) => cell.verdict === of).length;
  const parts = [
    ...(count('inconclusive') > 0 ? [`${count('inconclusive')} inconclusive`] : []),
    ...(count('not-tested') > 0 ? [`${count('not-tested')} not tested`] : []),
  ];
  return {
    words: `derived cells without a verdict: ${parts.join(', ')}`,
    codes: codesInShort([...new Set(open.map(({ clause }) => clause))]),
  };
}
