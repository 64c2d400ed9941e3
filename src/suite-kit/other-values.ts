import type fc from 'fast-check';
import { affordable, study, validator, validValuesOf } from '../generate/index.ts';
import { type HeaderField, isCarried, type Operation, type QueryField } from '../model/contract.ts';
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
import { bodySchema } from './body-schema.ts';
import { valueFor } from './given.ts';
import { sampled } from './samples.ts';
import { isIdName, isIdText, sendable, sureMembers } from './texts.ts';

/** Where a member of a body is: of the body itself, of an object in it or further within, or of an item of a list in it. */
export type Depth = 'body' | 'object' | 'inner' | 'item';

/** A valid body, and a value that one of its members may have as well. */
export type OtherMember = {
  readonly depth: Depth;
  readonly at: JsonPointer;
  readonly base: Json;
  readonly other: Json;
};

/** What can be sent as the body of an operation, and where its marker goes. */
export type BodyValues = {
  readonly marker: JsonPointer | undefined;
  readonly plain: Json | undefined;
  readonly valid: fc.Arbitrary<Json> | undefined;
};

/** Members with another value each, in turn one of each depth; the two differ however a service folds case or zeros. */
export function otherMembers(
  operation: Operation,
  { marker, plain, valid }: BodyValues,
  most: number,
): readonly OtherMember[] {
  const schema = bodySchema(operation, plain);
  if (schema === undefined || plain === undefined || most === 0) return [];
  const isValid = sendable(schema, marker);
  const samples = sampled(valid);
  const text = marker === undefined ? undefined : valueAt(plain, marker);
  const marked = (body: Json): Json =>
    marker === undefined || text === undefined ? body : withValueAt(body, marker, text);
  const found = new Map<Depth, (OtherMember & { readonly drawn: boolean })[]>([
    ['body', []],
    ['object', []],
    ['inner', []],
    ['item', []],
  ]);
  const known = new Set<JsonPointer>();
  // The plain body has what the schema requires; others show what may be left out.
  for (const [index, base] of [plain, ...samples.map(marked)].entries()) {
    if (index > 0 && !isValid(base)) continue;
    for (const { at, depth, value } of affordable(leavesOf(base, []))) {
      const list = found.get(depth) ?? [];
      if (known.has(at) || (index > 0 && list.length > 0)) continue;
      if (at === marker || isCarried(operation, at)) continue;
      const fits = (one: Json): boolean => differs(value, one) && isValid(withValueAt(base, at, one));
      const near = likeIt(value).find(fits);
      const other = near ?? samples.flatMap((one) => valueAt(one, at) ?? []).find(fits);
      if (other === undefined) continue;
      known.add(at);
      list.push({ depth, at, base, other, drawn: near === undefined });
    }
  }
  // A drawn value may name a record that is not there: what is like the valid one comes first.
  const lists = [...found.values()].map((list) =>
    [...list.filter((one) => !one.drawn), ...list.filter((one) => one.drawn)]
      .slice(0, most)
      .map(({ drawn: _, ...member }) => member),
  );
  return Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, turn) =>
    lists.flatMap((list) => list[turn] ?? []),
  ).flat();
}

/**
 * The plain body with all that may be left out, and another value for each: one request shows what is forgotten. Drawn IDs
 * name records that are not there, for which the whole body may be refused: they are added alone.
 */
export function addedMembers(
  operation: Operation,
  { marker, plain, valid }: BodyValues,
  most: number,
  of: 'ids' | 'others',
): readonly OtherMember[] {
  const schema = bodySchema(operation, plain);
  if (schema === undefined || !isObject(plain) || valid === undefined) return [];
  const isValid = sendable(schema, marker);
  const samples = sampled(valid);
  // To a branch that does not have a member, it is unknown whatever its value: it may be ignored (G7).
  const check = validator(schema);
  const isKnown = (body: Json, at: JsonPointer): boolean => check(withValueAt(body, at, {})).length > 0;
  const added = new Map<string, { readonly value: Scalar; readonly other: Json }>();
  let base: Json = plain;
  for (const sample of samples)
    for (const [name, value] of isObject(sample) ? Object.entries(sample) : []) {
      const at = pointerOf([name]);
      if (Object.hasOwn(plain, name) || added.has(name) || added.size === most) continue;
      if (isIdName(at) !== (of === 'ids')) continue;
      if (value === null || isArray(value) || isObject(value) || isCarried(operation, at)) continue;
      const grown = withValueAt(base, at, value);
      const other = [...likeIt(value), ...samples.flatMap((one) => valueAt(one, at) ?? [])].find(
        (one) => differs(value, one) && isValid(withValueAt(grown, at, one)),
      );
      if (other === undefined || !isValid(grown) || !isKnown(grown, at)) continue;
      added.set(name, { value, other });
      base = grown;
    }
  return [...added].map(([name, { other }]) => ({ depth: 'body', at: pointerOf([name]), base, other }));
}

