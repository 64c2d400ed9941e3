import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { ajvPatterns, validValues } from '../generate/index.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  pointerTokens,
  valueAt,
} from '../model/json.ts';

/** One keyword that a value breaks, at the place of the member that is wrong or missing. */
export type SchemaFault = {
  readonly at: JsonPointer;
  readonly keyword: string;
  readonly message: string;
};

export type Member = {
  readonly required: boolean;
  readonly writeOnly: boolean;
  /** True where there is only one value that it may have. */
  readonly fixed: boolean;
  /** The literal beginning that a pattern such as `^case_\S+$` asks for. */
  readonly prefix: string | undefined;
  readonly accepts: (value: Json) => boolean;
  /** A value for a member that nobody gave one; `now` where a time is asked for (ISO 8601). */
  readonly initial: (now: string) => Json;
  /** The longest of some values, others for another number. */
  readonly other: (number: number) => Json | undefined;
};

export type Members = ReadonlyMap<string, Member>;

export type Schemas = {
  /** Every fault of the value, none where it is valid. */
  readonly faultsOf: (schema: JsonSchema, value: Json) => readonly SchemaFault[];
  /** The members that an object schema names, `allOf` and references within the schema followed. */
  readonly membersOf: (schema: JsonSchema) => Members;
  readonly itemsOf: (schema: JsonSchema, at: JsonPointer) => JsonSchema;
  /** The smallest valid value; undefined where none could be made. */
  readonly smallestOf: (schema: JsonSchema) => Json | undefined;
};

/** What was found out about schemas, for every service of the process: trials of one contract ask the same again. */
const validators = new WeakMap<object, ValidateFunction>();
const members = new WeakMap<object, Members>();
const items = new WeakMap<object, Map<JsonPointer, JsonSchema>>();
const smallest = new WeakMap<object, { readonly value: Json | undefined }>();

export function createSchemas(): Schemas {
  let ajv: Ajv2020 | undefined;
  const compile = (schema: JsonSchema): ValidateFunction => {
    ajv ??= newAjv();
    return ajv.compile(typeof schema === 'boolean' ? schema : { ...schema });
  };
  const validatorOf = kept(validators, compile);
  const accepts = (schema: JsonSchema, value: Json) => validatorOf(schema)(value);
  const itemsIn = kept(items, () => new Map());
  return {
    faultsOf: (schema, value) => {
      const validate = validatorOf(schema);
      return validate(value) ? [] : (validate.errors ?? []).map(faultOf);
    },
    membersOf: kept(members, (schema) => readMembers(schema, accepts)),
    itemsOf: (schema, at) => {
      const known = itemsIn(schema);
      const item = known.get(at) ?? readItems(schema, at);
      known.set(at, item);
      return item;
    },
    smallestOf: (schema) =>
      kept(smallest, (one) => {
        const values = validValues(one, { formats: 'assert' });
        return { value: values.kind === 'supported' ? values.smallest : undefined };
      })(schema).value,
  };
}

function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    // NaN is no number.
    strictNumbers: true,
    addUsedSchema: false,
    // Those of a contract were checked when it was read.
    validateSchema: false,
    logger: false,
    code: { regExp: ajvPatterns },
  });
  formats.default(ajv);
  return ajv;
}

function kept<V>(made: WeakMap<object, V>, make: (schema: JsonSchema) => V): (schema: JsonSchema) => V {
  return (schema) => {
    if (typeof schema === 'boolean') return make(schema);
    const value = made.get(schema) ?? make(schema);
    made.set(schema, value);
    return value;
  };
}

/** ajv names the parent of a missing or superfluous member; the fault is at the member. */
function faultOf(error: ErrorObject): SchemaFault {
  const member: unknown =
    error.params['missingProperty'] ??
    error.params['additionalProperty'] ??
    error.params['unevaluatedProperty'];
  const at =
    typeof member === 'string'
      ? pointerOf([...pointerTokens(error.instancePath), member])
      : error.instancePath;
  return { at, keyword: error.keyword, message: error.message ?? 'does not match the schema' };
}

