import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  pointerTokens,
} from './json.ts';

/** Whether a schema knows a place; where it does not, the member that is missing and its neighbours. */
export type Reach =
  | { readonly known: true }
  | { readonly known: false; readonly member: string; readonly siblings: readonly string[] };

/** Follows a pointer through what a self-contained schema describes. A schema that lists no members knows them all. */
export function reach(schema: JsonSchema | undefined, pointer: JsonPointer): Reach {
  let at = alternatives(schema ?? true, schema ?? true, new Set());
  for (const token of pointerTokens(pointer)) {
    const children = at.flatMap((one) => childrenOf(one, token));
    if (children.length === 0) {
      const siblings = at.flatMap((one) =>
        isObject(one['properties']) ? Object.keys(one['properties']) : [],
      );
      return siblings.length === 0 && at.every((one) => one['items'] === undefined)
        ? { known: true }
        : { known: false, member: token, siblings };
    }
    at = children.flatMap((one) => alternatives(one, schema ?? true, new Set()));
  }
  return { known: true };
}

/** Whether a schema describes the member at a pointer; one that lists no members describes none. */
export function describes(schema: JsonSchema | undefined, pointer: JsonPointer): boolean {
  return schemasAt(schema, pointer).length > 0;
}

/** Every schema that a self-contained schema has for a place, in whichever branch, references followed. */
export function schemasAt(schema: JsonSchema | undefined, pointer: JsonPointer): readonly JsonObject[] {
  let at = alternatives(schema ?? true, schema ?? true, new Set());
  for (const token of pointerTokens(pointer))
    at = at
      .flatMap((one) => childrenOf(one, token))
      .flatMap((one) => alternatives(isObject(one) ? one : {}, schema ?? true, new Set()));
  return at;
}

/** Whether a schema requires the member at a pointer, and all that it is within, in whichever branch. */
export function requires(schema: JsonSchema | undefined, pointer: JsonPointer): boolean {
  const tokens = pointerTokens(pointer);
  return tokens.every((token, index) =>
    schemasAt(schema, pointerOf(tokens.slice(0, index))).some(
      ({ required }) => isArray(required) && required.includes(token),
    ),
  );
}

function alternatives(schema: Json, root: JsonSchema, seen: ReadonlySet<Json>): readonly JsonObject[] {
  if (!isObject(schema) || seen.has(schema)) return [];
  const path = new Set([...seen, schema]);
  const ref = schema['$ref'];
  const target = typeof ref === 'string' ? definition(root, ref) : undefined;
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => {
    const list = schema[keyword];
    return isArray(list) ? list : [];
  });
  const rest = [target, schema['then'], schema['else'], ...branches].filter((one) => one !== undefined);
  return [schema, ...rest.flatMap((one) => alternatives(one, root, path))];
}

function definition(root: JsonSchema, ref: string): Json | undefined {
  const definitions = isObject(root) ? root['$defs'] : undefined;
  const name = pointerTokens(ref.slice(1))[1];
  return isObject(definitions) && name !== undefined ? definitions[name] : undefined;
}

function childrenOf(schema: JsonObject, token: string): readonly Json[] {
  const found: Json[] = [];
  const { properties, items } = schema;
  if (isObject(properties) && Object.hasOwn(properties, token)) found.push(properties[token] ?? true);
  if (items !== undefined && /^(?:-1|\d+)$/.test(token)) found.push(items);
  return found;
}
