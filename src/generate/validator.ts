import { createRequire } from 'node:module';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json, JsonPointer, JsonSchema } from './json.ts';
import { isArray, isObject, pointerOf } from './json.ts';
import { ajvPatternsWith } from './matching.ts';

export type SchemaOptions = {
  /** Further schemas that it may refer to, by absolute URI. */
  readonly remotes?: Readonly<Record<string, JsonSchema>>;
  /** Whether `format` is asserted, or only an annotation (the default of JSON Schema 2020-12 validation, section 7.2). */
  readonly formats?: 'assert' | 'annotate';
  /** Which errors are listed; all by default. To list all of n invalid items, ajv takes time that grows with n². */
  readonly errors?: 'all' | 'first';
  /** Called where a pattern takes too long, so that what is said of the value may be wrong. */
  readonly doubted?: () => void;
};

export type SchemaError = {
  /** The offending place in the value; of a missing member, where it would be. */
  readonly pointer: JsonPointer;
  readonly keyword: string;
  readonly message: string;
  /** ajv's path of the keyword in the schema, as a URI fragment. */
  readonly schemaPath: string;
};

/** Lists everything that is wrong with a value; empty where it is valid. */
export type Validator = (value: Json) => readonly SchemaError[];

/** What was compiled of each schema, by how it is read: suites and engine ask for the same ones again and again. */
const kept = new WeakMap<object, Map<string, Compiled>>();

/** {@link compiled}, once for each way to read a schema. */
export function validator(schema: JsonSchema, options: SchemaOptions = {}): Validator {
  return compiled(schema, options).validate;
}

/** A decimal number as text (OpenAPI Format Registry), which ajv-formats does not know. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** What ajv makes of a schema, with what else it knows. */
export type Compiled = {
  readonly validate: Validator;
  readonly valid: (value: Json) => boolean;
  /** Whether text satisfies a format; true where ajv-formats does not know the format, or it does not apply to text. */
  readonly hasFormat: (format: string, value: Json) => boolean;
  /** The meta-schemas that ajv brings. */
  readonly lookup: (uri: string) => JsonSchema | undefined;
};

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
/** Says of schemas whether they are any, once for all: compiling the meta-schemas again costs more than all else. */
const META = new Ajv2020({ strict: false, allErrors: true, logger: false });
/** The same, as a build compiled it; what is wrong with an invalid one META says. */
const AHEAD = compiledAhead();

function compiledAhead(): ((schema: unknown) => unknown) | undefined {
  try {
    const made: unknown = createRequire(import.meta.url)('../../checks/meta-schema.cjs');
    return typeof made === 'function' ? (schema) => Reflect.apply(made, undefined, [schema]) : undefined;
  } catch {
    return undefined;
  }
}

/** Compiles once for each way to read a schema, but again where doubts are reported. @throws Error where ajv cannot */
export function compiled(schema: JsonSchema, options: SchemaOptions = {}): Compiled {
  const { doubted, errors = 'all', formats: reading = 'annotate', remotes } = options;
  if (typeof schema === 'boolean' || doubted !== undefined || remotes !== undefined)
    return compiledNow(schema, options);
  const known = kept.get(schema) ?? new Map<string, Compiled>();
  kept.set(schema, known);
  const way = `${reading} ${errors}`;
  const made = known.get(way) ?? compiledNow(schema, options);
  known.set(way, made);
  return made;
}

function compiledNow(schema: JsonSchema, options: SchemaOptions): Compiled {
  const check = checkOf(schema, options);
  return {
    validate: (value) => {
      if (check(value) === true) return [];
      return (check.errors ?? []).map((error) => ({
        pointer: pointerOfError(error),
        keyword: error.keyword,
        message: error.message ?? 'is invalid',
        schemaPath: error.schemaPath,
      }));
    },
    valid: (value) => {
      // ajv can run into itself on some dynamic references: then it has accepted nothing.
      try {
        return check(value) === true;
      } catch {
        return false;
      }
    },
    hasFormat: (format, value) => satisfies(knownFormat(format), value),
    lookup: (uri) => {
      const known = META.getSchema(uri)?.schema;
      return known === undefined ? undefined : asSchema(known);
    },
  };
}

/** Apart from what uses it: nothing then keeps the instance of ajv, which takes more memory than what it made. */
function checkOf(schema: JsonSchema, options: SchemaOptions): ValidateFunction {
  const all = [...Object.values(options.remotes ?? {}), schema];
  const usual = all.every((each) => !isObject(each) || (each['$schema'] ?? DIALECT) === DIALECT);
  if (usual) for (const each of all) if (AHEAD?.(each) !== true) META.validateSchema(toAjv(each), true);
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: !usual,
    // To know the meta-schemas takes half of the time, and few schemas refer to one.
    meta: !usual || JSON.stringify(all).includes('json-schema.org'),
    allErrors: options.errors !== 'first' || all.some(isWide),
    ownProperties: true,
    validateFormats: options.formats === 'assert',
    multipleOfPrecision: 6,
    code: { regExp: ajvPatternsWith(options.doubted ?? (() => undefined)) },
    logger: false,
  });
  addAllFormats(ajv);
  for (const [uri, remote] of Object.entries(options.remotes ?? {})) ajv.addSchema(toAjv(remote), uri);
  return ajv.compile(toAjv(schema));
}

function addAllFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv);
  return ajv.addFormat('decimal', DECIMAL);
}

let formats: Ajv2020['formats'] | undefined;

function knownFormat(name: string): Ajv2020['formats'][string] | undefined {
  formats ??= addAllFormats(new Ajv2020({ strict: false, meta: false, logger: false })).formats;
  return Object.hasOwn(formats, name) ? formats[name] : undefined;
}

/** To stop at the first error, ajv nests what it checks of each member in that of the one before: V8 takes so many levels. */
const WIDE = 500;

function isWide(schema: Json): boolean {
  if (isArray(schema)) return schema.some(isWide);
  if (!isObject(schema)) return false;
  const parts = Object.values(schema);
  return parts.length > WIDE || parts.some(isWide);
}

function toAjv(schema: JsonSchema): boolean | Record<string, unknown> {
  return schema;
}

function asSchema(schema: unknown): JsonSchema {
  const copy: JsonSchema = JSON.parse(JSON.stringify(schema));
  return copy;
}

/** Members and items are named by their own place, whether missing or too many. */
function pointerOfError(error: ErrorObject): JsonPointer {
  const params: Readonly<Record<string, unknown>> = error.params;
  const member =
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'] ??
    params['propertyName'] ??
    error.propertyName;
  if (typeof member === 'string') return `${error.instancePath}${pointerOf([member])}`;
  const extraItem =
    error.keyword === 'items' || error.keyword === 'unevaluatedItems' ? params['limit'] : undefined;
  return typeof extraItem === 'number' ? `${error.instancePath}/${extraItem}` : error.instancePath;
}

function satisfies(format: unknown, value: Json): boolean {
  if (format instanceof RegExp) return typeof value !== 'string' || format.test(value);
  if (typeof format === 'function') return typeof value !== 'string' || format(value) === true;
  if (typeof format !== 'object' || format === null || !('validate' in format)) return true;
  const type = 'type' in format ? format.type : 'string';
  const { validate } = format;
  if (type === 'number' && typeof value !== 'number') return true;
  if (type !== 'number' && typeof value !== 'string') return true;
  if (validate instanceof RegExp) return typeof value !== 'string' || validate.test(value);
  return typeof validate === 'function' ? validate(value) === true : true;
}
