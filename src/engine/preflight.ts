import type { Operation } from '../model/contract.ts';
import { type Exchange, isDropped, type Trace, triedIn } from '../model/exchange.ts';
import { isPermitted, type Principal, type PrincipalName } from '../model/principal.ts';
import { isAccepted, isFailed, isThrottled } from '../model/response.ts';
import type { Scenario } from '../model/scenario.ts';
import type { Preparations } from '../suite-kit/preparation.ts';
import { key, type Scene, scenario, sceneOf } from '../suite-kit/scene.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { type AcceptedMarks, acceptedMarks } from './accepted-marks.ts';
import { attempt } from './attempt.ts';
import type { Rest } from './lanes.ts';
import { reachText } from './out-of-reach.ts';
import type { Plan } from './plan.ts';
import { prepare, toPrepare } from './preparing.ts';
import { type AcceptedBodies, type Rehearsed, type Replan, refusesBody, rehearse } from './rehearsal.ts';
import type { Stage } from './stage.ts';
import { sharedRecords, type Use } from './turns.ts';
import { signingRemedy } from './unsigned.ts';

/** What preflight found: who succeeded, or why the run cannot begin. */
export type Preflight = {
  readonly traces: readonly Trace[];
  readonly proven: ReadonlySet<PrincipalName>;
  /** Valid principals that were not tried: one that succeeds is enough to begin. */
  readonly unproven: readonly Principal[];
  readonly marks: Stage['marks'];
  readonly ownValues: Stage['ownValues'];
  /** Why no run can be made; undefined where it can. */
  readonly trouble: string | undefined;
  readonly rehearsed: Rehearsed;
  readonly prepared: Preparations;
  /** What to send, and what it was made of: with those bodies. */
  readonly planning: Planning;
  readonly plan: Plan;
};

/** What a run sends. */
export type Intended = {
  readonly plan: Plan;
  /** The same with bodies that the target takes; where nothing is given, its plain bodies are not tried. */
  readonly replan?: Replan | undefined;
};

type Result = {
  readonly principal: Principal;
  readonly operation: Operation;
  readonly got: Exchange | undefined;
};

/** How a principal fared on what is easiest to call. */
export type Proof = {
  readonly traces: readonly Trace[];
  readonly results: readonly Result[];
  readonly succeeded: boolean;
};

/** Some targets leave a request without a token unanswered: then the run begins after so many milliseconds. */
const longestLookMs = 300;

