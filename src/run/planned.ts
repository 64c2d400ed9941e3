import { makePlan, type Plan, type PlannedProbe } from '../engine/plan.ts';
import { trouble } from '../model/input-error.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { type NarrowedRun, narrowingOf } from './header.ts';
import { plannedBefore, type Resumable } from './resume.ts';
import type { Session } from './session.ts';

/** What a run sends. @throws InputError where its filters leave nothing */
export function planOf(
  session: Session,
  planning: Planning,
  of: NarrowedRun & { readonly probe?: PlannedProbe | undefined; readonly resume?: Resumable | undefined },
): Plan {
  if (of.probe !== undefined) return { probes: [of.probe], skips: [] };
  const made = makePlan(session.suites, planning, session.seed, of);
  const plan = of.resume === undefined ? made : plannedBefore(of.resume, made);
  // No suite at all is preflight alone, as doctor asks for.
  const preflightAlone = of.suites?.length === 0;
  if (plan.probes.length === 0 && plan.skips.length === 0 && narrowingOf(of).length > 0 && !preflightAlone)
    throw trouble(
      narrowingOf(of).join(' '),
      'no probe is left',
      of.clauses === undefined
        ? 'leave out one of the filters'
        : 'some clauses are judged on every response and no probe is aimed at them: leave out --clause, or name a suite',
    );
  return plan;
}
