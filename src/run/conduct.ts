import { type Intended, type Preflight, preflight } from '../engine/preflight.ts';
import { runPlan } from '../engine/run.ts';
import { openedGate } from '../evidence/gate.ts';
import type { Trace } from '../model/exchange.ts';
import type { PrincipalName } from '../model/principal.ts';
import { StoppedPlanning } from '../model/stopped-planning.ts';
import { evidenceFile } from './bundle.ts';
import { failureText } from './failure-text.ts';
import { writeFirstLines } from './first-lines.ts';
import { shrinkRequests } from './limits.ts';
import { type Means, usualMeans } from './means.ts';
import { type OpenRun, openRun } from './open-run.ts';
import { planner, replanning } from './planned.ts';
import { provedBy } from './proved.ts';
import { provingOf } from './proving.ts';
import { judgeEarly, type Restoration, withEffects } from './restore.ts';
import { acceptedBefore, earlierWork, preparedBefore, type Restored } from './resume.ts';
import { openTarget, resolveTokens, type Session } from './session.ts';
import { shardOfPlan } from './shard.ts';
import { type LiveJudgement, provenIn, seeProof } from './tally.ts';
import type { Conduct, Conducted, Work } from './work.ts';

/**
 * Sends what the suites propose, and writes the evidence: from preflight to its footer. Where the harness itself fails
 * on the way the run is void, and the evidence up to there is kept.
 * @throws InputError where it cannot begin
 */
export async function conduct(
  session: Session,
  of: Conduct,
  signal: AbortSignal,
  means: Means = usualMeans,
): Promise<Conducted> {
  try {
    return await plannedAndSent(session, of, signal, means);
  } catch (error) {
    if (error instanceof StoppedPlanning) return { kind: 'void', because: openedGate.text(error.message) };
    throw error;
  }
}

async function plannedAndSent(
  session: Session,
  of: Conduct,
  signal: AbortSignal,
  means: Means,
): Promise<Conducted> {
  const expiries = new Map<PrincipalName, number>();
  const tokens = new Map(
    await resolveTokens(session.config, process.env, (name, seconds) => expiries.set(name, seconds)),
  );
  const planning = session.planning(tokens, acceptedBefore(of.resume), preparedBefore(of.resume));
  const whole = await planner(session, planning, of, { signal, means });
  const part =
    of.shard === undefined || of.resume !== undefined
      ? undefined
      : shardOfPlan(await whole(), planning, of.shard);
  const plan = part === undefined ? whole : () => Promise.resolve(part.plan);
  const shard = part?.shard ?? of.resume?.header.shard;
  const target = await openTarget(session, tokens, means.clock, of.reference);
  const work = { session, of, signal, means, tokens, expiries, planning, plan, shard };
  try {
    return await conductOn(await openRun(target, work), work);
  } finally {
    await target.reference?.close();
  }
}

async function conductOn(open: OpenRun, work: Work): Promise<Conducted> {
  const { close, ending, folder, gate, wire } = open;
  try {
    const restoration = await writeFirstLines(open, work);
    const begun = await begin(open, work, restoration);
    if (begun.kind === 'void') {
      await close('interrupted');
      return begun;
    }
    return await carryOut(open, work, begun);
  } catch (error) {
    await close('interrupted');
    if (error instanceof StoppedPlanning) throw error;
    return {
      kind: 'void',
      because: gate.text(
        `${failureText(error, process.env)}. The run is void. The evidence up to there is in ${folder}`,
      ),
    };
  } finally {
    ending.finish();
    await wire.close();
  }
}

/** A run after preflight: what it sends, and who judges it. */
type Begun = {
  readonly kind: 'begun';
  readonly first: Preflight;
  readonly judging: LiveJudgement;
  readonly restored: readonly Restored[];
};

