import type { Clock } from '../model/clock.ts';

/** A clock that moves on to the next sleeper when nobody has anything to do. */
export type EventClock = Clock & { readonly until: <Result>(work: Promise<Result>) => Promise<Result> };

export function eventClock(): EventClock {
  let now = 0;
  let sleepers: readonly { readonly at: number; readonly wake: () => void }[] = [];
  return {
    monotonic: () => now,
    wall: () => now,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          resolve();
        };
        const sleeper = { at: now + milliseconds, wake };
        sleepers = [...sleepers, sleeper];
        if (signal?.aborted === true) wake();
        else signal?.addEventListener('abort', wake);
      }),
    until: async (work) => {
      let ended = false;
      const end = work.finally(() => {
        ended = true;
      });
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (ended) return end;
        const next = sleepers.reduce<(typeof sleepers)[number] | undefined>(
          (first, one) => (first === undefined || one.at < first.at ? one : first),
          undefined,
        );
        if (next === undefined) throw new Error('everybody waits for somebody else');
        now = Math.max(now, next.at);
        next.wake();
      }
    },
  };
}
