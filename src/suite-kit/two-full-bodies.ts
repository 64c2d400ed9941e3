import { affordable } from '../generate/index.ts';
import { type Contract, isCarried, type Operation } from '../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isEmpty,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { inOtherItems, isPutIn } from '../model/named-records.ts';
import { schemasAt } from '../model/schema-places.ts';
import { foundOnce } from './alike.ts';
import { otherUsualCode } from './codes.ts';
import { grownWith } from './edges.ts';
import { areOther, type BodyValues, isScalar, likeIt } from './other-values.ts';
import { datesFor, isDate, withoutUnknownRecords } from './related-values.ts';
import { sampled } from './samples.ts';
import { isIdName, sendable } from './texts.ts';

/** Texts that no clause takes for one another. */
const texts = [
  [
    ...['A passing remark', 'A green garden', 'A narrow bridge', 'A paper lantern', 'A winter coat'],
    ...['A silver spoon', 'A wooden boat', 'A small island', 'A broken clock', 'A yellow umbrella'],
  ],
  [
    ...['A lasting remark', 'A quiet harbour', 'A distant hill', 'A copper kettle', 'A summer dress'],
    ...['A marble floor', 'A rusty anchor', 'A hidden valley', 'A velvet curtain', 'A purple envelope'],
  ],
] as const;
/** What is in an object that may have any members, of which drawn bodies have none: a text, a number, a flag, an object. */
const open = [
  { colour: 'dark green', weight: 17, fragile: true, origin: { country: 'Norway', year: 1987 } },
  { colour: 'light blue', weight: 42, sealed: true, origin: { country: 'Portugal', year: 2004 } },
] as const;
/** So many items have the lists of the first body, and of the second. */
const [longer, shorter] = [3, 2];
/** And so many have the lists within their items. */
const innerItems = 2;

/** Items of drawn bodies that are looked at. */
const mostItems = 250;

/** What says which state a record is in may rule what else can be set. */
const ofState = /stat(e|us)$|phase$|stage$/i;

/**
 * Two valid bodies with all that may be left out, in objects and items as well, and with other values in the second one; undefined
 * where nothing may be added. No list, map or text in them is empty, and each flag is set. With the schemas of IDs they are bodies
 * without what may name a record that nobody made; undefined where nothing may.
 */
export function twoFullBodies(
  operation: Operation,
  values: BodyValues,
  ids?: readonly JsonSchema[],
): TwoBodies | undefined {
  return ids === undefined ? found(operation, values).bodies : twoBodies(operation, values, ids);
}

/** Two such bodies that name no record that nobody made, which may be the only reason to refuse them; else with all there is. */
export function likeliestBodies(
  contract: Contract,
  operation: Operation,
  values: BodyValues,
): TwoBodies | undefined {
  return twoFullBodies(operation, values, idSchemas(contract)) ?? twoFullBodies(operation, values);
}

/** The schemas of the IDs in the paths of a contract. */
export function idSchemas({ operations }: Contract): readonly JsonSchema[] {
  return operations.flatMap(({ pathFields }) => pathFields.map(({ schema }) => schema));
}

type TwoBodies = readonly [one: Json, other: Json];

const found = foundOnce((operation, values) => ({ bodies: twoBodies(operation, values) }));

