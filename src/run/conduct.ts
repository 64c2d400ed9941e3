import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { renewedToken } from '../config/tokens.ts';
import { bindingNonce, segmentPart, shardPart, sharedMark } from '../engine/bind.ts';
import { makeSpending } from '../engine/budget.ts';
import type { Bound } from '../engine/estimate.ts';
import { makeGovernor } from '../engine/governor.ts';
import type { Plan, PlannedProbe } from '../engine/plan.ts';
import { preflight } from '../engine/preflight.ts';
import { knock, makePresence } from '../engine/presence.ts';
import type { Rehearsed } from '../engine/rehearsal.ts';
import { type RunEvent, runPlan } from '../engine/run.ts';
import type { Stage } from '../engine/stage.ts';
import { makeStops } from '../engine/stops.ts';
import { makeVain } from '../engine/vain.ts';
import { type Gate, openGate } from '../evidence/gate.ts';
import type { EndCause, ShardOf } from '../evidence/log.ts';
import { idPrefix } from '../evidence/shards.ts';
import type { Written } from '../evidence/write.ts';
import { makeLedger } from '../judge.ts';
import type { Clean } from '../model/clean.ts';
import { settleMs } from '../model/declaration.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Cell } from '../model/verdict.ts';
import { makeContext } from '../oracle/context.ts';
import { runId } from '../report/make-report.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { evidenceFile } from './bundle.ts';
import { certificateOf } from './certificate.ts';
import { failureText } from './failure-text.ts';
import { keepFresh } from './fresh-tokens.ts';
import { headerSecrets } from './gateway.ts';
import { headerOf, type NarrowedRun } from './header.ts';
import { leftOf, limitsOf, shrinkRequests } from './limits.ts';
import { type Means, usualMeans } from './means.ts';
import { makeNotes, newLog } from './notes.ts';
import { harness } from './package.ts';
import { planOf, replanning } from './planned.ts';
import { provedBy } from './proved.ts';
import { provingOf } from './proving.ts';
import { judgeEarly, type Restoration, restore, withEffects } from './restore.ts';
import { acceptedBefore, earlierWork, type Resumable } from './resume.ts';
import {
  hookRunner,
  type OpenTarget,
  openTarget,
  type ReferenceChange,
  resolveTokens,
  type Session,
} from './session.ts';
import { folderOf, idsOfShard, nonceOfRun, type Shard, shardOfPlan, sharedInterval } from './shard.ts';
import { signedWire } from './signed-wire.ts';
import { type Judged, type LiveJudgement, makeTally, provenIn, seeProof } from './tally.ts';
import { wireTarget } from './transport.ts';

export type Conduct = NarrowedRun & {
  /** The one probe to send, in place of a plan. */
  readonly probe?: PlannedProbe | undefined;
  readonly resume?: Resumable | undefined;
  /** The part of the plan to send; all of it where nothing is given. */
  readonly shard?: Shard | undefined;
  /** Ends the run after this many violated cells, each reproduced or proved by one trace. */
  readonly bail?: number | undefined;
  /** A fault or a variant of the embedded reference service. */
  readonly reference?: ReferenceChange | undefined;
  readonly selfTest?: string | undefined;
  /** The auditor's challenge: it enters the header and every key. */
  readonly challenge?: string | undefined;
  /** Name of the run's folder; by default it is made from the start time. */
  readonly runName?: string | undefined;
  /** No report is asked for, so nothing is gathered for one. */
  readonly cellsOnly?: boolean;
  /** Called when the run begins, with its clock in milliseconds since the start. */
  readonly begin?: (about: {
    readonly probes: number;
    readonly target: string;
    readonly now: () => number;
    readonly spent: () => number;
    readonly rehearsed: Rehearsed;
  }) => void;
  /** Called at each event, with the number of requests sent by then. */
  readonly onEvent?: (event: RunEvent, requests: number) => void;
};

/** How a run ended: with evidence to judge, or void. */
export type Conducted =
  | { readonly kind: 'void'; readonly because: Clean<string> }
  | {
      readonly kind: 'evidence';
      readonly folder: string;
      /** The cells as judged during the run; judging the evidence again gives the same. */
      readonly cells: readonly Cell[];
      readonly judged: () => Judged;
      readonly requests: number;
      /** Replaces every secret of the run in a text. */
      readonly clean: Gate['document'];
      readonly ended: 'complete' | 'interrupted' | 'budget';
      readonly seconds: number;
      /** The least time that the run could have taken on this target. */
      readonly bound: Bound;
      /** Why it ended early; undefined if only its limits or the user ended it. */
      readonly cause: EndCause | undefined;
    };

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
  const expiries = new Map<PrincipalName, number>();
  const tokens = new Map(
    await resolveTokens(session.config, process.env, (name, seconds) => expiries.set(name, seconds)),
  );
  const planning = session.planning(tokens, acceptedBefore(of.resume));
  const whole = planOf(session, planning, of);
  const { plan, shard } =
    of.shard === undefined || of.resume !== undefined
      ? { plan: whole, shard: of.resume?.header.shard }
      : shardOfPlan(whole, planning, of.shard);
  const target = await openTarget(session, tokens, means.clock, of.reference);
  try {
    return await conductOn(target, { session, of, signal, means, tokens, expiries, planning, plan, shard });
  } finally {
    await target.reference?.close();
  }
}

