import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isAccepted, isQueued, type Seen, sameTarget, seen } from './reading.ts';

/** The last command that was accepted on the record of another one before that was sent. */
export function commandBefore(context: Context, trace: Trace, one: Seen): Seen | undefined {
  return seen(context, trace).findLast(
    (other) =>
      other.operation.kind === 'command' &&
      isAccepted(other.exchange.answer) &&
      sameTarget(other.step, one.step) &&
      other.exchange.endedAt <= one.exchange.startedAt,
  );
}

/** The same, where it is only queued (202) and the other one was accepted: the record may not be as it leaves it yet. */
export function queuedBefore(context: Context, trace: Trace, one: Seen): Seen | undefined {
  const before = isAccepted(one.exchange.answer) ? commandBefore(context, trace, one) : undefined;
  return isQueued(before?.exchange.answer) ? before : undefined;
}
