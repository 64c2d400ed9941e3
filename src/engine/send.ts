import { operationOf } from '../model/contract.ts';
import {
  type Bindings,
  type EarlierRequest,
  type Exchange,
  type HeaderList,
  type HookResult,
  isDropped,
  type Trace,
} from '../model/exchange.ts';
import { valueAt } from '../model/json.ts';
import { ownValue, type PrincipalName } from '../model/principal.ts';
import type { Ref } from '../model/ref.ts';
import { isThrottled } from '../model/response.ts';
import type { Step } from '../model/scenario.ts';
import type { WireOutcome } from '../model/wire.ts';
import { noteAccepted } from './accepted-commands.ts';
import { type Binder, makeBinder } from './bind.ts';
import { type Composed, compose, type RequestContext } from './compose.ts';
import type { Landing } from './governor.ts';
import type { Rest } from './lanes.ts';
import { receptionOf } from './reception.ts';
import { resolve } from './resolve.ts';
import type { Sender } from './rooms.ts';
import { sameRequestBefore } from './same-request.ts';
import type { AttemptOf, Stage } from './stage.ts';
import { withoutSigningTrouble } from './unsigned.ts';
import { noteUsed } from './used-versions.ts';
import { guidedWait } from './waits.ts';

export type AttemptState = {
  readonly stage: Stage;
  readonly of: AttemptOf;
  readonly keys: Record<string, string>;
  readonly markers: Record<string, string>;
  readonly chosen: Readonly<Record<string, string>>;
  readonly exchanges: Exchange[];
  readonly hooks: Record<string, HookResult>;
  readonly binder: Binder;
  readonly rest: Rest;
  /** Milliseconds of waiting that lie ahead whatever the target returns. */
  ahead: number;
  /** When it began, or went on after a wait. */
  since: number;
  /** That of its trace: the lower, the earlier it began. */
  readonly number: number;
  hookedAt?: number;
  ended: Trace['ended'];
};

/** Sends a step, again after each 429 while retries last and after a lost read, and records what was seen. */
export async function runStep(
  state: AttemptState,
  step: Step | undefined,
  ordinal = 0,
  names?: Bindings,
  before: readonly EarlierRequest[] = [],
): Promise<Exchange | undefined> {
  if (step === undefined) return undefined;
  const { stage } = state;
  const request = prepare(state, step, names ?? state);
  if ('missing' in request) {
    await unsent(state, step, request.missing, ordinal);
    return undefined;
  }
  const earlier: EarlierRequest[] = [...before];
  const paced = step.deviations.some((deviation) => deviation.kind === 'pace');
  for (;;) {
    const landing = await admitted(state, [step], paced);
    if (landing === undefined) return undefined;
    // Others may have waited in vain while this one waited for its turn.
    const vain = earlier.length === 0 ? vainly(state, step) : undefined;
    if (vain !== undefined) {
      landing([]);
      await unsent(state, step, vain, ordinal);
      return undefined;
    }
    const called = stage.clock.wall();
    const outcome = withoutSigningTrouble(step, await stage.wire.send(request, stage.signal));
    const { wall = called } = outcome;
    landing(paced ? [] : [receptionOf(stage, outcome, wall, earlier)]);
    if (!paced && stage.vain?.note(step, outcome, earlier[0]?.startedAt) === true) stage.governor.forget();
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
    const more = paced ? undefined : throttledBy(state, step, outcome, wall, earlier.length);
    if (more === undefined) return finish(state, step, ordinal, request, outcome, earlier, wall);
    earlier.push(more);
  }
}

/** A request that was throttled, where it is sent again after the wait that the target asks for. */
function throttledBy(
  state: AttemptState,
  step: Step,
  { answer, startedAt, endedAt }: WireOutcome,
  wall: number,
  before: number,
): EarlierRequest | undefined {
  const { stage } = state;
  if (answer === undefined || !isThrottled(answer) || before >= stage.retries) return undefined;
  if (vainly(state, step) !== undefined) return undefined;
  const exchange = { startedAt, endedAt, time: new Date(wall).toISOString() };
  const wait = guidedWait(answer, exchange, { declared: stage.guidance, before });
  if (wait > stage.maxWaitMs) return undefined;
  return { answer, noAnswer: undefined, startedAt, endedAt, waited: wait };
}

