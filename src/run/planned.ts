import { type Plan, type PlannedProbe, planSteps, type Selection } from '../engine/plan.ts';
import { toPrepare } from '../engine/preparing.ts';
import { type Replan, toRehearse } from '../engine/rehearsal.ts';
import { trouble } from '../model/input-error.ts';
import type { PrincipalName } from '../model/principal.ts';
import { StoppedPlanning } from '../model/stopped-planning.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { type NarrowedRun, narrowingOf } from './header.ts';
import { type Means, usualMeans } from './means.ts';
import { plannedBefore, type Resumable } from './resume.ts';
import type { Session } from './session.ts';
import { unaimed } from './unaimed.ts';

type Selected = NarrowedRun & {
  readonly probe?: PlannedProbe | undefined;
  readonly resume?: Resumable | undefined;
};

/** So many proposals are made before others get their turn, when signals are heard: of a large body one takes long enough. */
const atATime = 2;

/** When a plan that is being made lets others get their turn, and when it ends unmade. */
type Stops = { readonly signal: AbortSignal; readonly means: Pick<Means, 'reading' | 'turn'> };

async function made(steps: Generator<undefined, Plan, undefined>, { means, signal }: Stops): Promise<Plan> {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (count % atATime === 0) await means.turn();
    if (signal.aborted) throw new StoppedPlanning('stopped while the plan was made; nothing was tested');
  }
}

/** The plan of a selection, made while signals are heard. @throws StoppedPlanning */
export async function planInTurns(
  { seed, suites }: Pick<Session, 'seed' | 'suites'>,
  planning: Planning,
  selection: Selection,
  signal: AbortSignal,
): Promise<Plan> {
  return made(planSteps(await suites(), planning, seed, selection), { signal, means: usualMeans });
}

/**
 * What a run sends.
 * @throws InputError where its filters leave nothing
 * @throws StoppedPlanning
 */
async function planOf(session: Session, planning: Planning, of: Selected, stops: Stops): Promise<Plan> {
  if (of.probe !== undefined) return { probes: [of.probe], skips: [] };
  const whole = await made(
    planSteps(await stops.means.reading(session.suites()), planning, session.seed, of),
    stops,
  );
  const plan = of.resume === undefined ? whole : plannedBefore(of.resume, whole);
  // No suite at all is preflight alone, as doctor asks for.
  const preflightAlone = of.suites?.length === 0;
  if (plan.probes.length === 0 && plan.skips.length === 0 && narrowingOf(of).length > 0 && !preflightAlone)
    throw trouble(
      narrowingOf(of).join(' '),
      'no probe is left',
      [...(await unaimed(session, planning, of, plan))]
        .map(([code, because]) => `${code}: ${because}`)
        .join(' ') || 'leave out one of the filters',
    );
  return plan;
}

/**
 * What a run sends, made when it is first asked for. What may be refused is made at once, before anything is sent: the
 * proposals of a user's suite, and what filters leave.
 * @throws InputError
 * @throws StoppedPlanning
 */
export async function planner(
  session: Session,
  planning: Planning,
  of: Selected & { readonly shard?: unknown },
  stops: Stops,
): Promise<() => Promise<Plan>> {
  let once: Promise<Plan> | undefined;
  const plan = (): Promise<Plan> => {
    once ??= planOf(session, planning, of, stops);
    return once;
  };
  const isSure = session.config.suites.length === 0 && narrowingOf(of).length === 0;
  if (!isSure || of.shard !== undefined || of.resume !== undefined) await plan();
  return plan;
}

/**
 * Makes the plan again with the bodies and records that a target accepts; undefined where the plan is fixed, or leaves no choice of bodies.
 * All shards of a run have one plan, and a run that goes on has that of its beginning.
 */
export function replanning(
  work: Stops & {
    readonly session: Session;
    readonly tokens: ReadonlyMap<PrincipalName, string>;
    readonly planning: Planning;
    readonly plan: Plan;
    readonly of: Selected;
    readonly shard: unknown;
  },
): Replan | undefined {
  const { of, plan, session, tokens } = work;
  if (work.shard !== undefined || of.resume !== undefined || of.probe !== undefined) return undefined;
  if (toRehearse(work.planning, plan).length === 0 && toPrepare(work.planning, plan).length === 0)
    return undefined;
  return {
    planning: (accepted, prepared) => session.planning(tokens, accepted, prepared),
    plan: (planning) => planOf(session, planning, of, work),
  };
}
