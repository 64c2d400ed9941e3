import { type Validator, validator } from '../generate/index.ts';
import { asksForItself, namedValues } from '../model/asked-values.ts';
import { boundOf, comparisonOf, isSearch } from '../model/comparison.ts';
import type { Operation, QueryField } from '../model/contract.ts';
import { membersAt } from '../model/described-places.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  parentOf,
  parseJson,
  pointerOf,
  pointerTokens,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { bulkOf, plainName } from '../model/listed.ts';
import { singular } from '../model/path.ts';
import type { Ref } from '../model/ref.ts';
import { type BodySpec, type BodyValue, type Step, stepsOf, type Wave } from '../model/scenario.ts';
import { schemasAt } from '../model/schema-places.ts';
import { placeInRecord } from '../model/wrapped-items.ts';
import { bodyCheck } from './body-schema.ts';
import { bodiesOfAll, drawn } from './drawn-bodies.ts';
import { samplesOf } from './marks.ts';
import { named, type Scene } from './scene.ts';
import { namedIn } from './setup.ts';
import type { Planning } from './suite.ts';
import { isIdName, isIdText, markedText } from './texts.ts';

/** One filter of a list and one value of it, with the records that show whether it is applied. */
export type FilterTrial = {
  readonly field: QueryField;
  readonly value: string | Ref;
  /** The value as it is called in titles. */
  readonly called: string;
  /** Bodies by name: `match`, and another one where only the marker distinguishes them. */
  readonly bodies: Readonly<Record<string, BodyValue>>;
  /** What makes a record that the filter lets pass, as far as that is known, and one that it excludes. */
  readonly match: BodySpec;
  readonly excluded: BodySpec | undefined;
  /** Where the filter is by a record that bodies name: another such record, which the excluded one names. */
  readonly elsewhere?: NamedElsewhere;
  /** The filter by the marker that both records have, where the list has one: it leaves no others. */
  readonly alone: readonly (readonly [string, string])[];
};

type NamedElsewhere = {
  readonly waves: readonly Wave[];
  readonly bodies: Readonly<Record<string, BodyValue>>;
  readonly target: NonNullable<Step['target']>;
};

type TriedFilters = {
  readonly trials: readonly FilterTrial[];
  /** Fields of which no value is known, and why. */
  readonly untried: readonly { readonly field: string; readonly why: string }[];
};

/** Most values that a list is asked for by one filter. */
const mostValues = 5;

/** How each declared filter of a list is tried with the records that a scene makes. */
export function filtersOf(planning: Planning, list: Operation, made: Scene): TriedFilters {
  const trials: FilterTrial[] = [];
  const untried: { readonly field: string; readonly why: string }[] = [];
  for (const field of list.queryFields) {
    if (field.filters === undefined) continue;
    const found = trialsOf(planning, list, made, field, placeInRecord(list, made.operation, field.filters));
    if ('why' in found) untried.push({ field: field.name, why: found.why });
    else trials.push(...found);
  }
  return { trials, untried };
}

/** The filter by the text that has the marker of a body, where the list has one: it finds that record alone. */
export function ownFilter(
  list: Operation,
  maker: Operation,
  { value, marker }: BodyValue,
  name: string,
): readonly [string, string] | undefined {
  if (marker === undefined) return undefined;
  const text = valueAt(value, marker);
  const filter = list.queryFields.find((field) => memberOf(list, maker, value, field) === marker);
  return filter === undefined ? undefined : [filter.name, marked(text, name)];
}

/** The filter by a record that is made for those of a list alone: they name it in their bodies, or are made in it. */
export function parentFilter(list: Operation, made: Scene): readonly [string, Ref] | undefined {
  const { operation, prelude, request } = made;
  const { target = {} } = request('many');
  const steps = new Set(stepsOf(prelude).map(({ id }) => id));
  for (const field of list.queryFields) {
    if (field.filters === undefined || comparisonOf(field) !== 'equal') continue;
    const at = memberOf(list, operation, made.body().value, field);
    const name = operation.named?.find((one) => one.at === at)?.field.name;
    const above =
      at === undefined ? recordAbove(made, placeInRecord(list, operation, field.filters)) : undefined;
    const ref = name === undefined ? above : target[name];
    if (ref !== undefined && 'step' in ref && steps.has(ref.step)) return [field.name, ref];
  }
  return undefined;
}

