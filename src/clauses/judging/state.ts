import { idText, type Operation } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { canonicalJson, isArray, isObject, type Json, valueAt } from '../../model/json.ts';
import { jsonOf } from '../../model/response.ts';
import { httpDate } from '../../oracle/http-date.ts';
import { headerValues } from './reading.ts';

type Read = { readonly exchange: Exchange; readonly operation: Operation };

/**
 * Whether two accepted reads show one state. What belongs to the answer and not to the record does not count: what
 * stands around the record, the id of the request, the moment of the answer, and the order of members.
 */
export function sameState(one: Read, other: Read): boolean {
  if (one.exchange.answer?.body === other.exchange.answer?.body) return true;
  const [first, second] = [shownBy(one), shownBy(other)];
  if (first === undefined || second === undefined) return false;
  return same(first, second, momentOf(one.exchange), momentOf(other.exchange));
}

/** What a read shows, without what depends only on the request; undefined where it is no JSON. */
function shownBy({ exchange, operation }: Read): Json | undefined {
  const body = jsonOf(exchange.answer);
  if (body === undefined) return undefined;
  const items = operation.pagination === undefined ? undefined : valueAt(body, operation.pagination.items);
  const shown = items ?? recordIn(body, idOfTarget(operation, exchange)) ?? body;
  return withoutRequestIds(shown, exchange.requestIds);
}

/** The last path field, as it stood in the path. */
function idOfTarget({ path, pathFields }: Operation, { request }: Exchange): string | undefined {
  const field = pathFields.at(-1);
  if (field === undefined) return undefined;
  // The path may follow a base URL.
  const fromEnd = path.split('/').toReversed().indexOf(`{${field.name}}`);
  const segment = request.path.split('?')[0]?.split('/').toReversed()[fromEnd];
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The nearest object that has the id among its members, where the answer wraps the record in something else. */
function recordIn(value: Json, id: string | undefined): Json | undefined {
  if (id === undefined) return undefined;
  let level: readonly Json[] = [value];
  while (level.length > 0) {
    const found = level.find(
      (each) => isObject(each) && Object.values(each).some((member) => idText(member) === id),
    );
    if (found !== undefined) return found;
    level = level.flatMap((each) => (isObject(each) ? Object.values(each) : []));
  }
  return undefined;
}

function withoutRequestIds(value: Json, ids: readonly string[]): Json {
  if (typeof value === 'string')
    return ids.reduce((text, id) => (id.length < 8 ? text : text.replaceAll(id, 'request id')), value);
  if (isArray(value)) return value.map((item) => withoutRequestIds(item, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutRequestIds(member, ids)]),
  );
}

/** When the service answered, by its own clock; undefined where it does not say. */
function momentOf({ answer }: Exchange): number | undefined {
  const [date] = headerValues(answer?.headers ?? [], 'date');
  return httpDate(date ?? '');
}

function same(one: Json, other: Json, at: number | undefined, otherAt: number | undefined): boolean {
  if (isArray(one) && isArray(other))
    return (
      one.length === other.length && one.every((item, index) => same(item, other[index] ?? null, at, otherAt))
    );
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every(
        (name) => Object.hasOwn(other, name) && same(one[name] ?? null, other[name] ?? null, at, otherAt),
      )
    );
  }
  return canonicalJson(one) === canonicalJson(other) || (isMoment(one, at) && isMoment(other, otherAt));
}

/** The header has whole seconds, cut off. */
const slackMs = 1500;

/** Whether a value is the time at which the answer that shows it was made. */
function isMoment(value: Json, at: number | undefined): boolean {
  const time = timeOf(value);
  return at !== undefined && time !== undefined && Math.abs(time - at) <= slackMs;
}

/** A date-time, epoch seconds or epoch milliseconds. */
function timeOf(value: Json): number | undefined {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
