import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { renewedToken } from '../config/tokens.ts';
import { bindingNonce, segmentPart, shardPart, sharedMark } from '../engine/bind.ts';
import { makeSpending } from '../engine/budget.ts';
import { makeGovernor } from '../engine/governor.ts';
import { knock, makePresence, type Presence } from '../engine/presence.ts';
import type { Stage } from '../engine/stage.ts';
import { makeStops } from '../engine/stops.ts';
import { makeVain } from '../engine/vain.ts';
import { type Gate, openGate } from '../evidence/gate.ts';
import { idPrefix } from '../evidence/shards.ts';
import type { Written } from '../evidence/write.ts';
import { makeLedger } from '../judge.ts';
import type { Clause } from '../model/clause.ts';
import type { Clock } from '../model/clock.ts';
import { settleMs } from '../model/declaration.ts';
import type { PrincipalName } from '../model/principal.ts';
import { makeContext } from '../oracle/context.ts';
import { runId } from '../report/make-report.ts';
import { type Ending, makeEnding } from './ending.ts';
import { keepFresh } from './fresh-tokens.ts';
import { headerSecrets } from './gateway.ts';
import { leftOf, limitsOf } from './limits.ts';
import { makeNotes, type Notes, newLog } from './notes.ts';
import { hookRunner, type OpenTarget } from './session.ts';
import { folderOf, idsOfShard, nonceOfRun, sharedInterval } from './shard.ts';
import { type SignedWire, signedWire } from './signed-wire.ts';
import { type LiveJudgement, makeTally, type Tally } from './tally.ts';
import { wireTarget } from './transport.ts';
import type { Work } from './work.ts';

/** A run whose evidence can be written and whose target can be reached. */
export type OpenRun = {
  readonly target: OpenTarget;
  readonly folder: string;
  readonly startedAt: Date;
  readonly nonce: string;
  /** Where the run goes on with one that was cut short. The first of them has the number 2; `at` is in milliseconds. */
  readonly segment: { readonly number: number; readonly salt: string; readonly at: number } | undefined;
  readonly gate: Gate;
  readonly notes: Notes;
  readonly tally: Tally;
  readonly ending: Ending;
  readonly wire: SignedWire;
  readonly presence: Presence;
  readonly stage: Stage;
  /** Begins the judgement of the run, once it is known which principals work. */
  readonly judge: (proven: Set<PrincipalName>) => Promise<LiveJudgement>;
  /** Writes the last line of the log; undefined where it cannot be written. */
  readonly close: (end: 'complete' | 'interrupted' | 'budget') => Promise<Written | undefined>;
};