/** Query fields that may find a record by the text with its marker, declared filters first: only responses show it. */
export function findingFields(list: Operation, maker: Operation, plain: BodyValue): readonly QueryField[] {
  const { form, marker, value } = plain;
  if (marker === undefined || maker.body === undefined) return [];
  const { cursor, limit } = list.pagination ?? {};
  const leaf = marker.slice(marker.lastIndexOf('/') + 1);
  const declared = list.queryFields.filter((field) => memberOf(list, maker, value, field) === marker);
  const named = list.queryFields.filter(
    ({ filters, name }) =>
      filters === undefined && name !== cursor && name !== limit && (name === leaf || isSearch(name)),
  );
  const sent = form === undefined ? markedText : samplesOf(form)[0];
  return [...declared, ...named].filter((field) => sent !== undefined && takes(field, sent));
}

/** The text that a member has once the marker of a body is in it. */
function marked(text: Json | undefined, name: string): string {
  return `${typeof text === 'string' && text !== '' ? `${text} ` : ''}\${marker:${name}}`;
}

function trialsOf(
  planning: Planning,
  list: Operation,
  made: Scene,
  field: QueryField,
  filters: JsonPointer,
): readonly FilterTrial[] | { readonly why: string } {
  const { operation } = made;
  const plain = made.body();
  const schema = operation.body?.schema;
  const all = membersOf(list, field);
  if (all?.length === 0) return { why: `no record has a value that ${field.name} names` };
  const members = all ?? [];
  const at =
    schema === undefined
      ? undefined
      : (memberFor(schema, plain.value, filters) ??
        memberOfFirst(operation, schema, plain.value, filters, members.length > 0));
  const trial = (value: string | Ref, called: string): FilterTrial => ({
    field,
    value,
    called,
    bodies: { match: plain },
    match: named('match'),
    excluded: undefined,
    alone: aloneBy(list, made, plain, field),
  });
  if (schema === undefined || at === undefined) {
    if (members.length > 0)
      return members.slice(0, mostValues).map((member) => trial(String(member), String(member)));
    // What the service sets is asked for as the result of the command has it.
    if (schemasAt(operation.success.schema ?? true, filters).length > 0)
      return [trial({ step: 'match', at: filters }, 'the value of a record')];
    const above = recordAbove(made, filters);
    return above === undefined
      ? { why: `nothing says which values ${filters} of its records may have` }
      : [trial(above, 'the record that it was made in')];
  }
  const valid = bodyCheck(operation, plain.value) ?? validator(schema, { formats: 'assert' });
  const text = valueAt(plain.value, at);
  const byRecord = namedAt(planning, made, at);
  if (byRecord !== undefined)
    return [{ ...trial(byRecord.ref, 'the record that it names'), elsewhere: byRecord.elsewhere }];
  // Another ID may name no record. What the schema alone gave is none, unless it is called so: a code may be of digits.
  const isId = planning.given?.has(operation.id) === true || isIdName(at);
  if (typeof text === 'string' && isId && isIdText(text)) return [trial(text, text)];
  // Where the query field names its values, made-up texts are none of them.
  if (members.length === 0 && marks(valid, plain.value, at)) {
    const words = typeof text === 'string' ? text : 'Conformance probe';
    const { own = [], value } = made.body(withValueAt(plain.value, at, words));
    const body: BodyValue = { value, marker: at, ...(own.length === 0 ? {} : { own }) };
    // A search may find whatever has one of its words.
    const other = withValueAt(value, at, otherWords);
    const unlike: BodyValue | undefined =
      valid(other).length === 0
        ? { value: other, marker: undefined, ...(own.length === 0 ? {} : { own }) }
        : undefined;
    return [
      {
        ...trial(marked(words, 'match'), 'the text of a record'),
        bodies: { match: body, other: comparisonOf(field) === 'words' ? (unlike ?? body) : body },
        excluded: named('other'),
        alone: [],
      },
    ];
  }
  const bodies = bodiesOfAll(planning, operation);
  // A field such as `tag` asks for one of several values.
  const several = schemasAt(schema, at).some(isOfArray);
  const known = several
    ? [...drawn(planning, operation, at).filter(isPlain), ...plainWords]
    : drawn(planning, operation, at);
  // A value that chooses the branch of a body needs the other members of its branch.
  const bodyWith = (value: Json, before: readonly Json[] = []): BodySpec | undefined => {
    const member = several ? [...before, value] : value;
    const edited = valid(withValueAt(plain.value, at, member)).length === 0;
    const whole = edited ? undefined : bodies.find((body) => valueAt(body, at) === value);
    if (!edited && whole === undefined) return undefined;
    return {
      use: 'named',
      name: 'match',
      edit:
        whole === undefined
          ? { at, set: member }
          : { at: '', set: likePlain(operation, plain, whole, valid) },
    };
  };
  // A query has texts alone, and some generators say so of flags and numbers as well.
  const asSent = (value: string | number | boolean): string | number | boolean => {
    const parsed = typeof value === 'string' && bodyWith(value) === undefined ? parseJson(value) : undefined;
    return typeof parsed === 'number' || typeof parsed === 'boolean' ? parsed : value;
  };
  const values = (members.length > 0 ? members.map(asSent) : known).filter(
    (value) => bodyWith(value) !== undefined && (members.length > 0 || takes(field, value)),
  );
  // 10 begins with 1; what refers to a record may name none then.
  const [first] = values;
  if (members.length === 0 && Number.isSafeInteger(first) && !/ids?$/i.test(at))
    values.push(...[Number(`${first}0`)].filter((one) => bodyWith(one) !== undefined && takes(field, one)));
  // What lies on the other side of a bound is excluded.
  const bound = boundOf(comparisonOf(field));
  if (members.length === 0 && bound === 'most') values.sort(inOrder);
  if (members.length === 0 && bound === 'least') values.sort((one, other) => inOrder(other, one));
  if (values.length === 0) return { why: `no valid value of ${at} in the body of ${operation.id} is known` };
  return (members.length > 0 ? values.slice(0, mostValues) : values.slice(0, 1)).map((value) => {
    const others = values.filter((one) => one !== value);
    // A search in free text may find a part of it; what is chosen from a few, or counted, is compared as a whole.
    const isWhole = members.length > 0 || typeof value === 'number';
    const longer = isWhole ? others.find((one) => String(one).includes(String(value))) : undefined;
    const other = longer ?? others[0];
    return {
      ...trial(String(value), String(value)),
      // Behind another one: some services compare the first alone.
      match:
        (several && other !== undefined ? bodyWith(value, [other]) : undefined) ??
        bodyWith(value) ??
        named('match'),
      excluded: other === undefined ? undefined : bodyWith(other),
    };
  });
}

