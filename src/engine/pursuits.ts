import type { Violation } from '../judge.ts';

/** Which violated cells the engine still has to repeat. A cell is named `IDM-4 createCase`. */
export type Pursuits<Source> = {
  /** Takes the violations that nobody pursues yet, and keeps what showed the others. Advisory clauses are never pursued. */
  readonly take: (violations: readonly Violation[], source?: Source) => readonly Violation[];
  /** What showed violations of cells while others of them were pursued in vain. */
  readonly passedOver: () => readonly Source[];
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

/** So many sources are kept, to bound memory. */
const mostKept = 100;

export function makePursuits<Source>(): Pursuits<Source> {
  const kept: { readonly source: Source; readonly cells: readonly string[] }[] = [];
  const taken = new Set<string>();
  const misses = new Map<string, number>();
  const proved = new Set<string>();
  return {
    take: (violations, source) => {
      const found = violations.filter(({ clause }) => clause.level !== 'advisory');
      const fresh = found.filter((violation) => !taken.has(cellOf(violation)));
      const cells = found.map(cellOf).filter((cell) => taken.has(cell) && !proved.has(cell));
      if (source !== undefined && cells.length > 0 && kept.length < mostKept) kept.push({ source, cells });
      for (const violation of fresh) {
        taken.add(cellOf(violation));
        if (violation.ruling.conclusive === true) proved.add(cellOf(violation));
      }
      return fresh;
    },
    passedOver: () =>
      kept.flatMap(({ source, cells }) => (cells.some((cell) => !taken.has(cell)) ? [source] : [])),
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
