import { operationOf } from '../model/contract.ts';
import type { Bindings, EarlierRequest, Exchange, HeaderList, HookResult, Trace } from '../model/exchange.ts';
import { valueAt } from '../model/json.ts';
import { ownValue, type PrincipalName } from '../model/principal.ts';
import { isThrottled } from '../model/response.ts';
import type { Step } from '../model/scenario.ts';
import type { WireOutcome } from '../model/wire.ts';
import { type Binder, makeBinder } from './bind.ts';
import { type Composed, compose } from './compose.ts';
import type { Rest } from './lanes.ts';
import { resolve } from './resolve.ts';
import type { AttemptOf, Stage } from './stage.ts';
import { withoutSigningTrouble } from './unsigned.ts';
import { noteUsed } from './used-versions.ts';
import { guidedWait } from './waits.ts';

/** An attempt while it goes on. */
export type AttemptState = {
  readonly stage: Stage;
  readonly of: AttemptOf;
  readonly keys: Record<string, string>;
  readonly markers: Record<string, string>;
  readonly chosen: Readonly<Record<string, string>>;
  readonly exchanges: Exchange[];
  readonly hooks: Record<string, HookResult>;
  readonly binder: Binder;
  /** Waits outside the lane. */
  readonly rest: Rest;
  /** Milliseconds of waiting that lie ahead whatever the target returns. */
  ahead: number;
  ended: Trace['ended'];
};

/** Sends a step, again after each 429 while retries last and after a lost read, and records what was seen. */
export async function runStep(
  state: AttemptState,
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
  const earlier: EarlierRequest[] = [];
  const paced = step.deviations.some((deviation) => deviation.kind === 'pace');
  for (;;) {
    if (!(paced || (await admitted(state, step.as, 1)))) {
      state.ended = stage.signal.aborted ? 'interrupted' : 'budget';
      return undefined;
    }
    if (!stage.spending.spend()) {
      state.ended = 'budget';
      return undefined;
    }
    const called = stage.clock.wall();
    const outcome = withoutSigningTrouble(step, await stage.wire.send(request, stage.signal));
    const { wall = called } = outcome;
    if (!paced && earlier.length < stage.retries && lostRead(step, request, outcome, earlier)) {
      earlier.push({
        answer: undefined,
        noAnswer: outcome.noAnswer,
        startedAt: outcome.startedAt,
        endedAt: outcome.endedAt,
        waited: 0,
      });
      continue;
    }
    const { answer } = outcome;
    if (answer === undefined || !isThrottled(answer) || paced || earlier.length >= stage.retries)
      return finish(state, step, ordinal, request, outcome, earlier, wall);
    const wait = guidedWait(
      answer,
      { ...outcome, time: new Date(wall).toISOString() },
      { declared: stage.guidance, before: earlier.length },
    );
    if (wait > stage.maxWaitMs) return finish(state, step, ordinal, request, outcome, earlier, wall);
    stage.governor.throttled(step.as, wait, outcome.startedAt);
    earlier.push({
      answer,
      noAnswer: undefined,
      startedAt: outcome.startedAt,
      endedAt: outcome.endedAt,
      waited: wait,
    });
  }
}

async function admitted(
  { stage, ahead, rest }: AttemptState,
  principal: PrincipalName,
  requests: number,
): Promise<boolean> {
  const away = stage.away?.();
  if (away !== undefined) await rest(() => away);
  return stage.governor.admit({ principal, requests, ahead, rest }, stage.signal);
}

/** A read whose connection was lost once: it has no effect, so it may be sent again, which shows more than silence. */
function lostRead(
  step: Step,
  request: Composed,
  { noAnswer }: WireOutcome,
  earlier: readonly EarlierRequest[],
): boolean {
  return (
    request.method === 'GET' &&
    (step.transport ?? 'pooled') === 'pooled' &&
    (noAnswer?.reason === 'reset' || noAnswer?.reason === 'closed') &&
    earlier.every((one) => one.noAnswer === undefined)
  );
}

