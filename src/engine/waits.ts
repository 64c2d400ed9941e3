import { type Contract, isDeclared, operationOf } from '../model/contract.ts';
import type { CarrierOfGuidance } from '../model/declaration.ts';
import type { Exchange, HttpResponse } from '../model/exchange.ts';
import { isAccepted, isThrottled } from '../model/response.ts';
import type { Wave } from '../model/scenario.ts';
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

/** Milliseconds that a wait lasts. */
export function waitOf(
  wait: Extract<Wave, { readonly wait: unknown }>['wait'],
  exchanges: readonly Exchange[],
  stage: Pick<Stage, 'settleMs' | 'maxWaitMs' | 'guidance' | 'contract'>,
): number {
  if (typeof wait === 'number') return wait;
  if (wait === 'settle') return stage.settleMs;
  // After a burst without a refusal there is nothing to wait for.
  const refused = exchanges.filter(
    (exchange) =>
      exchange.step === wait.guidance && exchange.answer !== undefined && !isServed(stage.contract, exchange),
  );
  const last = refused.findLast(({ answer }) => isThrottled(answer)) ?? refused.at(-1);
  if (last?.answer === undefined) return 0;
  // A limiter may say it with another status.
  const odd = !isThrottled(last.answer);
  const before = exchanges.filter(
    (exchange) =>
      exchange.ordinal === 0 &&
      (isThrottled(exchange.answer) || (odd && !isServed(stage.contract, exchange))),
  ).length;
  return Math.min(guidedWait(last.answer, last, { declared: stage.guidance, before }), stage.maxWaitMs);
}

/**
 * How long, in milliseconds, a poll pauses after its read number `ordinal` (from 0) of `max`. Pauses grow steadily; all
 * together they last the settling time.
 */
export function pollPause(ordinal: number, max: number, settleMs: number): number {
  const pauses = Math.max(1, max - 1);
  return Math.max(20, (settleMs * (ordinal + 1)) / ((pauses * (pauses + 1)) / 2));
}

/** Milliseconds that a scenario waits whatever the target returns. */
export function forcedWait(waves: readonly Wave[], settleMs: number): number {
  return waves.reduce((sum, wave) => {
    if (!('wait' in wave)) return sum;
    return sum + (wave.wait === 'settle' ? settleMs : typeof wave.wait === 'number' ? wave.wait : 0);
  }, 0);
}
