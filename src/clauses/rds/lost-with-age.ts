import type { Context, Ruling } from '../../model/clause.ts';
import { isBound } from '../../model/comparison.ts';
import { settleMs } from '../../model/declaration.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json } from '../../model/json.ts';
import { recordOf } from '../../model/listed.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { placeInRecord } from '../../model/wrapped-items.ts';
import { dateTime } from '../../oracle/instant.ts';
import { membersOf } from '../judging/changes.ts';
import { isLastPage, itemIds, itemsOf, queryOf } from '../judging/listing.ts';
import { isOneCaller } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  inconclusive,
  isAccepted,
  isQueued,
  type Seen,
  seen,
  violated,
} from '../judging/reading.ts';
import { isWord } from '../judging/record-changes.ts';
import { readOf } from '../judging/record-reads.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { has, type NamedFilter, type Reading, readingsOf } from './lost-by-filter.ts';

/** A record that a command of the trace made, and its ID. */
export type Made = { readonly one: Answered; readonly id: string };

/**
 * A list finds a record by its value, but no longer an older one of the same kind and state by the value that was sent for it,
 * and that the read of it shows. A filter may be applied to the newest records alone, or an index may have dropped the others.
 */
export function* lostWithAge(context: Context, trace: Trace): Iterable<Ruling> {
  const readings = readingsOf(context, trace).map((reading) => ({ ...reading, filters: filtersOf(reading) }));
  if (readings.every(({ filters }) => filters.length === 0)) return;
  const all = seen(context, trace);
  const made = madeIn(context, trace);
  for (const narrow of readings) {
    const walk = lastWalk(narrow);
    const [page, last] = [walk[0], walk.at(-1)];
    if (page === undefined || last === undefined || narrow.filters.length === 0) continue;
    if (narrow.broken || !isLastPage(last)) continue;
    const itemId = itemIds(context, page.operation.id);
    const shown = new Set(walk.flatMap(itemsOf).map(itemId));
    for (const old of made) {
      if (shown.has(old.id) || !isSent(old, narrow.filters)) continue;
      if (page.exchange.startedAt - old.one.exchange.endedAt < settleMs(context.declared)) continue;
      const read = readOf(context, all, old.one, old.id);
      const record = read === undefined ? undefined : recordIn(read, page, old.one, narrow.filters);
      if (read === undefined || record === undefined) continue;
      if (read.exchange.startedAt < last.exchange.endedAt) continue;
      if (!isOneCaller(context, page.step.as, read.step.as)) continue;
      const young = younger(context, { made, narrow, old, readings });
      // A list without declared pages may have a bound, which the other one shows.
      if (young === undefined) continue;
      if (page.operation.pagination === undefined && shown.size >= itemsOf(young.page).length) continue;
      const asked = narrow.filters.map(({ name, wanted }) => `${name}=${wanted}`).join(', ');
      yield isAlike(record, young.item, old)
        ? violated([page, read, ...(young.page === page ? [] : [young.page])], {
            expected: `${old.id}, as its read shows the value`,
            actual: `${old.id} is not among ${shown.size} records`,
            because: `The read of ${old.id} shows the value, but the list with ${asked} does not show the record. It shows a younger one by its value.`,
          })
        : inconclusive(
            young.page === page ? [page] : [page, young.page],
            `The list with ${asked} does not show ${old.id}, which may be in another state than the younger record that it shows.`,
          );
    }
  }
}

/** What the commands of a trace made that a read by its ID shows. */
export function madeIn(context: Context, trace: Trace): readonly Made[] {
  return answered(context, trace).flatMap((one): readonly Made[] => {
    const isMaker = one.operation.kind === 'command' && one.operation.effect?.read !== undefined;
    if (!isMaker || !isAccepted(one.answer) || isQueued(one.answer)) return [];
    const id = faultsOf(one.step).length > 0 ? undefined : idOf(one.operation, one.answer);
    return id === undefined ? [] : [{ one, id }];
  });
}

type Narrow = Reading & { readonly filters: readonly NamedFilter[] };

