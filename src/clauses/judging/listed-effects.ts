import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, valueAt } from '../../model/json.ts';
import { bulkOf } from '../../model/listed.ts';
import { hasMarker, headOf, isCompanion } from '../../model/marker.ts';
import { exactJsonOf } from '../../model/response.ts';
import { Undecided, unkept } from '../../model/undecided.ts';
import { itemsIn } from '../../oracle/paging.ts';
import { isLastPage, itemIds } from './listing.ts';
import {
  type Answered,
  answered,
  holds,
  isAccepted,
  keyName,
  markerOf,
  type Seen,
  sameTarget,
  seen,
  violated,
} from './reading.ts';

/** What commands under one key made within their target, by a list of it before the first one and after the last. */
export function listedOnce(
  context: Context,
  trace: Trace,
  { first, again }: { readonly first: Seen; readonly again: Seen },
): Ruling | undefined {
  // A deletion makes nothing: what is new in the list is of somebody else.
  if (first.operation.method === 'DELETE') return undefined;
  const all = answered(context, trace).filter(({ step }) => sameTarget(step, first.step));
  const read = (observes: 'list-before' | 'list-after'): Answered | undefined =>
    all.find((one) => one.step.observes === observes && isAccepted(one.answer));
  const [before, after] = [read('list-before'), read('list-after')];
  if (before === undefined || after === undefined) return undefined;
  const commands = all.filter(({ operation }) => operation.id === first.operation.id);
  // A command under another key makes a record of its own, be its response lost.
  const isOther = ({ operation, step }: Seen): boolean =>
    operation === first.operation && sameTarget(step, first.step) && keyName(step) !== keyName(first.step);
  if (seen(context, trace).some(isOther)) return undefined;
  const idOf = itemIds(context, after.operation.id);
  const marker = markerOf(trace, first);
  const isMarked = (item: Json): boolean => marker !== undefined && hasMarker(JSON.stringify(item), marker);
  // Where records show what they were made of, what a service adds of its own is not counted.
  const marked = listed(after).some(isMarked);
  const idsOf = (one: Answered): readonly string[] =>
    withoutCompanions(listed(one), marked ? marker : undefined).flatMap((item) =>
      marked && !isMarked(item) ? [] : (idOf(item) ?? []),
    );
  const had = new Set(idsOf(before));
  const made = [...new Set(idsOf(after))].filter((id) => !had.has(id));
  const on = [again, first, before, after];
  const said = {
    expected: 'at most one effect',
    actual: made.length === 0 ? 'no record' : `${made.length} in the list: ${made.slice(0, 5).join(', ')}`,
  };
  if (made.length > mostMade(commands))
    return violated(on, { ...said, because: 'The list shows more than one record for one command.' });
  // A list that shows no record, of commands that were all refused, shows nothing.
  if (made.length === 0 && !commands.some(({ answer }) => isAccepted(answer))) return undefined;
  return isLastPage(after)
    ? holds(on, {
        ...said,
        because: 'The list shows no second record of the command.',
        // A list that does not show the first one either shows nothing.
        idsOnly: made.length === 0,
      })
    : undefined;
}

/** Items but for what the service makes along with a marked one. */
function withoutCompanions(items: readonly Json[], marker: string | undefined): readonly Json[] {
  if (marker === undefined) return items;
  const heads = items.map((item) => headOf(item, marker));
  return items.filter((_, index) => !isCompanion(heads[index], heads));
}

/** How many records one command may make: as many as an accepted result names. */
export function mostMade(commands: readonly Seen[]): number {
  const sizes = commands.map(({ exchange: { answer }, operation }) => {
    const at = bulkOf(operation.effect);
    const records = at === undefined || answer === undefined ? undefined : valueAt(exactJsonOf(answer), at);
    return isArray(records) && isAccepted(answer) ? records.length : 1;
  });
  return Math.max(1, ...sizes);
}

function listed(one: Answered): readonly Json[] {
  return listIn(one) ?? [];
}

/** The items of a list: of one without pages the root, or the one array in it. Undefined where they are somewhere else. @throws Undecided where it was cut */
export function listIn({ answer, operation }: Answered): readonly Json[] | undefined {
  if (answer.truncated) throw new Undecided(unkept);
  const body = exactJsonOf(answer);
  if (operation.pagination !== undefined || isArray(body)) return itemsIn(operation, body);
  const arrays = isObject(body) ? Object.values(body).filter(isArray) : [];
  return arrays.length === 1 ? arrays[0] : undefined;
}
