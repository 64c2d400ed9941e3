import type { Context } from '../../model/clause.ts';
import { idText, isCount, type Operation, type OperationId, operationNamed } from '../../model/contract.ts';
import { settleMs } from '../../model/declaration.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Json, valueAt } from '../../model/json.ts';
import { itemId } from '../../model/listed.ts';
import { hasMarker, isWeak, shownMarkers } from '../../model/marker.ts';
import { firstPage } from '../../model/pages.ts';
import { bare } from '../../model/path.ts';
import { type PrincipalName, scopeOf } from '../../model/principal.ts';
import { isReadying } from '../../model/readying-step.ts';
import { rememberedWith } from '../../model/remembered.ts';
import { exactJsonOf, sentJson, unescapedBody } from '../../model/response.ts';
import { type Observes, stepsOf } from '../../model/scenario.ts';
import { isBehindEnd, isUncounted, itemsIn, nextPage } from '../../oracle/paging.ts';
import {
  type Answered,
  answered,
  idOf,
  isAccepted,
  isShared,
  markerOf,
  pathValues,
  type Seen,
  seen,
} from './reading.ts';
import { noIdIn } from './results.ts';

export const shape = {
  where: 'What the service does, 3',
  quote: 'Read operations (GET) state their permission, query fields, pagination and response shape.',
};

export function itemsOf({ answer, operation }: Answered): readonly Json[] {
  return itemsIn(operation, exactJsonOf(answer)) ?? [];
}

export function itemIds(context: Context, list: OperationId): (item: Json) => string | undefined {
  return itemId(context.contract, list);
}

export const unknownStart =
  'The second page begins with the last record of the first. That is correct if offsets count from 1. In that case, declare the default or the minimum of the query field.';

/** Whether only the second page repeats a record, the last of the first: where items are counted from 1, it must. */
export function mayStartAtOne(
  { pagination, ...list }: Operation,
  [first = [], ...others]: readonly (readonly string[])[],
): boolean {
  const ids = [...first, ...others.flat()];
  return (
    pagination?.style === 'offset' &&
    pagination.next === undefined &&
    firstPage({ ...list, pagination }) === undefined &&
    others[0]?.[0] === first.at(-1) &&
    new Set(ids).size === ids.length - 1
  );
}

/** The pages of a walk in turn, once it is known where the second one begins. */
export type FromStart<Page> = {
  readonly pages: readonly Page[];
  readonly ids: readonly (readonly string[])[];
  /** Why nothing shows where the second page begins. */
  readonly doubt?: string;
};

/**
 * Where the contract does not say which number the first page has, a walk asks for page 1 behind the first one: where pages
 * are counted from 1 that is the first one again, and it counts once. Items that are counted from 1 repeat one at that place.
 */
export function fromStart<Page>(
  list: Operation,
  pages: readonly Page[],
  ids: readonly (readonly string[])[],
): FromStart<Page> {
  const [first = [], second = [], ...others] = ids;
  if (mayStartAtOne(list, ids))
    // An offset that is one too small on each page would repeat a record at each further one as well.
    return [second, ...others].filter((page) => page.length > 0).length > 1
      ? { pages, ids: [first.slice(0, -1), second, ...others] }
      : { pages, ids, doubt: unknownStart };
  if (!isUncounted(list) || !second.some((id) => first.includes(id))) return { pages, ids };
  if (first.length === second.length && first.every((id) => second.includes(id)))
    return { pages: pages.slice(1), ids: ids.slice(1) };
  const behind = [...second, ...others.flat()];
  return new Set(behind).size < behind.length ? { pages, ids } : { pages, ids, doubt: unknownCount };
}

const unknownCount =
  'Nothing says whether pages count from 0 or from 1, and page 1 is neither the first page nor the second. Declare the default or the minimum of the query field.';

/** The last page leads to no further one; where pages are counted it is an empty one. */
export function isLastPage(one: Answered): boolean {
  const { kind } = nextPage(one.operation, one.answer);
  return kind === 'none' || (kind === 'unknown' && itemsOf(one).length === 0);
}