function readMembers(
  root: JsonSchema,
  accepts: (schema: JsonSchema, value: Json) => boolean,
): ReadonlyMap<string, Member> {
  const nodes = nodesOf(root, root);
  const required = new Set(nodes.flatMap((node) => listAt(node, 'required')));
  const found = new Map<string, Json[]>();
  for (const node of nodes) {
    const properties = node['properties'];
    if (!isObject(properties)) continue;
    for (const [name, schema] of Object.entries(properties))
      found.set(name, [...(found.get(name) ?? []), schema]);
  }
  return new Map(
    [...found].map(([name, schemas]) => [
      name,
      memberOf(root, schemas, required.has(name), (schema, value) => accepts(schema, value)),
    ]),
  );
}

function memberOf(
  root: JsonSchema,
  schemas: readonly Json[],
  required: boolean,
  accepts: (schema: JsonSchema, value: Json) => boolean,
): Member {
  const schema: JsonObject = { allOf: schemas, ...definitionsOf(root) };
  const nodes = schemas.flatMap((one) => nodesOf(root, one));
  const constants = nodes.flatMap((node) => (node['const'] === undefined ? [] : [node['const']]));
  const choices = nodes.flatMap((node) => listAt(node, 'enum'));
  const minima = nodes.flatMap((node) => (node['minimum'] === undefined ? [] : [node['minimum']]));
  const patterns = nodes.flatMap((node) => (typeof node['pattern'] === 'string' ? [node['pattern']] : []));
  const times = nodes.some(({ format }) => format === 'date-time' || format === 'date');
  // Made once: making it compiles schemas.
  let made: { readonly value: Json } | undefined;
  const smallest = (): Json => {
    if (made === undefined) {
      const values = validValues(schema);
      made = { value: values.kind === 'supported' ? values.smallest : null };
    }
    return made.value;
  };
  const isValid = (value: Json): boolean => accepts(schema, value);
  // Found once: each record of a list asks for it.
  let plain: readonly Json[] | undefined;
  return {
    required,
    writeOnly: nodes.some((node) => node['writeOnly'] === true),
    fixed: constants.length > 0,
    prefix: patterns
      .map((pattern) => /^\^([\w-]+)(?![*?+{\w-])/.exec(pattern)?.[1])
      .find((one) => one !== undefined),
    accepts: isValid,
    other: (number) => {
      const values = validValues(schema, { formats: 'assert' });
      return values.kind === 'supported'
        ? fc
            .sample(values.arbitrary, { numRuns: 10, seed: number })
            .sort((one, other) => JSON.stringify(other).length - JSON.stringify(one).length)[0]
        : undefined;
    },
    initial: (now) => {
      plain ??= [...constants, ...choices, null, 0, ...minima, '', false].filter(isValid);
      const [first = (times ? [now, now.slice(0, 10)] : []).find(isValid)] = plain;
      return first === undefined ? smallest() : first;
    },
  };
}

function readItems(root: JsonSchema, at: JsonPointer): JsonSchema {
  let nodes = nodesOf(root, root);
  for (const token of pointerTokens(at)) {
    nodes = nodes.flatMap((node) => {
      const properties = node['properties'];
      const member = isObject(properties) ? properties[token] : undefined;
      return member === undefined ? [] : nodesOf(root, member);
    });
  }
  const items = nodes.flatMap((node) => (node['items'] === undefined ? [] : [node['items']]));
  return { allOf: items, ...definitionsOf(root) };
}

/** The schema and all that `allOf` and `$ref` add to it. */
function nodesOf(root: JsonSchema, schema: Json, depth = 0): readonly JsonObject[] {
  if (!isObject(schema) || depth > 16) return [];
  const { $ref: reference } = schema;
  const target =
    typeof reference === 'string' && reference.startsWith('#') && isObject(root)
      ? valueAt(root, decodeURIComponent(reference.slice(1)))
      : undefined;
  return [
    schema,
    ...(target === undefined ? [] : nodesOf(root, target, depth + 1)),
    ...listAt(schema, 'allOf').flatMap((part) => nodesOf(root, part, depth + 1)),
  ];
}

function listAt(node: JsonObject, keyword: string): readonly Json[] {
  const list = node[keyword];
  return isArray(list) ? list : [];
}

function definitionsOf(root: JsonSchema): JsonObject {
  return isObject(root) && isObject(root['$defs']) ? { $defs: root['$defs'] } : {};
}
