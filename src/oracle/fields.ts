import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  valueAt,
} from '../model/json.ts';
import { remembered } from '../model/remembered.ts';

const deepest = 6;

/** Pointers of every member that a schema names, at any depth; array items stand under `0`. References are followed, recursion to a depth of six. */
export function fieldsOf(schema: JsonSchema | undefined): readonly JsonPointer[] {
  return typeof schema === 'object' ? fieldsIn(schema) : [];
}

/** Each schema is asked about again for every response that its fields may be named in. */
const fieldsIn = remembered((schema: JsonObject): readonly JsonPointer[] => {
  const found = new Set<JsonPointer>();
  collect(schema, schema, [], found, 0);
  return [...found];
});

function collect(
  root: Json,
  schema: Json,
  at: readonly string[],
  found: Set<JsonPointer>,
  depth: number,
): void {
  if (!isObject(schema) || depth > deepest) return;
  const reference = schema['$ref'];
  if (typeof reference === 'string' && reference.startsWith('#')) {
    const target = valueAt(root, decodeURIComponent(reference.slice(1)));
    if (target !== undefined) collect(root, target, at, found, depth + 1);
  }
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const branches = schema[keyword];
    if (isArray(branches)) for (const branch of branches) collect(root, branch, at, found, depth + 1);
  }
  for (const keyword of ['if', 'then', 'else']) {
    const branch = schema[keyword];
    if (branch !== undefined) collect(root, branch, at, found, depth + 1);
  }
  const properties = schema['properties'];
  if (isObject(properties))
    for (const [name, member] of Object.entries(properties)) {
      found.add(pointerOf([...at, name]));
      collect(root, member, [...at, name], found, depth + 1);
    }
  const items = schema['items'];
  if (items !== undefined) collect(root, items, [...at, '0'], found, depth + 1);
}