/** Takes the requests off the budget once they may be sent; undefined ends the attempt. */
async function admitted(
  state: AttemptState,
  steps: readonly Step[],
  exempt: boolean,
): Promise<Landing | undefined> {
  const { ahead, number, rest, since, stage } = state;
  const away = exempt ? undefined : stage.away?.();
  if (away !== undefined) await rest(() => away);
  const senders = steps.map((step) => senderOf(stage, step));
  const landing = await stage.governor.admit({ senders, exempt, ahead, since, number, rest }, stage.signal);
  const spend = ({ as }: Step): boolean => stage.spending.spend(exempt ? undefined : as);
  if (landing !== undefined && steps.every(spend)) return landing;
  landing?.([]);
  state.ended = landing === undefined && stage.signal.aborted ? 'interrupted' : 'budget';
  return undefined;
}

function senderOf({ contract }: Stage, { as, delay, operation }: Step): Sender {
  const { kind } = operationOf(contract, operation);
  return { principal: as, operation, kind, delayed: delay !== undefined };
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
    isDropped(noAnswer) &&
    earlier.every((one) => one.noAnswer === undefined)
  );
}

type Prepared = { readonly step: Step; readonly request: Composed };

export async function runTogether(state: AttemptState, steps: readonly Step[]): Promise<void> {
  const { stage } = state;
  const prepared: Prepared[] = [];
  for (const step of steps) {
    const request = prepare(state, step, state);
    if ('missing' in request) await unsent(state, step, request.missing);
    else prepared.push({ step, request });
  }
  // What meets a limit on purpose does not wait for it.
  const exempt = prepared.every(({ step }) => step.deviations.some(({ kind }) => kind === 'pace'));
  const whole = exempt || prepared.some(({ step }) => step.delay !== undefined);
  // What only prepares need not be sent at the same moment: then it would fill a small limit before its time.
  if (!whole && prepared.every(({ step }) => step.role === 'setup')) return runInTurn(state, prepared);
  // A target that is known to refuse so many at once gets as many as it takes.
  for (let left: readonly Prepared[] = prepared; left.length > 0 && state.ended === 'complete'; ) {
    const senders = left.map(({ step }) => senderOf(stage, step));
    const count = whole ? left.length : stage.governor.atOnce(senders);
    await runPart(state, left.slice(0, count), exempt);
    left = left.slice(count);
  }
}

/** Sends each when its turn comes, without waiting for the responses to those before it; then what was throttled again. */
async function runInTurn(state: AttemptState, prepared: readonly Prepared[]): Promise<void> {
  const sending: Promise<void>[] = [];
  const failures: unknown[] = [];
  const again: { readonly step: Step; readonly earlier: EarlierRequest }[] = [];
  for (const one of prepared) {
    const landing = await admitted(state, [one.step], false);
    if (landing === undefined) break;
    const part = sendPart(state, [one], landing, false, (step, earlier) => again.push({ step, earlier }));
    sending.push(part.catch((error: unknown) => void failures.push(error)));
  }
  await Promise.all(sending);
  if (failures.length > 0) throw failures[0];
  for (const { step, earlier } of again)
    if (state.ended === 'complete') await runStep(state, step, 0, undefined, [earlier]);
}

async function runPart(state: AttemptState, prepared: readonly Prepared[], exempt: boolean): Promise<void> {
  const landing = await admitted(
    state,
    prepared.map(({ step }) => step),
    exempt,
  );
  if (landing !== undefined) await sendPart(state, prepared, landing, exempt);
}

