import type { JsonObject, JsonSchema } from '../model/json.ts';
import { remembered } from '../model/remembered.ts';
import type { Library } from './library.ts';

const byText = remembered((_: Library) => new Map<string, JsonObject>());

/** Equal schemas of a contract are one object: what follows from a schema is found out once, however many operations share it. */
export function onlyOne(library: Library, schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const all = byText(library);
  const text = JSON.stringify(schema);
  const known = all.get(text);
  if (known === undefined) all.set(text, schema);
  return known ?? schema;
}
