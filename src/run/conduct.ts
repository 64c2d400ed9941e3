import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { clauses } from '../clauses/catalogue.ts';
import type { TokenSource } from '../config/config.ts';
import { renewedToken } from '../config/tokens.ts';
import { filesOfContract } from '../contract/load.ts';
import { bindingNonce, segmentPart } from '../engine/bind.ts';
import { type Limits, makeSpending, usualLimits } from '../engine/budget.ts';
import type { Bound } from '../engine/estimate.ts';
import { makeGovernor } from '../engine/governor.ts';
import { makePlan, type Plan, type PlannedProbe, type Selection } from '../engine/plan.ts';
import { preflight } from '../engine/preflight.ts';
import { makePresence } from '../engine/presence.ts';
import { type RunEvent, runPlan } from '../engine/run.ts';
import type { Stage } from '../engine/stage.ts';
import { lookoutsOf } from '../engine/sweep.ts';
import { type Gate, openGate, placeholder } from '../evidence/gate.ts';
import { type EndCause, evidenceFormat, type HeaderLine } from '../evidence/log.ts';
import { openLog, type Written } from '../evidence/write.ts';
import { makeLedger } from '../judge.ts';
import type { Clause } from '../model/clause.ts';
import type { Clean } from '../model/clean.ts';
import type { Clock } from '../model/clock.ts';
import type { Declaration } from '../model/declaration.ts';
import { InputError } from '../model/input-error.ts';
import type { PrincipalName, TokenOrigin } from '../model/principal.ts';
import type { Cell } from '../model/verdict.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { runId } from '../report/make-report.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { openWire } from '../wire/wire.ts';
import { evidenceFile } from './bundle.ts';
import { certificateOf } from './certificate.ts';
import { machineClock } from './clock.ts';
import { failureText } from './failure-text.ts';
import { keepFresh } from './fresh-tokens.ts';
import { headerSecrets } from './gateway.ts';
import { makeNotes, newLog } from './notes.ts';
import { harness } from './package.ts';
import { judgeEarly, type Restoration, restore } from './restore.ts';
import { earlierWork, plannedBefore, type Restored, type Resumable } from './resume.ts';
import {
  contractLimits,
  hookRunner,
  openTarget,
  type ReferenceChange,
  resolveTokens,
  type Session,
  type Target,
} from './session.ts';
import { type Judged, type LiveJudgement, makeTally, provenIn } from './tally.ts';

/** What is to be run, and who hears of it. */
export type Conduct = Selection & {
  /** How it is narrowed, as on the command line. */
  readonly narrowing?: readonly string[] | undefined;
  /** The one probe to send, in place of a plan. */
  readonly probe?: PlannedProbe | undefined;
  /** The run to go on with. */
  readonly resume?: Resumable | undefined;
  /** Ends after so many violated cells that were seen again, or that one trace proved. */
  readonly bail?: number | undefined;
  /** How the embedded reference service departs from its usual decisions. */
  readonly reference?: ReferenceChange | undefined;
  /** Digest of the self-test of this build. */
  readonly selfTest?: string | undefined;
  /** What an auditor gave; it enters the header and every key. */
  readonly challenge?: string | undefined;
  /** Name of the run's folder, in place of one from its start. */
  readonly runName?: string | undefined;
  /** The run can begin: what it is about, and its clock in milliseconds since the start. */
  readonly begin?: (about: {
    readonly probes: number;
    readonly target: string;
    readonly now: () => number;
    readonly spent: () => number;
  }) => void;
  /** Hears what happens, beside the number of requests sent by then. */
  readonly tell?: (event: RunEvent, requests: number) => void;
};

/** How a run ended: with evidence to judge, or void. */
export type Conducted =
  | { readonly kind: 'void'; readonly because: Clean<string> }
  | {
      readonly kind: 'evidence';
      /** The run's folder, with its evidence in it. */
      readonly folder: string;
      /** What the clauses ruled while it went on; judging the evidence again gives the same. */
      readonly cells: readonly Cell[];
      /** The report of it. */
      readonly judged: () => Judged;
      readonly requests: number;
      /** Replaces every secret of the run in a text. */
      readonly clean: Gate['document'];
      readonly ended: 'complete' | 'interrupted' | 'budget';
      readonly seconds: number;
      /** The least time that the run could have taken on this target. */
      readonly bound: Bound;
      /** Why it ended early; undefined where nothing but its limits or the user ended it. */
      readonly cause: EndCause | undefined;
    };

const shrinkRequests = { quick: 30, standard: 90, thorough: 300 };