function twoBodies(
  operation: Operation,
  { marker, plain, valid }: BodyValues,
  ids?: readonly JsonSchema[],
): TwoBodies | undefined {
  const schema = operation.body?.schema;
  if (schema === undefined || !isObject(plain) || valid === undefined) return undefined;
  const fits = sendable(schema, marker);
  const samples = sampled(valid);
  const whole = withoutStates(grownWith(plain, samples, fits), plain, fits);
  const grown = ids === undefined ? whole : withoutUnknownRecords({ operation, ids, plain, fits }, whole);
  if (ids !== undefined && grown === whole) return undefined;
  const places = placesOf(grown, []).filter(
    (at) =>
      at !== marker &&
      !isPutIn(operation, at) &&
      !isCarried(operation, at) &&
      !pointerTokens(at).some((name) => isIdName(pointerOf([name]))),
  );
  const textPlaces = places.filter((at) => typeof valueAt(grown, at) === 'string');
  const bodyOf = (nth: 0 | 1): Json =>
    affordable(places).reduce<Json>((body, at) => {
      const own = valueAt(body, at);
      if (own === undefined) return body;
      const all = samples.map((sample) => valueAt(sample, at)).filter((each) => each !== undefined);
      const named = (keyword: string): readonly Json[] =>
        schemasAt(schema, at).flatMap((each) => (isArray(each[keyword]) ? each[keyword] : []));
      const isOpen = schemasAt(schema, at).some((each) => takesAll(each['additionalProperties']));
      const order = textPlaces.indexOf(at);
      const tried = candidates(own, { all, choices: named('enum'), nth, isOpen, order });
      // What a schema names as an example is least likely to be refused.
      const examples = isArray(own) ? [] : distinct(named('examples')).slice(nth);
      const dates = isDate(own) ? datesFor(at, own, { plain, grown }, nth) : [];
      // Code that knows the currencies takes no other word for one.
      const code = typeof own === 'string' && nth === 1 ? (otherUsualCode(at) ?? []) : [];
      const value = [...examples, ...dates, code, tried]
        .flat()
        .find((each) => fits(withValueAt(body, at, each)));
      return value === undefined ? body : withValueAt(body, at, value);
    }, grown);
  const [one, other] = [bodyOf(0), bodyOf(1)].map((body) => {
    const known = namingKnown(operation, plain, body);
    return fits(known) ? known : body;
  });
  if (one === undefined || other === undefined || canonicalJson(one) === canonicalJson(plain))
    return undefined;
  return areOther(one, other) ? [one, other] : undefined;
}

/** A body whose items name the records that the plain one names: those of drawn items are not there. */
function namingKnown({ named = [] }: Operation, plain: Json, body: Json): Json {
  return named.reduce<Json>((made, { at, field, second }) => {
    const own = valueAt(plain, at);
    if (own === undefined || field.source === undefined || second === true) return made;
    return inOtherItems(made, at).reduce<Json>((rest, place) => withValueAt(rest, place, own), made);
  }, body);
}

/** A body without the states that may be left out. */
function withoutStates(body: Json, plain: Json, fits: (value: Json) => boolean): Json {
  const states = Object.keys(isObject(body) ? body : {}).filter((name) => ofState.test(name));
  return states.reduce<Json>((rest, name) => {
    const at = pointerOf([name]);
    const less = withValueAt(rest, at, undefined);
    return valueAt(plain, at) === undefined && fits(less) ? less : rest;
  }, body);
}

type Choices = {
  /** What drawn bodies have in the place. */
  readonly all: readonly Json[];
  /** The values to which the schema limits the place. */
  readonly choices: readonly Json[];
  readonly nth: 0 | 1;
  /** Whether the schema says that an object may have members of any name and value: one that says nothing may mean others. */
  readonly isOpen: boolean;
  /** Which of the texts of the body it is. */
  readonly order: number;
};

/** The values that a place may have in one of the two bodies, the best first. */
function candidates(own: Json, { all, choices, isOpen, nth, order }: Choices): readonly Json[] {
  if (isArray(own)) return listsOf(own, all.filter(isArray).flat(), nth);
  if (isObject(own)) {
    const filled = all.filter((each) => isObject(each) && !isEmpty(each)).slice(nth, nth + 3);
    return isEmpty(own) && filled.length === 0 && isOpen ? [open[nth]] : filled;
  }
  if (own === null) return all.filter((each) => each !== null).slice(nth, nth + 3);
  if (typeof own === 'boolean') return [true];
  if (choices.length > 0) return [choices.at(-1 - nth) ?? own, own];
  const drawn = all
    .filter((each) => isScalar(each) && each !== own && each !== 0 && each !== '')
    .toSorted((each, next) => Number(isPlain(next)) - Number(isPlain(each)))
    .toSorted((each, next) => Number(isNear(each, own)) - Number(isNear(next, own)));
  // Two members with one text show nothing of one that takes the place of the other.
  const words = texts[nth];
  const worded = typeof own === 'string' ? [words[Math.max(order, 0) % words.length] ?? '', words[0]] : [];
  return nth === 0 ? [...worded, own, ...drawn] : [...worded, ...drawn, ...likeIt(own)];
}

/** Whether two numbers are so close that one may be the other one rounded. */
function isNear(one: Json, other: Json): boolean {
  return (
    typeof one === 'number' &&
    typeof other === 'number' &&
    Math.abs(one - other) <= Math.max(Math.abs(one), Math.abs(other)) / 50
  );
}

function takesAll(rest: Json | undefined): boolean {
  return rest === true || (isObject(rest) && Object.keys(rest).length === 0);
}

