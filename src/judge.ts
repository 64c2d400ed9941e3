import { against, cellOf, type Entry, moreAgainst, newEntry, notApplicable } from './judge-cells.ts';
import { addRepeat, failuresOfRace, type Repeats, validSteps } from './judge-repeats.ts';
import type { Clause, ClauseCode, Context, Fold, Judge, Need, Ruling, Violated } from './model/clause.ts';
import type { OperationId } from './model/contract.ts';
import { conflictsIn, makeCrowded } from './model/crowded.ts';
import { failedHook, type Trace, type TraceId } from './model/exchange.ts';
import { notYetMade } from './model/not-yet-made.ts';
import { raceOf } from './model/race.ts';
import { isFailed } from './model/response.ts';
import { makeRestless, ranIn } from './model/restless.ts';
import { inDoubt } from './model/ruling.ts';
import { isMadeToFail } from './model/scenario.ts';
import { concerned, concerns, traitsOf } from './model/traits.ts';
import { Undecided } from './model/undecided.ts';
import type { Cell } from './model/verdict.ts';

/** A clause that a trace violates, for the engine to pursue. */
export type Violation = {
  readonly clause: Clause;
  readonly ruling: Violated;
  /** It rests on a response 5xx, which may have been a passing failure: it counts where each repeat shows it. */
  readonly passing: boolean;
};

/** Why a clause cannot be tested on an operation. */
export type SkipReason = {
  readonly clauses: readonly ClauseCode[];
  readonly operation: OperationId;
  readonly need: Need;
};

/**
 * Gathers rulings over a run, in memory that does not grow with it; live runs and replays use the same. A clause that
 * throws rules nothing there: its cells are inconclusive, and `failures` names it.
 */
export type Ledger = {
  /** Judges what a trace shows when it ends. */
  readonly see: (trace: Trace) => readonly Violation[];
  /** Judges its effects, once an independent read was made, or where there is none. */
  readonly seeEffects: (trace: Trace) => readonly Violation[];
  /** Whether a repeat has left a cell open, which is neither a violation nor none. */
  readonly isOpen: (violation: Violation, repeat: TraceId) => boolean;
  readonly skip: (reason: SkipReason) => void;
  readonly finish: () => readonly Cell[];
  /** What clauses threw, one line for each: failures of the harness, which say nothing about the target. */
  readonly failures: () => readonly string[];
};

type Scope = { readonly clauses: readonly Clause[]; readonly context: Context };
type Entries = ReadonlyMap<OperationId, Entry>;
type Judging = { readonly clause: Clause; readonly each: Judge; readonly entries: Entries };

