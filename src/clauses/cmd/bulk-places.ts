import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  pointerOf,
  valueAt,
} from '../../model/json.ts';
import { bulkOf } from '../../model/listed.ts';
import { hasMarker } from '../../model/marker.ts';
import { wordsOf } from '../../model/name-words.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import {
  type Answered,
  answered,
  faultsOf,
  isAccepted,
  isQueued,
  markerOf,
  violated,
} from '../judging/reading.ts';
import { shows } from '../judging/sent-places.ts';
import { isPlain } from '../judging/settable-members.ts';

/** An item of a list that was sent, its place, and what the result shows of it. */
type Item = {
  readonly one: Answered;
  readonly nth: number;
  /** What was sent, without the marker: the number before it says which item it is. */
  readonly plain: string;
  readonly sent: JsonObject;
  readonly shown: JsonObject;
};

/**
 * Two commands made records of the same items in another order. A member that each item has as it was sent in the first place, and
 * has not in a later one, is lost or exchanged by the loop that goes through the list (CMD-6): nothing else is different.
 */
export function* bulkPlaces(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const [at, one] of all.entries()) {
    const other = all
      .slice(at + 1)
      .find(({ operation, step }) => operation === one.operation && step.as === one.step.as);
    if (other === undefined) continue;
    const [first, second] = [one, other].map((each) => itemsOf(trace, each));
    if (first === undefined || second === undefined) continue;
    const alone = first.flatMap((item) => {
      const again = second.find(({ plain }) => plain === item.plain);
      return again === undefined || again.nth === item.nth ? [] : [[item, again] as const];
    });
    // Each item was in the first place once.
    const pairs = alone.filter((pair) => pair.some(({ nth }) => nth === 0));
    if (pairs.length < 2) continue;
    const name = namesIn(pairs.map(([{ sent }]) => sent)).find(
      (member) =>
        !ofPlace.test(wordsOf(member).at(-1) ?? '') && pairs.every((pair) => isLostBehind(pair, member)),
    );
    const [, later] = pairs[0]?.toSorted((a, b) => a.nth - b.nth) ?? [];
    if (name === undefined || later === undefined) continue;
    const short = (value: Json | undefined): string => JSON.stringify(value ?? null).slice(0, 80);
    yield violated([one, other], {
      expected: `${short(later.sent[name])} at ${pointerOf([name])} of item ${later.nth + 1}, as it was sent`,
      actual: short(later.shown[name]),
      because: `Two commands sent the same items in another order. Whichever comes first shows ${name} as it was sent, and whichever comes later does not.`,
    });
  }
}

/** What the first of several records may have alone, or says which of them it is. */
const ofPlace =
  /^(default|first|index|is|last|line|main|master|next|no|nr|number|order|parent|position|previous|primary|rank|seq|sequence|sort)$/;

function isLostBehind(pair: readonly Item[], name: string): boolean {
  const isKept = ({ sent, shown }: Item): boolean => shows(sent[name] ?? null, shown[name]);
  return pair.every((item) => {
    const value = item.sent[name] ?? null;
    const isFree = typeof value !== 'boolean' && isPlain(pointerOf([name]), value);
    return isFree && isKept(item) === (item.nth === 0);
  });
}

function namesIn(items: readonly JsonObject[]): readonly string[] {
  return Object.keys(items[0] ?? {}).filter((name) => items.every((item) => Object.hasOwn(item, name)));
}

/** The items of a command that the result shows one by one, whatever their order there. */
function itemsOf(trace: Trace, one: Answered): readonly Item[] | undefined {
  const place = bulkOf(one.operation.effect);
  const marker = markerOf(trace, one);
  if (place === undefined || marker === undefined || !isAccepted(one.answer) || isQueued(one.answer))
    return undefined;
  if (faultsOf(one.step).length > 0 || one.answer.truncated) return undefined;
  const results = valueAt(exactJsonOf(one.answer), place);
  const body = sentJson(one.exchange.request);
  const lists = isArray(body) ? [body] : isObject(body) ? Object.values(body).filter(isArray) : [];
  const [sent = []] = lists;
  if (!isArray(results) || lists.length !== 1 || results.length !== sent.length) return undefined;
  const items = sent.flatMap((each, nth): readonly Item[] => {
    const [text] = isObject(each) ? markedTexts(each, marker) : [];
    const found = results.filter((result) => isObject(result) && markedTexts(result, marker)[0] === text);
    const [shown] = found;
    return text !== undefined && isObject(each) && isObject(shown) && found.length === 1
      ? [{ one, nth, plain: canonicalJson(each).replaceAll(marker, ''), sent: each, shown }]
      : [];
  });
  return items.length === sent.length ? items : undefined;
}

function markedTexts(item: JsonObject, marker: string): readonly string[] {
  return Object.values(item).filter(
    (value): value is string => typeof value === 'string' && hasMarker(value, marker),
  );
}