/** Preflight, and the judgement of all that came before the first scenario. */
async function begin(
  open: OpenRun,
  work: Work,
  restoration: Restoration | undefined,
): Promise<Begun | Extract<Conducted, { kind: 'void' }>> {
  const { gate, judge, notes, presence, stage, wire } = open;
  const { resume } = work.of;
  const intended = async (): Promise<Intended> => {
    work.of.planning?.();
    const plan = await work.plan();
    return { plan, replan: replanning({ ...work, plan }) };
  };
  const first = await preflight(stage, work.planning, notes.nextTrace, intended, presence.begin);
  const { plan, planning, traces } = first;
  if (resume === undefined) await notes.appendPlan(plan);
  for (const trace of traces) await notes.appendTrace(trace);
  await notes.flush();
  const hindered = wire.broken()?.message ?? first.trouble;
  if (hindered !== undefined) return { kind: 'void', because: gate.text(hindered) };
  const early = [...(restoration?.early ?? []), ...traces];
  const judging = restoration?.live ?? (await judge(provenIn(early)));
  for (const { id } of [...(restoration?.unread ?? []), ...traces])
    await notes.append({ line: 'effects', trace: id, effects: 'none' });
  if (restoration?.live === undefined) {
    for (const skip of plan.skips) judging.ledger.skip(skip);
    judgeEarly(judging.ledger, resume?.entries ?? [], early);
  } else for (const trace of traces) seeProof(judging, trace);
  const restored = await withEffects(restoration, planning, judging.ledger, notes);
  return { kind: 'begun', first, judging, restored };
}

function fastestOf(traces: readonly Trace[]): number {
  return Math.min(
    ...traces.flatMap(({ exchanges }) =>
      exchanges.flatMap(({ answer, endedAt, startedAt }) =>
        answer === undefined ? [] : [endedAt - startedAt],
      ),
    ),
  );
}

/** Sends the plan, and closes the evidence. */
async function carryOut(open: OpenRun, work: Work, { first, judging, restored }: Begun): Promise<Conducted> {
  const { close, ending, folder, gate, notes, stage, tally, target, wire } = open;
  const { of, session } = work;
  const { plan, planning } = first;
  const { ledger } = judging;
  const { clock, spending } = stage;
  const shown = new Set<string>();
  of.begin?.({
    probes: plan.probes.length,
    target: target.reference === undefined ? target.baseUrl : 'the embedded reference service',
    now: clock.monotonic,
    spent: spending.spent,
    rehearsed: first.rehearsed,
    prepared: first.prepared,
  });
  const { bound, ended, stops } = await runPlan({
    stage: { ...stage, marks: first.marks, ownValues: first.ownValues },
    planning,
    plan,
    ledger,
    nextTrace: notes.nextTrace,
    concurrency: session.config.concurrency,
    firstMs: fastestOf(first.traces),
    shrinkRequests: shrinkRequests[session.config.budget],
    recordTrace: notes.appendTrace,
    recordEffects: notes.appendEffects,
    onEvent: (event) => {
      of.onEvent?.(event, spending.spent());
      const cell = provedBy(event);
      if (cell !== undefined) shown.add(cell);
      if (of.bail !== undefined && shown.size >= of.bail && !ending.isEnded())
        ending.end({ what: 'enough violations (--bail)' });
    },
    halt: () => ending.end(),
    unproven: provingOf({ planning, principals: first.unproven, judging, notes }),
    ...(of.resume === undefined ? {} : { earlier: earlierWork(plan, restored) }),
  });
  for (const stop of stops) await notes.append({ line: 'stop', stop });
  const written = await close(ended);
  const unsigned = wire.broken();
  if (unsigned !== undefined) return { kind: 'void', because: gate.text(unsigned.message) };
  const broken = notes.broken();
  if (broken !== undefined || written === undefined)
    return {
      kind: 'void',
      because: gate.text(
        `the evidence cannot be written (${broken?.message ?? 'it was closed'}); free some space or choose another --output. The run is void. What was written is in ${folder}`,
      ),
    };
  return {
    kind: 'evidence',
    folder,
    cells: ledger.finish(),
    judged: () => tally.finish({ file: evidenceFile, ...written.totals }, []),
    requests: spending.spent(),
    clean: gate.document,
    ended,
    seconds: clock.monotonic() / 1000,
    bound,
    cause: ending.cause(),
  };
}
