import type { Operation } from '../../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isEmpty,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  pointerTokens,
} from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame, lettersOf } from './changes.ts';
import { saysNothing } from './record-changes.ts';
import { shows } from './sent-places.ts';
import { isPlain } from './settable-members.ts';

type Altered = {
  readonly operation: Operation;
  readonly at: JsonPointer;
  readonly sent: Json;
  readonly shown: Json;
  /** What the record showed before, where the command takes the place of that. */
  readonly replaced?: Json | undefined;
  /** What the read declares. */
  readonly read?: Operation;
};

export type Alteration = {
  readonly how: string;
  /** How many commands show it by themselves; else other values of the member must be stored as they were sent. */
  readonly least?: number;
};

/** How a value came to be another one, where careless code does that; a service may also have rules of its own. */
export function alterationOf(one: Altered): Alteration | undefined {
  const { at, sent, shown } = one;
  const name = nameAt(at);
  const said = (how: string | undefined): Alteration | undefined => (how === undefined ? undefined : { how });
  // What is left of two numbers is no rule about them; the largest one that a column holds may be a bound.
  if (typeof sent === 'number' && typeof shown === 'number' && wraps(sent, shown) && !isLargest(shown))
    return { how: ofSmaller, least: enough };
  if (typeof sent === 'number' && typeof shown === 'number')
    return said(
      wraps(sent, shown)
        ? ofSmaller
        : isSingle(one, sent, shown)
          ? 'the number as 32 bits of floating point hold it'
          : undefined,
    );
  if (isArray(sent) && isArray(shown))
    return namesOthers.test(wordsOf(name).at(-1) ?? '') ? undefined : listAlteration(one, sent, shown);
  if (isObject(sent) && isObject(shown)) {
    if (isObject(one.replaced) && isMerged(one.replaced, sent, shown))
      return { how: 'the members of the earlier map as well', least: 1 };
    if (isRenamed(sent, shown)) return { how: 'the names of a map in another spelling', least: enough };
    const how = isOpenIn(one) ? textsOf(sent, shown) : undefined;
    return how === undefined ? undefined : { how, least: enough };
  }
  if (typeof sent !== 'string' || typeof shown !== 'string') return undefined;
  if (isWithoutCents(sent, shown)) return said('the amount without its fraction');
  if (isCut(one, sent, shown)) return said('only the beginning of the text');
  return said(isKind(one, sent, shown) ? 'another of the declared values' : undefined);
}

/** With so many other values stored as they were sent, the member is one that callers set. */
const enough = 2;

/** Of two kinds of bodies, there is but one other. */
export function othersNeeded({ body }: Operation, at: JsonPointer): number {
  const choices = choicesAt(body, at);
  return new Set(choices.flat()).size === 2 && choices.every(({ length }) => length === 1) ? 1 : enough;
}

/** Whether the value of a member chooses one of several kinds of bodies: until it is known, nothing is known of the rest. */
export function chooses({ body }: Operation, at: JsonPointer): boolean {
  return new Set(choicesAt(body, at).map((values) => canonicalJson([...values]))).size > 1;
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
  const [one, other] = [/^(-?\d+)\.(\d+)$/.exec(sent), /^(-?\d+)\.(\d{2,})$/.exec(shown)];
  const [, whole = '', fraction = ''] = one ?? [];
  const [, shownWhole = '', shownFraction = ''] = other ?? [];
  return (
    fraction.length <= shownFraction.length &&
    /[1-9]/.test(fraction) &&
    /^0+$/.test(shownFraction) &&
    BigInt(whole || 0) === BigInt(shownWhole || 0)
  );
}

/** Fewer signs may be a part that a service shows in place of the whole. */
const leastCut = 20;
const fewest = 5;

/**
 * A text without its end, as a column cuts it, though the contract allows it to be as long. A read that declares shorter texts
 * announces that, and a service may leave out what is blank.
 */