/** Tries valid principals until one succeeds, then what may mark bodies. Only what makes any run impossible is trouble. */
export async function preflight(
  stage: Stage,
  planning: Planning,
  nextTrace: () => string,
  /** Asked for once the first requests are over: a large plan takes seconds to make, and a mistake shows at once. */
  intended: () => Intended | Promise<Intended> = () => ({ plan: { probes: [], skips: [] } }),
  /** Called once the target is known to be there. */
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<Preflight> {
  const proven = new Set<PrincipalName>();
  let rehearsed: Rehearsed = { accepted: new Map(), refused: [] };
  let prepared: Preparations = new Map();
  const results: Result[] = [];
  const traces: Trace[] = [];
  const everybody = planning.principals.filter(({ state }) => state === 'valid');
  let left = [...everybody];
  const isPast = patience(stage);
  let known = planning;
  const begin = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined && !stage.signal.aborted; next = left.shift()) {
      const proof = await proofOf(stage, known, next, nextTrace);
      traces.push(...proof.traces);
      results.push(...proof.results);
      if (proof.succeeded) proven.add(next.name);
      const last = proof.results.at(-1)?.got;
      const responds = last?.answer !== undefined || last?.noAnswer === undefined;
      // Where one succeeds the run can be made. Where nothing responds, the rest would only wait in vain.
      if (proven.size > 0 || (!responds && (results.length >= 2 || isPast()))) break;
    }
  };
  await begin();
  const { plan, replan } = await intended();
  let work = { planning, plan };
  const isRefused = results.some(({ got }) => refusesBody(got?.answer?.status));
  if (replan !== undefined && !stage.signal.aborted && (proven.size > 0 || isRefused)) {
    const { traces: tries, ...found } = await rehearse(stage, planning, plan, nextTrace, (bodies) =>
      replan.planning(bodies, prepared),
    );
    traces.push(...tries);
    rehearsed = found;
    if (found.accepted.size > 0) work = await workOf(replan, found.accepted, prepared);
    known = work.planning;
    // Where all that could be called is refused for its body, nobody has succeeded so far.
    if (found.accepted.size > 0 && proven.size === 0) {
      left = [...everybody];
      results.length = 0;
      await begin();
    }
  }
  const trouble =
    stage.signal.aborted || proven.size > 0 ? undefined : troubleOf(results, stage.baseUrl, planning);
  const looking = proven.size > 0 && !stage.signal.aborted ? meanwhile() : undefined;
  const marksOf = async (on: Stage, isWanted?: (operation: Operation) => boolean): Promise<AcceptedMarks> => {
    const toSend = trouble === undefined ? work.plan : { probes: [] };
    const { traces: tries, ...found } = await acceptedMarks(on, work.planning, toSend, nextTrace, isWanted);
    traces.push(...tries);
    return found;
  };
  let marks = await marksOf(stage);
  if (replan !== undefined && trouble === undefined && !stage.signal.aborted) {
    const on = { ...stage, ...marks };
    const makeReady = async (): Promise<void> => {
      const { accepted, refused } = rehearsed;
      const planningWith = (wanted: Preparations, bodies: AcceptedBodies): Planning =>
        replan.planning(new Map([...accepted, ...bodies]), new Map([...prepared, ...wanted]));
      const ready = await prepare(on, work.planning, work.plan, nextTrace, planningWith, traces);
      traces.push(...ready.traces);
      prepared = new Map([...prepared, ...ready.prepared]);
      rehearsed = {
        accepted: new Map([...accepted, ...ready.bodies]),
        refused: refused.filter((id) => !ready.prepared.has(id)),
      };
      if (prepared.size > 0) work = await workOf(replan, rehearsed.accepted, prepared);
    };
    await makeReady();
    // What is ready now makes records of others, which could not be sent before.
    const isUnsent = unsentIn(traces);
    if (prepared.size > 0 && toPrepare(work.planning, work.plan).some(isUnsent)) {
      const { accepted, refused } = rehearsed;
      const planningWith = (bodies: AcceptedBodies): Planning =>
        replan.planning(new Map([...accepted, ...bodies]), prepared);
      const again = await rehearse(on, work.planning, work.plan, nextTrace, planningWith, isUnsent);
      traces.push(...again.traces);
      rehearsed = {
        accepted: new Map([...accepted, ...again.accepted]),
        refused: [...refused, ...again.refused],
      };
      if (again.accepted.size > 0) work = await workOf(replan, rehearsed.accepted, prepared);
      await makeReady();
    }
    if (prepared.size > 0) marks = await marksOf(on, ({ id }) => prepared.has(id));
  }
  // The first scenario may stop the target, and only one that was seen before can be seen to have stopped.
  if (looking !== undefined) await Promise.race([looking, stage.clock.sleep(longestLookMs, stage.signal)]);
  return {
    traces,
    proven,
    unproven: proven.size > 0 ? left : [],
    ...marks,
    trouble,
    rehearsed,
    prepared,
    ...work,
  };
}

/** Whether no request of an operation got a response so far. */
function unsentIn(traces: readonly Trace[]): (operation: Operation) => boolean {
  const sent = new Set(
    traces.flatMap(({ exchanges }) =>
      exchanges.flatMap(({ answer, operation }) => (answer === undefined ? [] : [operation])),
    ),
  );
  return ({ id }) => !sent.has(id);
}

