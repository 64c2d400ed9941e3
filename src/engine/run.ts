import type { Trace } from '../model/exchange.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Scenario } from '../model/scenario.ts';
import { createSignal } from '../model/signal.ts';
import type { StopSuspect } from '../model/stop.ts';
import { ownMarkers } from './bind.ts';
import { isDisturbed, ownLimit, reachedLimit, reviewed } from './bursts.ts';
import { type Bound, boundOf, estimateOf } from './estimate.ts';
import { type Lane, type LaneUse, makeLanes, type Rest } from './lanes.ts';
import { lookAgain } from './look-again.ts';
import { claimOf, isSlowed, orderedUnits, type Unit, unitsOf } from './order.ts';
import { limitedBy, type PlannedProbe } from './plan.ts';
import { makeProgress, type Progress } from './progress.ts';
import { makePromptness } from './promptness.ts';
import { makeProofs } from './proofs.ts';
import { check, observe, pursue, type Runner, type RunOptions, tryOut } from './pursue.ts';
import { makePursuits } from './pursuits.ts';
import { resendStops } from './resend-stops.ts';
import { batch, repeatDoubts, sweepRound } from './rounds.ts';
import { halted, type Stage } from './stage.ts';
import { emptySighting } from './sweep.ts';
import { makeTasks, type Tasks } from './tasks.ts';
import { makeWidth, startHeld } from './width.ts';

export type { RunEvent, RunOptions } from './pursue.ts';
export type RunEnd = {
  readonly ended: 'complete' | 'interrupted' | 'budget';
  /** The least time that the run could have taken on this target. */
  readonly bound: Bound;
  readonly stops: readonly StopSuspect[];
};

const nobody = { principals: [], usesOf: () => [], prove: async () => ({ results: [], succeeded: false }) };

/** At most so many probes draw random scenarios at a time. */
const drawing = 16;

/** There are few lanes for no longer: a request without a response would hold up all others. */
const longestBeginningMs = 2000;

/** So many scenarios that need something for themselves prepare while the others still run. */
const mostAhead = 100;

type Running = Runner &
  Progress & {
    readonly tasks: Tasks;
    sweeping: Promise<void> | undefined;
  };

/**
 * Runs the plan: enumerated scenarios, then random ones, then those that need something for themselves, then the last
 * sweep. Never throws for what the target does.
 * @throws what failed in the harness itself, such as a clause that cannot judge; nothing is under way any more then
 */
