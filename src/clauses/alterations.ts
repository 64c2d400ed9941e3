import type { Operation } from '../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerTokens,
} from '../model/json.ts';
import { wordsOf } from '../model/name-words.ts';
import { schemasAt } from '../model/schema-places.ts';
import { isSame } from './judging/changes.ts';
import { saysNothing } from './judging/record-changes.ts';

type Altered = {
  readonly operation: Operation;
  readonly at: JsonPointer;
  readonly sent: Json;
  readonly shown: Json;
};

/** How a value came to be another one, where careless code does that; a service may also have rules of its own. */
export function alterationOf(one: Altered): string | undefined {
  const { at, sent, shown } = one;
  const name = nameAt(at);
  if (typeof sent === 'number' && typeof shown === 'number')
    return wraps(sent, shown)
      ? 'what is left of the number in a smaller column'
      : isSingle(one, sent, shown)
        ? 'the number as 32 bits of floating point hold it'
        : undefined;
  if (isArray(sent) && isArray(shown))
    return !namesOthers.test(wordsOf(name).at(-1) ?? '') && isBeginning(sent, shown)
      ? 'only the beginning of the list'
      : undefined;
  if (typeof sent !== 'string' || typeof shown !== 'string') return undefined;
  if (isWithoutCents(sent, shown)) return 'the amount without its fraction';
  return isKind(one, sent, shown) ? 'another of the declared values' : undefined;
}

/** With so many other values stored as they were sent, the member is one that callers set. */
const enough = 2;

/** Of two kinds of bodies, there is but one other. */
export function othersNeeded({ body }: Operation, at: JsonPointer): number {
  const choices = choicesAt(body, at);
  return new Set(choices.flat()).size === 2 && choices.every(({ length }) => length === 1) ? 1 : enough;
}

/** The values to which schemas limit a member, those by which a discriminator chooses among them as well. */
function choicesAt(body: Operation['body'], at: JsonPointer): readonly (readonly Json[])[] {
  return schemasAt(body?.chosenSchema ?? body?.schema, at).flatMap(({ const: only, enum: all }) =>
    isArray(all) ? [all] : only === undefined ? [] : [[only]],
  );
}

/** The name of a member, or of the list that has the value as an item. */
function nameAt(at: JsonPointer): string {
  return pointerTokens(at).findLast((token) => !/^\d+$/.test(token)) ?? '';
}

/** An amount in a text that still has its decimals, all of them zero. */
function isWithoutCents(sent: string, shown: string): boolean {
  const [one, other] = [sent, shown].map((text) => /^(-?\d+)\.(\d{2,})$/.exec(text));
  const [, whole = '', fraction = ''] = one ?? [];
  const [, shownWhole = '', shownFraction = ''] = other ?? [];
  return (
    fraction.length === shownFraction.length &&
    /[1-9]/.test(fraction) &&
    /^0+$/.test(shownFraction) &&
    BigInt(whole || 0) === BigInt(shownWhole || 0)
  );
}

/** Integers of 8, 16 and 32 bits, with a sign and without: what does not fit is cut, or the largest value takes its place. */
function wraps(sent: number, shown: number): boolean {
  // Zero may stand for no number.
  if (!Number.isSafeInteger(sent) || !Number.isSafeInteger(shown) || shown === 0) return false;
  return [8, 16, 32].some((bits) => {
    const size = 2 ** bits;
    const cut = ((sent % size) + size) % size;
    const signed = cut >= size / 2 ? cut - size : cut;
    const [least, most] = [-size / 2, size / 2 - 1];
    return (
      ((sent >= size || sent < least) && (shown === cut || shown === signed)) ||
      (sent > most && sent < size && shown === signed) ||
      // The largest of fewer bits may be a bound that the service chose.
      (bits === 32 && ((sent > most && shown === most) || (sent >= size && shown === size - 1)))
    );
  });
}

/** A schema may say that 32 bits hold the number. */
function isSingle({ at, operation }: Altered, sent: number, shown: number): boolean {
  const isDeclared = schemasAt(operation.body?.schema, at).some(({ format }) => format === 'float');
  return !isDeclared && !Number.isInteger(sent) && shown !== sent && shown === Math.fround(sent);
}

/** A list of IDs: a service may leave out what is no record, or what its caller cannot see. */
const namesOthers = /^(ids?|refs?|keys?)$/;

/** Whether items are missing at the end; those that are alike may be taken for one, and what says nothing for none. */
function isBeginning(sent: readonly Json[], shown: readonly Json[]): boolean {
  const texts = sent.map((item) =>
    canonicalJson(item).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ''),
  );
  const [kept, lost] = [sent.slice(0, shown.length), sent.slice(shown.length)];
  return (
    shown.length > 0 &&
    shown.length < sent.length &&
    new Set(texts).size === texts.length &&
    !lost.some((item) => saysNothing(item) || kept.some((other) => mayBeOne(item, other))) &&
    shown.every((item, index) => shows(item, sent[index] ?? null))
  );
}

/** Whether an item is as it was sent; a service may give an object more members, such as an ID. */
export function shows(shown: Json | undefined, sent: Json): boolean {
  if (shown === undefined) return false;
  if (!isObject(sent) || !isObject(shown)) return isSame(shown, sent);
  return Object.entries(sent).every(([name, value]) => isSame(shown[name] ?? null, value));
}

/** Whether a service may take two objects for one: any member that they share may be a key. */
function mayBeOne(one: Json, other: Json): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  return Object.entries(one).some(([name, value]) => isSame(other[name] ?? null, value));
}

/** What says what a record is, and not what state it is in, or what its caller may have. */
const kinds = /^(type|kind|category|units?|currency|language|locale|colou?r|size|format|genre|species)$/;

function isKind({ at, operation }: Altered, sent: string, shown: string): boolean {
  const declared = choicesAt(operation.body, at).flat();
  return (
    !isSpelling(sent, shown) &&
    wordsOf(nameAt(at)).some((word) => kinds.test(word)) &&
    declared.includes(sent) &&
    declared.includes(shown)
  );
}

/** Whether one of two values may be another form of the other, such as `jpg` and `jpeg`, `kg` and `kilogram`, or `gray` and `grey`. */
function isSpelling(one: string, other: string): boolean {
  const [short = '', long = ''] = [one, other]
    .map((each) => each.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .sort((first, second) => first.length - second.length);
  let at = 0;
  for (const sign of long) if (sign === short[at]) at += 1;
  const isWithin = short[0] === long[0] && at === short.length;
  const isOneOff =
    short.length > 3 &&
    short.length === long.length &&
    [...short].filter((sign, index) => sign !== long[index]).length < 2;
  return isWithin || isOneOff;
}
