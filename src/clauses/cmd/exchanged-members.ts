import type { Fold, Violated } from '../../model/clause.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  pointerTokens,
  valueAt,
} from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { dateTime } from '../../oracle/instant.ts';
import { isSame } from '../judging/changes.ts';
import { type Answered, answered, type Seen, seen, violated } from '../judging/reading.ts';
import { plainMembers, saysNothing } from '../judging/record-changes.ts';
import { readOfRecord } from '../judging/record-reads.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { isWithin, placeOf, type SentPlace, sentPlaces, shows } from '../judging/sent-places.ts';
import { isOther } from './contradicted.ts';

/** A member that shows what its command sent for another one. */
type Exchange = {
  readonly one: Answered;
  readonly read: Seen;
  readonly place: SentPlace;
  readonly other: SentPlace;
  /** Whether the other member shows what was sent for this one. */
  readonly isSwap: boolean;
  /** What the command chose elsewhere: flags, and one of several values. */
  readonly chosen: ReadonlyMap<JsonPointer, string>;
};

/** So many commands are remembered for each pair of members. */
const most = 20;

/**
 * A member that never shows what a command sends for it, but what the same command sends for another one (CMD-6): a latitude as the
 * longitude, the address of the sender as that of the receiver. It does so whichever of the two is the greater, and whatever else
 * the commands chose: neither a bound, nor an order, nor a flag explains it.
 */
export function exchangedMembers(): Fold {
  const known = new Map<string, readonly Exchange[]>();
  const kept = new Set<string>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = readOfRecord(context, all, one);
        if (read === undefined) continue;
        const [sent, is] = [sentJson(one.exchange.request), exactJsonOf(read.exchange.answer)].map(
          plainMembers,
        );
        if (sent === undefined || is === undefined) continue;
        const places = sentPlaces(one.operation, sent, is, undefined);
        for (const place of places) {
          const own = `${one.operation.id} ${placeOf(place.at)}`;
          const others = places.filter((each) => isPair(one, place, each));
          if (shows(place.sent, place.shown)) {
            if (others.some((each) => !isSame(each.sent, place.sent))) kept.add(own);
            continue;
          }
          for (const other of others) {
            if (kept.has(own) || !isExchanged(place, other)) continue;
            const isSwap = isExchanged(other, place);
            if (!isRest(places, isSwap ? [place, other] : [place])) continue;
            const key = `${own} ${placeOf(other.at)}`;
            const exchange = { one, read, place, other, isSwap, chosen: chosenIn(one, place.at) };
            const found = [
              ...(known.get(key) ?? []).filter((each) => !isAgain(each, exchange)),
              exchange,
            ].slice(-most);
            known.set(key, found);
            if (isCertain(found)) yield ruling(exchange, found.length);
          }
        }
      }
    },
  };
}

/** Numbers, dates, times and objects: a service may well make one text out of another. */
function isTelling(value: Json): boolean {
  if (typeof value === 'number') return value !== 0;
  return typeof value === 'string' ? rankOf(value) !== undefined : isObject(value) && !saysNothing(value);
}

const parentOf = (at: JsonPointer): JsonPointer => pointerOf(pointerTokens(at).slice(0, -1));

/** Whether two members are next to each other, or of one name within such, and of one kind. */
function isPair({ operation }: Answered, { at, sent }: SentPlace, other: SentPlace): boolean {
  if (at === other.at || isWithin(at, other.at) || isWithin(other.at, at)) return false;
  const [own, its] = [pointerTokens(at), pointerTokens(other.at)];
  const isNext = parentOf(at) === parentOf(other.at);
  const isCousin =
    own.length > 1 && own.at(-1) === its.at(-1) && parentOf(parentOf(at)) === parentOf(parentOf(other.at));
  const isFree = (each: JsonPointer): boolean =>
    !isBookkeeping(each) &&
    !schemasAt(operation.body?.schema, each).some((schema) => 'enum' in schema || 'const' in schema);
  return (
    (isNext || isCousin) &&
    typeof sent === typeof other.sent &&
    !/^\d+$/.test(own.at(-1) ?? '') &&
    [sent, other.sent].every(isTelling) &&
    (isObject(sent) ? isObject(other.sent) && !isArray(sent) : isRanked(sent, other.sent)) &&
    [at, other.at].every(isFree)
  );
}

function isRanked(one: Json, other: Json): boolean {
  return rankOf(one) !== undefined && rankOf(other) !== undefined;
}