export async function runPlan(given: RunOptions): Promise<RunEnd> {
  const own = ownMarkers(given.stage.mark);
  const width = makeWidth(given.concurrency, given.firstMs);
  const stage: Stage = {
    ...given.stage,
    own,
    promptness: makePromptness(),
    usualMs: width.usualMs,
    firstMs: given.firstMs,
    look: (read, rest) => lookAgain(options, read, rest),
  };
  const options: RunOptions = { ...given, stage };
  const { plan } = options;
  const running: Running = {
    options,
    lanes: makeLanes(width.now().lanes, width.now().held),
    width,
    pursuits: makePursuits(),
    pending: [],
    lastWrite: 0,
    sighting: emptySighting(),
    walks: new Map(),
    own,
    inFlightMs: 0,
    heldMs: 0,
    sweeping: undefined,
    tasks: makeTasks(options.halt),
    ...makeProgress(options),
    proofs: makeProofs(options.unproven ?? nobody, stage),
  };
  const { tasks } = running;
  goOn(running);
  const needs = (planned: PlannedProbe): 'nothing' | 'limit' | 'more' => {
    if (planned.probe.alone === undefined) return 'nothing';
    return limitedBy(planned) === undefined ? 'more' : 'limit';
  };
  const probesOf = (need: ReturnType<typeof needs>): readonly PlannedProbe[] =>
    plan.probes.filter((planned) => needs(planned) === need);
  // A burst holds up all others: first come those that tell most.
  const last = left(running, probesOf('more').flatMap(unitsOf));
  // One that has a record for itself would keep it from the others for as long as it waits for them.
  const ahead = new Set(
    last.filter(({ scenario }) => claimFor(running, scenario).records === undefined).slice(0, mostAhead),
  );
  const others = createSignal();
  const lastTasks = makeTasks(options.halt);
  const tried = createSignal();
  const begun = createSignal();
  const runLast = (units: readonly Unit[]): void => {
    for (const unit of units)
      lastTasks.add(() =>
        inLane(running, lastClaim(running, unit, others.wait), (rest) => runUnit(running, unit, rest)),
      );
  };
  tasks.add(() => runShared(running, probesOf('nothing'), { tried: tried.give, begun: begun.give }));
  tasks.add(async () => {
    await begun.wait;
    runLast([...ahead]);
  });
  tasks.add(async () => {
    await tried.wait;
    await proveOthers(running);
    await runBursts(running, probesOf('limit'));
  });
  try {
    await tasks.settled();
    runLast(last.filter((unit) => !ahead.has(unit)));
  } finally {
    others.give();
    await lastTasks.settled();
  }
  await tasks.settled();
  await running.sweeping;
  // What that sweep violates is repeated as well.
  await tasks.settled();
  const stops = stage.stops === undefined ? [] : await resendStops(running, stage.stops);
  await repeatDoubts(running, await sweepRound(running));
  for (const one of running.pursuits.passedOver()) await repeatDoubts(running, [one]);
  await sweepRound(running);
  const { heldMs, inFlightMs } = running;
  const { concurrency } = options;
  // What is held has lanes of its own.
  const busyMs = startHeld(concurrency) > 0 ? Math.max(inFlightMs, heldMs) : inFlightMs + heldMs;
  const waitMs = estimateOf(options.planning, plan.probes, stage.settleMs).waitMs;
  return {
    bound: boundOf({
      waits: waitMs / 1000,
      latency: busyMs / concurrency / 1000,
      limit: stage.governor.least() / 1000,
    }),
    stops,
    ended: stage.spending.over() ? 'budget' : stage.signal.aborted ? 'interrupted' : 'complete',
  };
}

/** Takes up what an earlier segment left: effects that nobody has read, and violations that no repeat showed again. */
function goOn(running: Running): void {
  const { earlier, stage } = running.options;
  if (earlier === undefined) return;
  for (const marker of earlier.markers) running.own.add(marker);
  for (const cell of earlier.confirmed) running.pursuits.confirm(cell);
  running.pending.push(...earlier.pending);
  running.lastWrite = stage.clock.monotonic();
  for (const { planned, ...seen } of earlier.doubts)
    running.tasks.add(() =>
      inLane(
        running,
        {
          ...claimOf(stage.contract, seen.trace.scenario),
          ...(planned.probe.alone === undefined ? {} : { alone: 'target' as const }),
        },
        (rest) => pursue(running, { planned, rest }, seen),
      ),
    );
}

/** The rest, so that each has its place in the log: before a burst, which must not share its limit with a proof. */
async function proveOthers(running: Running): Promise<void> {
  const { options, proofs } = running;
  const { principals = [] } = options.unproven ?? {};
  await Promise.all(
    principals.map(({ name }) => {
      const claim = { uses: [name], records: proofs.uses([name]) };
      return inLane(running, claim, (rest) => proofs.of([name], rest));
    }),
  );
}

/** Units that no earlier segment has done; the others count as done. */
function left({ ended, options }: Running, units: readonly Unit[]): readonly Unit[] {
  return units.filter(({ scenarioIndex, planned }) => {
    const done = options.earlier?.isDone(planned, scenarioIndex) === true;
    if (done) ended(planned, 'earlier');
    return !done;
  });
}

