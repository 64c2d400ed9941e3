import type { Governor } from '../engine/governor.ts';
import type { EventClock } from './event-clock.ts';

/** One read of the usual caller. */
export const full = { principal: 'full', operation: 'getCase', kind: 'read' } as const;

/** Sends so many requests, one after another, each of which is served at once. */
export async function served(governor: Governor, clock: EventClock, requests = 1): Promise<number> {
  const before = clock.monotonic();
  for (let index = 0; index < requests; index += 1) {
    const landing = await clock.until(governor.admit({ senders: [full] }));
    landing?.([{ startedAt: clock.monotonic(), was: 'served' }]);
  }
  return clock.monotonic() - before;
}

/** One request that was sent `ago` milliseconds ago and is throttled now. */
export async function refused(
  governor: Governor,
  clock: EventClock,
  throttled: number,
  ago = 0,
): Promise<void> {
  const landing = await clock.until(governor.admit({ senders: [full], exempt: true }));
  landing?.([{ startedAt: clock.monotonic() - ago, was: { throttled } }]);
}