async function workOf(
  replan: Replan,
  accepted: AcceptedBodies,
  prepared: Preparations,
): Promise<Pick<Preflight, 'planning' | 'plan'>> {
  const planning = replan.planning(accepted, prepared);
  return { planning, plan: await replan.plan(planning) };
}

/** A target that gave no response for so many milliseconds has not only just started. */
const mostSilentMs = 15_000;

function patience({ clock }: Pick<Stage, 'clock'>): () => boolean {
  const began = clock.monotonic();
  return () => clock.monotonic() - began >= mostSilentMs;
}

/** Calls what is easiest until the principal succeeds, or no other operation would fare better. */
export async function proofOf(
  stage: Stage,
  planning: Planning,
  principal: Principal,
  nextTrace: () => string,
  rest?: Rest,
): Promise<Proof> {
  const traces: Trace[] = [];
  const results: Result[] = [];
  const isPast = patience(stage);
  let tried: Exchange | undefined;
  for (const { operation, scene } of easiest(planning, principal)) {
    const fly = async (keyed: boolean): Promise<Exchange | undefined> => {
      const of = {
        id: nextTrace(),
        suite: 'preflight',
        probe: principal.name,
        scenarioIndex: 0,
        attempt: 0,
        seed: 0,
        path: undefined,
        purpose: 'first' as const,
        repeats: undefined,
        scenario: proving(scene, principal, keyed),
      };
      const trace = await attempt(stage, of, rest);
      traces.push(trace);
      tried = triedIn(trace);
      return tried ?? trace.exchanges.at(-1);
    };
    let got: Exchange | undefined;
    for (const keyed of operation.kind === 'read' ? [false, true] : [false]) {
      if (keyed && !mayLackKey(got)) break;
      got = await fly(keyed);
      // A target that has only just started may drop the first connection.
      if (isDropped(got?.noAnswer) && !isPast()) got = await fly(keyed);
    }
    results.push({ principal, operation, got });
    const succeeded = isAccepted(tried?.answer) && !isWebPage(operation, tried);
    // A bad token, or no response, would be the same on other operations.
    if (succeeded || isHopeless(got)) return { traces, results, succeeded };
  }
  return { traces, results, succeeded: false };
}

/** A read that is refused for want of a key is a violation (IDM-21), and no reason to send nothing. */
function mayLackKey(got: Exchange | undefined): boolean {
  const status = got?.answer?.status ?? 0;
  return status >= 400 && status < 500 && ![401, 403, 404, 405, 429].includes(status);
}

/** A site or a proxy returns its page with 200 to every request, and is not the API. */
function isWebPage({ success }: Operation, got: Exchange | undefined): boolean {
  const isJson = success.mediaType === undefined || /json/i.test(success.mediaType);
  return isJson && /^\s*<(?:!doctype html|html)\b/i.test(got?.answer?.body ?? '');
}

/** Whether other operations would fare no better. A request that could not be made says nothing of others. */
function isHopeless(got: Exchange | undefined): boolean {
  return got?.answer === undefined ? got?.noAnswer?.reason !== 'harness' : got.answer.status === 401;
}

/** How many operations are tried for each principal. */
const mostTried = 4;

function ableFor({ contract }: Planning, principal: Principal): readonly Operation[] {
  return contract.operations.filter((operation) => isPermitted(principal, operation));
}

function proving(scene: Scene, { name }: Principal, keyed: boolean): Scenario {
  const step = scene.request('preflight', keyed ? { key: key('preflight') } : {});
  return scenario(scene, `preflight as ${name}`, [{ steps: [step] }]);
}

/** The shared records that the proof of a principal uses, if what is easiest succeeds. */
export function usedByProof(planning: Planning, principal: Principal): readonly Use[] {
  const [first] = easiest(planning, principal);
  return first === undefined ? [] : sharedRecords(planning.contract, proving(first.scene, principal, false));
}

