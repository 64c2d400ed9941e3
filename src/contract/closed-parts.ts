import { isArray, isObject, type Json, type JsonObject, type JsonSchema } from '../model/json.ts';

/** Keywords of a part that only lists its members. */
const lists = new Set(
  'type properties required additionalProperties allOf title description default examples deprecated'.split(
    ' ',
  ),
);

/**
 * Parts of `allOf` that are closed against the members of each other, as generators write inheritance: no object with members
 * fits all of them. Their author means one closed object with the members of all; undefined where nothing is closed so.
 */
export function joined(
  schema: JsonObject,
  named: (ref: string) => JsonSchema | undefined,
): JsonObject | undefined {
  if (schema['allOf'] === undefined) return undefined;
  const parts = partsOf(schema, named);
  const properties = new Map<string, Json[]>();
  for (const part of parts ?? [])
    for (const [name, member] of Object.entries(membersOf(part)))
      properties.set(name, [...(properties.get(name) ?? []), member]);
  const closed = parts?.filter((part) => part['additionalProperties'] === false) ?? [];
  if (closed.every((part) => [...properties.keys()].every((name) => Object.hasOwn(membersOf(part), name))))
    return undefined;
  const { allOf: _, ...rest } = schema;
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(
      [...properties].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? true) : { allOf: all }]),
    ),
    required: [...new Set(parts?.flatMap(({ required = [] }) => required))],
    additionalProperties: false,
  };
}

/** The schema itself and all parts within; undefined where one says more than which members there are. */
function partsOf(
  schema: JsonSchema | undefined,
  named: (ref: string) => JsonSchema | undefined,
  within: readonly JsonObject[] = [],
): readonly JsonObject[] | undefined {
  if (!isObject(schema) || within.includes(schema)) return undefined;
  const { $ref, ...rest } = schema;
  if (typeof $ref === 'string')
    return Object.keys(rest).length > 0 ? undefined : partsOf(named($ref), named, within);
  const { additionalProperties = true, allOf = [], type = 'object' } = schema;
  const isPlain = type === 'object' && typeof additionalProperties === 'boolean' && isArray(allOf);
  if (!isPlain || !Object.keys(schema).every((keyword) => lists.has(keyword))) return undefined;
  const inner = allOf.map((part) => partsOf(isObject(part) ? part : undefined, named, [...within, schema]));
  return inner.includes(undefined) ? undefined : [schema, ...inner.flatMap((part) => part ?? [])];
}

function membersOf({ properties = null }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {};
}