function isCut({ at, operation, read }: Altered, sent: string, shown: string): boolean {
  const bounds = (schema: JsonSchema | undefined): readonly number[] =>
    schemasAt(schema, at).flatMap(({ maxLength }) => (typeof maxLength === 'number' ? [maxLength] : []));
  const allowed = bounds(operation.body?.schema);
  const isAllowed = allowed.length > 0 && allowed.every((most) => most >= sent.length);
  const isAnnounced = bounds(read?.success.schema).some((most) => most < sent.length);
  return (
    isAllowed &&
    !isAnnounced &&
    !ofParts.test(nameAt(at)) &&
    !ofForm.test(sent) &&
    !/^\s/.test(sent.slice(shown.length)) &&
    shown.length >= leastCut &&
    sent.startsWith(shown) &&
    lettersOf(sent.slice(shown.length)).length >= fewest
  );
}

/** An address may lose its query, and a time its fraction. */
const ofForm = /^([a-z][a-z0-9+.-]*:\/\/|\d{4}-\d\d-\d\d)/i;

/** What is meant to be short. */
const ofParts = /abbrev|abstract|excerpt|headline|initial|preview|short|slug|snippet|summary|teaser/i;

const ofSmaller = 'what is left of the number in a smaller column';

function isLargest(shown: number): boolean {
  return [8, 16, 32].some((bits) => [2 ** (bits - 1) - 1, 2 ** bits - 1].includes(shown));
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

/** A schema may say that 32 bits hold the number. Of integers, these hold 24 bits; a round number may be a rounded one. */
function isSingle({ at, operation }: Altered, sent: number, shown: number): boolean {
  const isDeclared = schemasAt(operation.body?.schema, at).some(({ format }) => format === 'float');
  const isRound = Number.isInteger(sent) && shown % 100 === 0;
  return !isDeclared && !isRound && shown !== sent && shown === Math.fround(sent);
}

/** A list of IDs: a service may leave out what is no record, or what its caller cannot see. */
const namesOthers = /^(ids?|refs?|keys?)$/;

/** What only grows may keep its earlier items. */
const grows =
  /^(audit|comments?|entries|events?|history|log|logs|messages?|notes?|remarks?|revisions?|trail|versions?)$/;

function listAlteration(
  { at, replaced }: Altered,
  sent: readonly Json[],
  shown: readonly Json[],
): Alteration | undefined {
  if (
    isArray(replaced) &&
    !wordsOf(nameAt(at)).some((word) => grows.test(word)) &&
    isAdded(replaced, sent, shown)
  )
    return { how: 'the items of the earlier list as well', least: 1 };
  // Items that are alike may be taken for one, and what says nothing for none.
  if (!areDifferent(sent) || sent.some(saysNothing)) return undefined;
  if (isRepeated(sent, shown)) return { how: 'one of the items in place of all' };
  if (shown.length === 0 || shown.length >= sent.length) return undefined;
  const isPart = (from: number): boolean => {
    const kept = sent.slice(from, from + shown.length);
    return (
      kept.every((item, index) => shows(item, shown[index])) &&
      !sent.some((item) => !kept.includes(item) && kept.some((other) => mayBeOne(item, other, kept)))
    );
  };
  // That the record shows one of the items says that callers set the list; of addresses one may be the confirmed one.
  const alone = shown.length === 1 && isPlain(at, sent) ? { least: enough } : {};
  if (isPart(0)) return { how: 'only the beginning of the list', ...alone };
  return isPart(sent.length - shown.length) ? { how: 'only the end of the list', ...alone } : undefined;
}

/**
 * Whether a service may take two objects for one: any member that they share may be a key, unless others that were kept share one
 * as well, or it is a flag.
 */
function mayBeOne(one: Json, other: Json, kept: readonly Json[]): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  return Object.entries(one).some(([name, value]) => {
    const values = kept.map((each) => canonicalJson((isObject(each) ? each[name] : undefined) ?? null));
    const isKey = typeof value !== 'boolean' && value !== null && new Set(values).size === values.length;
    return isKey && isSame(other[name] ?? null, value);
  });
}

