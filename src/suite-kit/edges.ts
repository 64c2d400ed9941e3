import { affordable } from '../generate/index.ts';
import type { Operation } from '../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { isPutIn } from '../model/named-records.ts';
import { schemasAt } from '../model/schema-places.ts';
import { foundOnce } from './alike.ts';
import { bodySchema } from './body-schema.ts';
import type { BodyValues } from './other-values.ts';
import { sampled } from './samples.ts';
import { inParts } from './suite.ts';
import { sendable } from './texts.ts';

/** Longer texts and lists are left to the suites that are about them. */
const longest = 500;
const mostItems = 40;

/** The numbers and the fixed values that a schema names, wherever they are. */
type Named = {
  readonly bounds: readonly number[];
  readonly lengths: readonly number[];
  readonly choices: readonly (readonly Json[])[];
  /** Whether the schema of a member says that its number has 64 bits. */
  readonly isWide?: boolean;
};

/** Which end of what is allowed a body takes, and which of the fixed values, by turns. */
type Edge = { readonly end: 'least' | 'most' | 'wide' | undefined; readonly turn: number };

/**
 * Valid bodies with the greatest of all members, with the least of the required ones, with each fixed value, and with the least
 * of all.
 */
export const edgeBodies = foundOnce(edgeBodiesOf);

function edgeBodiesOf(
  operation: Operation,
  { marker, plain, valid }: BodyValues,
  most: number,
): readonly Json[] {
  const schema = bodySchema(operation, plain);
  if (schema === undefined || !isObject(plain) || valid === undefined || most === 0) return [];
  const fits = sendable(schema, marker);
  const all = namedIn(schema);
  // Where the schemas of a member refer to others, what the whole schema names is tried.
  const namedAt = (at: JsonPointer): Named => {
    const own = schemasAt(schema, at);
    const isWide = !isIdLike.test(at) && found(own, 'format').includes('int64');
    return own.length === 0 || found(own, '$ref').length > 0 ? all : { ...namedIn(own), isWide };
  };
  const samples = sampled(valid);
  const full = grownWith(plain, samples, fits);
  const atEdge = (base: Json, edge: Edge): Json =>
    affordable(placesOf(base, [])).reduce<Json>((body, at) => {
      if (at === marker || isPutIn(operation, at)) return body;
      const allowed = (value: Json): boolean => fits(withValueAt(body, at, value));
      const named = namedAt(at);
      const items = samples.flatMap((sample) => valueAt(sample, at) ?? []);
      const other = edgeOf(valueAt(body, at) ?? null, { named, allowed, items, edge });
      return other === undefined ? body : withValueAt(body, at, other);
    }, base);
  const turns = Math.max(0, ...all.choices.map(({ length }) => length));
  const edges: readonly (readonly [Json, Edge])[] = [
    [full, { end: 'most', turn: -1 }],
    [plain, { end: 'least', turn: 0 }],
    ...Array.from({ length: Math.max(0, turns - 2) }, (_, index) => {
      return [full, { end: undefined, turn: index + 1 }] as const;
    }),
    // A service may refuse such numbers for reasons of its own, so they have a body of their own.
    ...(atEdge(full, { end: 'wide', turn: 0 }) === full ? [] : [[full, { end: 'wide', turn: 0 }] as const]),
    [full, { end: 'least', turn: 0 }],
  ];
  const bodies = new Map<string, Json>([[canonicalJson(plain), plain]]);
  for (const [base, edge] of edges) {
    if (bodies.size > most) break;
    const body = atEdge(base, edge);
    const text = canonicalJson(body);
    if (!bodies.has(text)) bodies.set(text, body);
  }
  return [...bodies.values()].slice(1);
}

/** A body with what drawn ones have more, as long as it is valid. */
export function grownWith(body: Json, samples: readonly Json[], fits: (value: Json) => boolean): Json {
  return samples.reduce<Json>((grown, sample) => changedIn(missing(grown, sample, []), grown, fits), body);
}

/** In a body with more places than these, many changes are tried at a time: each costs as much as the body is large. */
const fewPlaces = 250;
const together = 50;

/** A body with each of some changes after which it is valid. */
export function changedIn(changes: readonly Change[], body: Json, fits: (value: Json) => boolean): Json {
  const inTurn = (rest: Json, { at, value }: Change): Json => {
    const other = withValueAt(rest, at, value);
    return fits(other) ? other : rest;
  };
  const isSmall = placesOf(body, []).length + changes.length <= fewPlaces;
  if (isSmall) return changes.reduce(inTurn, body);
  return inParts(changes, together).reduce<Json>((rest, part) => {
    const other = part.reduce<Json>((each, { at, value }) => withValueAt(each, at, value), rest);
    return fits(other) ? other : part.reduce(inTurn, rest);
  }, body);
}

