import type { Clock } from '../model/clock.ts';
import type { OperationId } from '../model/contract.ts';
import { isAccepted, isThrottled } from '../model/response.ts';
import type { Step } from '../model/scenario.ts';
import type { WireOutcome } from '../model/wire.ts';

/**
 * Operations that are given up: one that returns 429 for as long as a run may wait, however long a client waits each time, and one
 * that never responds.
 */
export type Vain = {
  /** `from`: when the first of the requests was sent that this one repeats. True where its operation is given up for its 429s. */
  readonly note: (
    step: Step,
    outcome: Pick<WireOutcome, 'answer' | 'noAnswer' | 'startedAt'>,
    from?: number,
  ) => boolean;
  /** Why an operation is sent no more; undefined while it is. */
  readonly reason: (operation: OperationId) => { readonly text: string; readonly was: Given } | undefined;
};

type Given = 'throttled' | 'silent';
type Row = { readonly since: number; readonly count: number };

/** Fewer responses are no sign: the limit of a caller may be met by what is sent at once. */
const least = 8;
/** A target that is away, or slow for a moment, may let all that is in flight time out at once: not twice more. */
const rounds = 3;

export function makeVain(
  clock: Clock,
  { maxWaitMs, timeoutMs }: { readonly maxWaitMs: number; readonly timeoutMs: number },
): Vain {
  const rows = { throttled: new Map<OperationId, Row>(), silent: new Map<OperationId, Row>() };
  const given = new Map<OperationId, { readonly text: string; readonly was: Given }>();
  /** Whether so many in a row, over so long, leave no hope. */
  const lasts = (was: Given, operation: OperationId, from: number, longest: number): boolean => {
    const { count = 0, since = from } = rows[was].get(operation) ?? {};
    rows[was].set(operation, { since: Math.min(since, from), count: count + 1 });
    return count + 1 >= least && clock.monotonic() - since > longest;
  };
  return {
    note({ deviations, operation, transport = 'pooled' }, { answer, noAnswer, startedAt }, from) {
      if (given.has(operation)) return false;
      if (answer === undefined) {
        if (noAnswer?.reason !== 'timeout' || transport !== 'pooled') return false;
        // The last of the rounds may end a little early.
        if (lasts('silent', operation, startedAt, (rounds - 0.5) * timeoutMs))
          given.set(operation, {
            was: 'silent',
            text: `${operation} did not respond to ${rows.silent.get(operation)?.count} requests in a row, within ${timeoutMs / 1000} s each`,
          });
        return false;
      }
      // What is wrong with a request may be seen before any limit, and before what keeps the others waiting.
      const isOwn = isAccepted(answer) || deviations.length === 0;
      if (isOwn) rows.silent.delete(operation);
      if (!isThrottled(answer)) {
        if (isOwn) rows.throttled.delete(operation);
        return false;
      }
      // Only after a guided wait does a 429 say that waiting was in vain.
      if (from === undefined || !lasts('throttled', operation, from, maxWaitMs)) return false;
      given.set(operation, {
        was: 'throttled',
        text: `${operation} returned nothing but 429 for ${Math.round(maxWaitMs / 1000)} s, though each guided wait was honoured`,
      });
      return true;
    },
    reason: (operation) => given.get(operation),
  };
}