/** Two valid bodies with as many members as there may be, each with another value in the second one. */
export function twoWholeBodies(
  operation: Operation,
  values: BodyValues,
  most: number,
): readonly [one: Json, other: Json] | undefined {
  const { marker, plain } = values;
  const schema = bodySchema(operation, plain);
  if (schema === undefined || !isObject(plain)) return undefined;
  const isValid = sendable(schema, marker);
  const added = addedMembers(operation, values, most, 'others');
  const whole = added[0]?.base ?? plain;
  const own = otherMembers(operation, values, most).filter(
    ({ base, depth }) => base === plain && depth === 'body',
  );
  const other = [...own, ...added].reduce<Json>((body, member) => {
    const turned = withValueAt(body, member.at, member.other);
    return isValid(turned) ? turned : body;
  }, whole);
  return other === whole ? undefined : [whole, other];
}

/** What languages take for none; a text without letters may be refused whatever the schema says. */
const empties: readonly Json[] = [0, false, []];

/**
 * The plain body of a PATCH without the members that may be empty, and with an empty value for one of them: languages that
 * take it for none compare the two as equal, but a PATCH leaves what is absent as it is. A merge patch takes away what is
 * null in it (RFC 7396).
 */
export function emptyMembers(
  operation: Operation,
  { marker, plain }: Pick<BodyValues, 'marker' | 'plain'>,
  most: number,
): readonly OtherMember[] {
  const { body, method } = operation;
  if (method !== 'PATCH' || body === undefined || !isObject(plain)) return [];
  const isValid = sendable(bodySchema(operation, plain) ?? body.schema, marker);
  const values = /merge-patch\+json/i.test(body.mediaType) ? [null, ...empties] : empties;
  const members = sureMembers(body.schema).flatMap(({ at }) => {
    const other = values.find((empty) => isValid(withValueAt(plain, at, empty)));
    const own = at.split('/').length === 2 && at !== marker && !isCarried(operation, at);
    return own && other !== undefined ? [{ at, other }] : [];
  });
  const base = members.reduce<Json>((rest, { at }) => withValueAt(rest, at, undefined), plain);
  const fit = members.filter(({ at, other }) => isValid(base) && isValid(withValueAt(base, at, other)));
  // Code may take only some of them for none.
  const isFirst = (member: (typeof fit)[number]): boolean =>
    fit.find(({ other }) => canonicalJson(other) === canonicalJson(member.other)) === member;
  return [...fit.filter(isFirst), ...fit.filter((member) => !isFirst(member))]
    .slice(0, most)
    .map(({ at, other }) => ({ depth: 'body', at, base, other }));
}

/** A valid body with one member like the plain one's, a number best, as it is then likely to be accepted. */
export function besides(
  operation: Operation,
  body: Json,
  isValid: (value: Json) => boolean,
): Json | undefined {
  const leaves = leavesOf(body, []).filter(({ at }) => !isCarried(operation, at));
  // Another ID may name no record.
  const isId = ({ at, value }: (typeof leaves)[number]): boolean =>
    isIdName(at) || (isIdText(value) && !isDated(value));
  const [ids, others] = [true, false].map((are) => leaves.filter((leaf) => isId(leaf) === are));
  // The later of two dates may be later still.
  for (const type of ['number', 'boolean', 'string', 'id'])
    for (const { at, value } of (type === 'id' ? ids : lateFirst(others)) ?? []) {
      if (type !== 'id' && typeof value !== type) continue;
      const other = likeIt(value).find((one) => differs(value, one) && isValid(withValueAt(body, at, one)));
      if (other !== undefined) return withValueAt(body, at, other);
    }
  return undefined;
}

const isDated = (value: Scalar): boolean => /^\d{4}-\d\d-\d\d/.test(String(value));

/** The dates last, and the last date first. */
function lateFirst(leaves: readonly Leaf[] = []): readonly Leaf[] {
  const [dates, others] = [true, false].map((are) => leaves.filter(({ value }) => isDated(value) === are));
  return [...(others ?? []), ...(dates ?? []).toReversed()];
}

export type Scalar = string | number | boolean;
type Leaf = { readonly at: JsonPointer; readonly depth: Depth; readonly value: Scalar };

