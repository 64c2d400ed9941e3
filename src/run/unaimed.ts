import { makePlan, type Plan, type Selection } from '../engine/plan.ts';
import type { ClauseCode } from '../model/clause.ts';
import type { Planning } from '../suite-kit/suite.ts';
import type { Session } from './session.ts';

/**
 * Why no probe is aimed at a clause that a filter names; none for those at which some are, or which have a reason of their own.
 * @param chosen the plan of this selection
 */
export async function unaimed(
  { contract, seed, suites }: Pick<Session, 'contract' | 'seed' | 'suites'>,
  planning: Planning,
  selection: Selection,
  chosen: Plan,
): Promise<ReadonlyMap<ClauseCode, string>> {
  const { clauses = [], operations } = selection;
  const aimedAt = (code: ClauseCode, plan: Plan): boolean =>
    plan.probes.some(({ probe }) => probe.clauses.includes(code)) ||
    plan.skips.some((skip) => skip.clauses.includes(code));
  if (clauses.length === 0) return new Map();
  const missing = clauses.filter((code) => !aimedAt(code, chosen));
  if (missing.length === 0) return new Map();
  const { clauses: catalogue } = await import('../clauses/catalogue.ts');
  const whole = makePlan(await suites(), planning, seed, {});
  const left = contract.operations.filter(({ id }) => operations === undefined || operations.includes(id));
  return new Map(
    missing.map((code) => {
      const clause = catalogue.find((one) => one.code === code);
      if (!left.some((operation) => clause?.applies(contract, operation)))
        return [code, 'No operation of this selection has what the clause is about.'];
      return [
        code,
        aimedAt(code, whole)
          ? 'The other filters leave out the probes that are aimed at it. Leave one of them out.'
          : 'No probe is aimed at it: it is judged on every response of the kind that it is about. Leave out --clause, or name a suite.',
      ];
    }),
  );
}
