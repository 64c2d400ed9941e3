import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clauses } from '../clauses/catalogue.ts';
import type { Stage } from '../engine/attempt.ts';
import { type Limits, makeSpending, usualLimits } from '../engine/budget.ts';
import { makeGovernor } from '../engine/governor.ts';
import { makePlan, type Plan } from '../engine/plan.ts';
import { preflight } from '../engine/preflight.ts';
import { type RunEvent, runPlan } from '../engine/run.ts';
import { evidenceFormat, type HeaderLine } from '../evidence/log.ts';
import { makeRedactor, placeholder, type Redactor } from '../evidence/redact.ts';
import { type LogWriter, openLog } from '../evidence/write.ts';
import { makeLedger } from '../judge.ts';
import type { Clock } from '../model/clock.ts';
import type { OperationId } from '../model/contract.ts';
import type { Declaration } from '../model/declaration.ts';
import type { Trace } from '../model/exchange.ts';
import { isObject } from '../model/json.ts';
import type { Cell } from '../model/verdict.ts';
import { makeContext } from '../oracle/context.ts';
import { runId } from '../report/make-report.ts';
import { openWire } from '../wire/wire.ts';
import { evidenceFile } from './bundle.ts';
import { machineClock } from './clock.ts';
import { harness } from './package.ts';
import { hookRunner, openTarget, type ReferenceChange, resolveTokens, type Session } from './session.ts';