const depths = ['body', 'object'] as const;

/** The texts, numbers and booleans within a value. */
export function leavesOf(value: Json, path: readonly string[], depth: Depth = 'body'): readonly Leaf[] {
  if (isArray(value)) return value.flatMap((item, index) => leavesOf(item, [...path, String(index)], 'item'));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, member]) =>
      leavesOf(member, [...path, name], depth === 'item' ? depth : (depths[path.length] ?? 'inner')),
    );
  return value === null || path.length === 0 ? [] : [{ at: pointerOf(path), depth, value }];
}

export function likeIt(value: Scalar): readonly Json[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1, value - 1];
  return [...nearText(value), `${value} again`, `${value}b`, 'other'];
}

/** Of a text that is a decimal, a date or a date-time: one a little higher, then one a little lower. */
function nearText(value: string): readonly string[] {
  if (/^(0|[1-9]\d{0,11})(\.\d{1,2})?$/.test(value)) {
    const digits = /\.(\d+)$/.exec(value)?.[1]?.length ?? 0;
    const step = 10 ** -digits;
    return [Number(value) + step, Number(value) - step]
      .filter((one) => one >= 0)
      .map((one) => one.toFixed(digits));
  }
  const [, date, rest = ''] = /^(\d{4}-\d\d-\d\d)(T.*)?$/.exec(value) ?? [];
  const time = Date.parse(`${date ?? ''}T00:00:00Z`);
  return Number.isNaN(time) ? [] : [time + day, time - day].map((one) => `${isoDate(one)}${rest}`);
}

const day = 86_400_000;
const isoDate = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** What is like a value: of an object or a list, the same with one member changed, a number best. */
export function valuesLike(value: Json): readonly Json[] {
  if (isScalar(value)) return likeIt(value);
  const leaves = leavesOf(value, []);
  return ['number', 'boolean', 'string'].flatMap((type) =>
    leaves.flatMap((leaf) =>
      typeof leaf.value === type
        ? likeIt(leaf.value)
            .filter((one) => differs(leaf.value, one))
            .map((one) => withValueAt(value, leaf.at, one))
        : [],
    ),
  );
}

/** Whether two values, or members of both in one place, are surely not the same to anyone. */
export function areOther(one: Json, other: Json): boolean {
  if (isScalar(one)) return differs(one, other);
  return leavesOf(one, []).some(({ at, value }) => {
    const its = valueAt(other, at);
    return its !== undefined && differs(value, its);
  });
}

/** Whether two values are surely not the same to anyone. */
function differs(one: Scalar, other: Json): boolean {
  if (typeof one !== 'string' || typeof other !== 'string')
    return typeof one === typeof other && one !== other;
  // A duration and an IPv6 address may be written in several ways.
  if ([one, other].some((text) => /^-?P[\dT]/.test(text) || text.includes('::'))) return false;
  const [first, second] = [folded(one), folded(other)];
  if (first === second || second === '') return false;
  if (isNumber(one) && isNumber(other)) return Number(one) !== Number(other);
  const dates = [one, other].every((text) => /^\d{4}-\d\d/.test(text));
  return !dates || Date.parse(one) !== Date.parse(other);
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+/, '');
}

/** Two values of a query field or header that mean different things, first the one that requests have without more. */
export function twoValues(field: QueryField | HeaderField): readonly [string, string] | undefined {
  const { schema, style, value = valueFor(field) } = field;
  if (style === 'json') return undefined;
  const studied = study(schema, { formats: 'assert' });
  if ('failure' in studied) return undefined;
  const values = validValuesOf(studied);
  const samples = sampled(values.kind === 'supported' ? values.arbitrary : undefined);
  const listed = isObject(schema) && isArray(schema['enum']) ? schema['enum'] : [];
  const all = [
    ...(value === undefined ? [] : [value]),
    ...(field.examples ?? []),
    ...listed,
    ...samples,
  ].filter((one): one is Scalar => isScalar(one) && studied.valid(one) && plainText(one));
  const [first] = all;
  if (first === undefined) return undefined;
  const second = [...all, ...likeIt(first)].find(
    (one) => isScalar(one) && plainText(one) && studied.valid(one) && differs(first, one),
  );
  return second === undefined ? undefined : [String(first), String(second)];
}

export function isScalar(value: Json): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Other texts may not come through a header, or a parser of queries, as they are. */
function plainText(value: Scalar): boolean {
  return typeof value !== 'string' || /^[\w.:-]+$/.test(value);
}
