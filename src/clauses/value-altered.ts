import type { Context, Fold, Violated } from '../model/clause.ts';
import type { Operation } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  valueAt,
} from '../model/json.ts';
import { exactJsonOf, sentJson } from '../model/response.ts';
import { schemasAt } from '../model/schema-places.ts';
import { type Alteration, alterationOf, isRepeated, othersNeeded } from './alterations.ts';
import { isSame, secret, shownFor } from './judging/changes.ts';
import { type Answered, answered, headerValues, type Seen, seen, violated } from './judging/reading.ts';
import { isSilent, plainMembers, saysNothing, withinAttributes } from './judging/record-changes.ts';
import { readOfRecord, stateBefore } from './judging/record-reads.ts';
import { isBookkeeping } from './judging/removal.ts';
import { placeOf, shows } from './sent-places.ts';

type Doubt = {
  readonly one: Answered;
  readonly read: Seen;
  readonly trace: Trace;
  readonly at: JsonPointer;
  readonly sent: Json;
  readonly shown: Json;
  readonly alteration: Alteration;
};

/** So many values of a member are remembered for each operation. */
const mostValues = 6;

/** In a merge patch a list takes the place of the one before (RFC 7396, 2), and so does all of a PUT (RFC 9110, 9.3.4). */
const merging = /^application\/merge-patch\+json\b/i;

/**
 * A value that a command stores otherwise than it was sent (CMD-6), as careless code does: a number that a column is too small for,
 * a list without its end, a kind that a mapping has forgotten. The operation stores other values of that member as they are sent,
 * and the record shows the rest of the command.
 */
export function valueAltered(): Fold {
  const stored = new Map<string, ReadonlySet<string>>();
  const alone = new Map<string, ReadonlySet<string>>();
  const doubts = new Map<string, Doubt>();
  const cut = new Map<string, ReadonlyMap<string, number>>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = readOfRecord(context, all, one);
        if (read === undefined) continue;
        const found = valuesOf(one, read);
        for (const { at, sent, shown } of found) {
          const own = `${one.operation.id} ${placeOf(at)}`;
          const known = stored.get(own) ?? new Set();
          if (isSame(sent, shown)) {
            // What the record had before, nothing stored.
            const isNew = one.operation.method === 'POST' || isMoved(context, all, one, read, at, sent);
            if (isNew && known.size < mostValues)
              stored.set(own, new Set([...known, canonicalJson(sent).slice(0, 200)]));
          } else {
            const others = found.filter((other) => placeOf(other.at) !== placeOf(at));
            // The items of a list may have changed their places.
            if (
              found.some((other) => !others.includes(other) && other.at !== at && isSame(other.sent, shown))
            )
              continue;
            const alter = (value: SentValue): Alteration | undefined =>
              alterationOf({
                ...value,
                operation: one.operation,
                read: read.operation,
                replaced: replacedBy(context, all, one, read, value.at),
              });
            const alteration = alter({ at, sent, shown });
            // What goes wrong with one list may go wrong with all.
            const isRest =
              others.some((other) => isSame(other.sent, other.shown)) &&
              others.every(
                (other) =>
                  shows(other.sent, other.shown) ||
                  // A service may write the names in a map in a way of its own.
                  isObject(other.sent) ||
                  alter(other)?.how === alteration?.how,
              );
            if (!isRest) continue;
            if (alteration === undefined) continue;
            doubts.set(own, { one, read, trace, at, sent, shown, alteration });
            const end = `${own} ${alteration.how}`;
            if (isArray(sent) && isArray(shown) && isOneLess(sent, shown, exactJsonOf(read.exchange.answer)))
              cut.set(
                end,
                new Map([...(cut.get(end) ?? []), [canonicalJson(sent).slice(0, 200), sent.length]]),
              );
            if (alteration.least !== undefined)
              alone.set(own, new Set([...(alone.get(own) ?? []), canonicalJson(sent).slice(0, 200)]));
          }
          const doubt = doubts.get(own);
          if (doubt === undefined) continue;
          const { how, least = Number.POSITIVE_INFINITY } = doubt.alteration;
          const isKnown = (stored.get(own)?.size ?? 0) >= othersNeeded(doubt.one.operation, doubt.at);
          const isEach = !stored.has(own) && isCut(cut.get(`${own} ${how}`));
          if (!isKnown && !isEach && (alone.get(own)?.size ?? 0) < least) continue;
          const because = isKnown
            ? 'The operation stored other values of that member as they were sent.'
            : isEach
              ? 'It shows one item less of each list that was sent.'
              : '';
          if (doubt.trace === trace && doubt.one === one) yield ruling(doubt, because);
          // Its trace is over, and is not repeated.
          else if (doubt.trace !== trace) {
            doubts.delete(own);
            yield { ...ruling(doubt, because), conclusive: true, within: doubt.trace };
          }
        }
      }
    },
  };
}

/** Whether one item is missing that the record does not show anywhere else either: the first one may be the main one. */
function isOneLess(sent: readonly Json[], shown: readonly Json[], record: Json | undefined): boolean {
  const lost = sent.filter((item) => !shown.some((each) => shows(item, each)));
  const isShownIn = (value: Json, item: Json): boolean =>
    shows(item, value) ||
    (isArray(value) || isObject(value) ? Object.values(value).some((one) => isShownIn(one, item)) : false);
  return (
    shown.length === sent.length - 1 &&
    lost.length === 1 &&
    !lost.some((item) => record !== undefined && isShownIn(record, item))
  );
}

