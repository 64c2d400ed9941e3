import fc from 'fast-check';
import type { Ledger, Violation } from '../judge.ts';
import type { ClauseCode } from '../model/clause.ts';
import type { Trace, TraceId } from '../model/exchange.ts';
import { isFailed, isThrottled } from '../model/response.ts';
import { type Scenario, stepsOf } from '../model/scenario.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { attempt } from './attempt.ts';
import type { OwnMarkers } from './bind.ts';
import { inFlightMs } from './estimate.ts';
import type { Outlook } from './forecast.ts';
import type { Lanes, Rest } from './lanes.ts';
import { isSlowed } from './order.ts';
import type { Plan, PlannedProbe } from './plan.ts';
import type { Proofs, Unproven } from './proofs.ts';
import { cellOf, type Pursuits } from './pursuits.ts';
import { hindrances, isSpoiled } from './spoiled.ts';
import { type AttemptOf, halted, type Stage } from './stage.ts';
import { effectReadsOf, type emptySighting, lastWriteOf } from './sweep.ts';
import type { Walk } from './walk.ts';
import type { LaneCount } from './width.ts';

export type RunEvent =
  | {
      readonly kind: 'probe-started';
      readonly suite: string;
      readonly probe: string;
      readonly operation: string;
    }
  | ({ readonly kind: 'advanced' } & Outlook)
  | { readonly kind: 'violation'; readonly violation: Violation; readonly trace: Trace }
  /** A violated cell was violated again: `IDM-4 createCase`. */
  | { readonly kind: 'confirmed'; readonly cell: string }
  | { readonly kind: 'waiting'; readonly milliseconds: number; readonly why: string };

export type RunOptions = {
  readonly stage: Stage;
  readonly planning: Planning;
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly nextTrace: () => TraceId;
  readonly concurrency: number;
  /** How long the responses of preflight took at least, in milliseconds. */
  readonly firstMs?: number;
  /** Most requests that one shrinking may send. */
  readonly shrinkRequests: number;
  readonly recordTrace: (trace: Trace) => void | Promise<void>;
  /** The trace with its effects, or without where no read can show them. */
  readonly recordEffects: (trace: Trace) => void | Promise<void>;
  readonly onEvent: (event: RunEvent) => void;
  readonly earlier?: EarlierWork | undefined;
  /** Principals that preflight left untried. */
  readonly unproven?: Unproven;
  /** Ends everything through the stage's signal, because the harness failed. */
  readonly halt: () => void;
};

export type EarlierWork = {
  /** Whether a scenario of a probe was tried to its end. */
  readonly isDone: (planned: PlannedProbe, scenarioIndex: number) => boolean;
  readonly pending: readonly Pending[];
  readonly doubts: readonly Doubt[];
  readonly confirmed: readonly string[];
  readonly markers: readonly string[];
};

export type Runner = {
  readonly options: RunOptions;
  readonly lanes: Lanes;
  readonly pursuits: Pursuits<Doubt>;
  /** Traces whose effects the next sweep shows. */
  pending: Pending[];
  lastWrite: number;
  /** What lists have shown so far, and how far each was read. */
  readonly sighting: ReturnType<typeof emptySighting>;
  readonly walks: Map<string, Walk>;
  readonly own: OwnMarkers;
  /** Milliseconds in which traces had requests in flight, all together; those with a request that is held on purpose apart. */
  inFlightMs: number;
  heldMs: number;
  readonly width: LaneCount;
  readonly proofs: Proofs;
};

/** A first attempt, and what it violated. */
export type Doubt = Observed & { readonly planned: PlannedProbe };

export type Pending = { readonly trace: Trace; readonly planned: PlannedProbe };

/** A scenario of a probe, and the lane that its attempts have. */
export type Turn = {
  readonly planned: PlannedProbe;
  readonly rest: Rest;
  readonly review?: (trace: Trace) => Trace;
};

type Try = Pick<AttemptOf, 'scenario' | 'scenarioIndex' | 'path' | 'purpose' | 'repeats' | 'attempt'>;
export type Observed = { readonly trace: Trace; readonly violations: readonly Violation[] };

/** The first attempt at a scenario; what it violates is then repeated. */
export async function tryOut(
  runner: Runner,
  turn: Turn,
  what: Pick<Try, 'scenario' | 'scenarioIndex' | 'path'>,
): Promise<Observed> {
  const once = (attempt: number): Promise<Observed> =>
    observe(runner, turn, { ...what, purpose: 'first', repeats: undefined, attempt });
  let seen = await once(0);
  let before = '';
  for (let again = 1; again <= mostAgain && isSpoiled(seen) && !halted(runner.options); again += 1) {
    const met = hindrances(seen.trace);
    // The same each time comes from the target.
    if (met !== '' && met === before) break;
    before = met;
    seen = await once(again);
  }
  await pursue(runner, turn, seen);
  return seen;
}

