import type { Clock } from '../model/clock.ts';
import { type Contract, operationOf } from '../model/contract.ts';
import type {
  Answer,
  Bindings,
  EarlierTry,
  Exchange,
  HeaderList,
  HookResult,
  Trace,
} from '../model/exchange.ts';
import { type Json, parseJson, valueAt } from '../model/json.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Ref, Scenario, Step, Wave } from '../model/scenario.ts';
import { guidanceOf, honouredWait } from '../oracle/guidance.ts';
import { bindingsOf, makeBinder } from './bind.ts';
import type { Spending } from './budget.ts';
import { type Composed, compose } from './compose.ts';
import type { Governor } from './governor.ts';

/** What the engine asks of the wire. It never rejects: trouble is an outcome. */
export type Wire = {
  readonly send: (request: WireRequest, signal?: AbortSignal) => Promise<WireOutcome>;
  readonly sendTogether: (
    requests: readonly WireRequest[],
    signal?: AbortSignal,
  ) => Promise<readonly WireOutcome[]>;
};
export type WireRequest = Pick<Composed, 'method' | 'path' | 'headers' | 'body' | 'transport'>;
export type WireOutcome = Pick<
  Exchange,
  'answer' | 'noAnswer' | 'connection' | 'startedAt' | 'sentAt' | 'endedAt'
>;

/** Redacts what goes into the record, and learns of secrets that the harness itself derived. */
export type Redaction = {
  readonly text: (text: string) => string;
  readonly add: (name: string, secret: string) => void;
};

export type RunHook = (name: string, input: Readonly<Record<string, Json>>) => Promise<HookResult>;

/** All that attempts share in a run. */
export type Stage = {
  readonly contract: Contract;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly governor: Governor;
  readonly spending: Spending;
  readonly redaction: Redaction;
  readonly tokens: ReadonlyMap<PrincipalName, string>;
  readonly basePath: string;
  readonly extraHeaders: HeaderList;
  readonly nonce: string;
  /** Settling time of reads in milliseconds (open point G15). */
  readonly settleMs: number;
  /** How often a throttled request is sent again. */
  readonly retries: number;
  readonly maxWaitMs: number;
  readonly hook: RunHook;
  readonly nextExchange: () => string;
  /** Receives each exchange as it ends. */
  readonly record: (exchange: Exchange) => void | Promise<void>;
  readonly signal: AbortSignal;
};

export type AttemptOf = Omit<Trace, 'scenario' | 'bound' | 'exchanges' | 'hooks' | 'effects' | 'ended'> & {
  readonly scenario: Scenario;
};

/** Sends a scenario once, with names bound freshly, and returns what was seen. */
export async function attempt(stage: Stage, of: AttemptOf): Promise<Trace> {
  const binder = makeBinder(stage.nonce, `${of.suite} ${of.probe} ${of.caseIndex} ${of.id}`, of.attempt);
  const first = bindingsOf(of.scenario, binder);
  const state: State = {
    stage,
    of,
    keys: { ...first.keys },
    markers: { ...first.markers },
    exchanges: [],
    hooks: {},
    ended: 'complete',
    binder,
  };
  await runWaves(state, of.scenario.waves);
  return {
    ...of,
    bound: { keys: state.keys, markers: state.markers },
    exchanges: state.exchanges,
    hooks: state.hooks,
    effects: undefined,
    ended: state.ended,
  };
}

type State = {
  readonly stage: Stage;
  readonly of: AttemptOf;
  readonly keys: Record<string, string>;
  readonly markers: Record<string, string>;
  readonly exchanges: Exchange[];
  readonly hooks: Record<string, HookResult>;
  readonly binder: ReturnType<typeof makeBinder>;
  ended: Trace['ended'];
};

async function runWaves(state: State, waves: readonly Wave[]): Promise<void> {
  for (const wave of waves) {
    if (state.ended !== 'complete') return;
    if (state.stage.signal.aborted) {
      state.ended = 'interrupted';
      return;
    }
    await runWave(state, wave);
  }
}

