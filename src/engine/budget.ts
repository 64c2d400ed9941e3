import type { Clock } from '../model/clock.ts';
import type { Budget } from '../model/configured.ts';
import type { PrincipalName } from '../model/principal.ts';

export type Limits = { readonly maxRequests: number; readonly maxSeconds: number };

/** The default limits: a share for each operation, and one for the run. */
const shares: Readonly<Record<Budget, { readonly run: Limits; readonly operation: Limits }>> = {
  quick: { run: { maxRequests: 1000, maxSeconds: 90 }, operation: { maxRequests: 1000, maxSeconds: 30 } },
  standard: {
    run: { maxRequests: 4000, maxSeconds: 600 },
    operation: { maxRequests: 6000, maxSeconds: 180 },
  },
  thorough: {
    run: { maxRequests: 20_000, maxSeconds: 1800 },
    operation: { maxRequests: 30_000, maxSeconds: 600 },
  },
};

export function usualLimits(budget: Budget, operations: number): Limits {
  const { run, operation } = shares[budget];
  return {
    maxRequests: run.maxRequests + operation.maxRequests * operations,
    maxSeconds: run.maxSeconds + operation.maxSeconds * operations,
  };
}

export type Spending = {
  /** Takes one request off the budget; false if none is left. With a caller, it keeps to the limit of that caller. */
  readonly spend: (paced?: PrincipalName) => boolean;
  readonly spent: () => number;
  /** Requests of a caller that kept to its limit. */
  readonly spentBy: (principal: PrincipalName) => number;
  readonly over: () => boolean;
  readonly left: () => number;
};

export function makeSpending(clock: Clock, limits: Limits): Spending {
  const start = clock.monotonic();
  let spent = 0;
  const by = new Map<PrincipalName, number>();
  const left = (): number => start + limits.maxSeconds * 1000 - clock.monotonic();
  // A timer may end a moment early.
  const over = (): boolean => spent >= limits.maxRequests || left() <= 5;
  return {
    spend: (paced) => {
      if (over()) return false;
      spent += 1;
      if (paced !== undefined) by.set(paced, (by.get(paced) ?? 0) + 1);
      return true;
    },
    spent: () => spent,
    spentBy: (principal) => by.get(principal) ?? 0,
    over,
    left,
  };
}
