import type { Context, Fold, Violated } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, isArray, isObject, type Json, type JsonPointer, valueAt } from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { type Alteration, alterationOf, othersNeeded } from '../judging/alterations.ts';
import { isSame } from '../judging/changes.ts';
import { type Answered, headerValues, type Seen, seen, violated } from '../judging/reading.ts';
import { plainMembers } from '../judging/record-changes.ts';
import { stateBefore } from '../judging/record-reads.ts';
import { placeOf, shows } from '../judging/sent-places.ts';
import { type SentValue, sentValues } from './sent-values.ts';

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
      for (const { one, read, values: found } of sentValues(context, trace)) {
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
