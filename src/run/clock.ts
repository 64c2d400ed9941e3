import type { Clock } from '../model/clock.ts';

/** Node runs a timer of more milliseconds at once. */
const longestTimer = 2 ** 31 - 1;

export const machineClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) {
        resolve();
        return;
      }
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(milliseconds, longestTimer));
      signal?.addEventListener('abort', done);
    }),
};