/** @throws InputError where the evidence cannot be written, or a resumed run has spent its limits */
export async function openRun(target: OpenTarget, work: Work): Promise<OpenRun> {
  const { expiries, means, of, session, shard, tokens } = work;
  const { config } = session;
  const { clock } = means;
  const { resume } = of;
  const startedAt = new Date(resume?.header.startedAt ?? clock.wall());
  const { binding, nonce, segment } = identify(work, startedAt);
  const gate = openGate(
    [
      ...[...tokens].map(([name, value]) => ({ name, value })),
      ...headerSecrets(config),
      ...target.transport.secrets,
    ],
    nonce,
  );
  const folder =
    resume?.folder ??
    join(config.output, of.runName ?? folderOf(runId({ startedAt: startedAt.toISOString(), nonce }), shard));
  const log = await newLog(folder, means.openLog, resume?.earlier);
  const started = clockFrom(clock, segment?.at ?? 0);
  const left = leftOf(limitsOf(session), resume);
  const spending = makeSpending(clock, left);
  const ending = makeEnding(clock, work.signal, left.maxSeconds);
  keepFresh(expiries, {
    clock,
    signal: ending.over,
    renew: (name) => renewedToken(config, name, process.env),
    take: (name, token) => {
      // Redact it before anything can send it.
      gate.add(name, token);
      tokens.set(name, token);
    },
  });
  let live: LiveJudgement | undefined;
  const tally = makeTally({ live: () => live });
  const onEntry = of.cellsOnly === true ? () => undefined : tally.take;
  const notes = makeNotes(log, gate, onEntry, () => ending.end(), resume, idPrefix(shard));
  const wire = openSignedWire(target, work, { clock: started, gate, ending });
  const stops = makeStops();
  const waitMs = config.target.returnSeconds * 1000;
  const { pathname } = new URL(target.baseUrl);
  const presence = makePresence({
    clock: started,
    signal: ending.signal,
    waitMs,
    look: async () => (await wire.send(knock(pathname), ending.signal)).answer !== undefined,
    onAway: () =>
      of.onEvent?.(
        { kind: 'waiting', milliseconds: waitMs, why: 'at most for the target, which stopped responding' },
        spending.spent(),
      ),
    onSuspect: stops.saw,
    onGone: () => ending.end({ what: 'target stopped responding', before: presence.before() }),
  });
  const stage: Stage = {
    contract: session.contract,
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
    basePath: pathname.replace(/\/$/, ''),
    extraHeaders: Object.entries(config.target.headers),
    principalHeaders: config.principalHeaders,
    principals: config.principals,
    nonce: binding,
    ...(shard === undefined ? {} : { mark: sharedMark(nonce) }),
    takenIds: idsOfShard(shard),
    usedVersions: new Map(),
    acceptedCommands: new Map(),
    lastWrites: new Map(),
    settleMs: settleMs(config.declared),
    guidance: config.declared.G8.guidance,
    retries: 3,
    maxWaitMs: config.throttling.maxWaitSeconds * 1000,
    vain: makeVain(started, {
      maxWaitMs: config.throttling.maxWaitSeconds * 1000,
      timeoutMs: config.target.timeoutMs,
    }),
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
    signal: ending.signal,
  };
  return {
    target,
    folder,
    startedAt,
    nonce,
    segment,
    gate,
    notes,
    tally,
    ending,
    wire,
    presence,
    stage,
    judge: async (proven) => {
      live = judgementOf(work, proven, await means.clauses());
      return live;
    },
    close: (end) => notes.close(end, clock, Math.round(started.monotonic()), ending.cause()),
  };
}

/** What a run derives its names from: keys and markers of two runs, shards or segments never meet. */
function identify(
  { means: { clock }, of: { challenge, resume }, shard }: Work,
  startedAt: Date,
): Pick<OpenRun, 'nonce' | 'segment'> & { readonly binding: string } {
  const salt = (): string => randomBytes(16).toString('hex');
  const nonce = resume?.header.nonce ?? (shard === undefined ? salt() : nonceOfRun(shard.run));
  const segment =
    resume === undefined
      ? undefined
      : {
          number: resume.segments.length + 2,
          salt: salt(),
          at: Math.max(Math.ceil(resume.endedAt), clock.wall() - startedAt.getTime()),
        };
  const parts = [
    ...(shard === undefined ? [] : [shardPart(shard)]),
    ...(segment === undefined ? [] : [segmentPart(segment)]),
  ];
  return { nonce, segment, binding: bindingNonce(nonce, challenge, ...parts) };
}

/** One clock for the wire and the engine: milliseconds since the start of the run, earlier segments included. */
function clockFrom(clock: Clock, at: number): Clock {
  const zero = clock.monotonic() - at;
  return { ...clock, monotonic: () => clock.monotonic() - zero };
}

function openSignedWire(
  target: OpenTarget,
  { means, session: { config, contract } }: Work,
  { clock, gate, ending }: { readonly clock: Clock } & Pick<OpenRun, 'gate' | 'ending'>,
): SignedWire {
  const { origin } = new URL(target.baseUrl);
  const plain = means.openWire(wireTarget(config, target.transport, origin), clock, target.reference);
  const { signal } = ending;
  return signedWire(plain, target.signer, {
    origin,
    contract,
    clock,
    gate,
    signal,
    onBroken: () => ending.end(),
  });
}

function judgementOf(
  { session }: Work,
  proven: Set<PrincipalName>,
  clauses: readonly Clause[],
): LiveJudgement {
  const { config, contract, validators } = session;
  const { declared, principals } = config;
  const context = makeContext({ contract, declared, principals, proven }, validators);
  return { clauses, ledger: makeLedger({ clauses, context }), context, proven };
}