/** How often a scenario is tried again after a limit or a failure disturbed it. */
const mostAgain = 2;

export async function observe(runner: Runner, turn: Turn, what: Try): Promise<Observed> {
  const { options } = runner;
  const { planned, rest, review = (trace) => trace } = turn;
  const of = {
    id: options.nextTrace(),
    suite: planned.suite,
    probe: planned.probe.id,
    seed: planned.seed,
    ...what,
  };
  const { scenarioIndex, path, scenario } = what;
  const sure = scenario.waves.filter((wave) => !('when' in wave));
  await runner.proofs.of(
    stepsOf(sure).map((step) => step.as),
    rest,
  );
  options.stage.stops?.began(of.id, { planned, scenario, scenarioIndex, path });
  const trace = await attempt(options.stage, of, rest);
  await runner.proofs.of(
    trace.exchanges.map((exchange) => exchange.principal),
    rest,
  );
  return settle(runner, review(trace), planned);
}

/** Records and judges a trace; its effects are judged at once where no read will show them, or after the next sweep. */
async function settle(runner: Runner, trace: Trace, planned: PlannedProbe): Promise<Observed> {
  const { options } = runner;
  measure(runner, trace);
  // Judged in the order of the log, even if writing waits.
  const recorded = options.recordTrace(trace);
  const violations = [...options.ledger.see(trace)];
  await recorded;
  if (effectReadsOf(options.planning, trace).length === 0) {
    const read = options.recordEffects(trace);
    violations.push(...options.ledger.seeEffects(trace));
    await read;
  } else {
    runner.pending.push({ trace, planned });
    runner.lastWrite = Math.max(runner.lastWrite, lastWriteOf(options.planning, trace));
  }
  for (const violation of violations)
    if (violation.clause.level !== 'advisory') options.onEvent({ kind: 'violation', violation, trace });
  return { trace, violations };
}

/** How the target copes with the pace, from valid requests sent one at a time. */
function measure(runner: Runner, trace: Trace): void {
  const valid = new Set(
    trace.scenario.waves.flatMap((wave) =>
      'steps' in wave && wave.steps.length === 1
        ? wave.steps.flatMap(({ deviations, id }) => (deviations.length === 0 ? [id] : []))
        : [],
    ),
  );
  const inFlight = inFlightMs(trace.exchanges.filter(({ earlier }) => earlier.length === 0));
  if (isSlowed(trace.scenario)) runner.heldMs += inFlight;
  else runner.inFlightMs += inFlight;
  for (const { answer, earlier, endedAt, startedAt, step } of trace.exchanges) {
    const once = earlier.length === 0 ? endedAt - startedAt : undefined;
    if (!valid.has(step) || answer === undefined) continue;
    const all = [answer, ...earlier.map((each) => each.answer)];
    const trouble = all.every((each) => each !== undefined && !isFailed(each) && !isThrottled(each))
      ? undefined
      : all.some((each) => each === undefined || isFailed(each))
        ? 'failed'
        : 'throttled';
    runner.lanes.resize(runner.width.see(once, trouble, runner.lanes.holding()));
  }
}

/** Repeats what was violated for the first time: a random case is shrunk towards each clause first. */
export async function pursue(runner: Runner, turn: Turn, { trace, violations }: Observed): Promise<void> {
  const { planned } = turn;
  const fresh =
    trace.purpose === 'first' ? runner.pursuits.take(violations, { planned, trace, violations }) : [];
  if (fresh.length === 0) return;
  if (trace.path !== undefined && planned.probe.random !== undefined) {
    const smallest = new Map<string, { readonly scenario: Scenario; readonly trace: Trace }>();
    for (const violation of fresh.slice(0, 3)) {
      const minimal = await shrink(runner, turn, trace, violation);
      if (minimal !== undefined) smallest.set(JSON.stringify(minimal.scenario), minimal);
    }
    for (const minimal of smallest.values()) await repeat(runner, turn, minimal.trace, fresh);
    if (smallest.size > 0) return;
  }
  await repeat(runner, turn, trace, fresh);
}

/** So many repeats that showed nothing are replaced. */
const mostReplaced = 2;