async function runWave(state: State, wave: Wave): Promise<void> {
  const { stage } = state;
  if ('steps' in wave)
    await (wave.steps.length === 1 ? runStep(state, wave.steps[0]) : runTogether(state, wave.steps));
  else if ('wait' in wave) await stage.clock.sleep(waitOf(state, wave.wait), stage.signal);
  else if ('repeat' in wave) await runBurst(state, wave);
  else if ('poll' in wave) await runPoll(state, wave);
  else if ('hook' in wave)
    state.hooks[wave.as] = await stage.hook(wave.hook, resolvedInput(state, wave.input));
  else {
    const last = state.exchanges.findLast((exchange) => exchange.step === wave.when.step);
    const accepted = isSuccess(last?.answer);
    if (last !== undefined && (wave.when.was === 'accepted') === accepted) await runWaves(state, wave.waves);
  }
}

function waitOf(state: State, wait: Extract<Wave, { readonly wait: unknown }>['wait']): number {
  if (typeof wait === 'number') return wait;
  if (wait === 'settle') return state.stage.settleMs;
  const throttled = state.exchanges.findLast(
    (exchange) => exchange.step === wait.guidance && exchange.answer?.status === 429,
  );
  const refused = throttled ?? state.exchanges.findLast((exchange) => exchange.step === wait.guidance);
  return Math.min(
    refused?.answer === undefined ? restMs : guidedWait(refused.answer, refused),
    state.stage.maxWaitMs,
  );
}

/** A rest where a limiter gives no guidance. */
const restMs = 5000;

function guidedWait(answer: Answer, exchange: Pick<Exchange, 'time' | 'startedAt' | 'endedAt'>): number {
  const guidance = guidanceOf(answer, Date.parse(exchange.time) + exchange.endedAt - exchange.startedAt);
  return guidance.wait === undefined ? restMs : honouredWait(guidance);
}

function isSuccess(answer: Answer | undefined): boolean {
  return answer !== undefined && answer.status >= 200 && answer.status < 300;
}

function resolve(state: State, ref: Ref): string | undefined {
  if ('literal' in ref) return ref.literal;
  const exchange = state.exchanges.findLast((one) => one.step === ref.step);
  if ('header' in ref)
    return exchange?.answer?.headers.find(([name]) => name.toLowerCase() === ref.header.toLowerCase())?.[1];
  const root =
    exchange === undefined
      ? state.hooks[ref.step]?.output
      : isSuccess(exchange.answer)
        ? parseJson(exchange.answer?.body ?? '')
        : undefined;
  const value = valueAt(root, ref.at);
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined;
}

/** Input of a hook, with `ref:step#/pointer` replaced by what the answer of that step holds. */
function resolvedInput(state: State, input: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (typeof value !== 'string') return [name, value];
      const ref = /^ref:([^#@]+)(?:#(.*)|@(.*))$/.exec(value);
      const key = /^key:(.+)$/.exec(value);
      if (key !== null) return [name, state.keys[key[1] ?? ''] ?? value];
      if (ref === null) return [name, value];
      const [, step = '', at, header] = ref;
      return [name, resolve(state, at !== undefined ? { step, at } : { step, header: header ?? '' }) ?? null];
    }),
  );
}

function prepare(state: State, step: Step, bound: Bindings): Composed | { readonly missing: string } {
  const { stage, of } = state;
  const issued =
    step.bearer === undefined ? undefined : valueAt(state.hooks[step.bearer.hook]?.output, '/token');
  if (step.bearer !== undefined && typeof issued !== 'string')
    return { missing: `the token that the hook of '${step.bearer.hook}' was to issue` };
  const token = typeof issued === 'string' ? issued : (stage.tokens.get(step.as) ?? '');
  const composed = compose(step, {
    operation: operationOf(stage.contract, step.operation),
    scenario: of.scenario,
    bound,
    token,
    basePath: stage.basePath,
    extraHeaders: stage.extraHeaders,
    random: state.binder(`token ${step.id}`).key.replaceAll('-', ''),
    resolve: (ref) => resolve(state, ref),
  });
  if (!('missing' in composed))
    for (const secret of composed.derivedSecrets)
      if (secret.length >= 8) stage.redaction.add(`${step.as}_${step.token ?? 'variant'}`, secret);
  return composed;
}

