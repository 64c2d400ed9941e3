import type { Ajv2020 } from 'ajv/dist/2020.js';
import { schemaProblems } from '../document/schema-problems.ts';
import { refuse } from '../model/input-error.ts';
import type { Json, JsonObject, JsonPointer, JsonSchema } from '../model/json.ts';
import { isArray, isObject, pointerOf, pointerTokens } from '../model/json.ts';
import { child, errorAt, type Library, type Place, resolve } from './place.ts';

/** Keywords whose value is one schema, a list of schemas, or schemas by name. All others hold plain values. */
const oneSchema = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const listOfSchemas = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const schemasByName = new Set(['dependentSchemas', 'patternProperties', 'properties']);

/** What OpenAPI adds for its readers; a JSON Schema validator knows none of it. */
const forReaders = new Set(['discriminator', 'example', 'externalDocs', 'xml']);

const dialects = new Set([
  'https://json-schema.org/draft/2020-12/schema',
  'https://spec.openapis.org/oas/3.1/dialect/base',
]);

/** Whether a dialect is plain JSON Schema 2020-12, or the OpenAPI 3.1 one on top of it. */
export function isKnownDialect(uri: string): boolean {
  return (
    dialects.has(uri.replace(/#$/, '')) || /^https:\/\/spec\.openapis\.org\/oas\/3\.1\/dialect\//.test(uri)
  );
}

/**
 * The schema at a place as one that refers to nothing outside itself: what it refers to stands under `$defs`,
 * recursion included. A schema that is nothing but a reference gives the schema that it refers to.
 *
 * @throws InputError where it is no valid JSON Schema 2020-12, or a reference cannot be followed
 */
export function schemaAt(place: Place, library: Library, ajv: Ajv2020): JsonSchema {
  const definitions = new Map<string, { readonly name: string; readonly schema: JsonSchema }>();

  const nameOf = (target: Place): string => {
    const tokens = pointerTokens(target.pointer);
    const short =
      tokens.length === 3 && target.pointer.startsWith('/components/schemas/') ? tokens.slice(2) : tokens;
    const plain = short.join('_').replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'document';
    const taken = new Set([...definitions.values()].map(({ name }) => name));
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
    return name;
  };

  const refTo = (holder: Place, ref: string): string => {
    const target = resolve(holder, ref, library);
    const id = `${target.document.file}#${target.pointer}`;
    const known = definitions.get(id);
    if (known !== undefined) return pointerToDefinition(known.name);
    const name = nameOf(target);
    // Known before it is walked, or a recursive schema would never end.
    definitions.set(id, { name, schema: true });
    check(target, ajv);
    definitions.set(id, { name, schema: copy(target) });
    return pointerToDefinition(name);
  };

  const copy = (at: Place): JsonSchema => {
    if (typeof at.value === 'boolean') return at.value;
    if (!isObject(at.value))
      throw errorAt(at, 'a schema must be a mapping, true or false', 'write a JSON Schema here');
    const entries: [string, Json][] = [];
    for (const [keyword, value] of Object.entries(at.value)) {
      const here = child(at, keyword);
      if (keyword === 'pattern' && typeof value === 'string') checkPattern(here, value);
      if (keyword === '$ref' && typeof value === 'string') entries.push([keyword, refTo(here, value)]);
      else if (oneSchema.has(keyword)) entries.push([keyword, copy(here)]);
      else if (listOfSchemas.has(keyword) && isArray(value)) {
        entries.push([keyword, value.map((_, index) => copy(child(here, index)))]);
      } else if (schemasByName.has(keyword) && isObject(value)) {
        if (keyword === 'patternProperties') {
          for (const pattern of Object.keys(value)) checkPattern(child(here, pattern), pattern);
        }
        const named = Object.keys(value).map((name) => [name, copy(child(here, name))] as const);
        entries.push([keyword, Object.fromEntries(named)]);
      } else if (keeps(here, keyword, value)) entries.push([keyword, value]);
    }
    return Object.fromEntries(entries);
  };

  check(place, ajv);
  const root = copy(unwrapped(place, library, ajv));
  const used = [...definitions.values()];
  if (used.length === 0 || typeof root === 'boolean') return root;
  return { ...root, $defs: Object.fromEntries(used.map(({ name, schema }) => [name, schema])) };
}

function pointerToDefinition(name: string): string {
  return `#${pointerOf(['$defs', name])}`;
}

/** The schema that a bare reference stands for. */
function unwrapped(place: Place, library: Library, ajv: Ajv2020): Place {
  let at = place;
  const seen = new Set<JsonPointer>();
  while (isObject(at.value) && typeof at.value['$ref'] === 'string' && Object.keys(at.value).length === 1) {
    const id = `${at.document.file}#${at.pointer}`;
    if (seen.has(id)) throw errorAt(place, 'this $ref leads back to itself', 'let it refer to a schema');
    seen.add(id);
    at = resolve(child(at, '$ref'), at.value['$ref'], library);
    check(at, ajv);
  }
  return at;
}

/** Whether a keyword goes into the copy. */
function keeps(here: Place, keyword: string, value: Json): boolean {
  if (keyword === '$defs' || keyword === 'definitions') return false;
  if (keyword === '$schema') {
    if (typeof value === 'string' && isKnownDialect(value)) return false;
    throw errorAt(
      here,
      'this schema is of another dialect',
      'write it in JSON Schema 2020-12, and remove $schema',
    );
  }
  if (['$id', '$anchor', '$dynamicRef', '$dynamicAnchor'].includes(keyword)) {
    throw errorAt(
      here,
      `'${keyword}' is not supported`,
      "put the schema under components/schemas, and refer to it by '#/components/schemas/Name'",
      'key',
    );
  }
  if (keyword === 'nullable') {
    throw errorAt(here, "'nullable' is OpenAPI 3.0", "write type: [string, 'null'] instead", 'key');
  }
  return !forReaders.has(keyword) && !keyword.startsWith('x-');
}

/** ajv leaves the formats of its meta-schema unchecked. */
function checkPattern(place: Place, pattern: string): void {
  try {
    new RegExp(pattern, 'u');
  } catch {
    throw errorAt(
      place,
      'this is no regular expression of ECMA-262 with the u flag',
      'correct it; write no flags, and escape only what needs it',
    );
  }
}

function check(place: Place, ajv: Ajv2020): void {
  if (typeof place.value === 'boolean') return;
  if (!isObject(place.value)) {
    throw errorAt(place, 'a schema must be a mapping, true or false', 'write a JSON Schema here');
  }
  const { $schema: _dialect, ...schema } = place.value;
  // validateSchema reads no references, so that each place is blamed for its own text alone.
  if (ajv.validateSchema(schema) !== true) refuse(schemaProblems(place.document, ajv.errors, place.pointer));
}

/** Whether a schema knows a place; where it does not, the member that is missing and its neighbours. */
export type Reach =
  | { readonly known: true }
  | { readonly known: false; readonly member: string; readonly beside: readonly string[] };

/** Follows a pointer through what a self-contained schema describes. A schema that lists no members knows them all. */
export function reach(schema: JsonSchema | undefined, pointer: JsonPointer): Reach {
  let at = alternatives(schema ?? true, schema ?? true, new Set());
  for (const token of pointerTokens(pointer)) {
    const children = at.flatMap((one) => childrenOf(one, token));
    if (children.length === 0) {
      const beside = at.flatMap((one) => (isObject(one['properties']) ? Object.keys(one['properties']) : []));
      return beside.length === 0 && at.every((one) => one['items'] === undefined)
        ? { known: true }
        : { known: false, member: token, beside };
    }
    at = children.flatMap((one) => alternatives(one, schema ?? true, new Set()));
  }
  return { known: true };
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
  if (items !== undefined && /^\d+$/.test(token)) found.push(items);
  return found;
}
