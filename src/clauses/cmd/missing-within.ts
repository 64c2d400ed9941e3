import type { Context, Fold, Violated } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { listWithin } from '../../model/listed.ts';
import { hasMarker } from '../../model/marker.ts';
import { listIn } from '../judging/listed-effects.ts';
import { chosenId, isLastPage, itemIds } from '../judging/listing.ts';
import { identityOf, isOneCaller } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  isQueued,
  markerOf,
  violated,
} from '../judging/reading.ts';
import { isOfPath } from './shown-within.ts';

type Look = { readonly one: Answered; readonly list: Answered; readonly isShown: boolean };

/**
 * What an accepted command made within a record, in the list of that record (CMD-6): code that stores it only if a member is 1, or
 * is left out, shows nothing there. The list shows by its ID what the same operation made with another body.
 */
export function missingWithin(): Fold {
  const shown = new Set<string>();
  const doubts = new Map<string, { readonly look: Look; readonly trace: Trace }>();
  return {
    *see(context, trace) {
      for (const look of looks(context, trace)) {
        const { list, one } = look;
        const place = `${one.operation.id} ${list.operation.id} ${identityOf(context, list.step.as)}`;
        if (look.isShown) shown.add(place);
        else if (shown.has(place)) yield ruling(look);
        else doubts.set(place, { look, trace });
        const doubt = doubts.get(place);
        if (doubt === undefined || !shown.has(place)) continue;
        doubts.delete(place);
        // Its trace is over, and is not repeated.
        yield { ...ruling(doubt.look), conclusive: true, within: doubt.trace };
      }
    },
  };
}

function* looks(context: Context, trace: Trace): Iterable<Look> {
  const all = answered(context, trace);
  for (const one of all) {
    const within = listWithin(context.contract, one.operation);
    const id = idOf(one.operation, one.answer);
    if (within === undefined || id === undefined || chosenId(one) !== undefined) continue;
    if (!isAccepted(one.answer) || isQueued(one.answer) || faultsOf(one.step).length > 0) continue;
    const list = all.find(
      (other) => other.operation.id === within.id && isOfPath(other, one) && isWhole(context, other, one),
    );
    const items = list === undefined ? undefined : listIn(list);
    if (list === undefined || items === undefined) continue;
    const before = all.filter(
      ({ exchange, operation }) =>
        operation.kind === 'command' && exchange.startedAt < list.exchange.startedAt,
    );
    const made = before.filter(
      (other) =>
        other.operation === one.operation && isOfPath(list, other) && faultsOf(other.step).length === 0,
    );
    const isShown = items.some((item) => itemIds(context, within.id)(item) === id);
    // Another command may have taken it away, and other items may be what became of it.
    const isAlone = before.every(
      ({ exchange, operation }) => operation === one.operation || exchange.endedAt <= one.exchange.startedAt,
    );
    const marker = markerOf(trace, one);
    if (isShown) yield { one, list, isShown };
    else if (
      isAlone &&
      items.length < made.filter(({ answer }) => isAccepted(answer)).length &&
      !(marker !== undefined && hasMarker(list.answer.body, marker))
    )
      yield { one, list, isShown };
  }
}

/** Whether the caller of a command read all of a list behind it. */
function isWhole(context: Context, list: Answered, one: Answered): boolean {
  return (
    (list.step.observes === 'made' || list.step.observes === 'list-after') &&
    isAccepted(list.answer) &&
    !list.answer.truncated &&
    isLastPage(list) &&
    isOneCaller(context, one.step.as, list.step.as) &&
    one.exchange.endedAt <= list.exchange.startedAt
  );
}

function ruling({ list, one }: Look): Violated {
  const id = idOf(one.operation, one.answer) ?? 'the record';
  return violated([one, list], {
    expected: `${id} in the list that it was made in`,
    actual: `no item with the ID ${id}`,
    because:
      'The command was accepted, but the list that it was made in does not show its record. It shows a record that the operation made with another body.',
  });
}