export function makeLedger({ clauses, context }: Scope): Ledger {
  const entries = new Map<ClauseCode, Map<OperationId, Entry>>();
  const entriesOf = ({ code }: Clause): Entries => entries.get(code) ?? new Map();
  const folds = new Map<Judge, Fold>();
  /** The repeats of each trace. They are counted in the end, since effects of a trace may be judged after its repeats. */
  const repeatsOf: Repeats = new Map();

  const commands = new Set(
    context.contract.operations.filter(({ kind }) => kind === 'command').map(({ id }) => id),
  );
  const { movesAlone, note } = makeRestless();
  const crowded = makeCrowded(context.contract);

  const failures = new Map<ClauseCode, string>();
  /** What a clause throws is the harness's own failure, never a verdict, and names the clause. */
  const failed = ({ code }: Clause, what: string, error: unknown): string => {
    const thrown = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const because = `clause ${code} cannot ${what}: ${thrown}`;
    if (!failures.has(code)) failures.set(code, because);
    return because;
  };

  for (const clause of clauses) {
    const own = entries.get(clause.code) ?? new Map<OperationId, Entry>();
    entries.set(clause.code, own);
    for (const operation of context.contract.operations) {
      const entry = newEntry(clause, operation.id);
      try {
        if (!clause.applies(context.contract, operation)) continue;
      } catch (error) {
        entry.broken = failed(clause, `say whether it applies to ${operation.id}`, error);
      }
      own.set(operation.id, entry);
    }
  }

  /** The cells of a clause that a trace concerns; all of them where it sent nothing. */
  const cellsIn = (clause: Clause, trace: Trace): readonly Entry[] => {
    const sent = sentIn(trace);
    return context.contract.operations.flatMap(({ id }) =>
      sent.length === 0 || sent.includes(id) ? (entriesOf(clause).get(id) ?? []) : [],
    );
  };

  const record = (judging: Judging, judged: Trace, ruling: Ruling, found: Violation[]): void => {
    const { clause, each } = judging;
    const trace = (ruling.verdict === 'violated' ? ruling.within : undefined) ?? judged;
    const entry = judging.entries.get(ruling.operation);
    if (entry === undefined) return;
    if ('advisory' in ruling && ruling.advisory !== undefined) {
      entry.advisories ??= new Map();
      entry.advisories.set(ruling.advisory, (entry.advisories.get(ruling.advisory) ?? 0) + 1);
    }
    if (ruling.verdict === 'holds') {
      entry.holds += 1;
      if (each.over === 'effects') entry.effects += 1;
      if (ruling.idsOnly === true || (each.byResponses === true && commands.has(ruling.operation)))
        entry.idsOnly += 1;
      else if (trace.effects !== undefined || each.over === 'effects') entry.counted += 1;
    } else if (ruling.verdict === 'inconclusive') {
      entry.inconclusive += 1;
      entry.doubt ??= ruling.because;
      if (trace.purpose === 'repeat') moreAgainst(entry).openIn.add(trace.id);
    } else if (ruling.verdict === 'not-tested') {
      entry.untested ??= ruling.because;
      if (each.over === 'effects') entry.unseen ??= ruling.because;
    } else if (ruling.moved !== undefined && movesAlone(ruling.moved, ranIn(trace)))
      movedByItself(entry, ruling.unwritten);
    else {
      const early = notYetMade(trace, ruling.exchanges);
      if (early !== undefined) {
        leaveOpen(entry, early);
        return;
      }
      const failures = entry.clause.level === 'advisory' ? [] : failuresIn(context, trace, ruling);
      if (failures.length > 0) {
        const { passing } = moreAgainst(entry);
        passing.set(trace.id, new Set([...(passing.get(trace.id) ?? []), ...failures]));
        const earlier = trace.repeats === undefined ? undefined : passing.get(trace.repeats);
        const again = entry.failed?.trace.purpose !== 'repeat' && failures.some((one) => earlier?.has(one));
        if (entry.failed === undefined || again) entry.failed = { trace, ruling };
        found.push({ clause, ruling, passing: true });
        return;
      }
      // What one trace proves has the other commands of that trace as its proof.
      const conflicts = ruling.conclusive === true ? [] : conflictsIn(trace, ruling.exchanges);
      if (conflicts.some(crowded.isCrowded)) {
        leaveOpen(entry, conflictsAnyway);
        return;
      }
      entry.violated += 1;
      if (ruling.moved !== undefined || conflicts.length > 0)
        moreAgainst(entry).doubtful.push({
          trace: trace.id,
          moved: ruling.moved,
          unwritten: ruling.unwritten,
          ran: ranIn(trace),
          conflicts,
        });
      if (ruling.conclusive === true) entry.conclusive = true;
      if (entry.example === undefined || showsMore(trace, entry.example.trace))
        entry.example = { trace, ruling };
      moreAgainst(entry).violatedIn.set(trace.id, validSteps(trace, 'accepted'));
      found.push({ clause, ruling, passing: false });
    }
  };

  /** All rulings first: of a clause that fails in the middle none counts. */
  const rulingsOf = (clause: Clause, each: Judge, trace: Trace): readonly Ruling[] => {
    try {
      if (each.over !== 'run') return listOf(each.rule(context, trace));
      const fold = folds.get(each) ?? each.start();
      folds.set(each, fold);
      return listOf(fold.see(context, trace));
    } catch (error) {
      const cells = cellsIn(clause, trace);
      if (error instanceof Undecided)
        for (const entry of cells) {
          entry.inconclusive += 1;
          entry.doubt ??= error.message;
        }
      else {
        const because = failed(clause, `judge trace ${trace.id} (${trace.suite} ${trace.probe})`, error);
        for (const entry of cells) entry.broken ??= because;
      }
      return [];
    }
  };

  const judges = clauses.flatMap((clause) =>
    clause.judges.map((each): Judging => ({ clause, each, entries: entriesOf(clause) })),
  );
  const onEffects = concerned(judges.filter(({ each }) => each.over === 'effects'));
  const onTraces = concerned(judges.filter(({ each }) => each.over !== 'effects'));
  const judge = (trace: Trace, over: 'trace' | 'effects'): readonly Violation[] => {
    const found: Violation[] = [];
    if (over === 'trace') addRepeat(repeatsOf, trace);
    const doubt = failedHook(trace);
    const traits = traitsOf(context, trace);
    if (over === 'trace') crowded.note(trace);
    if (over === 'trace' && traits.has('before')) note(context.movedAlone(trace));
    const sent = sentIn(trace);
    for (const judging of over === 'trace' ? onTraces(traits) : onEffects(traits)) {
      // A trace rule speaks of operations to which the trace sent something; what it says of others has no cell.
      if (judging.each.over !== 'run' && sent.length > 0 && !areAbout(judging, sent)) continue;
      for (const ruling of rulingsOf(judging.clause, judging.each, trace))
        record(judging, trace, judging.each.over === 'run' ? ruling : inDoubt(ruling, doubt), found);
    }
    return found;
  };

  return {
    see: (trace) => judge(trace, 'trace'),
    seeEffects: (trace) => judge(trace, 'effects'),
    isOpen: ({ clause, ruling }, repeat) =>
      entriesOf(clause).get(ruling.operation)?.against?.openIn.has(repeat) === true,
    skip: ({ clauses: codes, operation, need }) => {
      for (const code of codes) {
        const entry = entries.get(code)?.get(operation);
        if (entry !== undefined && !entry.needs.some((known) => known.remedy === need.remedy))
          entry.needs.push(need);
      }
    },
    finish: () =>
      clauses.flatMap((clause) =>
        context.contract.operations.map((operation) => {
          const entry = entriesOf(clause).get(operation.id);
          if (entry === undefined) return notApplicable(clause, operation.id);
          for (const { conflicts, moved, ran, trace, unwritten } of against(entry).doubtful)
            if (moved !== undefined && movesAlone(moved, ran)) {
              withdraw(entry, trace);
              movedByItself(entry, unwritten);
            } else if (conflicts.some(crowded.isCrowded)) {
              withdraw(entry, trace);
              leaveOpen(entry, conflictsAnyway);
            }
          return cellOf(entry, repeatsOf);
        }),
      ),
    failures: () => [...failures.values()],
  };
}