/** Reads without a target first, then other reads, then commands without a target, then others. */
function* easiest(
  planning: Planning,
  principal: Principal,
): Iterable<{ readonly operation: Operation; readonly scene: Scene }> {
  const cost = (operation: Operation): number =>
    (operation.kind === 'read' ? 0 : 2) +
    (operation.pathFields.length > 0 ? 1 : 0) +
    (operation.verification === undefined ? 0 : 4);
  let left = mostTried;
  for (const operation of [...ableFor(planning, principal)].sort((one, other) => cost(one) - cost(other))) {
    if (left <= 0) return;
    const scene = sceneOf(planning, operation, principal);
    if ('remedy' in scene) continue;
    left -= 1;
    yield { operation, scene };
  }
}

function needed(planning: Planning): string | undefined {
  const lines = planning.principals
    .filter(({ state }) => state === 'valid')
    .flatMap((principal) =>
      ableFor(planning, principal).flatMap((operation) => {
        const scene = sceneOf(planning, operation, principal);
        return 'remedy' in scene ? [`  ${operation.method} ${operation.path}: ${scene.remedy}`] : [];
      }),
    );
  const different = [...new Set(lines)];
  if (different.length === 0) return undefined;
  const more = different.length > mostTried ? [`  and ${different.length - mostTried} more`] : [];
  return ['no operation can be called', ...different.slice(0, mostTried), ...more].join('\n');
}

function troubleOf(results: readonly Result[], baseUrl: string | undefined, planning: Planning): string {
  if (results.length === 0)
    return (
      needed(planning) ??
      'no valid principal holds the permission of any operation of the contract; give at least one under `principals:`'
    );
  const lines = results.map(({ principal, operation, got }) => {
    const what =
      got?.answer !== undefined
        ? String(got.answer.status)
        : got?.noAnswer !== undefined
          ? `no response (${got.noAnswer.reason}: ${got.noAnswer.detail})`
          : 'nothing was sent';
    return `  ${principal.name}: ${operation.method} ${operation.path} got ${what}`;
  });
  const silent = results.every(({ got }) => got?.answer === undefined);
  const failing = results.every(({ got }) => got?.answer === undefined || isFailed(got.answer));
  const lost = results.every(
    ({ got, operation }) =>
      (got?.answer?.status === 404 && operation.pathFields.length === 0) || got?.answer?.status === 405,
  );
  const pages = results.every(({ got, operation }) => isAccepted(got?.answer) && isWebPage(operation, got));
  const throttled = results.every(({ got }) => isThrottled(got?.answer));
  const redirected = results.every(({ got }) => Math.trunc((got?.answer?.status ?? 0) / 100) === 3);
  const unsigned = results.map(({ got }) => signingRemedy(got)).find((one) => one !== undefined);
  const advice =
    unsigned ??
    (silent
      ? silence(results, baseUrl)
      : failing
        ? 'the target fails at every request; look at its log, and at that of any gateway in front of it'
        : redirected
          ? 'the target redirects every request; write the address that it redirects to in target.baseUrl'
          : pages
            ? 'the target returns a web page to every request; write the address of the API in target.baseUrl'
            : lost
              ? 'the target knows none of the paths of the contract; check the path of target.baseUrl'
              : throttled
                ? 'the target throttles every request; wait, or ask for a higher limit for these tokens'
                : 'no valid request succeeds; check the tokens, the permissions and operations.<name>.examples');
  // One line says it all where nothing responds, for the same reason to everybody.
  const same = new Set(results.map(({ got }) => got?.noAnswer?.detail)).size === 1;
  return silent && same ? advice : `${advice}\n${lines.join('\n')}`;
}

function silence(results: readonly Result[], baseUrl: string | undefined): string {
  const first = results.flatMap(({ got }) => (got?.noAnswer === undefined ? [] : [got.noAnswer]))[0];
  return first === undefined
    ? `no response from ${baseUrl ?? 'the target'}; check the base URL and that the service is running`
    : reachText(first, baseUrl);
}
