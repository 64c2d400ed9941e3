import type { Clock } from '../model/clock.ts';

/** Hard limits of a run. */
export type Limits = { readonly maxRequests: number; readonly maxSeconds: number };

export type Spending = {
  /** Takes one request off the budget; false where none is left. */
  readonly spend: () => boolean;
  readonly spent: () => number;
  readonly over: () => boolean;
  /** Milliseconds left. */
  readonly left: () => number;
};

export function makeSpending(clock: Clock, limits: Limits): Spending {
  const start = clock.monotonic();
  let spent = 0;
  const left = (): number => start + limits.maxSeconds * 1000 - clock.monotonic();
  const over = (): boolean => spent >= limits.maxRequests || left() <= 0;
  return {
    spend: () => {
      if (over()) return false;
      spent += 1;
      return true;
    },
    spent: () => spent,
    over,
    left,
  };
}