const movesByItself =
  'The record changed, but it also changes without a command. Nothing shows that the command changed it.';

const conflictsAnyway =
  'Valid commands of this operation sometimes get 409, perhaps because of a limit. This 409 may have the same cause.';

function leaveOpen(entry: Entry, because: string): void {
  entry.inconclusive += 1;
  entry.doubt ??= because;
}

/** What moves without a command shows nothing; what the command would have replaced shows that it was not at work. */
function movedByItself(entry: Entry, unwritten: true | undefined): void {
  if (unwritten === true) entry.holds += 1;
  else leaveOpen(entry, movesByItself);
}

/** Takes back a violation of which the run showed later that what it rests on comes about by itself. */
function withdraw(entry: Entry, trace: TraceId): void {
  entry.violated -= 1;
  const found = moreAgainst(entry);
  found.violatedIn.delete(trace);
  found.doubtful = found.doubtful.filter((one) => one.trace !== trace);
  if (entry.violated === 0) entry.example = undefined;
}

/** Each rule is asked this of each trace: a loop makes no closure. */
function areAbout({ entries }: Judging, sent: readonly OperationId[]): boolean {
  for (const id of sent) if (entries.has(id)) return true;
  return false;
}

function sentIn({ exchanges }: Trace): readonly OperationId[] {
  return [...new Set(exchanges.map(({ operation }) => operation))];
}

function listOf(rulings: Iterable<Ruling>): readonly Ruling[] {
  return Array.isArray(rulings) ? rulings : [...rulings];
}

/** Whether a trace shows a violation better: one that was repeated, or else made smaller, and the plainest of those. */
function showsMore(trace: Trace, shown: Trace): boolean {
  if (trace.purpose !== 'repeat') return trace.purpose === 'shrink' && shown.purpose === 'first';
  if (shown.purpose !== 'repeat') return true;
  if (trace.suite === shown.suite && trace.probe === shown.probe) return true;
  const unanswered = ({ exchanges }: Trace): number =>
    exchanges.filter(({ answer }) => answer === undefined).length;
  const fewer = unanswered(trace) - unanswered(shown) || trace.exchanges.length - shown.exchanges.length;
  return fewer < 0;
}

/**
 * Which 5xx responses a violation rests on. The service may have failed for a moment, and so may anything before it. What
 * follows a failure that a hook brought about is no such violation; what that failure itself is like may be, since a
 * gateway can have failed in its place. Several of a burst count as one: a limit is reached sooner or later each time.
 */
function failuresIn(context: Context, trace: Trace, { exchanges }: Violated): readonly string[] {
  const all = context.reading(trace).answered.filter(({ answer }) => isFailed(answer));
  const failed = all.filter(
    ({ exchange, step }) =>
      exchanges.includes(exchange.id) && (exchanges.length === 1 || !isMadeToFail(step)),
  );
  return failed.flatMap(({ exchange: { ordinal }, step }) => {
    const race = raceOf(trace.scenario, step);
    if (race !== undefined)
      return failuresOfRace(race, all.filter((other) => raceOf(trace.scenario, other.step) === race).length);
    const isBurst = failed.some((other) => other.step === step && other.exchange.ordinal !== ordinal);
    return isBurst ? step.id : `${step.id} ${ordinal}`;
  });
}

/** Every ruling of one clause on one trace, of all its judges: for tests, and for looking closely. */
export function rulingsOf(clause: Clause, context: Context, trace: Trace): readonly Ruling[] {
  const traits = traitsOf(context, trace);
  return clause.judges.flatMap((judge) => {
    if (!concerns(judge, traits)) return [];
    if (judge.over === 'run') {
      const fold = judge.start();
      return [...fold.see(context, trace)];
    }
    return [...judge.rule(context, trace)];
  });
}