/** Sends steps at once. */
export async function runTogether(state: AttemptState, steps: readonly Step[]): Promise<void> {
  const { stage } = state;
  const prepared: { readonly step: Step; readonly request: Composed }[] = [];
  for (const step of steps) {
    const request = prepare(state, step, state);
    if ('missing' in request)
      await finish(state, step, 0, undefined, missingOutcome(stage, request.missing), [], stage.clock.wall());
    else prepared.push({ step, request });
  }
  // What meets a limit on purpose does not wait for it.
  const paced = prepared.filter(({ step }) => step.deviations.every(({ kind }) => kind !== 'pace'));
  for (const principal of new Set(paced.map(({ step }) => step.as)))
    if (!(await admitted(state, principal, paced.filter(({ step }) => step.as === principal).length))) {
      state.ended = stage.signal.aborted ? 'interrupted' : 'budget';
      return;
    }
  if (!prepared.every(() => stage.spending.spend())) {
    state.ended = 'budget';
    return;
  }
  const called = stage.clock.wall();
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
    return outcome === undefined ? [] : [{ step, request, outcome: withoutSigningTrouble(step, outcome) }];
  });
  for (const { step, request, outcome } of ended.sort(
    (one, other) => one.outcome.endedAt - other.outcome.endedAt,
  )) {
    const { answer, wall = called } = outcome;
    if (answer !== undefined && isThrottled(answer))
      // The rest began when it came, and others of the wave may have taken longer.
      stage.governor.throttled(
        step.as,
        Math.min(
          stage.maxWaitMs,
          guidedWait(
            answer,
            { ...outcome, time: new Date(wall).toISOString() },
            { declared: stage.guidance, before: 0 },
          ),
        ) -
          (stage.clock.monotonic() - outcome.endedAt),
        outcome.startedAt,
      );
    await finish(state, step, 0, request, outcome, [], wall);
  }
}

function headersFor({ extraHeaders, principalHeaders }: Stage, principal: PrincipalName): HeaderList {
  const own = Object.entries(principalHeaders?.get(principal) ?? {});
  if (own.length === 0) return extraHeaders;
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  return [...extraHeaders.filter(([name]) => !names.has(name.toLowerCase())), ...own];
}

function prepare(state: AttemptState, step: Step, bound: Bindings): Composed | { readonly missing: string } {
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
    extraHeaders: headersFor(stage, step.as),
    // One for all steps: what is redacted must not grow with the run.
    random:
      step.token === 'unknown'
        ? makeBinder(stage.nonce, 'unknown token', 0)(step.as).key.replaceAll('-', '')
        : '',
    resolve: (ref) => resolve(state, ref),
    own: (parameter) => ownValue(stage.principals ?? [], step.within ?? step.as, parameter),
  });
  if (!('missing' in composed))
    for (const secret of composed.derivedSecrets)
      if (secret.length >= 8) stage.redaction.add(`${step.as} ${step.token ?? 'variant'}`, secret);
  return composed;
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

async function finish(
  state: AttemptState,
  step: Step,
  ordinal: number,
  request: Composed | undefined,
  outcome: WireOutcome,
  earlier: readonly EarlierRequest[],
  wall: number,
): Promise<Exchange> {
  const { stage, of } = state;
  const { answer } = outcome;
  const exchange = stage.redaction.exchange({
    id: stage.nextExchange(),
    trace: of.id,
    step: step.id,
    ordinal,
    operation: step.operation,
    principal: step.as,
    request: {
      method: request?.method ?? '',
      path: request?.path ?? '',
      headers: [...(request?.headers ?? []), ...(outcome.added ?? [])],
      body: request?.body === undefined ? undefined : Buffer.from(request.body).toString(),
    },
    answer,
    noAnswer: outcome.noAnswer,
    requestIds: (answer?.headers ?? [])
      .filter(([name]) => name.toLowerCase() === 'x-request-id')
      .map(([, value]) => value),
    connection: outcome.connection,
    earlier,
    startedAt: outcome.startedAt,
    sentAt: outcome.sentAt,
    endedAt: outcome.endedAt,
    time: new Date(wall).toISOString(),
  });
  state.exchanges.push(exchange);
  if (stage.usedVersions !== undefined)
    noteUsed(stage.usedVersions, stage.contract, step, exchange, state.exchanges);
  await stage.record(exchange);
  return exchange;
}
