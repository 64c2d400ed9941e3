import type { Case } from './trace.ts';

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
