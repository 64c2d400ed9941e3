import type { Context, Fold } from '../../model/clause.ts';
import type { OperationId } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { exactJsonOf } from '../../model/response.ts';
import { isSame, membersOf } from '../judging/changes.ts';
import { isOneCaller } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  isDecided,
  isQueued,
  pathValues,
  type Seen,
  seen,
  violated,
} from '../judging/reading.ts';

/** So many queued commands must have had their work record before they were done. */
const leastShown = 2;

/** What a work record says of its progress. */
const progress = /^(progress|stage|state|status|phase)$/i;

/**
 * A queued command (202) whose work record no read ever shows, while the records of other such commands were there in the state
 * that the result names, before the work was done (CMD-6). A service that makes the record only when the work is done may refuse
 * the work and make none, and one whose records come late may make this one later.
 */
export function queuedLost(): Fold {
  const shown = new Map<OperationId, number>();
  const late = new Set<OperationId>();
  return {
    *see(context, trace) {
      for (const one of answered(context, trace)) {
        const { id } = one.operation;
        const all = readsOf(context, trace, one);
        if (all.some((read) => isAccepted(read.exchange.answer) && isBeforeItsEnd(one, read)))
          shown.set(id, (shown.get(id) ?? 0) + 1);
        const reads = all.filter(({ step }) => step.observes === 'made');
        if (
          all.some(
            (read, at) => isGone(read) && all.slice(at).some(({ exchange }) => isAccepted(exchange.answer)),
          )
        )
          late.add(id);
        if (!late.has(id) && reads.length > 1 && reads.every(isGone) && (shown.get(id) ?? 0) >= leastShown)
          yield violated([one, ...reads], {
            expected: `${idOf(one.operation, one.answer) ?? 'the work record'} under its ID`,
            actual: '404 or 410',
            because:
              'The command was queued (202). The records of other such commands could be read before their work was done, but this one never could.',
          });
      }
    },
  };
}

/** The reads of the record that a queued command made, in turn; none where something else may have taken it away. */
function readsOf(context: Context, trace: Trace, one: Answered): readonly Seen[] {
  const { operation, step } = one;
  if (operation.kind !== 'command' || !isQueued(one.answer) || faultsOf(step).length > 0) return [];
  const id = idOf(operation, one.answer);
  const all = seen(context, trace);
  const isOwn = (other: Seen): boolean => pathValues(other.operation, other.exchange).at(-1) === id;
  if (id === undefined || all.some((other) => other.operation.kind === 'command' && isOwn(other))) return [];
  return all.filter(
    (other) =>
      other.operation.id === operation.effect?.read &&
      isOwn(other) &&
      isOneCaller(context, step.as, other.step.as) &&
      other.exchange.answer !== undefined &&
      isDecided(other.exchange.answer),
  );
}

function isGone({ exchange }: Seen): boolean {
  return [404, 410].includes(exchange.answer?.status ?? 0);
}

/** Whether a read shows the very state that the result names. */
function isBeforeItsEnd({ answer }: Answered, read: Seen): boolean {
  const is = membersOf(exactJsonOf(read.exchange.answer));
  return [...membersOf(exactJsonOf(answer))].some(
    ([name, value]) =>
      progress.test(name) && typeof value === 'string' && isSame(value, is.get(name) ?? null),
  );
}