/** What a run is made of, once its target is there. */
type Work = {
  readonly session: Session;
  readonly of: Conduct;
  readonly signal: AbortSignal;
  readonly means: Means;
  readonly tokens: Map<PrincipalName, string>;
  /** Seconds for which tokens are good, where their commands say so. */
  readonly expiries: ReadonlyMap<PrincipalName, number>;
  readonly planning: Planning;
  readonly plan: Plan;
  readonly shard: ShardOf | undefined;
};

async function conductOn(target: OpenTarget, work: Work): Promise<Conducted> {
  const { expiries, means, of, session, shard, signal, tokens } = work;
  const { config, contract } = session;
  const { clock } = means;
  const { transport } = target;
  const { resume } = of;
  const nonce =
    resume?.header.nonce ?? (shard === undefined ? randomBytes(16).toString('hex') : nonceOfRun(shard.run));
  const segment =
    resume === undefined
      ? undefined
      : { number: resume.segments.length + 2, salt: randomBytes(16).toString('hex') };
  const gate = openGate(
    [
      ...[...tokens].map(([name, value]) => ({ name, value })),
      ...headerSecrets(config),
      ...transport.secrets,
    ],
    nonce,
  );
  const url = new URL(target.baseUrl);
  const startedAt = new Date(resume?.header.startedAt ?? clock.wall());
  const folder =
    resume?.folder ??
    join(config.output, of.runName ?? folderOf(runId({ startedAt: startedAt.toISOString(), nonce }), shard));
  const log = await newLog(folder, means.openLog, resume?.earlier);
  // One clock for the wire and the engine: milliseconds since the start of the run.
  const at =
    resume === undefined ? 0 : Math.max(Math.ceil(resume.endedAt), clock.wall() - startedAt.getTime());
  const zero = clock.monotonic() - at;
  const started = { ...clock, monotonic: () => clock.monotonic() - zero };
  const limits = limitsOf(session);
  const left = leftOf(limits, resume);
  const spending = makeSpending(clock, left);
  const trouble = new AbortController();
  // When the time is over, everything under way ends: waits, hooks and list walks too.
  const deadline = new AbortController();
  const over = new AbortController();
  void clock.sleep(left.maxSeconds * 1000, over.signal).then(() => deadline.abort());
  keepFresh(expiries, {
    clock,
    signal: over.signal,
    renew: (name) => renewedToken(config, name, process.env),
    take: (name, token) => {
      // Redact it before anything can send it.
      gate.add(name, token);
      tokens.set(name, token);
    },
  });
  const stop = AbortSignal.any([signal, trouble.signal, deadline.signal]);
  // Every request in flight listens for the end of the run.
  setMaxListeners(0, stop);
  const plain = means.openWire(wireTarget(config, transport, url.origin), started, target.reference);
  const onBroken = (): void => trouble.abort();
  const way = { origin: url.origin, contract, clock: started, gate, signal: stop, onBroken };
  const wire = signedWire(plain, target.signer, way);
  let live: LiveJudgement | undefined;
  const tally = makeTally(means.clauses, () => live);
  const onEntry = of.cellsOnly === true ? () => undefined : tally.take;
  const notes = makeNotes(log, gate, onEntry, () => trouble.abort(), resume, idPrefix(shard));
  let cause: EndCause | undefined;
  const shown = new Set<string>();
  const stops = makeStops();
  const waitMs = config.target.returnSeconds * 1000;
  const presence = makePresence({
    clock: started,
    signal: stop,
    waitMs,
    look: async () => (await wire.send(knock(url.pathname), stop)).answer !== undefined,
    onAway: () =>
      of.onEvent?.(
        { kind: 'waiting', milliseconds: waitMs, why: 'at most for the target, which stopped responding' },
        spending.spent(),
      ),
    onSuspect: stops.saw,
    onGone: () => {
      cause = { what: 'target stopped responding', before: presence.before() };
      trouble.abort();
    },
  });
  const stage: Stage = {
    contract,
    wire,
    clock: started,
    governor: makeGovernor(started, {
      left: spending.left,
      interval: sharedInterval(config.declared, shard),
    }),
    spending,
    redaction: gate,
    tokens,
    baseUrl: target.baseUrl,
    basePath: url.pathname.replace(/\/$/, ''),
    extraHeaders: Object.entries(config.target.headers),
    principalHeaders: config.principalHeaders,
    principals: config.principals,
    nonce: bindingNonce(
      nonce,
      of.challenge,
      ...(shard === undefined ? [] : [shardPart(shard)]),
      ...(segment === undefined ? [] : [segmentPart(segment)]),
    ),
    ...(shard === undefined ? {} : { mark: sharedMark(nonce) }),
    takenIds: idsOfShard(shard),
    usedVersions: new Map(),
    settleMs: settleMs(config.declared),
    guidance: config.declared.G8.guidance,
    retries: 3,
    maxWaitMs: config.throttling.maxWaitSeconds * 1000,
    vain: makeVain(started, config.throttling.maxWaitSeconds * 1000),
    hook: hookRunner(config, target, gate),
    nextExchange: notes.nextExchange,
    record: (exchange) => {
      presence.saw(exchange);
      return notes.append({ line: 'exchange', exchange });
    },
    away: presence.away,
    there: presence.there,
    stops,
    exclusive: shard === undefined || shard.number === 'last',
    signal: stop,
  };
  const close = (end: 'complete' | 'interrupted' | 'budget'): Promise<Written | undefined> =>
    notes.close(end, clock, Math.round(started.monotonic()), cause);
  const replan = replanning(work, shard !== undefined);
  try {
    const ledgerOf = (proven: Set<PrincipalName>): LiveJudgement => {
      const context = makeContext(
        { contract, declared: config.declared, principals: config.principals, proven },
        session.validators,
      );
      return { ledger: makeLedger({ clauses: means.clauses, context }), context, proven };
    };
    let restoration: Restoration | undefined;
    if (resume === undefined || segment === undefined) {
      const header = gate.value(
        await headerOf(session, of, {
          startedAt,
          nonce,
          shard,
          gate,
          limits,
          reference: target.reference !== undefined,
          certificate: await certificateOf(target.baseUrl, transport),
        }),
      );
      await notes.append(header);
      tally.begin(header, contract);
      if (replan === undefined) await notes.appendPlan(work.plan);
    } else {
      await notes.append({
        line: 'segment',
        ...segment,
        startedAt: new Date(clock.wall()).toISOString(),
        at,
        harness: harness(),
        sha256: resume.earlier.hash.copy().digest('hex'),
      });
      tally.begin(resume.header, contract);
      restoration = restore(resume, tally, (proven) => {
        live = ledgerOf(proven);
        return live;
      });
      for (const { trace } of restoration.restored)
        for (const id of Object.values(trace.bound.chosen ?? {})) stage.takenIds?.add(id);
    }
    const first = await preflight(stage, work.planning, notes.nextTrace, work.plan, presence.begin, replan);
    const { plan, planning } = first;
    if (replan !== undefined) await notes.appendPlan(plan);
    for (const trace of first.traces) await notes.appendTrace(trace);
    await notes.flush();
    const hindered = wire.broken()?.message ?? first.trouble;
    if (hindered !== undefined) {
      await close('interrupted');
      return { kind: 'void', because: gate.text(hindered) };
    }
    const judging = live ?? ledgerOf(provenIn([...(restoration?.early ?? []), ...first.traces]));
    const { ledger } = judging;
    for (const { id } of [...(restoration?.unread ?? []), ...first.traces])
      await notes.append({ line: 'effects', trace: id, effects: 'none' });
    if (live === undefined) {
      live = judging;
      for (const skip of plan.skips) ledger.skip(skip);
      judgeEarly(ledger, resume?.entries ?? [], [...(restoration?.early ?? []), ...first.traces]);
    } else for (const trace of first.traces) seeProof(judging, trace);
    const restored = await withEffects(restoration, planning, ledger, notes);
    of.begin?.({
      probes: plan.probes.length,
      target: target.reference === undefined ? target.baseUrl : 'the embedded reference service',
      now: started.monotonic,
      spent: spending.spent,
      rehearsed: first.rehearsed,
    });
    const end = await runPlan({
      stage: { ...stage, marks: first.marks, ownValues: first.ownValues },
      planning,
      plan,
      ledger,
      nextTrace: notes.nextTrace,
      concurrency: config.concurrency,
      shrinkRequests: shrinkRequests[config.budget],
      recordTrace: notes.appendTrace,
      recordEffects: notes.appendEffects,
      onEvent: (event) => {
        of.onEvent?.(event, spending.spent());
        const cell = provedBy(event);
        if (cell !== undefined) shown.add(cell);
        if (of.bail === undefined || shown.size < of.bail || trouble.signal.aborted) return;
        cause = { what: 'enough violations (--bail)' };
        trouble.abort();
      },
      halt: () => trouble.abort(),
      unproven: provingOf({ planning, principals: first.unproven, judging, notes }),
      ...(resume === undefined ? {} : { earlier: earlierWork(plan, restored) }),
    });
    const { bound, ended } = end;
    for (const suspect of end.stops) await notes.append({ line: 'stop', stop: suspect });
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
      seconds: started.monotonic() / 1000,
      bound,
      cause,
    };
  } catch (error) {
    await close('interrupted');
    return {
      kind: 'void',
      because: gate.text(
        `${failureText(error, process.env)}. The run is void. The evidence up to there is in ${folder}`,
      ),
    };
  } finally {
    over.abort();
    await wire.close();
  }
}
