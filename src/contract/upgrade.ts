import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from '../model/json.ts';

/** A schema of OpenAPI 3.0 as JSON Schema 2020-12 with the same meaning. Places stay where they are. */
export function upgradedSchema(value: Json | undefined): Json | undefined {
  return value === undefined ? undefined : upgraded(value);
}

const one = new Set(['additionalProperties', 'items', 'not']);
const lists = new Set(['allOf', 'anyOf', 'oneOf']);
const applies = new Set([...lists, 'not', 'if', '$dynamicRef']);

function upgraded(value: Json): Json {
  if (!isObject(value)) return value;
  // 3.0.3, Reference Object: what stands next to $ref is ignored, yet who writes `nullable` there means it.
  const { $ref, nullable } = value;
  if (typeof $ref === 'string') return nullable === true ? { anyOf: [{ $ref }, { type: 'null' }] } : { $ref };
  const entries: [string, Json][] = [];
  for (const [keyword, member] of Object.entries(value)) {
    if (keyword === 'nullable') continue;
    if (keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') {
      const bound = value[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'];
      if (typeof member !== 'boolean') entries.push([keyword, member]);
      else if (member && bound !== undefined) entries.push([keyword, bound]);
    } else if (keyword === 'minimum' || keyword === 'maximum') {
      if (value[keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'] !== true)
        entries.push([keyword, member]);
    } else if (keyword === 'type') {
      entries.push([
        keyword,
        value['nullable'] === true && typeof member === 'string' ? [member, 'null'] : member,
      ]);
    } else if (keyword === 'enum' && value['type'] === undefined && nullable === true)
      entries.push(['type', typesOf(member)], [keyword, member]);
    else if (one.has(keyword)) entries.push([keyword, upgraded(member)]);
    else if (lists.has(keyword) && isArray(member))
      entries.push(listed(value, keyword, member.map(upgraded)));
    else if (keyword === 'properties' && isObject(member))
      entries.push([
        keyword,
        Object.fromEntries(Object.entries(member).map(([name, inner]) => [name, upgraded(inner)])),
      ]);
    else entries.push([keyword, member]);
  }
  return Object.fromEntries(entries);
}

/** Next to `nullable: true` without a type null is allowed: 3.0.0 reads it so, and that is what its author means. */
function listed(
  { nullable, type, ...rest }: { readonly [name: string]: Json },
  keyword: string,
  all: readonly Json[],
): [string, Json] {
  const isAlone = Object.keys(rest).filter((name) => lists.has(name)).length === 1;
  if (nullable !== true || type !== undefined || !isAlone) return [keyword, all];
  const [only] = all;
  const whole = keyword === 'allOf' ? [all.length === 1 && only !== undefined ? only : { allOf: all }] : all;
  return [keyword === 'allOf' ? 'anyOf' : keyword, [...whole, { type: 'null' }]];
}

/** What a list of values may be next to `nullable`: of their types, or null. */
function typesOf(values: Json): Json {
  const typeOf = (value: Json): string => (isArray(value) ? 'array' : value === null ? 'null' : typeof value);
  return [...new Set([...(isArray(values) ? values : []).map(typeOf), 'null'])];
}

/**
 * The values of an enum, with null where the type allows it. By the letter an enum has to list null as well (3.0.3, nullable),
 * yet generators leave it out. So a response may have it, while a request neither relies on it nor tests that it is refused.
 */
export function listingNull({ type }: JsonObject, values: readonly Json[]): readonly Json[] {
  return [...new Set([...values, ...([type].flat().includes('null') ? [null] : [])])];
}

/** The values of an enum; one that is written twice counts once. */
export function withoutRepeats(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}

/** In 2020-12 `nullable` means nothing, yet many documents keep it from 3.0: null is allowed where it is true. */
export function withoutNullable({ nullable, ...schema }: JsonObject): JsonObject {
  if (nullable !== true) return schema;
  const { $ref, type, ...rest } = schema;
  if (type !== undefined) return { ...schema, type: [...new Set([type, 'null'].flat())] };
  if ($ref !== undefined && rest['anyOf'] === undefined)
    return { ...rest, anyOf: [{ $ref }, { type: 'null' }] };
  const typed = Array.isArray(schema['enum']) ? { ...schema, type: typesOf(schema['enum']) } : schema;
  return Object.fromEntries(
    Object.entries(typed).map(([keyword, member]) => {
      return lists.has(keyword) && isArray(member)
        ? listed({ nullable, ...schema }, keyword, member)
        : [keyword, member];
    }),
  );
}

/**
 * Alternatives of which exactly one may hold, without the null that `nullable` added where another one takes null already:
 * generators write both.
 */
export function withOneNull(
  alternatives: readonly JsonSchema[],
  found: (ref: string) => JsonSchema | undefined,
): JsonSchema[] {
  const others = alternatives.slice(0, -1);
  const isTwice = isNull(alternatives.at(-1)) && others.some((schema) => takesNull(schema, found, 0));
  return isTwice ? others : [...alternatives];
}

function isNull(schema: JsonSchema | undefined): boolean {
  return isObject(schema) && Object.keys(schema).length === 1 && schema['type'] === 'null';
}

/** Whether null surely holds: what else than types and enums may say of it is not looked at. */
function takesNull(schema: Json, found: (ref: string) => JsonSchema | undefined, depth: number): boolean {
  if (!isObject(schema) || depth > 8) return false;
  const { $ref, type, enum: values, const: value, ...rest } = schema;
  if (Object.keys(rest).some((keyword) => applies.has(keyword))) return false;
  if (typeof $ref === 'string') return takesNull(found($ref) ?? false, found, depth + 1);
  if (type !== undefined && ![type].flat().includes('null')) return false;
  return (
    value === null || (isArray(values) ? values.includes(null) : type !== undefined && value === undefined)
  );
}

/** A document with an empty schema in place of each, so that the rest of it can be checked on its own. */
export function withoutSchemas(value: Json, path: readonly string[] = []): Json {
  if (isArray(value)) return value.map((item) => withoutSchemas(item, [...path, '0']));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === 'schema' || (path.length === 2 && path[0] === 'components' && path[1] === 'schemas')
        ? {}
        : withoutSchemas(member, [...path, name]),
    ]),
  );
}
