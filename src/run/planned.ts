import { makePlan, type Plan, type PlannedProbe } from '../engine/plan.ts';
import { toPrepare } from '../engine/preparing.ts';
import { type Replan, toRehearse } from '../engine/rehearsal.ts';
import { trouble } from '../model/input-error.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { type NarrowedRun, narrowingOf } from './header.ts';
import { plannedBefore, type Resumable } from './resume.ts';
import type { Session } from './session.ts';
import { unaimed } from './unaimed.ts';

type Selected = NarrowedRun & {
  readonly probe?: PlannedProbe | undefined;
  readonly resume?: Resumable | undefined;
};

/** What a run sends. @throws InputError where its filters leave nothing */
export function planOf(session: Session, planning: Planning, of: Selected): Plan {
  if (of.probe !== undefined) return { probes: [of.probe], skips: [] };
  const made = makePlan(session.suites, planning, session.seed, of);
  const plan = of.resume === undefined ? made : plannedBefore(of.resume, made);
  // No suite at all is preflight alone, as doctor asks for.
  const preflightAlone = of.suites?.length === 0;
  if (plan.probes.length === 0 && plan.skips.length === 0 && narrowingOf(of).length > 0 && !preflightAlone)
    throw trouble(
      narrowingOf(of).join(' '),
      'no probe is left',
      [...unaimed(session, planning, of, plan)].map(([code, because]) => `${code}: ${because}`).join(' ') ||
        'leave out one of the filters',
    );
  return plan;
}

/**
 * What a run sends, made when it is first asked for. What may be refused is made at once, before anything is sent: the
 * proposals of a user's suite, and what filters leave.
 * @throws InputError
 */
export function planner(
  session: Session,
  planning: Planning,
  of: Selected & { readonly shard?: unknown },
): () => Plan {
  let made: Plan | undefined;
  const plan = (): Plan => {
    made ??= planOf(session, planning, of);
    return made;
  };
  const isSure = session.config.suites.length === 0 && narrowingOf(of).length === 0;
  if (!isSure || of.shard !== undefined || of.resume !== undefined) plan();
  return plan;
}

/**
 * Makes the plan again with the bodies and records that a target accepts; undefined where the plan is fixed, or leaves no choice of bodies.
 * All shards of a run have one plan, and a run that goes on has that of its beginning.
 */
export function replanning(work: {
  readonly session: Session;
  readonly tokens: ReadonlyMap<PrincipalName, string>;
  readonly planning: Planning;
  readonly plan: () => Plan;
  readonly of: Selected;
  readonly shard: unknown;
}): Replan | undefined {
  const { of, session, tokens } = work;
  if (work.shard !== undefined || of.resume !== undefined || of.probe !== undefined) return undefined;
  const plan = work.plan();
  if (toRehearse(work.planning, plan).length === 0 && toPrepare(work.planning, plan).length === 0)
    return undefined;
  return {
    planning: (accepted, prepared) => session.planning(tokens, accepted, prepared),
    plan: (planning) => planOf(session, planning, of),
  };
}
