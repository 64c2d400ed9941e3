import type { ClauseCode } from '../model/clause.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { changeOf, type Job, type Line } from './accuracy.ts';
import type { TrialResult } from './trial.ts';

/** What a trial is reported with. */
export function lineOf(job: Job, result: TrialResult): Line {
  const of = changeOf(job);
  const fault = job.kind === 'fault' ? faults.find((one) => one.id === job.ids[0]) : undefined;
  const breaks = fault?.breaks ?? [];
  const seen = new Set([...result.fired, ...result.advised]);
  return {
    id: job.ids.join('+') || '(none)',
    describes: of?.describes ?? '',
    seed: job.seed,
    budget: job.budget,
    breaks,
    fired: result.fired,
    missed: breaks.filter((code) => !seen.has(code)),
    unexpected: strays(fault?.id ?? '', result.fired),
    requests: result.requests,
    firstRequest: result.firstRequest,
    firstSeconds: result.firstSeconds,
    outcome: result.outcome,
  };
}

/** The clauses that fired and are no consequence of the fault. */
export function strays(id: string, fired: readonly ClauseCode[]): readonly ClauseCode[] {
  const fault = faults.find((one) => one.id === id);
  const allowed = new Set([...(fault?.breaks ?? []), ...(fault?.also ?? [])]);
  return fired.filter((code) => !allowed.has(code));
}

/** The evidence of each fault with the first seed, for a check without traffic, and of all that went wrong. */
export function isWorthKeeping({ kind, seed }: Job, { missed, unexpected }: Line): boolean {
  return (kind === 'fault' && seed === 1) || missed.length > 0 || unexpected.length > 0;
}
