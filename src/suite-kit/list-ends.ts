import type { Operation } from '../model/contract.ts';
import { type Json, type JsonPointer, withValueAt } from '../model/json.ts';
import { bodiesWithLists, listsOf, markedItem } from './other-orders.ts';
import { areOther, valuesLike } from './other-values.ts';
import type { OperationValues } from './values.ts';

/** A valid body with several items in a list of it, and lists that begin alike and end otherwise. */
export type OtherEnd = {
  readonly at: JsonPointer;
  readonly base: Json;
  readonly others: readonly (readonly Json[])[];
};

/** So many items the list has where it may: a service may look at the first one, or the first two. */
const length = 3;

/**
 * Lists of valid bodies whose last item is another one, is not there, or has another one behind it. No two items mean the
 * same, so that these are other lists to a service that takes a list for a set as well.
 * @param most lists
 * @param marking what stands for the marker in a text
 */
export function otherEnds(
  operation: Operation,
  values: Pick<OperationValues, 'marker' | 'plain' | 'valid'>,
  most: number,
  marking: string,
): readonly OtherEnd[] {
  const { bodies, sendable } = bodiesWithLists(operation, values, most);
  const found = new Map<JsonPointer, OtherEnd>();
  for (const base of bodies)
    for (const { at, list, pool } of listsOf(operation, base, bodies)) {
      if (found.size >= most || found.has(at)) continue;
      const fits = (items: readonly Json[]): boolean => sendable(withValueAt(base, at, items));
      const items = itemsFrom(list, pool, fits);
      const [first, ...rest] = items;
      const marked = first === undefined ? undefined : markedItem(first, at, values.marker, marking);
      if (marked === undefined || rest.length === 0) continue;
      const others = endsOf(items, pool, fits).map(([, ...behind]) => [marked, ...behind]);
      if (others.length > 0) found.set(at, { at, base: withValueAt(base, at, items), others });
    }
  return [...found.values()];
}

function itemsFrom(
  list: readonly Json[],
  pool: readonly Json[],
  fits: (items: readonly Json[]) => boolean,
): readonly Json[] {
  let items = list.length > 0 ? list : pool.slice(0, 1);
  while (items.length < length) {
    const grown = another(items, pool, (one) => fits([...items, one]));
    if (grown === undefined) break;
    items = [...items, grown];
  }
  return items.every((one, index) => items.slice(0, index).every((other) => areOther(one, other)))
    ? items
    : [];
}

/** The list with its last item changed, without it, and with one behind it, as far as such a list is valid. */
function endsOf(
  items: readonly Json[],
  pool: readonly Json[],
  fits: (items: readonly Json[]) => boolean,
): readonly (readonly Json[])[] {
  const init = items.slice(0, -1);
  const ends = [
    another(items, pool, (one) => fits([...init, one])),
    another(items, pool, (one) => fits([...items, one])),
  ];
  const [changed, added] = ends;
  return [
    ...(changed === undefined ? [] : [[...init, changed]]),
    ...(fits(init) ? [init] : []),
    ...(added === undefined ? [] : [[...items, added]]),
  ];
}

/** An item that is none of these to anyone: best one like the last. */
function another(
  items: readonly Json[],
  pool: readonly Json[],
  fits: (item: Json) => boolean,
): Json | undefined {
  return [...valuesLike(items.at(-1) ?? null), ...pool].find(
    (one) => items.every((item) => areOther(item, one)) && fits(one),
  );
}
