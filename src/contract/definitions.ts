import { isObject, type Json, type JsonSchema, pointerOf } from '../model/json.ts';
import type { Place } from './library.ts';
import { errorAt } from './place.ts';

/** What a schema refers to, with the name under which it is in `$defs`, and where it was written. */
export type Definition = { readonly name: string; readonly place: Place; readonly schema: JsonSchema };

export function pointerToDefinition(name: string): string {
  return `#${pointerOf(['$defs', name])}`;
}

/** Keywords whose schemas are about the same value as the schema that they are in. */
export const sameValue = new Set(['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas']);

/** A schema that is part of itself, for the same value: a check against it would never end. */
export function refuseEndless(definitions: ReadonlyMap<string, Definition>): void {
  const byRef = new Map([...definitions.values()].map((each) => [pointerToDefinition(each.name), each]));
  const open = new Set<Definition>();
  const done = new Set<Definition>();
  const visit = (each: Definition): void => {
    if (done.has(each)) return;
    if (open.has(each))
      throw errorAt(
        each.place,
        'this schema is part of itself',
        "let it refer to itself only within 'properties', 'items' and the like",
      );
    open.add(each);
    for (const ref of refsOfValue(each.schema)) {
      const next = byRef.get(ref);
      if (next !== undefined) visit(next);
    }
    open.delete(each);
    done.add(each);
  };
  for (const each of byRef.values()) visit(each);
}

/** What a schema refers to for the value itself, and not for what is within it. */
function refsOfValue(schema: Json): readonly string[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === '$ref') return [String(value)];
    if (keyword === 'dependentSchemas' && isObject(value)) return Object.values(value).flatMap(refsOfValue);
    return keyword === 'not' || sameValue.has(keyword) ? [value].flat().flatMap(refsOfValue) : [];
  });
}