/** Each has a lane before the next is begun. Says when the most telling are over, or none is left, and when all have begun. */
async function runShared(
  running: Running,
  probes: readonly PlannedProbe[],
  say: { readonly tried: () => void; readonly begun: () => void },
): Promise<void> {
  const { options, tasks } = running;
  const units = left(running, orderedUnits(probes, options.stage));
  // One that has the hook hold a request would hold up the bursts for longer than it is worth.
  const untried = new Set(units.filter(({ scenario, telling }) => telling && !isSlowed(scenario)));
  let toBegin = units.filter(({ telling }) => telling).length;
  const over = (unit?: Unit): void => {
    if (unit !== undefined) untried.delete(unit);
    if (untried.size === 0 || halted(options)) say.tried();
  };
  over();
  let allBegun = false;
  const widen = (): void => running.lanes.resize(running.width.widen());
  const beginning = new AbortController();
  void options.stage.clock.sleep(longestBeginningMs, beginning.signal).then(widen);
  try {
    for (const unit of units) {
      const work = (rest: Rest): Promise<void> => runUnit(running, unit, rest);
      await begin(running, unit.planned, claimFor(running, unit.scenario), work, () => over(unit));
      if (unit.telling && --toBegin === 0) widen();
      if (halted(options)) return;
    }
    allBegun = true;
  } finally {
    beginning.abort('over');
    widen();
    say.begun();
    if (!allBegun) say.tried();
  }
  // Histories send most, one after another: those that begin last would end long after all others.
  const random = probes
    .filter(({ probe }) => probe.random !== undefined)
    .sort((one, other) => Number(other.probe.concurrent === true) - Number(one.probe.concurrent === true));
  for (let index = 0; index < drawing; index += 1)
    tasks.add(async () => {
      for (let planned = random.shift(); planned !== undefined && !halted(options); planned = random.shift())
        await runRandom(running, planned);
    });
}

/** Waits for a lane, and goes on with the work in the background. `over` is called when it has ended, or was halted. */
async function begin(
  running: Running,
  { suite, probe }: PlannedProbe,
  claim: LaneUse,
  work: (rest: Rest) => Promise<void>,
  over: () => void = () => undefined,
): Promise<void> {
  const { lanes, options, tasks } = running;
  if (running.pending.length >= batch) {
    running.sweeping ??= sweepOnce(running);
    if (running.pending.length >= 2 * batch) await running.sweeping;
  }
  const go = (lane: Lane): void => {
    if (!halted(options))
      options.onEvent({ kind: 'probe-started', suite, probe: probe.id, operation: probe.operation });
    tasks.add(() =>
      (halted(options) ? Promise.resolve() : work(lane.rest)).finally(lane.leave).finally(over),
    );
  };
  // One that waits for its turn at a record, or for a burst, does not hold up the others.
  if (claim.records === undefined && claim.lasting !== true) go(await lanes.enter(claim));
  else tasks.add(async () => go(await lanes.enter(claim)));
}

async function sweepOnce(running: Running): Promise<void> {
  const doubts = await sweepRound(running);
  running.sweeping = undefined;
  running.tasks.add(() => repeatDoubts(running, doubts));
}

async function inLane(running: Running, claim: LaneUse, work: (rest: Rest) => Promise<void>): Promise<void> {
  const lane = await running.lanes.enter(claim);
  try {
    if (!halted(running.options)) await work(lane.rest);
  } finally {
    lane.leave();
  }
}

async function runUnit(
  running: Running,
  { planned, scenario, scenarioIndex }: Unit,
  rest: Rest,
): Promise<void> {
  const { clauses, concurrent, operation } = planned.probe;
  // A race that was won once proves it: the other rounds would show the same.
  const proved = clauses.every((code) => running.pursuits.proved(`${code} ${operation}`));
  if (concurrent !== true || scenarioIndex === 0 || !proved)
    await tryOut(running, { planned, rest }, { scenario, scenarioIndex, path: undefined });
  running.ended(planned);
}

/** Who proves a principal before its first use needs what the proof uses as well. */
function claimFor({ options, proofs }: Running, scenario: Scenario): LaneUse {
  const claim = claimOf(options.stage.contract, scenario);
  const more = proofs.uses(claim.uses);
  return more.length === 0 ? claim : { ...claim, records: [...(claim.records ?? []), ...more] };
}

