import { hash } from 'node:crypto';
import { validator } from '../generate/index.ts';
import { followed, listAt, referred, withoutNull } from '../model/alternatives.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  parentOf,
  pointerOf,
  pointerTokens,
  withValueAt,
} from '../model/json.ts';
import { remembered } from '../model/remembered.ts';

/** A free-text member: no pattern, format or fixed values. */
export type TextMember = {
  readonly at: JsonPointer;
  readonly required: boolean;
  readonly room: boolean;
  readonly least: number;
};

/** Room that the marker takes: a blank, `asy-` and 16 hexadecimal digits, and some text before it. */
const markerRoom = 40;

/** A text with a marker, as long as any. */
export const markedText = 'Conformance probe asy-0123456789abcdef';

/** Levels of objects within objects that are looked through. */
const deepest = 4;

/** Which members are looked for, besides those of objects that every value has. */
type Within = { readonly items?: boolean; readonly optional?: boolean };

/** The free-text members among those that every value may have; also of the first item of lists, or of optional objects. */
export function textMembers(schema: JsonSchema, within: Within = {}): readonly TextMember[] {
  const first = within.items === true ? itemsOf([followed(schema, schema)]) : undefined;
  const members =
    first === undefined
      ? membersWithin(schema, schema, [], within)
      : membersWithin(schema, first, ['0'], within);
  const names = new Set(members.map(({ at }) => at));
  return members.flatMap(({ at, required, schemas }): readonly TextMember[] => {
    // Objects in the manner of Kubernetes say by both what they are, though a contract may not say so.
    if (
      /\/(?:apiVersion|kind)$/.test(at) &&
      ['apiVersion', 'kind'].every((one) => names.has(`${parentOf(at)}/${one}`))
    )
      return [];
    if (!schemas.some((member) => isObject(member) && isText(member['type']))) return [];
    if (!schemas.every(isFree)) return [];
    return [
      {
        at,
        required,
        room: boundsIn(schemas, 'maxLength').every((most) => most >= markerRoom),
        least: Math.max(0, ...boundsIn(schemas, 'minLength')),
      },
    ];
  });
}

/**
 * A schema of alternatives that have no free text in common, each narrowed to one of them that has one with room for a
 * marker; none if a text is common, or there are no alternatives. A member that every body has may have the alternatives.
 */
export function branchesWithText(schema: JsonSchema): readonly JsonSchema[] {
  const isRoomy = (each: JsonSchema): boolean => textMembers(each).some(({ room }) => room);
  const chosen = followed(schema, schema);
  if (!isObject(schema) || !isObject(chosen) || isRoomy(schema)) return [];
  const members = sureMembers(schema).flatMap(({ at, required, schemas }) =>
    required
      ? schemas.flatMap((member) =>
          alternativesOf(followed(schema, member)).map((branch) => within(pointerTokens(at), branch)),
        )
      : [],
  );
  return [...alternativesOf(chosen), ...members]
    .map((branch): JsonSchema => ({ ...schema, allOf: [...listAt(schema, 'allOf'), branch] }))
    .filter(isRoomy);
}

function alternativesOf(schema: Json): readonly Json[] {
  return isObject(schema) ? ['oneOf', 'anyOf'].flatMap((keyword) => listAt(schema, keyword)) : [];
}

/** A schema that asks something of the member at a path. */
function within(path: readonly string[], schema: Json): Json {
  return path.reduceRight<Json>((inner, name) => ({ properties: { [name]: inner } }), schema);
}

export function boundsIn(schemas: readonly Json[], keyword: string): readonly number[] {
  return schemas.flatMap((schema) => {
    const bound = isObject(schema) ? schema[keyword] : undefined;
    return typeof bound === 'number' ? [bound] : [];
  });
}

/** Whether a body is valid, with the text of its marker and without. */
export function sendable(schema: JsonSchema, marker: JsonPointer | undefined): (body: Json) => boolean {
  const check = validator(schema, { formats: 'assert', errors: 'first' });
  const isSendable = (body: Json): boolean =>
    check(body).length === 0 &&
    (marker === undefined || check(withValueAt(body, marker, markedText)).length === 0);
  if (typeof schema === 'boolean') return isSendable;
  const ofSchema = foundSendable(schema);
  const known = ofSchema.get(marker) ?? new Map<string, boolean>();
  ofSchema.set(marker, known);
  return (body) => {
    const text = hash('sha1', JSON.stringify(body), 'base64');
    const before = known.get(text);
    if (before !== undefined) return before;
    const verdict = isSendable(body);
    known.set(text, verdict);
    return verdict;
  };
}

/** Operations often share a schema, and the bodies that are tried for one are those that are tried for the next. */
const foundSendable = remembered((_: JsonObject) => new Map<JsonPointer | undefined, Map<string, boolean>>());

/** A member that every value may have, and all schemas that are named for it. */
export type SureMember = {
  readonly at: JsonPointer;
  readonly required: boolean;
  readonly schemas: readonly Json[];
};

/** Those of the first level, then those of the objects that every value has, however the schema is composed. */
export function sureMembers(schema: JsonSchema, within: Within = {}): readonly SureMember[] {
  return membersWithin(schema, schema, [], within);
}

