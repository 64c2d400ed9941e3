import type { Context, Ruling } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { movedBetween, sameState } from '../../oracle/record-state.ts';
import { isShownDone, maybeLate } from './command-before.ts';
import { unsettledAround } from './queued-maker.ts';
import { anothersRecord, isOneCaller } from './readers.ts';
import {
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isDecided,
  notTested,
  type Seen,
  sameTarget,
  seen,
  summary,
  violated,
} from './reading.ts';

/** A command, and the same one again. */
type Pair = { readonly first: Seen; readonly again: Seen };
type ReadAround = { readonly before: Seen; readonly after: Seen };

/** A duplicate on a target of its own leaves the target record as the first command left it. */
export function unmoved(context: Context, trace: Trace, duplicate: Pair): Ruling | undefined {
  const { first, again } = duplicate;
  const { answer } = first.exchange;
  if (answer === undefined || !isAccepted(answer)) return undefined;
  const readings = seen(context, trace).filter((one) => sameTarget(one.step, first.step));
  const around = readAround(context, trace, again, readings);
  const isShown = first.operation.effect !== undefined || idOf(first.operation, answer) !== undefined;
  if (around === undefined && !isShown) return notTested([again, first], unshown(first.operation));
  if (around === undefined)
    return holds([again, first], {
      expected: 'the target record as the first command left it',
      because: 'The record was not read.',
      idsOnly: true,
    });
  // What no read ever shows shows no effect either, but for a deletion.
  const unread =
    first.operation.method !== 'DELETE' &&
    !readings.some(({ exchange, operation }) => operation.kind === 'read' && isAccepted(exchange.answer));
  const found = leftAsRead(context, trace, duplicate, around, unread);
  // What was only queued (202) need not have been done by then, nor need a second one.
  return found.verdict === 'holds' && !isShownDone(context, trace, first, around.before)
    ? holds([again, first, around.before, around.after], { ...found, because: notShownDone, idsOnly: true })
    : found;
}

function unshown({ id }: Operation): string {
  return `The result of ${id} has no ID, and the contract names no read that shows what it does: name one in x-governed.effect.`;
}

const notShownDone =
  'The duplicate left the record as it was. The command was queued (202), and no read shows that it was done by then.';

export function readAround(
  context: Context,
  trace: Trace,
  again: Seen,
  readings: readonly Seen[],
): ReadAround | undefined {
  const all = seen(context, trace);
  const before = readings.find((one) => one.step.observes === 'before');
  // What was read before the duplicate came shows nothing of it.
  const after = readings.findLast(
    (one) => one.step.observes === 'after' && all.indexOf(one) > all.indexOf(again),
  );
  return before === undefined || after === undefined ? undefined : { before, after };
}

export function leftAsRead(
  context: Context,
  trace: Trace,
  { first, again }: Pair,
  { before, after }: ReadAround,
  unread: boolean,
): Ruling {
  const on = [again, first, before, after];
  const one = before.exchange.answer;
  const other = after.exchange.answer;
  if (!isDecided(one) || !isDecided(other)) return inconclusive(on, 'The target record could not be read.');
  // A deleted target is read as absent, both times; so is what the reader may not see.
  if (!isAccepted(one) && one?.status === other?.status) {
    if (![404, 410].includes(one?.status ?? 0))
      return inconclusive(on, 'The target record could not be read.');
    if (!isOneCaller(context, first.step.as, before.step.as)) return inconclusive(on, anothersRecord);
  }
  const said = { expected: summary(before.exchange), actual: summary(after.exchange) };
  if (one?.status === other?.status && (!isAccepted(one) || sameState(before, after)))
    return holds(on, {
      ...said,
      because: unread ? 'No read showed the record.' : 'The duplicate left the record as it was.',
      ...(unread ? { idsOnly: true } : {}),
    });
  const ahead = unsettledAround(seen(context, trace), again, before, after);
  return ahead === undefined
    ? violated(on, {
        ...said,
        because: 'The duplicate changed the record a second time.',
        ...(isAccepted(one) ? { moved: movedBetween(before, after) } : {}),
      })
    : inconclusive(on, maybeLate(ahead));
}