/** Whether a page of a walk was read. One behind the last page need not be there. */
export function isRead(one: Answered): boolean {
  return isAccepted(one.answer)
    ? !one.answer.truncated
    : isBehindEnd(one.operation, one.answer) && queryOf(one).has(one.operation.pagination?.cursor ?? '');
}

/** A page of a walk that got no response. */
export function lostPage(context: Context, trace: Trace, ...walks: readonly Observes[]): Seen | undefined {
  return seen(context, trace).find(
    ({ exchange, step }) =>
      step.observes !== undefined &&
      walks.includes(step.observes) &&
      exchange.answer === undefined &&
      exchange.noAnswer?.reason !== 'harness',
  );
}

/** Whether a page itself says where the next one is. */
export function isFollowed(one: Answered): boolean {
  const { kind } = nextPage(one.operation, one.answer);
  return kind !== 'none' && kind !== 'unknown';
}

/** What a request asks for: to change it, copy it. */
export type Query = Omit<URLSearchParams, 'append' | 'delete' | 'set' | 'sort'>;

export function queryOf({ exchange, operation }: Pick<Seen, 'exchange' | 'operation'>): Query {
  return queryIn(exchange, operation);
}

const queryIn = rememberedWith(({ request }: Answered['exchange'], { queryFields }: Operation): Query => {
  const query = new URLSearchParams(request.path.split('?')[1]);
  // A list by POST may have them in its body.
  for (const { at, name } of queryFields) {
    const text = at === undefined ? undefined : idText(valueAt(sentJson(request), at));
    if (text !== undefined) query.set(name, text);
  }
  return query;
});

/** Whether a page is that of a part of the list. Without the filters that it requires it is not seen at all. */
export function isFiltered(one: Answered): boolean {
  const query = queryOf(one);
  return one.operation.queryFields.some(
    ({ filters, name, required }) => filters !== undefined && !required && query.has(name),
  );
}

/** Ids of records that a list is to show: what others are within is not one of them. */
export function listedIds(context: Context, trace: Trace): readonly string[] {
  const steps = stepsOf(trace.scenario.waves);
  const holders = new Set(
    steps.flatMap(({ target }) =>
      Object.values(target ?? {}).flatMap((ref) => ('step' in ref ? [ref.step] : [])),
    ),
  );
  // What is within a record has the chosen ID of that one before the end of its path.
  const chosenHolders = new Set(
    steps.flatMap(({ operation, target }) => {
      const path = bare(operationNamed(context.contract, operation)?.path ?? '');
      return Object.entries(target ?? {}).flatMap(([name, ref]) =>
        'chosen' in ref && !path.endsWith(`{${name}}`) ? [ref.chosen] : [],
      );
    }),
  );
  return idsWhere(context, trace, ({ operation, step }) => {
    const last = operation.pathFields.at(-1);
    // What is made under the holder has its ID in the path as well, and is not the holder.
    const own = last?.chosen === true ? step.target?.[last.name] : undefined;
    // What comes first on a record of the trace, such as a deposit on an account, is of another list.
    return (
      !isReadying(step) &&
      !holders.has(step.id) &&
      !(own !== undefined && 'chosen' in own && chosenHolders.has(own.chosen))
    );
  });
}

/** Why nothing follows from pages where no record is known that a command of the trace made. */
export function noneMade(context: Context, trace: Trace): string {
  const made = answered(context, trace).find(
    (one) =>
      one.operation.kind === 'command' &&
      isAccepted(one.answer) &&
      (idOf(one.operation, one.answer) ?? chosenId(one)) === undefined,
  );
  return made === undefined
    ? 'No record was made that the pages could lose or repeat.'
    : noIdIn(made.operation);
}

function idsWhere(context: Context, trace: Trace, counts: (one: Answered) => boolean): readonly string[] {
  return answered(context, trace).flatMap((one) =>
    one.operation.kind === 'command' && isAccepted(one.answer) && counts(one)
      ? (idOf(one.operation, one.answer) ?? chosenId(one) ?? [])
      : [],
  );
}