/** What it prepares, it prepares next to others; what it needs for itself, it gets when they are over. */
function lastClaim(running: Running, { planned, scenario }: Unit, others: Promise<void>): LaneUse {
  const { alone } = planned.probe;
  const principal = typeof alone === 'object' && 'principal' in alone ? alone.principal : undefined;
  return { ...claimFor(running, scenario), reserves: principal, after: others };
}

/** Random scenarios of a probe, in the order in which they are drawn; the property itself never fails. */
async function runRandom(running: Running, planned: PlannedProbe): Promise<void> {
  const { probe, seed } = planned;
  if (probe.random === undefined) return;
  let index = 0;
  await check(running, probe.random.arbitrary, { seed, numRuns: probe.random.runs }, async (scenario) => {
    if (halted(running.options)) return true;
    const at = index++;
    if (running.options.earlier?.isDone(planned, probe.scenarios.length + at) === true) return true;
    await begin(running, planned, claimFor(running, scenario), async (rest) => {
      const what = { scenario, scenarioIndex: probe.scenarios.length + at, path: String(at) };
      await tryOut(running, { planned, rest }, what);
    });
    return true;
  });
  running.ended(planned);
}

/** So many milliseconds the others wait for a burst, even if a request of theirs hangs. */
const dueMs = 5000;

/**
 * Bursts, one after another. The target is kept quiet until one shows that callers do not share a limit; from then on only
 * the principal is kept for it. What was disturbed or left open next to others is tried again on a quiet target.
 */
async function runBursts(running: Running, bursts: readonly PlannedProbe[]): Promise<void> {
  let known = false;
  // Where no limit shows, there is no wait to be overlapped: any time will do.
  let limited = true;
  for (const unit of left(running, bursts.flatMap(unitsOf))) {
    const { planned, scenario, scenarioIndex } = unit;
    const principal = limitedBy(planned);
    const what = { scenario, scenarioIndex, path: undefined };
    const uses = claimOf(running.options.stage.contract, scenario);
    const { clock, spending } = running.options.stage;
    const before = spending.spent();
    let burstMs = 0;
    const due = limited ? (admitted: AbortSignal) => clock.sleep(dueMs, admitted) : undefined;
    let disturbed = false;
    let clean = true;
    const quietly = (narrowsTo?: PrincipalName): Promise<void> =>
      inLane(running, { ...uses, alone: 'target', narrowsTo, due }, async (rest) => {
        const apart = ({ exchanges }: Trace): boolean =>
          narrowsTo !== undefined && ownLimit(scenario, exchanges);
        const review = (trace: Trace): Trace => (apart(trace) ? reviewed(trace) : trace);
        const since = clock.monotonic();
        const { trace, violations } = await tryOut(running, { planned, rest, review }, what);
        burstMs += clock.monotonic() - since;
        disturbed ||= isDisturbed(trace);
        limited = reachedLimit(trace);
        known = ownLimit(scenario, trace.exchanges) && !isDisturbed(trace);
        clean = violations.length === 0;
      });
    let open = false;
    if (known && principal !== undefined)
      await inLane(running, { ...uses, alone: { principal } }, async (rest) => {
        const turn = { planned, rest, review: reviewed };
        const first = { ...what, purpose: 'first', repeats: undefined, attempt: 0 } as const;
        const seen = await observe(running, turn, first);
        disturbed = isDisturbed(seen.trace);
        open = !reachedLimit(seen.trace) || disturbed;
        known = !open && seen.violations.length === 0;
        if (!open) await pursue(running, { planned, rest }, seen);
        open = !known;
      });
    else {
      await quietly(principal);
      open = disturbed;
    }
    if (open) await quietly();
    // One wait that was honoured shows little against several that were not: a window may just have ended.
    if (disturbed && clean) await quietly();
    running.burstEnded(spending.spent() - before, burstMs);
    running.ended(planned);
  }
}