/**
 * Whether each of several lists lost one item at the same end: a bound of a service cuts a long list alone, and a rule about
 * items does not meet the last one each time.
 */
function isCut(lengths: ReadonlyMap<string, number> = new Map()): boolean {
  return lengths.size > 2 && new Set(lengths.values()).size > 1;
}

/** Whether a read before the command showed another value. */
function isMoved(
  context: Context,
  all: readonly Seen[],
  one: Answered,
  read: Seen,
  at: JsonPointer,
  sent: Json,
): boolean {
  const was = valueBefore(context, all, one, read, at);
  return was !== undefined && !isSame(was, sent);
}

/** What the record showed in a place before the command; undefined where nobody knows. */
function valueBefore(
  context: Context,
  all: readonly Seen[],
  one: Answered,
  read: Seen,
  at: JsonPointer,
): Json | undefined {
  const was = stateBefore(context, all, one, read);
  return was === undefined ? undefined : (valueAt(Object.fromEntries(was), at) ?? null);
}

/** The list or map that one of a command takes the place of, if callers set what is in it: a service may have some of its own. */
function replacedBy(
  context: Context,
  all: readonly Seen[],
  one: Answered,
  read: Seen,
  at: JsonPointer,
): Json | undefined {
  const { exchange, operation } = one;
  const types = headerValues(exchange.request.headers, 'content-type');
  const isMerge = operation.method === 'PATCH' && types.some((type) => merging.test(type));
  const was = operation.method === 'PUT' || isMerge ? valueBefore(context, all, one, read, at) : undefined;
  const earlier = all
    .filter((other) => other.operation.kind === 'command' && other.exchange.endedAt <= exchange.startedAt)
    .flatMap(
      (other) => valueAt(Object.fromEntries(plainMembers(sentJson(other.exchange.request))), at) ?? [],
    );
  // A merge patch goes into a map.
  if (isObject(was) && !isMerge) {
    const maps = earlier.filter(isObject);
    const isSet = ([name, value]: readonly [string, Json]): boolean =>
      maps.some((map) => isSame(map[name] ?? null, value));
    return Object.entries(was).every(isSet) ? was : undefined;
  }
  if (!isArray(was)) return undefined;
  const set = earlier;
  return was.every((item) => set.some((each) => shows(each, item))) ? was : undefined;
}

/** A value that a command sent, and what a read shows in its place. */
export type SentValue = { readonly at: JsonPointer; readonly sent: Json; readonly shown: Json };

/** What a command sent and what the read shows of it; nothing where the result says more than the record. */
export function valuesOf(one: Answered, read: Seen): readonly SentValue[] {
  const [sent, is] = [
    plainMembers(sentJson(one.exchange.request)),
    withinAttributes(shownFor(one, read.exchange.answer)),
  ].map((members) => Object.fromEntries(members));
  if (sent === undefined || is === undefined) return [];
  if (!isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer))) return [];
  return valuesIn(sent, is, (at) => isMap(one.operation, at), [])
    .filter(({ at, sent: value, shown }) => shown !== null && !isBookkeeping(at) && !saysNothing(value))
    .filter(({ at }) => !pointerTokens(at).some((name) => secret.test(name)))
    .filter(({ at }) => schemasAt(one.operation.body?.schema, at).length > 0);
}

/** So deep are objects within objects looked at. */
const deepest = 5;

/** Whether callers choose the names of the members of an object. */
function isMap({ body }: Operation, at: JsonPointer): boolean {
  const own = schemasAt(body?.schema, at);
  return (
    own.some((schema) => isObject(schema['additionalProperties'])) &&
    !own.some((schema) => 'properties' in schema)
  );
}

/** The values in objects, and in lists of objects of equal length; another list is one value, and so is a map. */
function valuesIn(
  sent: Json,
  shown: Json,
  isWhole: (at: JsonPointer) => boolean,
  path: readonly string[],
): readonly SentValue[] {
  const isOfObjects = isArray(sent) && sent.length > 0 && sent.every(isObject);
  const isBoth =
    (isObject(sent) && isObject(shown)) ||
    (isOfObjects && isArray(shown) && shown.length === sent.length && shown.every(isObject));
  const own = { at: pointerOf(path), sent, shown };
  if (
    !isBoth ||
    path.length >= deepest ||
    isWhole(own.at) ||
    (isArray(sent) && isArray(shown) && isRepeated(sent, shown))
  )
    return [own];
  const members = new Map(Object.entries(shown));
  // A list whose items all show what was sent is stored, whatever the service adds to them.
  const whole = isArray(sent) && shows(sent, shown) ? [{ ...own, shown: sent }] : [];
  const within = Object.entries(sent).flatMap(([name, value]): readonly SentValue[] => {
    const there = members.get(name);
    return there === undefined ? [] : valuesIn(value, there, isWhole, [...path, name]);
  });
  return [...whole, ...within];
}

function ruling({ alteration: { how, least }, at, one, read, sent, shown }: Doubt, known: string): Violated {
  const short = (value: Json): string => JSON.stringify(value).slice(0, 80);
  return violated([one, read], {
    expected: `${short(sent)} at ${at}, as it was sent`,
    actual: `${short(shown)} at ${at}`,
    because:
      `The record shows the rest of the accepted command, but ${how} at ${at}. ${least === 1 ? 'What was sent takes the place of what was there.' : known}`.trim(),
    moved: { read: read.operation.id, at: [at] },
  });
}
