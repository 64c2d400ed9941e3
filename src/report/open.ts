import { isFilteredOut } from '../model/unreached.ts';
import type { CellReport, OpenGroup } from './report.ts';

/** Cells without a verdict by what they lack, but for those filtered out. A group is true for every pair in it. */
export function openGroups(cells: readonly CellReport[]): readonly OpenGroup[] {
  const reasons = new Map<string, Map<string, CellReport[]>>();
  for (const cell of cells) {
    const { because, level, operation, verdict } = cell;
    const open = verdict === 'not-tested' || verdict === 'inconclusive';
    if (level === 'advisory' || !open || isFilteredOut(cell)) continue;
    const reason = `${verdict} ${because}`;
    const found = reasons.get(reason) ?? new Map<string, CellReport[]>();
    reasons.set(reason, found);
    found.set(operation, [...(found.get(operation) ?? []), cell]);
  }
  return [...reasons.values()].flatMap((byOperation) => {
    const groups = new Map<string, OpenGroup>();
    for (const [operation, found] of byOperation) {
      const clauses = [...new Set(found.map(({ clause }) => clause))];
      const [first] = found;
      if (first === undefined || (first.verdict !== 'not-tested' && first.verdict !== 'inconclusive'))
        continue;
      const known = groups.get(clauses.join());
      groups.set(clauses.join(), {
        verdict: first.verdict,
        because: first.because,
        clauses,
        operations: [...(known?.operations ?? []), operation],
        cells: (known?.cells ?? 0) + found.length,
      });
    }
    return [...groups.values()];
  });
}

export const mostNamed = 12;

/** The operations of a group, by name: `every operation`, or as many as a line holds. */
export function operationsInShort(
  operations: readonly string[],
  all: number,
  name: (operation: string) => string = (operation) => operation,
): string {
  if (operations.length === all && all > mostNamed) return `every operation (${all})`;
  const rest = operations.length - mostNamed;
  return rest <= 1
    ? operations.map(name).join(', ')
    : `${operations.slice(0, mostNamed).map(name).join(', ')} and ${rest} more (report.json)`;
}