async function runStep(
  state: State,
  step: Step | undefined,
  ordinal = 0,
  names?: Bindings,
): Promise<Exchange | undefined> {
  if (step === undefined) return undefined;
  const { stage } = state;
  const request = prepare(state, step, names ?? state);
  if ('missing' in request) {
    await finish(
      state,
      step,
      ordinal,
      undefined,
      missingOutcome(stage, request.missing),
      [],
      stage.clock.wall(),
    );
    return undefined;
  }
  const earlier: EarlierTry[] = [];
  const paced = step.deviations.some((deviation) => deviation.kind === 'pace');
  for (;;) {
    if (!(paced || (await stage.governor.admit(step.as, stage.signal)))) {
      state.ended = stage.signal.aborted ? 'interrupted' : 'budget';
      return undefined;
    }
    if (!stage.spending.spend()) {
      state.ended = 'budget';
      return undefined;
    }
    const wall = stage.clock.wall();
    const outcome = await stage.wire.send(request, stage.signal);
    const throttled = outcome.answer?.status === 429;
    if (!throttled || paced || earlier.length >= stage.retries)
      return finish(state, step, ordinal, request, outcome, earlier, wall);
    const wait = guidedWait(outcome.answer, { ...outcome, time: new Date(wall).toISOString() });
    if (wait > stage.maxWaitMs) return finish(state, step, ordinal, request, outcome, earlier, wall);
    stage.governor.throttled(step.as, wait, outcome.startedAt);
    earlier.push({
      answer: redactedAnswer(stage, outcome.answer),
      noAnswer: undefined,
      startedAt: outcome.startedAt,
      endedAt: outcome.endedAt,
      waited: wait,
    });
  }
}

function missingOutcome(stage: Stage, missing: string): WireOutcome {
  const now = stage.clock.monotonic();
  return {
    answer: undefined,
    noAnswer: {
      reason: 'harness',
      detail: `not sent: an earlier answer does not give ${missing}`,
      partial: undefined,
    },
    connection: -1,
    startedAt: now,
    sentAt: undefined,
    endedAt: now,
  };
}

async function runTogether(state: State, steps: readonly Step[]): Promise<void> {
  const { stage } = state;
  const prepared: { readonly step: Step; readonly request: Composed }[] = [];
  for (const step of steps) {
    const request = prepare(state, step, state);
    if ('missing' in request)
      await finish(state, step, 0, undefined, missingOutcome(stage, request.missing), [], stage.clock.wall());
    else if (!(await stage.governor.admit(step.as, stage.signal)) || !stage.spending.spend()) {
      state.ended = stage.signal.aborted ? 'interrupted' : 'budget';
      return;
    } else prepared.push({ step, request });
  }
  const wall = stage.clock.wall();
  const outcomes = prepared.some(({ step }) => step.delay !== undefined)
    ? await Promise.all(
        prepared.map(async ({ step, request }) => {
          if (step.delay !== undefined) await stage.clock.sleep(step.delay, stage.signal);
          return stage.wire.send(request, stage.signal);
        }),
      )
    : await stage.wire.sendTogether(
        prepared.map(({ request }) => request),
        stage.signal,
      );
  const ended = prepared.flatMap(({ step, request }, index) => {
    const outcome = outcomes[index];
    return outcome === undefined ? [] : [{ step, request, outcome }];
  });
  for (const { step, request, outcome } of ended.sort(
    (one, other) => one.outcome.endedAt - other.outcome.endedAt,
  )) {
    if (outcome.answer?.status === 429)
      stage.governor.throttled(
        step.as,
        Math.min(
          stage.maxWaitMs,
          guidedWait(outcome.answer, { ...outcome, time: new Date(wall).toISOString() }),
        ),
        outcome.startedAt,
      );
    await finish(state, step, 0, request, outcome, [], wall);
  }
}

