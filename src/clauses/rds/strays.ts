import type { Context } from '../../model/clause.ts';
import { settleMs } from '../../model/declaration.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, type Json } from '../../model/json.ts';
import { hasMarker, shownMarkers } from '../../model/marker.ts';
import { fieldsOf } from '../../oracle/fields.ts';
import { itemIds, itemsOf, listedIds, type Query, queryOf } from '../judging/listing.ts';
import { type Answered, answered, isAccepted } from '../judging/reading.ts';
import { type Filter, passes } from './matching.ts';

type Asked = Filter & { readonly name: string };

/**
 * Of the records that a filter should have left out, one that proves something. Until a list settles (G15) it may find a record
 * by what it is now and show it as it was, or the other way round; and other scenarios run commands on records at any time.
 */
export function provenOf(
  context: Context,
  trace: Trace,
  one: Answered,
  { filters, strays }: { readonly filters: readonly Asked[]; readonly strays: readonly Json[] },
): Json | undefined {
  const changes = context.contract.operations.some(
    ({ kind, pathFields, success }) =>
      kind === 'command' &&
      pathFields.some(({ source }) => source !== undefined) &&
      filters.some(({ at }) => fieldsOf(success.schema).includes(at)),
  );
  if (!changes || settleMs(context.declared) === 0 || areMany(context, trace, one, filters)) return strays[0];
  const idOf = itemIds(context, one.operation.id);
  const own = new Set(listedIds(context, trace));
  return strays.find((item) => own.has(idOf(item) ?? ''));
}

/**
 * Whether a listed record does not match. Where it leaves the member out, another marker shows it: the value that was asked for
 * was given to records of this trace alone.
 */
export function strayOf(
  context: Context,
  trace: Trace,
  one: Answered,
  filters: readonly Filter[],
): (item: Json) => boolean {
  const given = Object.values(trace.bound.markers);
  // A search may find others by the words around a marker.
  const marked = filters.filter(
    ({ by, wanted }) => by !== 'words' && given.some((marker) => wanted.endsWith(marker)),
  );
  const own = new Set(marked.length === 0 ? [] : listedIds(context, trace));
  const idOf = itemIds(context, one.operation.id);
  const isAnother = (item: Json): boolean => {
    const text = JSON.stringify(item);
    const id = idOf(item);
    if (id === undefined || own.size === 0 || own.has(id) || shownMarkers(text).length === 0) return false;
    return (
      !given.some((marker) => hasMarker(text, marker)) &&
      marked.some((filter) => passes(item, filter) === undefined)
    );
  };
  return (item) => filters.some((filter) => passes(item, filter) === false) || isAnother(item);
}

/** Whether at least half of what the pages under the same filters show should not be there, and not a few of them. */
function areMany(context: Context, trace: Trace, one: Answered, filters: readonly Asked[]): boolean {
  const idOf = itemIds(context, one.operation.id);
  const isAlike = ({ answer, operation, step }: Answered): boolean =>
    operation === one.operation && step.as === one.step.as && isAccepted(answer);
  const items = new Map(
    answered(context, trace)
      .filter(
        (page) =>
          isAlike(page) &&
          filters.every(({ name, wanted }) => askedOf(context, trace, page).get(name) === wanted),
      )
      .flatMap(itemsOf)
      .map((item) => [idOf(item) ?? canonicalJson(item), item] as const),
  );
  const count = [...items.values()].filter(strayOf(context, trace, one, filters)).length;
  return count > 2 && count * 2 >= items.size;
}

/** What a page was asked for: what the page was asked for from whose address it was followed. */
export function askedOf(context: Context, trace: Trace, one: Answered): Query {
  const own = queryOf(one);
  if (one.step.query?.some(([, value]) => typeof value === 'object') !== true) return own;
  const query = new URLSearchParams([...own]);
  for (const [name, value] of one.step.query) {
    if (query.has(name) || typeof value === 'string' || !('followed' in value)) continue;
    const before = answered(context, trace).find(({ step }) => step.id === value.step);
    const asked = before === undefined ? null : askedOf(context, trace, before).get(name);
    if (asked !== null) query.set(name, asked);
  }
  return query;
}