/** The record that was made for a member of the body, and another one that another body may name there: no text is an ID. */
function namedAt(
  planning: Planning,
  { lead, operation, request }: Scene,
  at: JsonPointer,
): { readonly ref: Ref; readonly elsewhere: NamedElsewhere } | undefined {
  const { target = {} } = request('match');
  const field = operation.named?.find((one) => one.at === at)?.field.name;
  const ref = field === undefined ? undefined : target[field];
  if (field === undefined || ref === undefined || 'literal' in ref) return undefined;
  // Both are within what the path goes through: what is elsewhere no body there may name.
  const above = new Map(
    operation.pathFields.flatMap(({ name }) => Object.entries(target).filter(([one]) => one === name)),
  );
  return { ref, elsewhere: namedIn(planning, operation, lead, 'unlike-', { above }) };
}

/** The target of a command whose path names what a filter names: GET /results?orderId= of POST /orders/{orderId}/results. */
function recordAbove({ operation, request }: Scene, filters: JsonPointer): Ref | undefined {
  const target = request('match').target ?? {};
  const leaf = plainName(filters.slice(filters.lastIndexOf('/') + 1));
  const segments = operation.path.split('/');
  const field = operation.pathFields.find(({ name }) => {
    const collection = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
    return [name, `${singular(collection)}Id`].some((one) => plainName(one) === leaf);
  });
  return field === undefined ? undefined : target[field.name];
}

function inOrder(one: Json, other: Json): number {
  return typeof one === 'number' && typeof other === 'number'
    ? one - other
    : String(one) < String(other)
      ? -1
      : 1;
}

function aloneBy(list: Operation, made: Scene, body: BodyValue, field: QueryField): FilterTrial['alone'] {
  const own = ownFilter(list, made.operation, body, 'match');
  return own === undefined || own[0] === field.name ? [] : [own];
}

