import type { ClauseCode, Sentence } from '../model/clause.ts';
import type { Verdict } from '../model/verdict.ts';
import type { CellReport, SentenceReport } from './report.ts';

/** From bad to good: a sentence is as good as the worst cell of its clauses. */
const order: readonly Verdict[] = [
  'fail',
  'unstable',
  'inconclusive',
  'not-tested',
  'pass',
  'not-applicable',
];

/** Each sentence with the worst verdict of its stated and derived clauses, over all operations. */
export function sentenceReports(
  sentences: readonly Sentence[],
  cells: readonly Pick<CellReport, 'clause' | 'level' | 'verdict'>[],
): readonly SentenceReport[] {
  const found = new Map<ClauseCode, Set<Verdict>>();
  for (const { clause, level, verdict } of cells) {
    if (level === 'advisory') continue;
    found.set(clause, (found.get(clause) ?? new Set()).add(verdict));
  }
  return sentences.map(({ because, clauses, quote, where }) => {
    const verdicts = new Set(clauses.flatMap((code) => [...(found.get(code) ?? [])]));
    const verdict = order.find((one) => verdicts.has(one));
    return {
      where,
      quote,
      clauses,
      ...(verdict === undefined ? {} : { verdict }),
      ...(because === undefined ? {} : { because }),
    };
  });
}
