import type { Violation } from '../judge.ts';

/** Which violated cells the engine still has to repeat. A cell is named `IDM-4 createCase`. */
export type Pursuits = {
  /** Takes the violations that nobody pursues yet. Advisory clauses are never pursued. */
  readonly take: (violations: readonly Violation[]) => readonly Violation[];
  /** The cell was violated again. */
  readonly confirm: (cell: string) => void;
  /** No repeat violated it again. Another situation may: a 429 may come by chance before the burst made for it. */
  readonly miss: (cell: string) => void;
  /** It may be pursued again, as if it never had been. */
  readonly reopen: (cell: string) => void;
  /** Whether the cell was violated again, or one trace proved it: nothing more is to be found. */
  readonly proved: (cell: string) => boolean;
};

/** How many situations are repeated in vain before a cell is given up. */
const mostMisses = 3;

export function cellOf({ clause, ruling }: Violation): string {
  return `${clause.code} ${ruling.operation}`;
}

export function makePursuits(): Pursuits {
  const taken = new Set<string>();
  const misses = new Map<string, number>();
  const proved = new Set<string>();
  return {
    take: (violations) => {
      const fresh = violations.filter(
        (violation) => violation.clause.level !== 'advisory' && !taken.has(cellOf(violation)),
      );
      for (const violation of fresh) {
        taken.add(cellOf(violation));
        if (violation.ruling.conclusive === true) proved.add(cellOf(violation));
      }
      return fresh;
    },
    confirm: (cell) => {
      proved.add(cell);
      taken.add(cell);
      misses.set(cell, mostMisses);
    },
    miss: (cell) => {
      const times = (misses.get(cell) ?? 0) + 1;
      misses.set(cell, times);
      if (times < mostMisses) taken.delete(cell);
    },
    reopen: (cell) => {
      taken.delete(cell);
    },
    proved: (cell) => proved.has(cell),
  };
}