function namedIn(schema: Json): Named {
  const of = (keywords: readonly string[]): readonly number[] => [
    ...new Set(
      keywords.flatMap((keyword) => found(schema, keyword)).filter((each) => typeof each === 'number'),
    ),
  ];
  return {
    bounds: of(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']),
    lengths: of(['minLength', 'maxLength', 'minItems', 'maxItems']),
    choices: [...found(schema, 'enum').filter(isArray), [false, true]],
  };
}

function found(schema: Json, keyword: string): readonly Json[] {
  if (isArray(schema)) return schema.flatMap((each) => found(each, keyword));
  if (!isObject(schema)) return [];
  const own = schema[keyword];
  return [
    ...(own === undefined ? [] : [own]),
    ...Object.values(schema).flatMap((each) => found(each, keyword)),
  ];
}

type Place = {
  readonly named: Named;
  readonly allowed: (value: Json) => boolean;
  /** What drawn bodies have there; of lists, their items. */
  readonly items: readonly Json[];
  readonly edge: Edge;
};

/** The value at the edge of what a place allows; undefined where the schema names no edge. */
function edgeOf(value: Json, { allowed, edge, items, named }: Place): Json | undefined {
  const { end, turn } = edge;
  if (end === 'wide')
    return typeof value === 'number' && named.isWide === true && allowed(wide) ? wide : undefined;
  const choice = named.choices.find((all) => all.some((one) => canonicalJson(one) === canonicalJson(value)));
  if (choice !== undefined) {
    const other = choice.at(turn % choice.length);
    return other !== undefined && allowed(other) ? other : undefined;
  }
  if (end === undefined) return undefined;
  const extreme = (sizes: readonly number[], made: (size: number) => Json | undefined): Json | undefined => {
    const isAllowed = (size: number): boolean => {
      const one = made(size);
      return one !== undefined && allowed(one);
    };
    const beyond = end === 'most' ? 1 : -1;
    const ordered = sizes.toSorted((one, other) => (other - one) * beyond);
    // Where nothing bounds it, a value like another member's bound may be nonsense.
    const size = ordered.find((one) => isAllowed(one) && !isAllowed(one + beyond));
    return size === undefined ? undefined : made(size);
  };
  if (typeof value === 'number')
    return extreme(
      named.bounds.flatMap((bound) => [bound, bound - 1, bound + 1, bound - 0.01, bound + 0.01]),
      (size) => (Number.isInteger(size) ? size : Number(size.toPrecision(15))),
    );
  const lengths = named.lengths.filter(
    (length) => length <= (typeof value === 'string' ? longest : mostItems),
  );
  const elsewhere = typeof value === 'string' ? value.replace(inUtc, '$1+02:00') : value;
  if (end === 'most' && elsewhere !== value && allowed(elsewhere)) return elsewhere;
  if (typeof value === 'string')
    return extreme(lengths, (length) => (length < 1 ? undefined : 'x'.repeat(length)));
  if (isArray(value))
    return extreme(lengths, (length) => (length < 0 ? undefined : listOf(value, items, length)));
  return undefined;
}

/** A number that no column of 32 bits holds, nor a `float`, which makes no round number of it; those of 64 bits do. */
const wide = 12_345_678_901;
const isIdLike = /(?:id|ids|ref)$/i;

/** An instant, which a service may store without its time zone. */
const inUtc = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)Z$/i;

/** A list of so many items: its own, those of drawn ones, then its first again. */
function listOf(value: readonly Json[], items: readonly Json[], length: number): readonly Json[] {
  const [first] = value;
  const different = new Map([...value, ...items].map((item) => [canonicalJson(item), item]));
  return [...different.values(), ...Array<Json>(first === undefined ? 0 : length).fill(first ?? null)].slice(
    0,
    length,
  );
}

export type Change = { readonly at: JsonPointer; readonly value: Json };

/** Members that another body has more; not those that may name another record. */
function missing(body: Json, other: Json, path: readonly string[]): readonly Change[] {
  if (!isObject(body) || !isObject(other)) return [];
  return Object.entries(other).flatMap(([name, value]) => {
    const own = body[name];
    if (own !== undefined) return missing(own, value, [...path, name]);
    return value === null || /(?:id|ids|ref|uri|url)$/i.test(name)
      ? []
      : [{ at: pointerOf([...path, name]), value }];
  });
}

/** Lists before their items. */
function placesOf(value: Json, path: readonly string[]): readonly JsonPointer[] {
  const own = path.length === 0 ? [] : [pointerOf(path)];
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) => placesOf(member, [...path, name]));
  return isArray(value)
    ? [...own, ...value.slice(0, 1).flatMap((item) => placesOf(item, [...path, '0']))]
    : own;
}