/** Whether a list shows one item of another one, again and again. */
export function isRepeated(sent: readonly Json[], shown: readonly Json[]): boolean {
  const [first = null] = shown;
  return (
    sent.length > 1 &&
    shown.length === sent.length &&
    areDifferent(sent) &&
    shown.every((item) => isSame(item, first)) &&
    sent.some((item) => shows(item, first))
  );
}

/** Whether a list has the items of an earlier one, and then those that were sent, or these first, or in place of as many. */
function isAdded(replaced: readonly Json[], sent: readonly Json[], shown: readonly Json[]): boolean {
  if (replaced.length === 0 || sent.length === 0 || shown.length <= sent.length) return false;
  const rest = (of: readonly Json[], without: readonly Json[]): readonly Json[] =>
    of.filter((item) => !without.some((each) => isSame(each, item)));
  return [
    [...replaced, ...sent],
    [...replaced, ...rest(sent, replaced)],
    [...sent, ...replaced],
    [...sent, ...rest(replaced, sent)],
    [...sent, ...replaced.slice(sent.length)],
  ].some((all) => all.length === shown.length && all.every((item, index) => shows(item, shown[index])));
}

/** Whether a map has all of an earlier one that the one that was sent lacks, and all of that one. */
function isMerged(replaced: JsonObject, sent: JsonObject, shown: JsonObject): boolean {
  const all = { ...replaced, ...sent };
  return (
    !isEmpty(sent) &&
    Object.keys(all).length > Object.keys(sent).length &&
    Object.keys(shown).length === Object.keys(all).length &&
    Object.entries(all).every(([name, value]) => isSame(value, shown[name] ?? null))
  );
}

/**
 * Whether a map has all its values, but under names of its service's own style: what writes the members of a body in camel case may
 * do so with names that are the caller's. A service may fold their case, or write all of them with one sign between words.
 */
function isRenamed(sent: JsonObject, shown: JsonObject): boolean {
  const inCamelCase = (name: string): string =>
    name.replaceAll(/[_-]+([a-z0-9])/g, (_, next: string) => next.toUpperCase());
  const names = Object.keys(sent);
  const renamed = names.filter((name) => !Object.hasOwn(shown, name));
  const telling = renamed.filter((name) => /[_-][a-z]/.test(name));
  return (
    telling.length > 0 &&
    Object.keys(shown).length === names.length &&
    names.every((name) =>
      isSame(sent[name] ?? null, shown[renamed.includes(name) ? inCamelCase(name) : name] ?? null),
    )
  );
}

/** Whether a read declares no type for the values of a map. */
function isOpenIn({ at, read }: Altered): boolean {
  return schemasAt(read?.success.schema, at).every(
    ({ additionalProperties: rest = true }) => rest === true || (isObject(rest) && isEmpty(rest)),
  );
}

/** What became of a map whose texts are stored as they were sent, as a table of names and texts does with each other value. */
function textsOf(sent: JsonObject, shown: JsonObject): string | undefined {
  const all = Object.entries(sent).map(([name, value]) => ({ value, is: shown[name] ?? null }));
  const others = all.filter(({ value }) => typeof value !== 'string' && !saysNothing(value));
  const isKept = all.some(({ value }) => typeof value === 'string' && !saysNothing(value));
  const areTexts = all.every(({ is, value }) => typeof value !== 'string' || value === is);
  if (!isKept || !areTexts || others.length === 0) return undefined;
  if (others.every(({ is }) => is === null)) return 'only the texts of the map';
  const isText = (value: Json, is: Json): boolean => {
    if (typeof is !== 'string') return false;
    return is.toLowerCase() === String(value) || is.replaceAll(/\s/g, '') === JSON.stringify(value);
  };
  return others.every(({ is, value }) => isText(value, is)) ? 'each value of the map as a text' : undefined;
}

/** Whether no two items are alike to anyone. */
function areDifferent(items: readonly Json[]): boolean {
  const texts = items.map((item) =>
    canonicalJson(item).normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ''),
  );
  return new Set(texts).size === texts.length;
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
