import type { Clock } from '../src/model/clock.ts';
import type { WireOutcome } from '../src/model/wire.ts';
import type { OpenWire } from '../src/wire/wire.ts';

/**
 * Time in which only waits and latency pass, and work takes none: it moves on when nothing is on the wire and nobody has
 * anything to do. What a run takes in it does not depend on the machine.
 */
export type VirtualTime = {
  readonly clock: Clock;
  /** The wire, with every response `latency` milliseconds later. */
  readonly slowed: (wire: OpenWire, latency: number) => OpenWire;
  /** Milliseconds with nothing on the wire. */
  readonly idle: () => number;
};

/** Real milliseconds without a response after which the service must be waiting. */
const patienceMs = 500;

const farMs = 20_000;

export function virtualTime(): VirtualTime {
  const start = Date.UTC(2027, 0, 1);
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  let now = 0;
  let busy = 0;
  let sent = 0;
  let idle = 0;
  let watching = false;
  let moved = performance.now();
  // Files are written in real time meanwhile; some turns of the event loop let most of it happen.
  const watch = (turns: number): void => {
    setImmediate(() => {
      // The service itself may be waiting for time to pass.
      if (busy > 0 && performance.now() - moved < patienceMs) watch(0);
      else if (turns < 4 || tooFar()) watch(turns + 1);
      else advance();
    });
  };
  // Only the end of the budget is so far away: something is still being prepared.
  const tooFar = (): boolean =>
    Math.min(...[...sleepers].map(({ at }) => at)) - now > farMs && performance.now() - moved < 10_000;
  const advance = (): void => {
    const next = Math.min(...[...sleepers].map(({ at }) => at));
    watching = Number.isFinite(next);
    if (!watching) return;
    if (sent === 0) idle += next - now;
    now = Math.max(now, next);
    moved = performance.now();
    for (const sleeper of [...sleepers]) if (sleeper.at <= now) sleeper.wake();
    watch(0);
  };
  const sleep: Clock['sleep'] = (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = (): void => {
        sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at: now + Math.max(0, milliseconds), wake };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
      if (!watching) {
        watching = true;
        watch(0);
      }
    });
  const onTheWire = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    busy += 1;
    moved = performance.now();
    try {
      return await work();
    } finally {
      moved = performance.now();
      busy -= 1;
    }
  };
  return {
    clock: { monotonic: () => now, wall: () => start + now, sleep },
    slowed: (wire, latency) => {
      const later = async (work: () => Promise<WireOutcome>): Promise<WireOutcome> => {
        sent += 1;
        const outcome = await onTheWire(work);
        await sleep(latency);
        sent -= 1;
        return { ...outcome, endedAt: outcome.endedAt + latency };
      };
      return {
        send: (request, signal) => later(() => wire.send(request, signal)),
        sendTogether: async (requests, signal) => {
          sent += 1;
          const outcomes = await onTheWire(() => wire.sendTogether(requests, signal));
          await sleep(latency);
          sent -= 1;
          return outcomes.map((outcome) => ({ ...outcome, endedAt: outcome.endedAt + latency }));
        },
        close: wire.close,
      };
    },
    idle: () => idle,
  };
}