/** Sends a step as fast as `width` connections allow, each time with names of its own. */
async function runBurst(state: State, wave: Extract<Wave, { readonly repeat: Step }>): Promise<void> {
  const { stage } = state;
  const expected = operationOf(stage.contract, wave.repeat.operation).success.status;
  const start = stage.clock.monotonic();
  let next = 0;
  let refusals = 0;
  let firstRefused: number | undefined;
  let amidstSent = wave.amidst === undefined;
  const more = (): boolean =>
    next < wave.max &&
    refusals <= wave.after &&
    stage.clock.monotonic() - start < wave.maxSeconds * 1000 &&
    !stage.signal.aborted &&
    !stage.spending.over();
  const lane = async (): Promise<void> => {
    while (more()) {
      next += 1;
      const ordinal = next;
      const names = burstNames(state, wave.repeat, ordinal);
      const exchange = await runStep(state, wave.repeat, ordinal, names);
      if (exchange?.answer !== undefined && exchange.answer.status !== expected) {
        refusals += 1;
        if (firstRefused === undefined || exchange.answer.status === 429) firstRefused ??= ordinal;
        if (!amidstSent) {
          amidstSent = true;
          await runStep(state, wave.amidst);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: wave.width }, lane));
  // What comes after speaks of the first refused request by the plain name.
  const throttled =
    state.exchanges.find((exchange) => exchange.step === wave.repeat.id && exchange.answer?.status === 429)
      ?.ordinal ??
    firstRefused ??
    next;
  for (const [own, from] of [
    [state.keys, keyOf(wave.repeat)],
    [state.markers, wave.repeat.body.use === 'none' ? undefined : wave.repeat.body.name],
  ] as const) {
    const value = from === undefined ? undefined : own[`${from}#${throttled}`];
    if (from !== undefined && value !== undefined) own[from] = value;
  }
  if (stage.spending.over()) state.ended = 'budget';
}

function keyOf(step: Step): string | undefined {
  return step.key.use === 'named' ? step.key.name : undefined;
}

/** Names of the n-th request of a burst: `key#n` and `body#n`, which stand for the plain names in that request. */
function burstNames(state: State, step: Step, ordinal: number): Bindings {
  const key = keyOf(step);
  const body = step.body.use === 'none' ? undefined : step.body.name;
  const keys = { ...state.keys };
  const markers = { ...state.markers };
  if (key !== undefined) {
    const value = state.binder(`key ${key}#${ordinal}`).key;
    state.keys[`${key}#${ordinal}`] = value;
    keys[key] = value;
  }
  if (body !== undefined) {
    const value = state.binder(`body ${body}#${ordinal}`).marker;
    state.markers[`${body}#${ordinal}`] = value;
    markers[body] = value;
  }
  return { keys, markers };
}

async function runPoll(state: State, wave: Extract<Wave, { readonly poll: Step }>): Promise<void> {
  const pause = Math.max(50, state.stage.settleMs / Math.max(1, wave.max));
  for (let ordinal = 0; ordinal < wave.max; ordinal += 1) {
    const exchange = await runStep(state, wave.poll, ordinal);
    if (exchange === undefined || isSuccess(exchange.answer) === (wave.until === 'found')) return;
    await state.stage.clock.sleep(pause, state.stage.signal);
  }
}

function redactedAnswer(stage: Stage, answer: Answer): Answer {
  const { text } = stage.redaction;
  return {
    ...answer,
    headers: answer.headers.map(([name, value]) => [text(name), text(value)] as const),
    body: text(answer.body),
  };
}

async function finish(
  state: State,
  step: Step,
  ordinal: number,
  request: Composed | undefined,
  outcome: WireOutcome,
  earlier: readonly EarlierTry[],
  wall: number,
): Promise<Exchange> {
  const { stage, of } = state;
  const { text } = stage.redaction;
  const answer = outcome.answer === undefined ? undefined : redactedAnswer(stage, outcome.answer);
  const exchange: Exchange = {
    id: stage.nextExchange(),
    trace: of.id,
    step: step.id,
    ordinal,
    operation: step.operation,
    principal: step.as,
    request: {
      method: request?.method ?? '',
      path: text(request?.path ?? ''),
      headers: (request?.headers ?? []).map(([name, value]) => [name, text(value)] as const),
      body: request?.body === undefined ? undefined : text(Buffer.from(request.body).toString()),
    },
    answer,
    noAnswer:
      outcome.noAnswer === undefined
        ? undefined
        : { ...outcome.noAnswer, detail: text(outcome.noAnswer.detail) },
    requestIds: (answer?.headers ?? [])
      .filter(([name]) => name.toLowerCase() === 'x-request-id')
      .map(([, value]) => value),
    connection: outcome.connection,
    earlier,
    startedAt: outcome.startedAt,
    sentAt: outcome.sentAt,
    endedAt: outcome.endedAt,
    time: new Date(wall).toISOString(),
  };
  state.exchanges.push(exchange);
  await stage.record(exchange);
  return exchange;
}