export async function repeat(
  runner: Runner,
  turn: Turn,
  trace: Trace,
  violations: readonly Violation[],
): Promise<void> {
  const { concurrent, alone } = turn.planned.probe;
  // A race may need more repeats, unless one trace proves it.
  const proves = violations.every(({ ruling }) => ruling.conclusive === true);
  const most = concurrent === true && !proves ? 10 : alone === undefined ? 3 : 4;
  const wanted = new Set(violations.map(cellOf));
  // What rests on a response 5xx counts where each repeat shows it; else it may be pursued again.
  const passing = new Map(
    violations.flatMap((violation) => (violation.passing ? [[cellOf(violation), violation] as const] : [])),
  );
  // A repeat that leaves one of these open shows nothing: another one takes its place.
  let left = 0;
  for (let count = 1; count <= most + left && !halted(runner.options); count += 1) {
    const seen = await observe(runner, turn, {
      scenario: trace.scenario,
      scenarioIndex: trace.scenarioIndex,
      path: trace.path,
      purpose: 'repeat',
      repeats: trace.id,
      attempt: count,
    });
    for (const again of seen.violations.map(cellOf)) {
      if (!wanted.delete(again) || passing.has(again)) continue;
      confirm(runner, again);
    }
    let isOpen = false;
    for (const [each, violation] of passing) {
      if (seen.violations.some((again) => cellOf(again) === each)) continue;
      if (runner.options.ledger.isOpen(violation, seen.trace.id)) {
        isOpen = true;
        continue;
      }
      passing.delete(each);
      wanted.delete(each);
      runner.pursuits.reopen(each);
    }
    if (isOpen && left < mostReplaced) left += 1;
    // Races and bursts are costly: one reproduction is enough.
    if (
      wanted.size === 0 &&
      (passing.size === 0 || count >= 3 + left) &&
      (concurrent === true || alone !== undefined || runner.options.planning.budget === 'quick')
    )
      break;
  }
  // Not before the last repeat: what another situation violates meanwhile is then passed over, not lost.
  for (const each of passing.keys()) if (!wanted.has(each)) confirm(runner, each);
  for (const each of wanted) runner.pursuits.miss(each);
}

function confirm({ options, pursuits }: Runner, cell: string): void {
  pursuits.confirm(cell);
  options.onEvent({ kind: 'confirmed', cell });
}

function candidatesOf({ clause, ruling }: Violation): readonly ClauseCode[] {
  return [clause.code, ...(ruling.candidates ?? [])];
}

async function shrink(
  runner: Runner,
  turn: Turn,
  trace: Trace,
  violation: Violation,
): Promise<(Observed & { readonly scenario: Scenario }) | undefined> {
  const { planned } = turn;
  const { random } = planned.probe;
  if (random === undefined || trace.path === undefined) return undefined;
  const { stage, shrinkRequests } = runner.options;
  const most = stage.spending.spent() + shrinkRequests;
  let smallest: (Observed & { readonly scenario: Scenario }) | undefined;
  const towards = { seed: planned.seed, path: trace.path, numRuns: 1 };
  await check(runner, random.arbitrary, towards, async (scenario) => {
    if (halted(runner.options) || stage.spending.spent() >= most) return true;
    const seen = await observe(runner, turn, {
      scenario,
      scenarioIndex: trace.scenarioIndex,
      path: trace.path,
      purpose: 'shrink',
      repeats: undefined,
      attempt: 0,
    });
    // A smaller history may show which of several clauses it is that was breached.
    const codes = candidatesOf(violation);
    const again = seen.violations.some(
      (other) =>
        other.ruling.operation === violation.ruling.operation &&
        candidatesOf(other).some((code) => codes.includes(code)),
    );
    if (again) smallest = { ...seen, scenario };
    return !again;
  });
  return smallest;
}

/** A property over scenarios. What its predicate throws is no counterexample to be shrunk: it ends the run. */
export async function check(
  { options }: Runner,
  arbitrary: fc.Arbitrary<Scenario>,
  parameters: fc.Parameters<[Scenario]>,
  predicate: (scenario: Scenario) => Promise<boolean>,
): Promise<void> {
  const failures: { readonly error: unknown }[] = [];
  const property = fc.asyncProperty(arbitrary, async (scenario) => {
    try {
      return failures.length > 0 || (await predicate(scenario));
    } catch (error) {
      failures.push({ error });
      options.halt();
      return true;
    }
  });
  await fc.check(property, parameters);
  for (const { error } of failures) throw error;
}