/** Another body with what the plain one has of its own: the records that are made for it, and its marker. */
function likePlain({ named = [] }: Operation, plain: BodyValue, body: Json, valid: Validator): Json {
  const { form, marker, value } = plain;
  const text = marker === undefined ? undefined : valueAt(value, marker);
  const words = typeof text === 'string' && text !== '' ? `${text} ` : '';
  const own = [
    ...named.map(({ at }) => [at, valueAt(value, at)] as const),
    ...(marker === undefined || form !== undefined ? [] : [[marker, `${words}\${marker}`] as const]),
  ];
  return own.reduce((made, [at, member]) => {
    if (!isObject(valueAt(made, parentOf(at)))) return made;
    const next = withValueAt(made, at, member);
    return valid(next).length === 0 ? next : made;
  }, body);
}

/** Words of a text that share nothing with those of others. */
const otherWords = 'Quartz jug';

function marks(valid: Validator, plain: Json, at: JsonPointer): boolean {
  return valid(withValueAt(plain, at, markedText)).length === 0;
}

/** Sent where bodies have no value of a list that a query field can ask for alone. */
const plainWords = ['alpha', 'beta'];

/** Whether a query field asks for one value with it: some services take a comma or a bar as an end. */
function isPlain(value: string | number | boolean): boolean {
  return typeof value !== 'string' || /^[\p{L}\p{N}]([\p{L}\p{N} _-]*[\p{L}\p{N}])?$/u.test(value);
}

function isOfArray(schema: Json): boolean {
  return isObject(schema) && [schema['type']].flat().includes('array');
}

/** Whether the schema of a query field takes a value, which is a text on the wire. */
function takes({ schema }: QueryField, value: Json): boolean {
  const valid = validator(schema, { formats: 'assert' });
  return valid(value).length === 0 || valid(String(value)).length === 0;
}

/** The values that the schema of a query field names, and that records of the list may have; undefined where it names none. */
export function membersOf(list: Operation, field: QueryField): ReturnType<typeof namedValues> | undefined {
  const { schema } = field;
  const named = namedValues(schema);
  const types = schemasAt(schema, '').flatMap<Json>(({ type = [] }) => type);
  const isFlag = types.includes('boolean') && types.every((type) => type === 'boolean' || type === 'null');
  if (named.length === 0) return isFlag ? [true, false] : undefined;
  return named.filter((one) => asksForItself(list, field, String(one)));
}

/** Where a body has the member by which a query field filters; undefined where it filters by none, or the body has none. */
function memberOf(
  list: Operation,
  maker: Operation,
  body: Json,
  { filters }: QueryField,
): JsonPointer | undefined {
  const schema = maker.body?.schema;
  return filters === undefined || schema === undefined
    ? undefined
    : memberFor(schema, body, placeInRecord(list, maker, filters));
}

/**
 * Where a body has the member of an item: at the same place, in another spelling, or in the one object within it that has
 * such a member.
 */
function memberFor(
  schema: JsonSchema,
  body: Json,
  filters: JsonPointer,
  around: readonly string[] = [],
): JsonPointer | undefined {
  if (!isObject(body)) return undefined;
  const at = pointerOf(around) + filters;
  if (schemasAt(schema, at).length > 0) return at;
  const [token = '', ...deeper] = pointerTokens(filters);
  const spelled = membersAt(schema, pointerOf(around)).filter((name) => plainName(name) === plainName(token));
  if (deeper.length === 0 && spelled.length === 1) return pointerOf([...around, ...spelled]);
  const inner = Object.entries(body).flatMap(
    ([name, member]) => memberFor(schema, member, filters, [...around, name]) ?? [],
  );
  return inner.length === 1 ? inner[0] : undefined;
}

/** Where the body of a command that makes several records at once has a text or a named value of the first: its ID is that of the result. */
function memberOfFirst(
  { effect }: Operation,
  schema: JsonSchema,
  body: Json,
  filters: JsonPointer,
  isNamed: boolean,
): JsonPointer | undefined {
  if (bulkOf(effect) === undefined) return undefined;
  const lists = isArray(body)
    ? [[]]
    : isObject(body)
      ? Object.keys(body).flatMap((name) => (isArray(body[name]) ? [[name]] : []))
      : [];
  const [list] = lists;
  if (list === undefined || lists.length > 1) return undefined;
  const at = `${pointerOf([...list, '0'])}${filters}`;
  const type = typeof valueAt(body, at);
  if (isNamed && (type === 'string' || type === 'boolean' || type === 'number')) return at;
  return type === 'string' && marks(validator(schema, { formats: 'assert' }), body, at) ? at : undefined;
}
