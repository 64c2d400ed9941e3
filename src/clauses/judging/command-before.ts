import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isAccepted, type Seen, sameTarget, seen } from './reading.ts';

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