/** What is to be run, and who hears of it. */
export type Conduct = {
  readonly suites: readonly string[] | undefined;
  readonly operations: readonly OperationId[] | undefined;
  /** How the embedded reference service departs from its usual decisions. */
  readonly reference?: ReferenceChange | undefined;
  /** Digest of the self-test of this build. */
  readonly selfTest?: string | undefined;
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
  | { readonly kind: 'void'; readonly because: string }
  | {
      readonly kind: 'evidence';
      /** The run's folder, with its evidence in it. */
      readonly folder: string;
      /** What the clauses ruled while it went on; a replay of the evidence rules the same. */
      readonly cells: readonly Cell[];
      readonly requests: number;
      /** Replaces every secret of the run in a text. */
      readonly clean: (text: string) => string;
      readonly ended: 'complete' | 'interrupted' | 'budget';
      /** Whether it ended because the target answered no more. */
      readonly gone: boolean;
    };

/** So many requests in a row without an answer: nobody is there any more. */
const mostSilent = 40;
const silence: ReadonlySet<string> = new Set(['refused', 'reset', 'closed', 'timeout', 'dns', 'tls']);
const shrinkRequests = { quick: 30, standard: 90, thorough: 300 };

/** Sends what the suites propose, and writes the evidence: from preflight to its footer. @throws InputError where it cannot begin */
export async function conduct(session: Session, of: Conduct, signal: AbortSignal): Promise<Conducted> {
  const { config, contract } = session;
  const clock = machineClock;
  const tokens = new Map(await resolveTokens(config, process.env));
  const planning = session.planning(tokens);
  const plan = makePlan(session.suites, planning, session.seed, of);
  const target = await openTarget(session, tokens, clock, of.reference);
  const nonce = randomBytes(16).toString('hex');
  const redactor = makeRedactor(
    [...tokens].map(([name, value]) => ({ name, value })),
    nonce,
  );
  const url = new URL(target.baseUrl);
  const startedAt = new Date(clock.wall());
  const folder = join(config.output, runId({ startedAt: startedAt.toISOString(), nonce }));
  await mkdir(folder, { recursive: true });
  // One clock for the wire and the engine: milliseconds since the start of the run.
  const zero = clock.monotonic();
  const started = { ...clock, monotonic: () => clock.monotonic() - zero };
  const wire = openWire(
    {
      origin: url.origin,
      timeoutMs: config.target.timeoutMs,
      connections: Math.max(16, config.concurrency),
      maxBodyBytes: 256 * 1024,
      ...(target.ca === undefined ? {} : { ca: target.ca }),
    },
    started,
  );
  const limits = limitsOf(session);
  const spending = makeSpending(clock, limits);
  const trouble = new AbortController();
  const stop = AbortSignal.any([signal, trouble.signal]);
  // Every request in flight listens for the end of the run.
  setMaxListeners(0, stop);
  const notes = makeNotes(await openLog(join(folder, evidenceFile), redactor.guard), () => trouble.abort());
  let silent = 0;
  let gone = false;
  const stage: Stage = {
    contract,
    wire,
    clock: started,
    governor: makeGovernor(started, { left: spending.left }),
    spending,
    redaction: redactor,
    tokens,
    basePath: url.pathname.replace(/\/$/, ''),
    extraHeaders: Object.entries(config.target.headers),
    nonce,
    settleMs: settleMs(session.declaration),
    retries: 3,
    maxWaitMs: config.throttling.maxWaitSeconds * 1000,
    hook: hookRunner(config, target, (name, token) => redactor.add(`hook ${name}`, token)),
    nextExchange: notes.nextExchange,
    record: (exchange) => {
      const { noAnswer } = exchange;
      silent = noAnswer !== undefined && silence.has(noAnswer.reason) ? silent + 1 : 0;
      if (silent >= mostSilent) {
        gone = true;
        trouble.abort();
      }
      return notes.append({ line: 'exchange', exchange });
    },
    signal: stop,
  };
  const close = (end: 'complete' | 'interrupted' | 'budget'): Promise<void> =>
    notes.close(end, clock, Math.round(started.monotonic()), redactor);
  try {
    await notes.append(
      await headerOf(session, of, {
        startedAt,
        nonce,
        redactor,
        limits,
        reference: target.reference !== undefined,
      }),
    );
    await notes.appendPlan(plan);
    const first = await preflight(stage, planning, notes.nextTrace);
    for (const trace of first.traces) await notes.appendTrace(trace);
    if (first.trouble !== undefined) {
      await close('interrupted');
      return { kind: 'void', because: redactor.text(first.trouble) };
    }
    const context = makeContext(
      {
        contract,
        declaration: session.declaration,
        principals: config.principals,
        proven: first.proven,
      },
      session.validators,
    );
    const ledger = makeLedger({ clauses, context });
    for (const skip of plan.skips) ledger.skip(skip);
    for (const trace of first.traces) {
      ledger.see(trace);
      await notes.append({ line: 'effects', trace: trace.id, effects: 'none' });
      ledger.seeEffects(trace);
    }
    of.begin?.({
      probes: plan.probes.length,
      target: target.reference === undefined ? target.baseUrl : 'the embedded reference service',
      now: started.monotonic,
      spent: spending.spent,
    });
    const { ended } = await runPlan({
      stage,
      planning,
      plan,
      ledger,
      nextTrace: notes.nextTrace,
      concurrency: config.concurrency,
      shrinkRequests: shrinkRequests[config.budget],
      recordTrace: notes.appendTrace,
      recordEffects: (trace, effects) => notes.append({ line: 'effects', trace, effects: effects ?? 'none' }),
      tell: (event) => of.tell?.(event, spending.spent()),
    });
    const broken = notes.broken();
    if (broken !== undefined)
      return {
        kind: 'void',
        because: `the evidence cannot be written (${broken.message}); free some space or choose another --output. The run is void.`,
      };
    await close(ended);
    return {
      kind: 'evidence',
      folder,
      cells: ledger.finish(),
      requests: spending.spent(),
      clean: redactor.text,
      ended,
      gone,
    };
  } finally {
    await wire.close();
    await target.reference?.close();
  }
}

function limitsOf({ config, contract }: Session): Limits {
  const usual = usualLimits(config.budget, contract.operations.length);
  return {
    maxRequests: config.maxRequests ?? usual.maxRequests,
    maxSeconds: config.maxSeconds ?? usual.maxSeconds,
  };
}

/** G15: how long a read may take to show a write; 5 s where nothing is declared. */
function settleMs({ G15 }: Declaration): number {
  const seconds = isObject(G15) ? G15['seconds'] : undefined;
  return typeof seconds === 'number' ? seconds * 1000 : 5000;
}

type Notes = {
  readonly append: LogWriter['append'];
  readonly appendPlan: (plan: Plan) => Promise<void>;
  readonly appendTrace: (trace: Trace) => Promise<void>;
  readonly nextExchange: () => string;
  readonly nextTrace: () => string;
  /** Why the evidence cannot be kept; undefined while it can. */
  readonly broken: () => Error | undefined;
  readonly close: (
    end: 'complete' | 'interrupted' | 'budget',
    clock: Clock,
    elapsedMs: number,
    redactor: Redactor,
  ) => Promise<void>;
};

/** The evidence of a run as it is written. What cannot be kept ends the run: a verdict without it would be worth nothing. */
function makeNotes(log: LogWriter, stop: () => void): Notes {
  const counters = { exchange: 0, trace: 0 };
  let broken: Error | undefined;
  const append: LogWriter['append'] = async (line) => {
    try {
      await log.append(line);
    } catch (error) {
      broken ??= error instanceof Error ? error : new Error(String(error));
      stop();
    }
  };
  return {
    append,
    appendPlan: async ({ probes, skips }) => {
      await append({
        line: 'plan',
        probes: probes.map(({ suite, probe, seed }) => ({
          suite,
          probe: probe.id,
          operation: probe.operation,
          seed,
          cases: probe.cases.length,
          random: probe.random?.runs ?? 0,
        })),
      });
      for (const { suite, operation, clauses: codes, need } of skips)
        await append({ line: 'skip', suite, operation, clauses: codes, need });
    },
    appendTrace: ({ exchanges, effects: _effects, ...trace }) =>
      append({ line: 'trace', trace, exchanges: exchanges.map((exchange) => exchange.id) }),
    nextExchange: () => `x${++counters.exchange}`,
    nextTrace: () => `t${++counters.trace}`,
    broken: () => broken,
    close: (end, clock, elapsedMs, redactor) =>
      log.close({
        end,
        counts: { exchanges: counters.exchange, traces: counters.trace },
        endedAt: new Date(clock.wall()).toISOString(),
        elapsedMs,
        redaction: redactor.manifest(),
      }),
  };
}

async function headerOf(
  { config, contract, declaration, seed, suites, suitesDigest }: Session,
  of: Conduct,
  made: {
    readonly startedAt: Date;
    readonly nonce: string;
    readonly redactor: Redactor;
    readonly limits: Limits;
    readonly reference: boolean;
  },
): Promise<HeaderLine> {
  const { environment, product, vendor, version } = config.target;
  return {
    line: 'header',
    format: evidenceFormat,
    harness: harness(),
    contract: {
      title: contract.title,
      version: contract.version,
      digest: contract.digest,
      file: config.contract,
      text: await readFile(config.contract, 'utf8'),
    },
    configuration: { file: config.file, digest: config.digest },
    suites: { digest: suitesDigest, names: suites.map((suite) => suite.name) },
    declaration,
    principals: config.principals.map((principal) => ({
      ...principal,
      token: `$${placeholder(principal.name)} ${made.redactor.digestOf(principal.name) ?? ''}`.trim(),
    })),
    seed,
    nonce: made.nonce,
    budget: config.budget,
    limits: made.limits,
    partial: of.suites !== undefined || of.operations !== undefined,
    target: {
      baseUrl: made.reference ? 'reference' : (config.target.baseUrl ?? ''),
      environment,
      product,
      vendor,
      version,
    },
    startedAt: made.startedAt.toISOString(),
    throttling: {
      maxRequests: config.throttling.maxRequests,
      maxSeconds: config.throttling.maxSeconds,
      maxWaitSeconds: config.throttling.maxWaitSeconds,
    },
    hooks: [...config.hooks.keys()],
    waivers: config.waivers,
    environment: { node: process.version, platform: process.platform },
    selfTest: of.selfTest,
  };
}