/** The pages of a list as it was read last. */
export function lastWalk({ pages }: Reading): readonly Answered[] {
  const first = pages.findLastIndex((page) => !queryOf(page).has(page.operation.pagination?.cursor ?? ''));
  return pages.slice(Math.max(0, first));
}

/** The filters that a list was asked for; none where it was asked for something else as well. */
export function filtersOf({ pages: [page], query }: Reading): readonly NamedFilter[] {
  const found = [...query].flatMap(([name, wanted]): readonly NamedFilter[] => {
    const field = page?.operation.queryFields.find((one) => one.name === name);
    // A bound may exclude the value itself.
    return field?.filters === undefined || isBound(field) ? [] : [{ name, at: field.filters, wanted }];
  });
  return found.length === query.size ? found : [];
}

/** What a caller has set, the service leaves. */
export function isSent({ one }: Made, filters: readonly NamedFilter[]): boolean {
  return filters.every(({ wanted }) =>
    [JSON.stringify(wanted), `:${wanted}`].some((text) => one.exchange.request.body?.includes(text) === true),
  );
}

/** The record that a read shows, in its envelope or without one, if it has what the filters ask for. */
export function recordIn(
  { exchange }: Seen,
  { operation }: Answered,
  maker: Answered,
  filters: readonly NamedFilter[],
): Json | undefined {
  const body = exactJsonOf(exchange.answer);
  if (body === undefined || exchange.answer?.truncated === true) return undefined;
  return [body, ...(isObject(body) ? Object.values(body) : [])].find((record) =>
    filters.every(({ at, wanted }) =>
      has(record, { at: placeInRecord(operation, maker.operation, at), wanted }),
    ),
  );
}

/** A record that was made later by the same operation, where the list shows it under the same filters. */
function younger(
  context: Context,
  {
    made,
    narrow,
    old,
    readings,
  }: {
    readonly made: readonly Made[];
    readonly narrow: Narrow;
    readonly old: Made;
    readonly readings: readonly Narrow[];
  },
): { readonly item: Json; readonly page: Answered } | undefined {
  const [page] = narrow.pages;
  const names = (filters: readonly NamedFilter[]): string => JSON.stringify(filters.map(({ name }) => name));
  const alike = readings.filter(
    ({ filters, pages: [other] }) =>
      other !== undefined &&
      other.operation === page?.operation &&
      other.step.as === page.step.as &&
      other.exchange.request.path.split('?')[0] === page.exchange.request.path.split('?')[0] &&
      names(filters) === names(narrow.filters),
  );
  for (const reading of alike)
    for (const each of reading.pages)
      for (const item of itemsOf(each)) {
        const id = itemIds(context, each.operation.id)(item);
        const maker = made.find((one) => one.id === id);
        if (maker === undefined || maker.one.operation !== old.one.operation) continue;
        if (maker.one.exchange.startedAt < old.one.exchange.endedAt) continue;
        if (!isSent(maker, reading.filters) || !reading.filters.every((filter) => has(item, filter)))
          continue;
        return { item: recordOf(context.contract, each.operation, item), page: each };
      }
  return undefined;
}

/**
 * Whether a record is in the state of a younger one: a list may show one state alone. What an item leaves out is compared with what
 * the record was made with.
 */
function isAlike(record: Json, item: Json, { id, one }: Made): boolean {
  const [first, ...others] = [record, item, exactJsonOf(one.answer), sentJson(one.exchange.request)].map(
    (each) => membersOf(each),
  );
  return [...(first ?? [])].every(([name, value]) => {
    if (isBookkeeping(`/${name}`) || value === id) return true;
    const known = others.find((each) => each.has(name))?.get(name);
    // The time of an archiving says as much as a flag.
    const isTime = typeof value === 'string' && dateTime(value) !== undefined && !/creat/i.test(name);
    const says = typeof value === 'boolean' || isWord(value);
    if (known === undefined) return !says && !isTime;
    return says ? known === value : (known === null) === (value === null);
  });
}
