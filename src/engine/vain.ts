import type { Clock } from '../model/clock.ts';
import type { OperationId } from '../model/contract.ts';
import type { HttpResponse } from '../model/exchange.ts';
import { isAccepted, isThrottled } from '../model/response.ts';
import type { Step } from '../model/scenario.ts';

/** Operations that return 429 however long a client waits: one is given up where it did so for as long as a run may wait. */
export type Vain = {
  /** `from`: when the first of the requests was sent that this one repeats. True where its operation is given up now. */
  readonly note: (step: Step, answer: HttpResponse | undefined, from?: number) => boolean;
  /** Why an operation is sent no more; undefined while it is. */
  readonly reason: (operation: OperationId) => string | undefined;
};

/** Fewer responses are no sign: the limit of a caller may be met by what is sent at once. */
const least = 8;

export function makeVain(clock: Clock, maxWaitMs: number): Vain {
  const throttled = new Map<OperationId, { readonly since: number; readonly count: number }>();
  const given = new Set<OperationId>();
  return {
    note({ deviations, operation }, answer, from) {
      if (answer === undefined || given.has(operation)) return false;
      if (!isThrottled(answer)) {
        // What is wrong with a request may be seen before any limit.
        if (isAccepted(answer) || deviations.length === 0) throttled.delete(operation);
        return false;
      }
      // Only after a guided wait does a 429 say that waiting was in vain.
      if (from === undefined) return false;
      const { count = 0, since = from } = throttled.get(operation) ?? {};
      throttled.set(operation, { since, count: count + 1 });
      if (count + 1 < least || clock.monotonic() - since <= maxWaitMs) return false;
      given.add(operation);
      return true;
    },
    reason: (operation) =>
      given.has(operation)
        ? `${operation} returned nothing but 429 for ${Math.round(maxWaitMs / 1000)} s, though each guided wait was honoured`
        : undefined,
  };
}
