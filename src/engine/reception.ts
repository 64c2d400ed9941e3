import type { EarlierRequest } from '../model/exchange.ts';
import { isThrottled } from '../model/response.ts';
import type { WireOutcome } from '../model/wire.ts';
import type { Refused } from './governor.ts';
import type { Reception } from './rooms.ts';
import type { Stage } from './stage.ts';
import { guidedWait } from './waits.ts';

/** What a response says of the limits of the target; 503 with Retry-After shows one that 429 should report. */
export function receptionOf(
  stage: Stage,
  { answer, startedAt, endedAt }: WireOutcome,
  wall: number,
  earlier: readonly EarlierRequest[],
): Reception | Refused | undefined {
  if (answer === undefined) return undefined;
  // Most targets refuse who is not known before any limit.
  if (answer.status === 401) return earlier.some((one) => one.answer !== undefined) ? 'counted' : 'uncounted';
  if (isThrottled(answer)) {
    const exchange = { startedAt, endedAt, time: new Date(wall).toISOString() };
    const wait = guidedWait(answer, exchange, { declared: stage.guidance, before: earlier.length });
    // The rest began when it came, and others of its wave may have taken longer.
    const passed = stage.clock.monotonic() - endedAt;
    return { startedAt, endedAt, was: wait > stage.maxWaitMs ? 'busy' : { throttled: wait - passed } };
  }
  const busy = answer.status === 503 && answer.headers.some(([name]) => /^retry-after$/i.test(name));
  return { startedAt, was: busy ? 'busy' : 'served' };
}
