import type { Operation } from '../../model/contract.ts';
import {
  isArray,
  isEmpty,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
} from '../../model/json.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { dateTime } from '../../oracle/instant.ts';
import { isSame, type Members } from './changes.ts';
import { saysNothing } from './record-changes.ts';

/** A value that a command sent, what its record shows there, and what it showed before. */
export type SentPlace = {
  readonly at: JsonPointer;
  readonly sent: Json;
  readonly shown: Json | undefined;
  readonly was: Json | undefined;
};

/** So deep are objects within objects looked at. */
const deepest = 5;

/**
 * The places of what a command sent: its members, those of objects whose members the schema describes, and those of the items of
 * a list of as many items. A list is one value as well, and so is a map, whose names callers choose.
 */
export function sentPlaces(
  { body }: Operation,
  sent: Members,
  is: Members,
  was: Members | undefined,
): readonly SentPlace[] {
  const described = (at: JsonPointer): boolean => schemasAt(body?.schema, at).length > 0;
  const within = (
    value: Json,
    shown: Json | undefined,
    earlier: Json | undefined,
    path: readonly string[],
  ): readonly SentPlace[] => {
    const own = { at: pointerOf(path), sent: value, shown, was: earlier };
    if (path.length >= deepest) return [own];
    if (isArray(value) && isArray(shown) && value.length === shown.length && value.every(isObject))
      return [
        own,
        ...value.flatMap((item, index) =>
          // Of the item itself nothing is said.
          within(item, shown[index], isArray(earlier) ? earlier[index] : undefined, [
            ...path,
            String(index),
          ]).slice(1),
        ),
      ];
    if (!isObject(value) || isEmpty(value)) return [own];
    const members = Object.entries(value);
    // Where an object is missing as a whole, none of its members is said to be.
    if (!isObject(shown) || !members.every(([name]) => described(pointerOf([...path, name])))) return [own];
    return [
      own,
      ...members.flatMap(([name, member]) =>
        within(member, shown[name], isObject(earlier) ? earlier[name] : undefined, [...path, name]),
      ),
    ];
  };
  return [...sent].flatMap(([name, value]) => within(value, is.get(name), was?.get(name), [name]));
}

/** The place of a member in whichever item of a list. */
export function placeOf(at: JsonPointer): JsonPointer {
  return at.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

/** Whether one place is another one, or within it. */
export function isWithin(at: JsonPointer, other: JsonPointer): boolean {
  return at === other || at.startsWith(`${other}/`);
}

/** Whether a record shows another member of the same object within a body: what is for changes alone is a member of its own. */
export function isNextTo({ at: other, sent, shown }: SentPlace, at: JsonPointer): boolean {
  const [own = [], its = []] = [at, other].map((each) => pointerTokens(each).slice(0, -1));
  return own.length > 0 && isSame(own, its) && !saysNothing(sent) && shows(sent, shown);
}

/** Whether a record shows what was sent; objects may have more members there, such as an ID or a default. */
export function shows(sent: Json, shown: Json | undefined): boolean {
  if (isObject(sent) && isObject(shown))
    return Object.entries(sent).every(([name, value]) => shows(value, shown[name]));
  if (isArray(sent) && isArray(shown))
    return sent.length === shown.length && sent.every((item, index) => shows(item, shown[index]));
  return isSame(sent, shown ?? null) || isSameAmount(sent, shown) || isSameInstant(sent, shown);
}

/** Whether two texts name one instant: a service may write all times in one zone, and with as many digits. */
function isSameInstant(sent: Json, shown: Json | undefined): boolean {
  return millisecondsApart(sent, shown) === 0;
}

/** Whether two texts name instants that no rounding makes one. */
export function isOtherInstant(sent: Json, shown: Json | undefined): boolean {
  return (millisecondsApart(sent, shown) ?? 0) > 3_600_000;
}

function millisecondsApart(sent: Json, shown: Json | undefined): number | undefined {
  if (typeof sent !== 'string' || typeof shown !== 'string') return undefined;
  const [one, other] = [sent, shown].map(dateTime);
  return one === undefined || one.zoned !== other?.zoned ? undefined : Math.abs(one.at - other.at);
}

const amount = /^(-?\d+)(?:\.(\d+))?$/;

/** Whether two amounts differ in nothing but zeros at the end: a service may write all with as many decimals. */
function isSameAmount(sent: Json, shown: Json | undefined): boolean {
  if (typeof sent !== 'string' || typeof shown !== 'string') return false;
  const [one, other] = [sent, shown].map((each) => {
    const [, whole, decimals = ''] = amount.exec(each) ?? [];
    return whole === undefined ? undefined : `${whole}.${decimals.replace(/0+$/, '')}`;
  });
  return one !== undefined && one === other && `${sent}${shown}`.includes('.');
}

/**
 * Whether something of a list or a map is missing from another one, in whatever form: a service may sort what was sent, take
 * equal items for one, fold their case, and show more of an item than was sent.
 */
export function lacks(shown: Json | undefined, sent: Json): boolean {
  if (saysNothing(sent)) return false;
  if (shown === undefined || saysNothing(shown)) return true;
  const [all, there] = [partsOf(sent), partsOf(shown)];
  return all.some((part) => !there.some((other) => part.every((text) => isIn(text, other))));
}

/** What is left of the items of a list, or the members of a map, in whatever case and spacing. */
function partsOf(value: Json): readonly (readonly string[])[] {
  if (isArray(value)) return value.filter((item) => !saysNothing(item)).map(foldedTexts);
  return isObject(value)
    ? Object.entries(value).map(([name, member]) => [folded(name), ...foldedTexts(member)])
    : [foldedTexts(value)];
}

function isIn(text: string, others: readonly string[]): boolean {
  return others.some((other) => other.includes(text) || (other !== '' && text.includes(other)));
}

function foldedTexts(value: Json): readonly string[] {
  if (isArray(value)) return value.flatMap(foldedTexts);
  if (isObject(value)) return Object.values(value).flatMap(foldedTexts);
  return saysNothing(value) ? [] : [folded(String(value))];
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