/** The place of a value among others of its kind. */
function rankOf(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return Date.parse(value);
  return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : dateTime(value)?.at;
}

function isExchanged({ sent, shown }: SentPlace, other: SentPlace): boolean {
  return shown !== undefined && !shows(sent, shown) && shows(other.sent, shown) && !shows(other.sent, sent);
}

/** Whether a record shows all else that was sent, be it in another form. */
function isRest(places: readonly SentPlace[], but: readonly SentPlace[]): boolean {
  const rest = places.filter(({ at }) => !but.some((each) => isWithin(at, each.at) || isWithin(each.at, at)));
  return rest.length > 0 && rest.every((each) => shows(each.sent, each.shown) || isInAnotherForm(each));
}

function isInAnotherForm({ at, sent, shown }: SentPlace): boolean {
  return shown !== undefined && !saysNothing(shown) && !isOther({ at, sent, shown });
}

/** Flags and enumerations of a body, and of the object that has the member, with what the command chose there. */
function chosenIn({ exchange, operation }: Answered, at: JsonPointer): ReadonlyMap<JsonPointer, string> {
  const body = Object.fromEntries(plainMembers(sentJson(exchange.request)));
  const around = [...new Set(['', parentOf(at)])];
  const names = around.flatMap((object) => membersAt(operation.body?.schema, object));
  return new Map(
    names
      .filter((each) => isChoice(operation.body?.schema, each))
      .map((each) => [each, canonicalJson(valueAt(body, each) ?? null)]),
  );
}

function membersAt(schema: JsonSchema | undefined, object: JsonPointer): readonly JsonPointer[] {
  return schemasAt(schema, object).flatMap(({ properties }) =>
    Object.keys(isObject(properties) ? properties : {}).map((name) =>
      pointerOf([...pointerTokens(object), name]),
    ),
  );
}

function isChoice(schema: JsonSchema | undefined, at: JsonPointer): boolean {
  return schemasAt(schema, at).some(({ enum: values, type }) => {
    const isFlag = [type].flat().includes('boolean');
    return isFlag || (isArray(values) && values.length > 1);
  });
}

function isAgain(one: Exchange, other: Exchange): boolean {
  return isSame(one.place.sent, other.place.sent) && isSame(one.other.sent, other.other.sent);
}

/** What a service works out from another member: what is left of something, what holds now. */
const derived =
  /^(actual|available|balance|booked|current|effective|first|gross|initial|last|left|net|next|open|outstanding|posted|remaining|reserved|stock|total|updated|used|valid|value)$/;

/** An amount that is due is worked out, and a date on which it is due is agreed. */
function isDerived({ at, sent }: SentPlace): boolean {
  const words = wordsOf(pointerTokens(at).at(-1) ?? '');
  return words.some((word) => derived.test(word) || (typeof sent === 'number' && word === 'due'));
}

function isCertain(found: readonly Exchange[]): boolean {
  const [first] = found;
  if (first === undefined || found.length < 2) return false;
  if (isDerived(first.place) && !found.every(({ isSwap }) => isSwap)) return false;
  const differ = (of: (each: Exchange) => string): boolean => new Set(found.map(of)).size > 1;
  // What no command chose explains no more than that one member is made of the other.
  const isChosen = [...first.chosen].some(
    ([at, value]) => !(first.isSwap && value === 'null') && !differ(({ chosen }) => chosen.get(at) ?? ''),
  );
  if (
    isChosen ||
    !differ(({ other }) => canonicalJson(other.sent)) ||
    !differ(({ place }) => canonicalJson(place.sent))
  )
    return false;
  return (
    isObject(first.place.sent) ||
    differ(({ other, place }) => String(Math.sign((rankOf(place.sent) ?? 0) - (rankOf(other.sent) ?? 0))))
  );
}

function ruling(
  { isSwap, one, other, place: { at, sent, shown }, read }: Exchange,
  commands: number,
): Violated {
  const short = (value: Json | undefined): string => JSON.stringify(value ?? null).slice(0, 80);
  return violated([one, read], {
    expected: `${short(sent)} at ${at}, as it was sent`,
    actual: `${short(shown)} at ${at}`,
    because: `The record shows the rest of the accepted command, but at ${at} what was sent at ${other.at}${isSwap ? ', and the other way round' : ''}. It did that for ${commands} commands, and never showed what was sent at ${at} itself.`,
    moved: { read: read.operation.id, at: [at] },
  });
}
