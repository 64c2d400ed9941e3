import type { Answer, Exchange } from '../model/exchange.ts';
import { isThrottled } from '../model/response.ts';
import type { Wave } from '../model/scenario.ts';
import { type DeclaredGuidance, guidanceOf, honouredWait } from '../oracle/guidance.ts';
import type { Stage } from './stage.ts';

/** A rest where a limiter gives no guidance. */
const restMs = 5000;

/** How long, in milliseconds, a throttled client waits that honours what `answer` tells. */
export function guidedWait(
  answer: Answer,
  exchange: Pick<Exchange, 'time' | 'startedAt' | 'endedAt'>,
  declared: DeclaredGuidance | undefined,
): number {
  const received = Date.parse(exchange.time) + exchange.endedAt - exchange.startedAt;
  const guidance = guidanceOf(answer, received, declared);
  return guidance.wait === undefined ? restMs : honouredWait(guidance);
}

/** How long, in milliseconds, a wave of waiting lasts. */
export function waitOf(
  wait: Extract<Wave, { readonly wait: unknown }>['wait'],
  exchanges: readonly Exchange[],
  stage: Pick<Stage, 'settleMs' | 'maxWaitMs' | 'guidance'>,
): number {
  if (typeof wait === 'number') return wait;
  if (wait === 'settle') return stage.settleMs;
  const throttled = exchanges.findLast(
    (exchange) => exchange.step === wait.guidance && isThrottled(exchange.answer),
  );
  const refused = throttled ?? exchanges.findLast((exchange) => exchange.step === wait.guidance);
  return Math.min(
    refused?.answer === undefined ? restMs : guidedWait(refused.answer, refused, stage.guidance),
    stage.maxWaitMs,
  );
}
