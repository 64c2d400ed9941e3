import { isArray, isObject, type Json, type JsonObject, type JsonSchema } from './json.ts';
import { type SchemaNode, schemaIndex } from './references.ts';

export type KnownNames = {
  /** In its order, those of alternatives and of conditions included. */
  readonly names: ReadonlySet<string>;
  /** It lets other names be: by a pattern, by a schema for all others, or since it has none of its own. */
  readonly free: boolean;
};

const single = ['if', 'then', 'else'];
const listed = ['allOf', 'anyOf', 'oneOf'];

/** Which members a schema of objects knows (JSON Schema 2020-12 core, sections 10.2 and 10.3.2). */
export function knownNames(schema: JsonSchema): KnownNames {
  const index = schemaIndex(schema);
  const names = new Set<string>();
  const seen = new Set<string>();
  let free = false;
  const visit = (node: SchemaNode | undefined): void => {
    if (node === undefined || seen.has(node.key) || !isObject(node.schema)) return;
    seen.add(node.key);
    const { schema } = node;
    for (const name of keysAt(schema, 'properties')) names.add(name);
    free ||= keysAt(schema, 'patternProperties').length > 0 || isOpen(schema);
    for (const keyword of ['$ref', '$dynamicRef'] as const) visit(index.target(node, keyword));
    for (const keyword of single) visit(index.child(node, keyword));
    for (const keyword of listed)
      for (const at of lengthAt(schema, keyword)) visit(index.child(node, keyword, at));
    for (const name of keysAt(schema, 'dependentSchemas')) visit(index.child(node, 'dependentSchemas', name));
  };
  visit(index.root);
  return { names, free: free || names.size === 0 };
}

function isOpen({ additionalProperties, unevaluatedProperties }: JsonObject): boolean {
  return [additionalProperties, unevaluatedProperties].some((rest) => rest === true || isObject(rest));
}

function keysAt(schema: JsonObject, keyword: string): readonly string[] {
  const value: Json | undefined = schema[keyword];
  return isObject(value) ? Object.keys(value) : [];
}

function lengthAt(schema: JsonObject, keyword: string): readonly number[] {
  const value: Json | undefined = schema[keyword];
  return isArray(value) ? [...value.keys()] : [];
}
