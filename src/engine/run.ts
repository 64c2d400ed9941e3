import fc from 'fast-check';
import type { Ledger, Violation } from '../judge.ts';
import type { Effects, Trace, TraceId } from '../model/exchange.ts';
import type { Scenario } from '../model/scenario.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { attempt } from './attempt.ts';
import type { Plan, PlannedProbe } from './plan.ts';
import { cellOf, makePursuits, type Pursuits } from './pursuits.ts';
import { readList } from './read-list.ts';
import { type AttemptOf, halted, type Stage } from './stage.ts';
import { effectsOfTrace, emptySighting, type Lookout, lookoutsOf } from './sweep.ts';

/** What a run tells while it goes on. */
export type RunEvent =
  | {
      readonly kind: 'probe-started';
      readonly suite: string;
      readonly probe: string;
      readonly operation: string;
    }
  | { readonly kind: 'probe-ended'; readonly done: number; readonly of: number }
  | { readonly kind: 'violation'; readonly violation: Violation; readonly trace: Trace }
  | { readonly kind: 'waiting'; readonly milliseconds: number; readonly why: string };

export type RunOptions = {
  readonly stage: Stage;
  readonly planning: Planning;
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly nextTrace: () => TraceId;
  readonly concurrency: number;
  /** Most requests that one shrinking may send. */
  readonly shrinkRequests: number;
  readonly recordTrace: (trace: Trace) => void | Promise<void>;
  readonly recordEffects: (trace: TraceId, effects: Effects | undefined) => void | Promise<void>;
  readonly tell: (event: RunEvent) => void;
  /** Ends what is under way, through the stage's signal: the harness itself has failed. */
  readonly halt: () => void;
};

export type RunEnd = { readonly ended: 'complete' | 'interrupted' | 'budget' };

type Pending = { readonly trace: Trace; readonly planned: PlannedProbe | undefined };

type Runner = {
  readonly options: RunOptions;
  readonly pursuits: Pursuits;
  pending: Pending[];
  lastWrite: number;
  done: number;
};

/** At most so many traces wait for a sweep, so that memory stays flat. */
const batch = 400;

/**
 * Runs the plan: every probe, then the sweeps, then what must run alone. Never throws for what the target does.
 * @throws what failed in the harness itself, such as a clause that cannot judge; nothing is under way any more then
 */
export async function runPlan(options: RunOptions): Promise<RunEnd> {
  const runner: Runner = { options, pursuits: makePursuits(), pending: [], lastWrite: 0, done: 0 };
  const together = options.plan.probes.filter(({ probe }) => probe.alone !== true);
  const alone = options.plan.probes.filter(({ probe }) => probe.alone === true);
  let next = 0;
  let sweeping: Promise<void> | undefined;
  const lane = async (): Promise<void> => {
    for (let planned = together[next++]; planned !== undefined; planned = together[next++]) {
      if (halted(options)) return;
      await runProbe(runner, planned);
      if (runner.pending.length >= batch && sweeping === undefined) {
        sweeping = sweep(runner, true);
        await sweeping;
        sweeping = undefined;
      }
    }
  };
  const lanes = await Promise.allSettled(
    Array.from({ length: Math.max(1, options.concurrency) }, () =>
      lane().catch((error: unknown) => {
        options.halt();
        throw error;
      }),
    ),
  );
  for (const ended of lanes) if (ended.status === 'rejected') throw ended.reason;
  await sweep(runner, true);
  for (const planned of alone) if (!halted(options)) await runProbe(runner, planned);
  await sweep(runner, true);
  return {
    ended: options.stage.signal.aborted
      ? 'interrupted'
      : options.stage.spending.over()
        ? 'budget'
        : 'complete',
  };
}

async function runProbe(runner: Runner, planned: PlannedProbe): Promise<void> {
  const { options } = runner;
  const { probe, suite } = planned;
  options.tell({
    kind: 'probe-started',
    suite,
    probe: probe.id,
    operation: probe.operation,
  });
  for (const [index, scenario] of probe.cases.entries()) {
    if (halted(options)) break;
    const seen = await observe(runner, planned, {
      scenario,
      caseIndex: index,
      path: undefined,
      purpose: 'try',
      repeats: undefined,
      attempt: 0,
    });
    await pursue(runner, planned, seen.trace, seen.violations);
  }
  if (probe.random !== undefined && !halted(options)) await runRandom(runner, planned, probe.random);
  runner.done += 1;
  options.tell({ kind: 'probe-ended', done: runner.done, of: options.plan.probes.length });
}

