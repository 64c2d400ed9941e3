import type { Moved, MovedAlone, Seen } from '../model/clause.ts';
import { idText, type Operation, type OperationId } from '../model/contract.ts';
import { type Exchange, headerOf } from '../model/exchange.ts';
import { canonicalJson, isArray, isObject, type Json, type JsonPointer, pointerOf } from '../model/json.ts';
import { pathValuesIn } from '../model/path.ts';
import { exactJsonOf, isAccepted } from '../model/response.ts';
import { Undecided, unkept } from '../model/undecided.ts';
import { httpDate } from './http-date.ts';
import { itemsIn } from './paging.ts';

type Read = { readonly exchange: Exchange; readonly operation: Operation };

/** What belongs to the response does not count: what is around the record, request ID, moment, order of members. */
export function sameState(one: Read, other: Read): boolean {
  return differences(one, other).length === 0;
}

/** The same, as what a ruling rests on; of a record that is gone it is all of it. */
export function movedBetween(one: Read, other: Read): Moved {
  const isShown = isAccepted(other.exchange.answer);
  return { read: other.operation.id, at: isShown ? differences(one, other) : [whole] };
}

const whole: JsonPointer = '';

/** Where two accepted reads show different states. Items of lists that differ are one place. @throws Undecided where one was cut */
export function differences(one: Read, other: Read): readonly JsonPointer[] {
  if (one.exchange.answer?.body === other.exchange.answer?.body) return [];
  for (const { exchange } of [one, other])
    if (exchange.answer?.truncated === true) throw new Undecided(unkept);
  const [first, second] = [shownBy(one), shownBy(other)];
  if (first === undefined || second === undefined) return [whole];
  const found = new Set<JsonPointer>();
  compare(first, second, [], { at: momentOf(one.exchange), otherAt: momentOf(other.exchange), found });
  return [...found];
}

/** Members that two reads show differently without a command in between: by themselves, or of the response. */
export function movedAlone(all: readonly Seen[]): readonly MovedAlone[] {
  const moved: MovedAlone[] = [];
  const after = new Set<OperationId>();
  let last: Seen | undefined;
  for (const one of all) {
    // A read of the list that shows the record is no command either.
    if (one.step.observes === 'item') continue;
    if (one.step.observes !== 'before') {
      last = undefined;
      if (one.operation.kind === 'command' && isAccepted(one.exchange.answer)) after.add(one.operation.id);
      continue;
    }
    const { answer, request } = one.exchange;
    const was =
      last !== undefined && last.exchange.request.path === request.path && isAccepted(last.exchange.answer)
        ? last
        : undefined;
    const isKnown = isAccepted(answer) || [404, 410].includes(answer?.status ?? 0);
    const alone = was !== undefined && isKnown ? movedBetween(was, one) : undefined;
    if (alone !== undefined && alone.at.length > 0) moved.push({ ...alone, after: [...after] });
    last = one;
  }
  return moved;
}

/** What a read shows, without what depends only on the request; undefined where it is not JSON. */
function shownBy({ exchange, operation }: Read): Json | undefined {
  const body = exactJsonOf(exchange.answer);
  if (body === undefined) return undefined;
  const items = operation.pagination === undefined ? undefined : itemsIn(operation, body);
  const shown = items ?? recordIn(body, pathValuesIn(operation, exchange.request).at(-1)) ?? body;
  return withoutRequestIds(shown, exchange.requestIds);
}

/** The nearest object that has the ID among its members, or in its head, where the response wraps the record in something else. */
function recordIn(value: Json, id: string | undefined): Json | undefined {
  if (id === undefined) return undefined;
  let level: readonly Place[] = [{ value, around: value, isHead: false }];
  while (level.length > 0) {
    const found = level.filter((each) => hasId(each.value, id));
    const record = found.find(({ isHead }) => !isHead) ?? found[0];
    if (record !== undefined) return record.isHead ? record.around : record.value;
    level = level.flatMap(({ value: around }) =>
      isObject(around)
        ? Object.entries(around).map(([name, member]) => ({
            value: member,
            around,
            isHead: heads.has(name.toLowerCase()),
          }))
        : [],
    );
  }
  return undefined;
}

type Place = { readonly value: Json; readonly around: Json; readonly isHead: boolean };

/** Members that say which record it is, next to those with its values: `metadata` of Kubernetes, `sys` of Contentful. */
const heads: ReadonlySet<string> = new Set(
  'metadata meta sys header head identity identification identifiers ids key keys'.split(' '),
);

function hasId(value: Json | undefined, id: string): boolean {
  return isObject(value) && Object.values(value).some((member) => idText(member) === id);
}

function withoutRequestIds(value: Json, ids: readonly string[]): Json {
  if (typeof value === 'string')
    return ids.reduce((text, id) => (id.length < 8 ? text : text.replaceAll(id, 'request ID')), value);
  if (isArray(value)) return value.map((item) => withoutRequestIds(item, ids));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutRequestIds(member, ids)]),
  );
}

/** When the service answered, by its own clock; undefined where it does not say. */
function momentOf({ answer }: Exchange): number | undefined {
  return httpDate(headerOf(answer?.headers ?? [], 'date') ?? '');
}

type Comparison = {
  readonly at: number | undefined;
  readonly otherAt: number | undefined;
  readonly found: Set<JsonPointer>;
};

function compare(one: Json, other: Json, path: readonly string[], into: Comparison): void {
  const { at, found, otherAt } = into;
  if (isArray(one) && isArray(other) && one.length === other.length) {
    for (const [index, item] of one.entries()) compare(item, other[index] ?? null, [...path, '*'], into);
    return;
  }
  if (isObject(one) && isObject(other)) {
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const [before, after] = [one[name], other[name]];
      if (before === undefined || after === undefined) found.add(pointerOf([...path, name]));
      else compare(before, after, [...path, name], into);
    }
    return;
  }
  if (canonicalJson(one) !== canonicalJson(other) && !(isMoment(one, at) && isMoment(other, otherAt)))
    found.add(pointerOf(path));
}

/** The header has whole seconds, cut off. */
const slackMs = 1500;

/** Whether a value is the time at which the response that shows it was made. */
function isMoment(value: Json, at: number | undefined): boolean {
  const time = timeOf(value);
  return at !== undefined && time !== undefined && Math.abs(time - at) <= slackMs;
}

function timeOf(value: Json): number | undefined {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return undefined;
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : time;
}