/** What a run works with, and what can fail in it. */
export type Means = {
  readonly openWire: typeof openWire;
  readonly openLog: typeof openLog;
  readonly clauses: readonly Clause[];
  readonly clock: Clock;
};

export const usualMeans: Means = { openWire, openLog, clauses, clock: machineClock };

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
  const planning = session.planning(tokens);
  const plan = planOf(session, planning, of);
  // No suite at all is preflight alone, as doctor asks for.
  const preflightAlone = of.suites?.length === 0;
  if (plan.probes.length === 0 && plan.skips.length === 0 && narrowingOf(of).length > 0 && !preflightAlone)
    throw new InputError({
      file: narrowingOf(of).join(' '),
      position: undefined,
      problem: 'no probe is left',
      remedy:
        of.clauses === undefined
          ? 'leave out one of the filters'
          : 'some clauses are judged on every response and no probe is aimed at them: leave out --clause, or name a suite',
    });
  const target = await openTarget(session, tokens, means.clock, of.reference);
  try {
    return await conductOn(target, { session, of, signal, means, tokens, expiries, planning, plan });
  } finally {
    await target.reference?.close();
  }
}

function planOf(session: Session, planning: Planning, of: Conduct): Plan {
  if (of.probe !== undefined) return { probes: [of.probe], skips: [] };
  const plan = makePlan(session.suites, planning, session.seed, of);
  return of.resume === undefined ? plan : plannedBefore(of.resume, plan);
}