async function sendPart(
  state: AttemptState,
  prepared: readonly Prepared[],
  landing: Landing,
  exempt: boolean,
  sendAgain?: (step: Step, earlier: EarlierRequest) => void,
): Promise<void> {
  const { stage } = state;
  const called = stage.clock.wall();
  const isDelayed = prepared.some(({ step }) => step.delay !== undefined);
  const outcomes =
    isDelayed || prepared.length === 1
      ? await Promise.all(
          prepared.map(async ({ step, request }, number) => {
            if (step.delay !== undefined) {
              await stage.clock.sleep(step.delay, stage.signal);
              landing.sent(number);
            }
            const outcome = await stage.wire.send(request, stage.signal);
            if (isDelayed) landing.ended(number);
            return outcome;
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
  landing(ended.map(({ outcome }) => receptionOf(stage, outcome, outcome.wall ?? called, [])));
  for (const { step, request, outcome } of ended.toSorted(
    (one, other) => one.outcome.endedAt - other.outcome.endedAt,
  )) {
    if (!exempt) stage.vain?.note(step, outcome);
    const { wall = called } = outcome;
    const more = sendAgain && throttledBy(state, step, outcome, wall, 0);
    if (more === undefined) await finish(state, step, 0, request, outcome, [], wall);
    else sendAgain?.(step, more);
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
  const vain = vainly(state, step);
  if (vain !== undefined) return { missing: vain };
  const issued =
    step.bearer === undefined ? undefined : valueAt(state.hooks[step.bearer.hook]?.output, '/token');
  if (step.bearer !== undefined && typeof issued !== 'string')
    return { missing: lacking(`the token that the hook of '${step.bearer.hook}' was to issue`) };
  const token = typeof issued === 'string' ? issued : (stage.tokens.get(step.as) ?? '');
  const around: RequestContext = {
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
  };
  const tokens = [...stage.tokens.values()];
  const made = compose(step, around);
  // A changed token may be that of another principal.
  const isTaken = !('missing' in made) && made.derivedSecrets.some((secret) => tokens.includes(secret));
  const composed = isTaken ? compose({ ...step, token: 'prefixed' }, around) : made;
  if ('missing' in composed) return { missing: lacking(composed.missing) };
  for (const secret of composed.derivedSecrets)
    if (secret.length >= 8) stage.redaction.add(`${step.as} ${step.token ?? 'variant'}`, secret);
  const first = sameRequestBefore(state.exchanges, step, composed);
  return first === undefined ? composed : { missing: `it would be the same request as '${first}'` };
}

const notSent = 'not sent: ';

/** The hook that an attempt owes what a step lacks: one that the step names, or that what it refers to was not sent for. */
function brokenHook(state: AttemptState, step: Step): string | undefined {
  const refs: readonly Ref[] = [
    ...Object.values(step.target ?? {}),
    ...(step.verification?.use === 'hook' ? [{ step: step.verification.step, at: '/verification' }] : []),
    ...(step.version?.use === 'of' ? [step.version.ref] : []),
    ...(step.bearer === undefined ? [] : [{ step: step.bearer.hook, at: '/token' }]),
  ];
  const waves = state.of.scenario.waves.flatMap((wave) => ('when' in wave ? [wave, ...wave.waves] : [wave]));
  for (const ref of refs) {
    if (!('step' in ref) || resolve(state, ref) !== undefined) continue;
    const called = waves.find((wave) => 'hook' in wave && wave.as === ref.step);
    const result = state.hooks[ref.step];
    if (called !== undefined && 'hook' in called && result !== undefined)
      return `the hook '${called.hook}' ${result.ok ? `gives no ${'at' in ref ? ref.at : 'value'}` : 'failed'} (${result.detail})`;
    const before = state.exchanges.findLast((one) => one.step === ref.step)?.noAnswer;
    if (before?.detail.startsWith(`${notSent}the hook `) === true) return before.detail.slice(notSent.length);
  }
  return undefined;
}

function lacking(missing: string): string {
  return `an earlier response does not give ${missing}`;
}

/** Why a step is not sent whose operation is given up: the suite that meets limits on purpose does not mind a 429. */
function vainly({ of, stage }: AttemptState, { operation }: Step): string | undefined {
  const reason = stage.vain?.reason(operation);
  return reason?.was === 'throttled' && of.suite === 'throttling' ? undefined : reason?.text;
}

/** Records a step that was not sent, and why. */
async function unsent(state: AttemptState, step: Step, why: string, ordinal = 0): Promise<void> {
  const { clock } = state.stage;
  const now = clock.monotonic();
  const detail = `${notSent}${brokenHook(state, step) ?? why}`;
  const outcome: WireOutcome = {
    answer: undefined,
    noAnswer: { reason: 'harness', detail, partial: undefined },
    connection: -1,
    startedAt: now,
    sentAt: undefined,
    endedAt: now,
  };
  await finish(state, step, ordinal, undefined, outcome, [], clock.wall());
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
    noteUsed(stage.usedVersions, stage.contract, step, exchange, state.exchanges, stage.clock.monotonic());
  if (stage.acceptedCommands !== undefined)
    noteAccepted(stage.acceptedCommands, stage.contract, step, exchange);
  await stage.record(exchange);
  return exchange;
}