/** The ID that a caller chose, where the result says nothing: the path names it. */
export function chosenId({ exchange, operation }: Answered): string | undefined {
  return operation.pathFields.at(-1)?.chosen === true ? pathValues(operation, exchange).at(-1) : undefined;
}

/** Whether a list shows records at all, whatever it is asked for. */
export function showsAny(context: Context, trace: Trace, { operation }: Answered): boolean {
  return answered(context, trace).some(
    (one) => one.operation.id === operation.id && isAccepted(one.answer) && itemsOf(one).length > 0,
  );
}

/** A number so long that was drawn is that of one record alone. */
const drawn = 8;

/**
 * Whether another scope may have an ID that a command was sent or returned: a number, or a natural key, such as an e-mail
 * address. What has a marker, or was chosen for a path, is new, and so are many digits that the result shows as a text.
 */
export function mayRecur(id: string, one: Answered): boolean {
  const isDrawn = id.length >= drawn && id === chosenId(one) && unescapedBody(one.answer).includes(`"${id}"`);
  return (
    (isCount(id) && !isDrawn) ||
    (isShared(id, one.exchange) && shownMarkers(id).length === 0 && id !== chosenId(one))
  );
}

/** An ID in quotes or a marker of another scope; a number, or what both scopes have sent, says nothing. */
export function foreignSigns(context: Context, trace: Trace, caller: PrincipalName): readonly string[] {
  const scope = (name: PrincipalName): string | undefined => scopeOf(context.principals, name);
  const others = seen(context, trace).some(
    ({ step }) => step.as !== caller && scope(step.as) !== scope(caller),
  );
  if (!others) return [];
  const signs = (own: boolean): readonly string[] => {
    const counts = (name: PrincipalName): boolean => (scope(name) === scope(caller)) === own;
    const ids = idsWhere(context, trace, (one) => {
      const id = idOf(one.operation, one.answer) ?? chosenId(one);
      return counts(one.step.as) && id !== undefined && !mayRecur(id, one);
    });
    return [
      ...ids.map((id) => `"${id}"`),
      ...markersWhere(
        context,
        trace,
        (one) => counts(one.step.as) && (own || isAccepted(one.exchange.answer)),
      ),
    ];
  };
  const own = new Set(signs(true));
  return signs(false).filter((sign) => !own.has(sign));
}

/** Whether an item has the marker of a record that a command made, whatever ID it has there. */
export function showsMade(context: Context, trace: Trace, pages: readonly Answered[]): boolean {
  const markers = markersWhere(context, trace, ({ exchange }) => isAccepted(exchange.answer));
  return pages.some(({ answer }) => markers.some((marker) => hasMarker(answer.body, marker)));
}

/** Markers in the bodies of commands. A command of the caller's own whose response was lost may have been carried out. */
function markersWhere(context: Context, trace: Trace, counts: (one: Seen) => boolean): readonly string[] {
  return seen(context, trace).flatMap((one) => {
    const marker = markerOf(trace, one);
    return one.operation.kind === 'command' &&
      counts(one) &&
      marker !== undefined &&
      !isWeak(marker) &&
      one.exchange.request.body?.includes(marker) === true
      ? [marker]
      : [];
  });
}

/** Whether between two reads each copy of a list comes to show what another one showed (G15). */
export function areApart(
  { declared }: Context,
  one: Answered | undefined,
  other: Answered | undefined,
): boolean {
  return (other?.exchange.startedAt ?? 0) - (one?.exchange.endedAt ?? 0) >= settleMs(declared);
}

/** How many records a page may have at most, as far as it is known. */
export function sizeOf(one: Answered): number {
  const asked = Number(queryOf(one).get(one.operation.pagination?.limit ?? '') ?? Number.NaN);
  return Number.isNaN(asked) ? 1 : asked;
}