async function conductOn(
  target: Target,
  {
    session,
    of,
    signal,
    means,
    tokens,
    expiries,
    planning,
    plan,
  }: {
    readonly session: Session;
    readonly of: Conduct;
    readonly signal: AbortSignal;
    readonly means: Means;
    readonly tokens: Map<PrincipalName, string>;
    /** Seconds for which tokens are good, where their commands say so. */
    readonly expiries: ReadonlyMap<PrincipalName, number>;
    readonly planning: Planning;
    readonly plan: Plan;
  },
): Promise<Conducted> {
  const { config, contract } = session;
  const { clock } = means;
  const { transport } = target;
  const { resume } = of;
  const nonce = resume?.header.nonce ?? randomBytes(16).toString('hex');
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
    resume?.folder ?? join(config.output, of.runName ?? runId({ startedAt: startedAt.toISOString(), nonce }));
  const log = await newLog(folder, means.openLog, resume?.earlier);
  // One clock for the wire and the engine: milliseconds since the start of the run.
  const at =
    resume === undefined ? 0 : Math.max(Math.ceil(resume.endedAt), clock.wall() - startedAt.getTime());
  const zero = clock.monotonic() - at;
  const started = { ...clock, monotonic: () => clock.monotonic() - zero };
  const wire = means.openWire(
    {
      origin: url.origin,
      timeoutMs: config.target.timeoutMs,
      connections: Math.max(16, config.concurrency),
      maxBodyBytes: 256 * 1024,
      ...(transport.ca === undefined ? {} : { ca: transport.ca }),
      ...(transport.client === undefined ? {} : { client: transport.client }),
      ...(transport.proxy === undefined ? {} : { proxy: transport.proxy }),
    },
    started,
  );
  const limits = limitsOf(session);
  const left = leftOf(limits, resume);
  const spending = makeSpending(clock, left);
  const trouble = new AbortController();
  // Whatever is under way when the time is over ends there: waits, hooks and list walks too.
  const deadline = new AbortController();
  const over = new AbortController();
  void clock.sleep(left.maxSeconds * 1000, over.signal).then(() => deadline.abort());
  keepFresh(expiries, {
    clock,
    signal: over.signal,
    renew: (name) => renewedToken(config, name, process.env),
    take: (name, token) => {
      // Before anything can send it.
      gate.add(name, token);
      tokens.set(name, token);
    },
  });
  const stop = AbortSignal.any([signal, trouble.signal, deadline.signal]);
  // Every request in flight listens for the end of the run.
  setMaxListeners(0, stop);
  let live: LiveJudgement | undefined;
  const tally = makeTally(means.clauses, () => live);
  const notes = makeNotes(log, gate, tally.take, () => trouble.abort(), resume);
  let cause: EndCause | undefined;
  const shown = new Set<string>();
  const presence = makePresence({
    clock: started,
    signal: stop,
    waitMs: config.target.returnSeconds * 1000,
    look: async () => {
      const request = {
        method: 'GET',
        path: url.pathname,
        headers: [],
        body: undefined,
        transport: 'fresh',
      } as const;
      return (await wire.send(request, stop)).answer !== undefined;
    },
    onAway: () =>
      of.tell?.(
        {
          kind: 'waiting',
          milliseconds: config.target.returnSeconds * 1000,
          why: 'at most for the target, which stopped responding',
        },
        spending.spent(),
      ),
    onGone: () => {
      cause = { what: 'target stopped responding', before: presence.before() };
      trouble.abort();
    },
  });
  const stage: Stage = {
    contract,
    wire,
    clock: started,
    governor: makeGovernor(started, { left: spending.left }),
    spending,
    redaction: gate,
    tokens,
    basePath: url.pathname.replace(/\/$/, ''),
    extraHeaders: Object.entries(config.target.headers),
    principalHeaders: config.principalHeaders,
    nonce: bindingNonce(nonce, of.challenge, ...(segment === undefined ? [] : [segmentPart(segment)])),
    takenIds: new Set(),
    settleMs: settleMs(session.declaration),
    guidance: parsedDeclaration(session.declaration).G8.guidance,
    retries: 3,
    maxWaitMs: config.throttling.maxWaitSeconds * 1000,
    hook: hookRunner(config, target, gate),
    nextExchange: notes.nextExchange,
    record: (exchange) => {
      presence.saw(exchange);
      return notes.append({ line: 'exchange', exchange });
    },
    away: presence.away,
    signal: stop,
  };
  const close = (end: 'complete' | 'interrupted' | 'budget'): Promise<Written | undefined> =>
    notes.close(end, clock, Math.round(started.monotonic()), cause);
  try {
    const ledgerOf = (proven: ReadonlySet<PrincipalName>): LiveJudgement => {
      const context = makeContext(
        { contract, declaration: session.declaration, principals: config.principals, proven },
        session.validators,
      );
      return { ledger: makeLedger({ clauses: means.clauses, context }), context };
    };
    let restoration: Restoration | undefined;
    if (resume === undefined || segment === undefined) {
      const header = gate.value(
        await headerOf(session, of, {
          startedAt,
          nonce,
          gate,
          limits,
          reference: target.reference !== undefined,
          certificate: await certificateOf(target.baseUrl, transport),
        }),
      );
      await notes.append(header);
      tally.begin(header, contract);
      await notes.appendPlan(plan);
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
    const first = await preflight(stage, planning, notes.nextTrace);
    for (const trace of first.traces) await notes.appendTrace(trace);
    await notes.flush();
    if (first.trouble !== undefined) {
      await close('interrupted');
      return { kind: 'void', because: gate.text(first.trouble) };
    }
    const judging = live ?? ledgerOf(provenIn([...(restoration?.early ?? []), ...first.traces]));
    const { ledger } = judging;
    for (const { id } of [...(restoration?.unread ?? []), ...first.traces])
      await notes.append({ line: 'effects', trace: id, effects: 'none' });
    // What preflight shows is judged once: a later one only says that the run can go on.
    if (live === undefined) {
      live = judging;
      for (const skip of plan.skips) ledger.skip(skip);
      judgeEarly(ledger, resume?.told ?? [], [...(restoration?.early ?? []), ...first.traces]);
    }
    const restored: Restored[] = [];
    for (const { read, trace, violations } of restoration?.restored ?? []) {
      const unseen = !read && lookoutsOf(planning, trace).length === 0;
      if (unseen) await notes.append({ line: 'effects', trace: trace.id, effects: 'none' });
      const more = unseen ? ledger.seeEffects(trace) : [];
      restored.push({ trace, violations: [...violations, ...more], read: read || unseen });
    }
    of.begin?.({
      probes: plan.probes.length,
      target: target.reference === undefined ? target.baseUrl : 'the embedded reference service',
      now: started.monotonic,
      spent: spending.spent,
    });
    const { bound, ended } = await runPlan({
      stage,
      planning,
      plan,
      ledger,
      nextTrace: notes.nextTrace,
      concurrency: config.concurrency,
      shrinkRequests: shrinkRequests[config.budget],
      recordTrace: notes.appendTrace,
      recordEffects: (trace, effects) => notes.append({ line: 'effects', trace, effects: effects ?? 'none' }),
      tell: (event) => {
        of.tell?.(event, spending.spent());
        const cell = shownBy(event);
        if (cell !== undefined) shown.add(cell);
        if (of.bail === undefined || shown.size < of.bail || trouble.signal.aborted) return;
        cause = { what: 'enough violations (--bail)' };
        trouble.abort();
      },
      halt: () => trouble.abort(),
      ...(resume === undefined ? {} : { earlier: earlierWork(plan, restored) }),
    });
    const written = await close(ended);
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

/** The cell that an event leaves violated for sure: nothing more is needed to fail it. */
function shownBy(event: RunEvent): string | undefined {
  if (event.kind === 'confirmed') return event.cell;
  if (event.kind !== 'violation') return undefined;
  const { clause, passing, ruling } = event.violation;
  const sure = clause.level !== 'advisory' && ruling.conclusive === true && !passing;
  return sure ? `${clause.code} ${ruling.operation}` : undefined;
}

/** What earlier segments left of the limits. @throws InputError where nothing is left */
function leftOf(limits: Limits, resume: Resumable | undefined): Limits {
  if (resume === undefined) return limits;
  const left = {
    maxRequests: limits.maxRequests - resume.exchanges,
    maxSeconds: limits.maxSeconds - resume.activeMs / 1000,
  };
  if (left.maxRequests <= 0 || left.maxSeconds <= 0)
    throw new InputError({
      file: resume.folder,
      position: undefined,
      problem: 'the run cannot be resumed: its budget was spent',
      remedy: 'run again',
    });
  return left;
}

function limitsOf({ config, contract }: Session): Limits {
  const usual = usualLimits(config.budget, contract.operations.length);
  return {
    maxRequests: config.maxRequests ?? usual.maxRequests,
    maxSeconds: config.maxSeconds ?? usual.maxSeconds,
  };
}

/** G15: how long a read may take to show a write; 5 s where nothing is declared. */
export function settleMs(declaration: Declaration): number {
  return (parsedDeclaration(declaration).G15 ?? 5) * 1000;
}

function originOf(source: TokenSource | undefined): { readonly from?: TokenOrigin } {
  return source === undefined || 'value' in source ? {} : { from: source };
}

/** How a run was narrowed, as on the command line. */
function narrowingOf({ narrowing, operations, suites }: Conduct): readonly string[] {
  return (
    narrowing ?? [
      ...(suites === undefined ? [] : [`--suite ${suites.join(',')}`]),
      ...(operations === undefined ? [] : [`--operation ${operations.join(',')}`]),
    ]
  );
}

async function headerOf(
  { config, contract, declaration, seed, suites, suitesDigest }: Session,
  of: Conduct,
  made: {
    readonly startedAt: Date;
    readonly nonce: string;
    readonly gate: Gate;
    readonly limits: Limits;
    readonly reference: boolean;
    readonly certificate: string | undefined;
  },
): Promise<HeaderLine> {
  const { environment, product, vendor, version } = config.target;
  const [document, ...beside] = await filesOfContract(config.contract, contractLimits(config));
  return {
    line: 'header',
    format: evidenceFormat,
    harness: harness(),
    contract: {
      title: contract.title,
      version: contract.version,
      digest: contract.digest,
      file: config.contract,
      text: document.text,
      ...(beside.length === 0 ? {} : { beside }),
    },
    configuration: { file: config.file, digest: config.digest },
    suites: { digest: suitesDigest, names: suites.map((suite) => suite.name) },
    declaration,
    principals: config.principals.map((principal) => ({
      ...principal,
      ...originOf(config.tokens.get(principal.name)),
      token: `$${placeholder(principal.name)} ${made.gate.digestOf(principal.name) ?? ''}`.trim(),
    })),
    seed,
    nonce: made.nonce,
    ...(of.challenge === undefined ? {} : { challenge: of.challenge }),
    budget: config.budget,
    limits: made.limits,
    partial: narrowingOf(of).length > 0,
    ...(narrowingOf(of).length === 0 ? {} : { narrowing: narrowingOf(of) }),
    ...(of.clauses === undefined ? {} : { clauses: of.clauses }),
    target: {
      baseUrl: made.reference ? 'reference' : (config.target.baseUrl ?? ''),
      environment,
      product,
      vendor,
      version,
      ...(made.certificate === undefined ? {} : { certificate: made.certificate }),
    },
    startedAt: made.startedAt.toISOString(),
    throttling: {
      maxRequests: config.throttling.maxRequests,
      maxSeconds: config.throttling.maxSeconds,
      maxWaitSeconds: config.throttling.maxWaitSeconds,
    },
    hooks: [...config.hooks.keys()],
    ...(config.excluded.length === 0 ? {} : { excluded: config.excluded }),
    ...(config.parameters.size === 0 ? {} : { parameters: Object.fromEntries(config.parameters) }),
    waivers: config.waivers,
    environment: { node: process.version, platform: process.platform },
    selfTest: of.selfTest,
  };
}
