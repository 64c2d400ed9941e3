import { type Contract, isDeclared, operationOf } from '../model/contract.ts';
import type { CarrierOfGuidance } from '../model/declaration.ts';
import type { Exchange, HttpResponse } from '../model/exchange.ts';
import { isAccepted, isThrottled } from '../model/response.ts';
import { type StepId, stepsOf, stepsOfWave, type Wave } from '../model/scenario.ts';
import { guidanceOf, honouredWait } from '../oracle/guidance.ts';
import type { Stage } from './stage.ts';

/** The first wait if a limiter gives no guidance; it doubles each time. */
const firstRestMs = 1000;

/** How long, in milliseconds, a throttled client waits that honours the guidance in `answer`; `before` counts the 429s before it. */
export function guidedWait(
  answer: HttpResponse,
  exchange: Pick<Exchange, 'time' | 'startedAt' | 'endedAt'>,
  { declared, before }: { readonly declared: CarrierOfGuidance | undefined; readonly before: number },
): number {
  const received = Date.parse(exchange.time) + exchange.endedAt - exchange.startedAt;
  const guidance = guidanceOf(answer, received, declared);
  return guidance.wait === undefined ? firstRestMs * 2 ** before : honouredWait(guidance);
}

/** Whether a request met at a fast pace was served: a limiter may report itself as a success that no contract declares. */
export function isServed(contract: Contract, { answer, operation }: Exchange): boolean {
  return isAccepted(answer) && isDeclared(operationOf(contract, operation), answer?.status ?? 0);
}

/**
 * Milliseconds that a wait still lasts; `hookedAt` is when the last hook of the scenario ended, `writtenAt` when the last command
 * before it that its first reads may still not show.
 */
export function waitOf(
  { since, wait }: Extract<Wave, { readonly wait: unknown }>,
  {
    exchanges,
    hookedAt,
    writtenAt,
  }: {
    readonly exchanges: readonly Exchange[];
    readonly hookedAt?: number | undefined;
    readonly writtenAt?: number | undefined;
  },
  stage: Pick<Stage, 'settleMs' | 'maxWaitMs' | 'guidance' | 'contract' | 'clock'>,
): number {
  const left = (whole: number, from: readonly number[]): number =>
    from.length === 0 ? whole : Math.max(0, whole + Math.max(...from) - stage.clock.monotonic());
  const endsOf = (wanted: (exchange: Exchange) => boolean): readonly number[] =>
    exchanges.filter(wanted).map(({ endedAt }) => endedAt);
  if (typeof wait === 'number')
    return left(
      wait,
      endsOf(({ step }) => step === since),
    );
  if (wait === 'settle' || wait === 'quiet')
    return left(stage.settleMs, [
      ...endsOf(({ operation }) => operationOf(stage.contract, operation).kind === 'command'),
      ...[hookedAt, writtenAt].flatMap((at) => at ?? []),
    ]);
  // After a burst without a refusal there is nothing to wait for.
  const refused = exchanges.filter(
    (exchange) =>
      exchange.step === wait.guidance && exchange.answer !== undefined && !isServed(stage.contract, exchange),
  );
  const last = refused.findLast(({ answer }) => isThrottled(answer)) ?? refused.at(-1);
  if (last?.answer === undefined) return 0;
  // A limiter may say it with another status, but one that served nothing before is hardly a limiter.
  const served = (exchange: Exchange): boolean => isServed(stage.contract, exchange);
  const odd =
    !isThrottled(last.answer) &&
    exchanges.some((exchange) => exchange.operation === last.operation && served(exchange));
  const times = timesRefused(
    exchanges.filter(
      (exchange) =>
        exchange.operation === last.operation && (isThrottled(exchange.answer) || (odd && !served(exchange))),
    ),
    last,
  );
  const guided = guidedWait(last.answer, last, { declared: stage.guidance, before: Math.max(0, times - 1) });
  // It counts from the response: what was refused with others has waited with them.
  const waited = Math.max(0, stage.clock.monotonic() - Math.max(...refused.map(({ endedAt }) => endedAt)));
  return Math.max(0, Math.min(guided, stage.maxWaitMs) - waited);
}

/** How often a client was refused until the last time: requests of a burst that were in flight together are one time. */
function timesRefused(refused: readonly Exchange[], last: Exchange): number {
  let [times, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { endedAt, startedAt } of refused.toSorted((one, other) => one.startedAt - other.startedAt)) {
    if (startedAt > last.startedAt) break;
    if (startedAt >= until) times += 1;
    until = Math.max(until, endedAt);
  }
  return times;
}

/** Milliseconds after read number `ordinal`: pauses grow steadily, and together last the settling time. */
export function pollPause(ordinal: number, max: number, settleMs: number): number {
  const pauses = Math.max(1, max - 1);
  return Math.max(20, (settleMs * (ordinal + 1)) / ((pauses * (pauses + 1)) / 2));
}

/** Milliseconds that a scenario waits whatever the target returns; `settled`: all that was written before it. */
export function forcedWait(
  waves: readonly Wave[],
  { contract, settleMs }: Pick<Stage, 'contract' | 'settleMs'>,
  settled = false,
): number {
  let waited = 0;
  let changed = settled ? -settleMs : undefined;
  const sent = new Map<StepId, number>();
  const left = (whole: number, from = waited): number => Math.max(0, whole + from - waited);
  for (const wave of waves) {
    const steps = 'when' in wave ? [] : stepsOfWave(wave);
    for (const { id } of steps) sent.set(id, waited);
    if ('hook' in wave || steps.some(({ operation }) => operationOf(contract, operation).kind === 'command'))
      changed = waited;
    if (!('wait' in wave)) continue;
    if (wave.wait === 'settle' || wave.wait === 'quiet') waited += left(settleMs, changed);
    else if (typeof wave.wait === 'number') waited += left(wave.wait, sent.get(wave.since ?? ''));
  }
  return waited;
}

/** Of requests that follow each other, each counts as so many milliseconds before it is known: a slow target takes as long. */
export const sequentialMs = 100;

/**
 * Milliseconds that a scenario waits after a wave, whatever the target returns. Where the next one began before, it may let
 * others go first (below zero) if what it sends takes much less than that.
 */
export function aheadAt(
  waves: readonly Wave[],
  index: number,
  stage: Pick<Stage, 'contract' | 'settleMs' | 'usualMs' | 'firstMs'>,
): number {
  const later = waves.slice(index + 1);
  const next = later.find((wave) => 'wait' in wave);
  if (next === undefined) return 0;
  const sent = new Set(waves.slice(0, index).flatMap((wave) => stepsOf([wave]).map(({ id }) => id)));
  if (next.since === undefined || !sent.has(next.since)) return forcedWait(later, stage);
  const requestMs = stage.usualMs?.() ?? stage.firstMs ?? sequentialMs;
  const sendingMs = requestMs * waves.filter((wave) => 'steps' in wave).length;
  return sendingMs < forcedWait([next], stage) / 2 ? -1 : 0;
}