function membersWithin(
  root: JsonSchema,
  schema: Json,
  path: readonly string[],
  within: Within,
): readonly SureMember[] {
  const sure = certain(root, schema, []);
  const mentions = mentioned(root, schema, new Set());
  const schemasOf = (name: string): readonly Json[] =>
    mentions.filter(([each]) => each === name).map(([, member]) => withoutNull(root, member));
  const own = [...sure.names].map(
    (name): SureMember => ({
      at: pointerOf([...path, name]),
      required: sure.required.has(name),
      schemas: schemasOf(name),
    }),
  );
  if (path.length === deepest) return own;
  const inner = [...sure.names]
    .filter((name) => within.optional === true || sure.required.has(name))
    .flatMap((name) => {
      const schemas = schemasOf(name);
      if (schemas.some((member) => isOfObjects(root, member)))
        return membersWithin(root, { allOf: schemas }, [...path, name], within);
      const first = within.items === true ? itemsOf(schemas) : undefined;
      return first === undefined ? [] : membersWithin(root, first, [...path, name, '0'], within);
    });
  return [...own, ...inner];
}

/** Generators write a member as `allOf` with one reference, to say more of it. */
function isOfObjects(root: JsonSchema, schema: Json, depth = 0): boolean {
  const member = followed(root, schema);
  if (!isObject(member) || depth > deepest) return false;
  return (
    member['type'] === 'object' || listAt(member, 'allOf').some((one) => isOfObjects(root, one, depth + 1))
  );
}

/** What the first item of a list is, where the list is never empty. */
function itemsOf(schemas: readonly Json[]): Json | undefined {
  const lists = schemas.filter(isObject).filter((each) => each['type'] === 'array');
  const isFilled = lists.some(({ minItems }) => typeof minItems === 'number' && minItems > 0);
  return isFilled ? { allOf: lists.flatMap(({ items }) => items ?? []) } : undefined;
}

export function isIdName(at: JsonPointer): boolean {
  const leaf = pointerTokens(at).findLast((token) => !/^\d+$/.test(token)) ?? '';
  return /(?:^|[_-])(?:id|uuid|guid)s?$/i.test(leaf) || /[a-z\d](?:I[dD]|UUID|Uuid|Guid)s?$/.test(leaf);
}

/** Whether a text looks like the ID of a record, whatever its member is called: `ch_17`, `customers/17`. */
export function isIdText(value: Json | undefined): boolean {
  return typeof value === 'string' && /^\S+$/.test(value) && /[\d_/:]/.test(value);
}

const notFree = ['pattern', 'format', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if', '$ref'];

function isFree(member: Json): boolean {
  if (!isObject(member)) return member === true;
  if (Object.hasOwn(member, 'type') && !isText(member['type'])) return false;
  return !notFree.some((keyword) => Object.hasOwn(member, keyword));
}

function isText(type: Json | undefined): boolean {
  const types = isArray(type) ? type.filter((one) => one !== 'null') : [type];
  return types.length === 1 && types[0] === 'string';
}

type Certain = { readonly names: ReadonlySet<string>; readonly required: ReadonlySet<string> };

/** Members that are named, and that are required, whichever branches a value takes. */
function certain(root: JsonSchema, schema: Json, trail: readonly Json[]): Certain {
  // A schema may lead back to itself.
  if (!isObject(schema) || trail.includes(schema)) return { names: new Set(), required: new Set() };
  const properties = schema['properties'];
  const required = schema['required'];
  const within = [...trail, schema];
  const own: Certain = {
    names: new Set(isObject(properties) ? Object.keys(properties) : []),
    required: new Set(isArray(required) ? required.filter((name) => typeof name === 'string') : []),
  };
  const target = referred(root, schema);
  const all = [
    own,
    ...(target === undefined ? [] : [certain(root, target, within)]),
    ...listAt(schema, 'allOf').map((branch) => certain(root, branch, within)),
    ...['oneOf', 'anyOf'].flatMap((keyword) => {
      const branches = listAt(schema, keyword).map((branch) => certain(root, branch, within));
      return branches.length === 0 ? [] : [shared(branches)];
    }),
  ];
  return {
    names: new Set(all.flatMap(({ names }) => [...names])),
    required: new Set(all.flatMap((each) => [...each.required])),
  };
}

function shared(branches: readonly Certain[]): Certain {
  const [first, ...rest] = branches;
  const inAll = (of: (branch: Certain) => ReadonlySet<string>): ReadonlySet<string> =>
    new Set(
      first === undefined ? [] : [...of(first)].filter((name) => rest.every((each) => of(each).has(name))),
    );
  return { names: inAll(({ names }) => names), required: inAll(({ required }) => required) };
}

/** Every schema of a member of the schema's own level, in whichever branch it stands. */
function mentioned(root: JsonSchema, schema: Json, known: Set<Json>): readonly (readonly [string, Json])[] {
  if (!isObject(schema) || known.has(schema)) return [];
  known.add(schema);
  const properties = schema['properties'];
  const inner = [
    referred(root, schema),
    ...['if', 'then', 'else', 'not'].map((keyword) => schema[keyword]),
    ...['allOf', 'oneOf', 'anyOf'].flatMap((keyword) => listAt(schema, keyword)),
    ...(isObject(schema['dependentSchemas']) ? Object.values(schema['dependentSchemas']) : []),
  ].filter((one) => one !== undefined);
  return [
    ...(isObject(properties) ? Object.entries(properties) : []),
    ...inner.flatMap((one) => mentioned(root, one, known)),
  ];
}
