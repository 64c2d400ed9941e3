import type { HeaderLine } from '../evidence/log.ts';
import type { OperationId } from '../model/contract.ts';
import { narrowedReason, nothingOfTheKind } from '../model/unreached.ts';
import type { Cell } from '../model/verdict.ts';

/** Gives each cell that nothing was said of its one reason, and each that is open what its operation may lack. */
export function withReasons(
  cells: readonly Cell[],
  header: HeaderLine,
  {
    ended,
    hints = new Map(),
    missingShards,
  }: {
    readonly ended: string;
    readonly missingShards: readonly string[];
    /** What may be missing for an operation whose valid requests were all refused. */
    readonly hints?: ReadonlyMap<OperationId, string>;
  },
): readonly Cell[] {
  const { clauses, excerpt, narrowing = [], operations, partial } = header;
  const filtered = narrowedReason(excerpt === undefined ? narrowing : [`the one finding ${excerpt.finding}`]);
  // These leave out probes, and nothing says which cells those would have tested.
  const blind =
    partial &&
    (excerpt !== undefined || narrowing.some((filter) => !/^--(operation|tag|path|clause) /.test(filter)));
  // Older logs do not say which operations were left.
  const unknown =
    partial &&
    operations === undefined &&
    narrowing.some((filter) => /^--(operation|tag|path) /.test(filter));
  const unreached = unreachedOperations(cells);
  const unthrottled = new Map(
    cells.flatMap(({ because, clause, operation, verdict }) =>
      clause === 'THR-1' && verdict === 'not-tested' && because !== nothingOfTheKind
        ? [[operation, because] as const]
        : [],
    ),
  );
  const reasonOf = ({ clause, operation }: Cell): string => {
    const left =
      !blind && !unknown && (clauses?.includes(clause) ?? true) && (operations?.includes(operation) ?? true);
    if (!left) return filtered;
    if (missingShards.length > 0)
      return `A shard is missing that may have tested it (${missingShards.join(', ')}).`;
    if (ended !== 'complete') return 'The run ended early, before it was tested.';
    // Without a 429 there is nothing to say of one.
    const limit = /^THR-|^IDM-14$/.test(clause) ? unthrottled.get(operation) : undefined;
    return limit ?? unreached.get(operation) ?? hints.get(operation) ?? nothingOfTheKind;
  };
  return cells.map((cell) => {
    if (cell.verdict === 'not-tested' && cell.because === nothingOfTheKind)
      return { ...cell, because: reasonOf(cell) };
    const hint = cell.verdict === 'inconclusive' ? hints.get(cell.operation) : undefined;
    return hint === undefined ? cell : { ...cell, because: `${cell.because} ${hint}` };
  });
}

/** What would let an operation be called, by operations of which nothing was tested. */
function unreachedOperations(cells: readonly Cell[]): ReadonlyMap<string, string> {
  const found = new Map<string, Map<string, number>>();
  const reached = new Set<string>();
  for (const { because, operation, verdict } of cells) {
    if (verdict === 'not-applicable') continue;
    if (verdict !== 'not-tested') reached.add(operation);
    if (because === nothingOfTheKind) continue;
    const reasons = found.get(operation) ?? new Map<string, number>();
    found.set(operation, reasons.set(because, (reasons.get(because) ?? 0) + 1));
  }
  return new Map(
    [...found].flatMap(([operation, reasons]) => {
      const [most] = [...reasons].sort(([, one], [, other]) => other - one);
      return most === undefined || reached.has(operation) ? [] : [[operation, most[0]] as const];
    }),
  );
}
