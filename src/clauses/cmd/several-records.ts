import type { Ruling } from '../../model/clause.ts';
import type { ExchangeId, HttpResponse, Trace } from '../../model/exchange.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  valueAt,
  withValueAt,
} from '../../model/json.ts';
import { bulkOf } from '../../model/listed.ts';
import { hasMarker } from '../../model/marker.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { idAt, idPointer } from '../../model/result-id.ts';
import { unfinishedRead } from '../judging/effects.ts';
import {
  type Answered,
  idOf,
  inconclusive,
  isAccepted,
  isQueued,
  markerOf,
  violated,
} from '../judging/reading.ts';

/**
 * The list must show all that the result names; a result with fewer may say that some were not taken. `all` are the exchanges of the
 * trace: records that were made one by one show what two of them may have in common.
 */
export function someLost(
  trace: Trace,
  all: readonly Answered[],
  one: Answered,
  records: readonly string[],
  { complete, list, seenIn = [] }: { complete: boolean; list?: Answered; seenIn?: readonly ExchangeId[] },
): Ruling | undefined {
  const { answer, exchange, operation } = one;
  const at = bulkOf(operation.effect);
  const [items, ...others] = listsIn(sentJson(exchange.request));
  const marker = markerOf(trace, one) ?? '';
  const isMarked = (item: Json): boolean => hasMarker(JSON.stringify(item), marker);
  if (at === undefined || items === undefined || others.length > 0 || !items.every(isMarked))
    return undefined;
  const results = valueAt(exactJsonOf(answer), at);
  const place = idPointer(operation).slice(at.length + '/0'.length);
  const named = isArray(results) ? results.flatMap((item) => idAt(item, place) ?? []) : [];
  const lost = named.filter((id) => !records.includes(id));
  if (records.length >= items.length || (lost.length === 0 && named.length >= items.length)) return undefined;
  if (!complete) return inconclusive([one], unfinishedRead);
  const few = `The command asked for ${items.length} records, and its result and the list show ${records.length}.`;
  if (lost.length === 0 && !isQueued(answer) && isSilent(answer, at) && areApart(trace, all, one, items))
    return violated([one, ...(list === undefined ? [] : [list])], {
      expected: `${items.length} records, or a result that says which of them were not made`,
      actual: records.join(', '),
      because: `${few} Nothing in the result says that an item was refused.`,
      seenIn: seenIn.slice(0, 3),
    });
  return lost.length === 0 || isQueued(answer)
    ? inconclusive([one], few, few)
    : violated([one, ...(list === undefined ? [] : [list])], {
        expected: `${named.join(', ')} in the declared list`,
        actual: records.join(', '),
        because: `The result names ${named.length} records, but the independent read shows only ${records.length} of them.`,
        seenIn: seenIn.slice(0, 3),
      });
}

/** The lists in a body, or that it is. */
function listsIn(body: Json | undefined): readonly (readonly Json[])[] {
  if (isArray(body)) return [body];
  return isObject(body) ? Object.values(body).filter(isArray) : [];
}

/**
 * Whether nothing that items have in common is the reason for taking two of them for one: they are texts, or the same command
 * made two records with all of it one after the other.
 */
function areApart(trace: Trace, all: readonly Answered[], one: Answered, items: readonly Json[]): boolean {
  if (items.every(isText)) return true;
  const made = all.flatMap((other): readonly { readonly id: string; readonly rest: string }[] => {
    const [list, ...more] = listsIn(sentJson(other.exchange.request));
    const [item, ...others] = list ?? [];
    const id = idOf(other.operation, other.answer);
    const isAlone = item !== undefined && others.length + more.length === 0 && other !== one;
    const isMade = other.operation === one.operation && isAccepted(other.answer) && !isQueued(other.answer);
    return isAlone && isMade && id !== undefined
      ? [{ id, rest: restOf(item, markerOf(trace, other) ?? '') }]
      : [];
  });
  const marker = markerOf(trace, one) ?? '';
  return items.every(
    (item) => new Set(made.flatMap(({ id, rest }) => (rest === restOf(item, marker) ? [id] : []))).size > 1,
  );
}

/** What an item has next to its marked text. */
function restOf(item: Json, marker: string): string {
  if (!isObject(item)) return '';
  const rest = Object.entries(item).filter(([, value]) => !hasMarker(JSON.stringify(value), marker));
  return canonicalJson(Object.fromEntries(rest));
}

/** Whether an item is a text alone, so that nothing but the text can be what another item has as well. */
function isText(item: Json): boolean {
  return typeof item === 'string' || (isObject(item) && Object.keys(item).length === 1);
}

/** Whether a result has nothing but the records that were made. */
function isSilent(answer: HttpResponse, at: JsonPointer): boolean {
  const body = exactJsonOf(answer);
  // A multi-status (RFC 4918, 11.1) may speak of the others in a way of its own.
  if (body === undefined || answer.status === 207) return false;
  const rest = at === '' ? {} : withValueAt(body, at, undefined);
  return !membersWithin(rest).some((value) => value !== null && value !== '');
}

function membersWithin(value: Json): readonly Json[] {
  if (isArray(value)) return value.flatMap(membersWithin);
  if (!isObject(value)) return [value];
  // A link to its schema is no word about the records.
  return Object.entries(value).flatMap(([name, member]) => (name === '$schema' ? [] : membersWithin(member)));
}