async function runRandom(
  runner: Runner,
  planned: PlannedProbe,
  random: NonNullable<PlannedProbe['probe']['random']>,
): Promise<void> {
  const found: { readonly trace: Trace; readonly violations: readonly Violation[] }[] = [];
  let index = 0;
  const first = planned.probe.cases.length;
  // The exploring property never fails: each violation is pursued on its own afterwards.
  await check(runner, random.arbitrary, { seed: planned.seed, numRuns: random.runs }, async (scenario) => {
    if (halted(runner.options)) return true;
    const at = index++;
    const seen = await observe(runner, planned, {
      scenario,
      caseIndex: first + at,
      path: String(at),
      purpose: 'try',
      repeats: undefined,
      attempt: 0,
    });
    if (seen.violations.length > 0) found.push(seen);
    return true;
  });
  for (const { trace, violations } of found) await pursue(runner, planned, trace, violations);
}

type Try = Pick<AttemptOf, 'scenario' | 'caseIndex' | 'path' | 'purpose' | 'repeats' | 'attempt'>;
type Observed = { readonly trace: Trace; readonly violations: readonly Violation[] };

async function observe(runner: Runner, planned: PlannedProbe, what: Try): Promise<Observed> {
  const { options } = runner;
  const trace = await attempt(options.stage, {
    id: options.nextTrace(),
    suite: planned.suite,
    probe: planned.probe.id,
    seed: planned.seed,
    ...what,
  });
  return settle(runner, trace, planned);
}

/** Records and judges a trace; its effects are judged at once where no read will show them, or after the next sweep. */
async function settle(runner: Runner, trace: Trace, planned: PlannedProbe | undefined): Promise<Observed> {
  const { options } = runner;
  await options.recordTrace(trace);
  const violations = [...options.ledger.see(trace)];
  if (lookoutsOf(options.planning, trace).length === 0) {
    await options.recordEffects(trace.id, undefined);
    violations.push(...options.ledger.seeEffects(trace));
  } else {
    runner.pending.push({ trace, planned });
    runner.lastWrite = options.stage.clock.monotonic();
  }
  for (const violation of violations)
    if (violation.clause.level !== 'advisory') options.tell({ kind: 'violation', violation, trace });
  return { trace, violations };
}

/** Repeats what was violated for the first time: a random case is shrunk towards each clause first. */
async function pursue(
  runner: Runner,
  planned: PlannedProbe,
  trace: Trace,
  violations: readonly Violation[],
): Promise<void> {
  const fresh = trace.purpose === 'try' ? runner.pursuits.take(violations) : [];
  if (fresh.length === 0) return;
  if (trace.path !== undefined && planned.probe.random !== undefined) {
    const smallest = new Map<string, { readonly scenario: Scenario; readonly trace: Trace }>();
    for (const violation of fresh.slice(0, 3)) {
      const minimal = await shrink(runner, planned, trace, violation);
      if (minimal !== undefined) smallest.set(JSON.stringify(minimal.scenario), minimal);
    }
    for (const minimal of smallest.values()) await repeat(runner, planned, minimal.trace, fresh);
    if (smallest.size > 0) return;
  }
  await repeat(runner, planned, trace, fresh);
}

