import type { Clock } from '../model/clock.ts';

/** Only waits pass, and work takes none: time moves on when nobody has anything left to do, on every machine alike. */
export type VirtualTime = {
  readonly clock: Clock;
  /** Waits for the work, which never rejects, for so long at most. */
  readonly within: (
    work: Promise<void>,
    milliseconds: number,
    signal: AbortSignal | undefined,
  ) => Promise<void>;
  /** Time stands still until the work is done, however long a busy machine takes. */
  readonly during: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Time stands still until the work is done, or waits for time to pass. */
  readonly outside: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Time stands still until this is called for the first time. */
  readonly begin: () => void;
};

type Sleeper = { readonly at: number; readonly wake: () => void };

/** Turns of the event loop without anything new, after which all that remains is to wait. */
const quietTurns = 4;

/** Real milliseconds after which work outside this process must be waiting for time to pass. */
const patienceMs = 200;

export function virtualTime(start: number): VirtualTime {
  const sleepers = new Set<Sleeper>();
  let now = 0;
  let begun = false;
  /** Work under way outside of this thread. */
  let busy = 0;
  let changes = 0;
  let watching = false;
  const watch = (): void => {
    if (watching || busy > 0 || !begun || sleepers.size === 0) return;
    watching = true;
    turn(quietTurns, changes);
  };
  const turn = (left: number, seen: number): void => {
    setImmediate(() => {
      if (busy > 0) watching = false;
      else if (changes !== seen) turn(quietTurns, changes);
      else if (left > 0) turn(left - 1, seen);
      else advance();
    });
  };
  const advance = (): void => {
    watching = false;
    if (sleepers.size === 0) return;
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of sleepers) next = Math.min(next, at);
    now = Math.max(now, next);
    for (const { at, wake } of [...sleepers]) if (at <= now) wake();
    watch();
  };
  const sleep = (milliseconds: number, signal?: AbortSignal, work?: Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const wake = (): void => {
        if (!sleepers.delete(sleeper)) return;
        changes += 1;
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at: now + Math.max(0, milliseconds), wake };
      changes += 1;
      sleepers.add(sleeper);
      signal?.addEventListener('abort', wake);
      watch();
      void work?.then(wake);
    });
  /** Lets time pass again when it is called for the first time. */
  const stop = (): (() => void) => {
    let stopped = true;
    busy += 1;
    return () => {
      if (!stopped) return;
      stopped = false;
      busy -= 1;
      changes += 1;
      watch();
    };
  };
  return {
    clock: { monotonic: () => now, wall: () => start + now, sleep },
    within: (work, milliseconds, signal) => sleep(milliseconds, signal, work),
    during: (work) => work.finally(stop()),
    outside: async (work) => {
      const goOn = stop();
      const timer = setTimeout(goOn, patienceMs);
      return work.finally(() => {
        clearTimeout(timer);
        goOn();
      });
    },
    begin: () => {
      begun = true;
      watch();
    },
  };
}