/** Lists of different items, none of which is in the lists of the other body, if there are enough. */
function listsOf(own: readonly Json[], drawn: readonly Json[], nth: 0 | 1): readonly Json[] {
  const pool = distinct([...own, ...drawn])
    .filter((item) => item !== null && item !== '' && !isEmpty(item))
    .slice(0, mostItems);
  const filled = distinct(filledFrom(pool));
  const deep = distinct(filledFrom(withFullLists(pool)));
  const worded = [deep, filled].map((items) => items.map((item, index) => inWords(item, index + 1)));
  return [...worded, filled, pool].flatMap((items) => {
    const firsts = Math.min(longer, Math.ceil(items.length / 2));
    const [from, most] = nth === 0 ? [0, firsts] : [firsts, shorter];
    return Array.from({ length: most }, (_, less) => items.slice(from, from + most - less)).filter(
      (list) => list.length > 0,
    );
  });
}

function distinct(items: readonly Json[]): readonly Json[] {
  return [...new Map(items.map((item) => [canonicalJson(item), item])).values()];
}

/** Items whose own lists of objects have two items each, with all that these may have: none of them is in two lists. */
function withFullLists(pool: readonly Json[]): readonly Json[] {
  const objects = pool.filter(isObject);
  const listIn = (item: Json, name: string): readonly Json[] => {
    const list = isObject(item) ? item[name] : undefined;
    return isArray(list) ? list.filter(isObject) : [];
  };
  const names = [...new Set(objects.flatMap(Object.keys))].filter((name) =>
    objects.some((item) => listIn(item, name).length > 0),
  );
  const full = names.map((name) => {
    const items = distinct(objects.flatMap((item) => listIn(item, name))).slice(0, mostItems);
    return [name, distinct(filledFrom(withFullLists(items)))] as const;
  });
  return pool.map((item) => {
    if (!isObject(item)) return item;
    const nth = objects.indexOf(item);
    const lists = full.flatMap(([name, items]): readonly (readonly [string, Json])[] => {
      const own = items.slice(nth * innerItems, (nth + 1) * innerItems);
      return own.length < innerItems ? [] : [[name, own]];
    });
    return { ...item, ...Object.fromEntries(lists) };
  });
}

/**
 * Items with what others of their list have and they lack, and with their flags set. No two of them share a value for that: a
 * service may take them for one.
 */
function filledFrom(pool: readonly Json[]): readonly Json[] {
  const known = pool.filter(isObject).flatMap((item) => Object.entries(item));
  const names = [...new Set(known.map(([name]) => name))].filter((name) => !isIdName(pointerOf([name])));
  const spare = new Map(
    names.map((name) => [name, distinct(known.flatMap(([own, value]) => (own === name ? [value] : [])))]),
  );
  const used = new Map(
    names.map((name) => {
      const own = pool
        .slice(0, longer + shorter)
        .map((item) => (isObject(item) ? (item[name] ?? null) : null));
      return [name, new Set(own.map(canonicalJson))];
    }),
  );
  return pool.map((item) => {
    if (!isObject(item)) return item;
    const members = names.flatMap((name): readonly (readonly [string, Json])[] => {
      const own = item[name] ?? null;
      const free = spare
        .get(name)
        ?.find(
          (value) =>
            typeof value === 'boolean' ||
            (value !== null && used.get(name)?.has(canonicalJson(value)) !== true),
        );
      const value = own === null ? free : typeof own === 'boolean' ? true : own;
      if (value === undefined) return Object.hasOwn(item, name) ? [[name, own]] : [];
      if (typeof value !== 'boolean') used.get(name)?.add(canonicalJson(value));
      return [[name, typeof value === 'boolean' || value]];
    });
    return { ...item, ...Object.fromEntries(members) };
  });
}

function isPlain(value: Json): boolean {
  return typeof value !== 'string' || /^[\w.:/@+-]{1,80}$/.test(value);
}

/** An item with plain words for each text of odd signs, or of none. */
function inWords(item: Json, nth: number): Json {
  if (typeof item === 'string') return isPlain(item) ? item : `Item ${nth}`;
  if (isArray(item)) return item.map((each, index) => inWords(each, nth * 10 + index));
  if (!isObject(item)) return item;
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, inWords(value, nth)]));
}

/** Objects and lists, and what is in objects; lists are whole. */
function placesOf(value: Json, path: readonly string[]): readonly JsonPointer[] {
  const own = path.length === 0 ? [] : [pointerOf(path)];
  if (!isObject(value) || isEmpty(value)) return own;
  return Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]));
}