async function repeat(
  runner: Runner,
  planned: PlannedProbe,
  trace: Trace,
  violations: readonly Violation[],
): Promise<void> {
  const most = planned.probe.concurrent === true ? 10 : planned.probe.alone === true ? 4 : 3;
  const wanted = new Set(violations.map(cellOf));
  // What rests on an answer 5xx counts where each repeat shows it; else it may be pursued again.
  const passing = new Set(violations.filter((violation) => violation.passing).map(cellOf));
  for (let count = 1; count <= most && !halted(runner.options); count += 1) {
    const seen = await observe(runner, planned, {
      scenario: trace.scenario,
      caseIndex: trace.caseIndex,
      path: trace.path,
      purpose: 'repeat',
      repeats: trace.id,
      attempt: count,
    });
    for (const again of seen.violations.map(cellOf)) if (wanted.delete(again)) runner.pursuits.confirm(again);
    for (const each of passing) {
      if (seen.violations.some((violation) => cellOf(violation) === each)) continue;
      passing.delete(each);
      wanted.delete(each);
      runner.pursuits.reopen(each);
    }
    // Races and bursts are costly: one reproduction is enough.
    if (
      wanted.size === 0 &&
      (passing.size === 0 || count >= 3) &&
      (planned.probe.concurrent === true ||
        planned.probe.alone === true ||
        runner.options.planning.budget === 'quick')
    )
      return;
  }
  for (const each of wanted) runner.pursuits.miss(each);
}

async function shrink(
  runner: Runner,
  planned: PlannedProbe,
  trace: Trace,
  violation: Violation,
): Promise<(Observed & { readonly scenario: Scenario }) | undefined> {
  const { random } = planned.probe;
  if (random === undefined || trace.path === undefined) return undefined;
  const { stage, shrinkRequests } = runner.options;
  const most = stage.spending.spent() + shrinkRequests;
  let smallest: (Observed & { readonly scenario: Scenario }) | undefined;
  const towards = { seed: planned.seed, path: trace.path, numRuns: 1 };
  await check(runner, random.arbitrary, towards, async (scenario) => {
    if (halted(runner.options) || stage.spending.spent() >= most) return true;
    const seen = await observe(runner, planned, {
      scenario,
      caseIndex: trace.caseIndex,
      path: trace.path,
      purpose: 'shrink',
      repeats: undefined,
      attempt: 0,
    });
    const again = seen.violations.some(
      ({ clause, ruling }) =>
        clause.code === violation.clause.code && ruling.operation === violation.ruling.operation,
    );
    if (again) smallest = { ...seen, scenario };
    return !again;
  });
  return smallest;
}

/** A property over scenarios. What its predicate throws is no counterexample to be shrunk: it ends the run. */
async function check(
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

/** Reads the lists that show effects, judges all waiting traces, and repeats those in which effects violated a clause. */
async function sweep(runner: Runner, mayRepeat: boolean): Promise<void> {
  const { options } = runner;
  const waiting = runner.pending;
  if (waiting.length === 0) return;
  runner.pending = [];
  const { stage, planning } = options;
  const rest = runner.lastWrite + stage.settleMs - stage.clock.monotonic();
  if (rest > 0 && !stage.signal.aborted) {
    options.tell({ kind: 'waiting', milliseconds: rest, why: 'for reads to show what was written (G15)' });
    await stage.clock.sleep(rest, stage.signal);
  }
  const lookouts = new Map<string, Lookout>();
  for (const { trace } of waiting)
    for (const lookout of lookoutsOf(planning, trace))
      lookouts.set(`${lookout.list.id} ${lookout.scope ?? ''}`, lookout);
  const sighting = emptySighting();
  let complete = true;
  let last: string | undefined;
  for (const lookout of lookouts.values()) {
    const walk = await readList(options, lookout, sighting);
    complete = complete && walk.complete;
    last = walk.last ?? last;
  }
  const again: {
    readonly planned: PlannedProbe;
    readonly trace: Trace;
    readonly violations: readonly Violation[];
  }[] = [];
  for (const { trace, planned } of waiting) {
    const effects = effectsOfTrace(planning, trace, { ...sighting, complete, last });
    await options.recordEffects(trace.id, effects);
    const withEffects = { ...trace, effects };
    const violations = options.ledger.seeEffects(withEffects);
    for (const violation of violations)
      if (violation.clause.level !== 'advisory')
        options.tell({ kind: 'violation', violation, trace: withEffects });
    if (violations.length > 0 && planned !== undefined && trace.purpose === 'try')
      again.push({ planned, trace, violations });
  }
  if (!mayRepeat) return;
  for (const { planned, trace, violations } of again) {
    if (halted(options)) continue;
    const fresh = runner.pursuits.take(violations);
    if (fresh.length > 0) await repeat(runner, planned, trace, fresh);
  }
  await sweep(runner, false);
}
