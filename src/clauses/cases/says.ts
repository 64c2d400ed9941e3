import type { Case, Line } from './trace.ts';

/** A case by its rulings in turn (`violated again first (conclusive)`); none where the clause has nothing to say. */
export function says(
  clause: string,
  when: string,
  trace: Case['trace'],
  ...rulings: readonly string[]
): Case {
  const has = (verdict: string): boolean => rulings.some((ruling) => ruling.startsWith(verdict));
  return {
    clause,
    kind: has('violated') ? 'violates' : has('holds') ? 'holds' : 'silent',
    when,
    trace,
    rulings,
    ...(rulings.some((ruling) => ruling.includes('advisory')) ? { advisory: true } : {}),
  };
}

/** Several traces in one; the names of their steps differ. */
export function apart(...traces: readonly Case['trace'][]): Case['trace'] {
  return traces.flatMap((parts, index) => {
    const named = (id: string): string => `${id}~${index}`;
    const rename = (line: Line): Line => ({
      ...line,
      id: named(line.id),
      deviations: (line.deviations ?? []).map((each) =>
        each.kind === 'key-reuse' ? { ...each, of: named(each.of) } : each,
      ),
      ...(line.controls === undefined || line.controls === '*' ? {} : { controls: named(line.controls) }),
      ...(line.on === undefined ? {} : { on: named(line.on) }),
      ...(typeof line.key === 'string' && line.key !== 'none' ? { key: named(line.key) } : {}),
    });
    return parts.map((part) => ('status' in part ? rename(part) : part));
  });
}
