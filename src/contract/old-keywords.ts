import type { ErrorObject } from 'ajv/dist/2020.js';
import { problemAt } from '../document/document.ts';
import type { InputProblem } from '../model/input-error.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Place } from './library.ts';
import { child } from './place.ts';
import { withoutNullable } from './upgrade.ts';

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** What is written as a type and is a format, or the name of a type in a language: what JSON Schema calls it. */
const typesMeant = new Map<string, JsonObject>([
  ...['date', 'date-time', 'time', 'uuid', 'email', 'uri', 'duration'].map(
    (format) => [format, { type: 'string', format }] as const,
  ),
  ['datetime', { type: 'string', format: 'date-time' }],
  ['guid', { type: 'string', format: 'uuid' }],
  ['url', { type: 'string', format: 'uri' }],
  ...['file', 'binary'].map((name) => [name, { type: 'string', format: 'binary' }] as const),
  ...['str', 'string', 'text'].map((name) => [name, { type: 'string' }] as const),
  ...['int', 'integer', 'long'].map((name) => [name, { type: 'integer' }] as const),
  ...['int32', 'int64'].map((format) => [format, { type: 'integer', format }] as const),
  ...['decimal', 'number', 'numeric'].map((name) => [name, { type: 'number' }] as const),
  ...['float', 'double'].map((format) => [format, { type: 'number', format }] as const),
  ...['bool', 'boolean'].map((name) => [name, { type: 'boolean' }] as const),
  ...['array', 'list'].map((name) => [name, { type: 'array' }] as const),
  ...['dict', 'map', 'object'].map((name) => [name, { type: 'object' }] as const),
  ['null', { type: 'null' }],
  ['any', {}],
]);
const known = new Set('array boolean integer null number object string'.split(' '));

/** What the author of a type that JSON Schema does not have means by it; undefined where that is not certain. */
function typeMeant(type: Json | undefined): JsonObject | undefined {
  return typeof type !== 'string' || known.has(type) ? undefined : typesMeant.get(type.toLowerCase());
}

type Reading = { readonly dialect30: boolean; readonly warnings: InputProblem[] };

/**
 * A schema as its author means it. Some generators change only the version of the document: a schema of 3.1 may have keywords of
 * 3.0. By hand, formats are written as types, and `required: true` at a member, which then says nothing of it.
 */
export function asMeant(place: Place, given: JsonObject, { dialect30, warnings }: Reading): JsonObject {
  const warn = (keyword: string, problem: string, hint: string): void => {
    warnings.push(problemAt(place.document, child(place, keyword).pointer, problem, hint, 'key'));
  };
  const value = withoutSlips(given, warn);
  if (dialect30) return value;
  if (value['nullable'] === true)
    warn(
      'nullable',
      "'nullable' is OpenAPI 3.0",
      "write type: [string, 'null'] or the like, which is how it is read",
    );
  let read = value['nullable'] === undefined ? value : withoutNullable(value);
  for (const [exclusive, bound] of bounds) {
    const { [exclusive]: isExclusive, [bound]: limit, ...rest } = read;
    if (typeof isExclusive !== 'boolean') continue;
    warn(
      exclusive,
      `'${exclusive}' as true or false is OpenAPI 3.0`,
      'write the number itself, which is how it is read',
    );
    read = limit === undefined ? rest : { ...rest, [isExclusive ? exclusive : bound]: limit };
  }
  return read;
}

/** Without a type that is none, and `required: true`, which JSON Schema has for objects alone, as a list. */
function withoutSlips(
  schema: JsonObject,
  warn: (keyword: string, problem: string, hint: string) => void,
): JsonObject {
  const meant = typeMeant(schema['type']);
  const isFlag = typeof schema['required'] === 'boolean';
  if (meant !== undefined)
    warn('type', "'type' is none that JSON Schema has", `write ${words(meant)}, which is how it is read`);
  if (isFlag)
    warn(
      'required',
      "'required' as true or false says nothing in a schema",
      "list the member in 'required' of the object around it; it is read as one that may be left out",
    );
  if (meant === undefined && !isFlag) return schema;
  const isLeft = ([keyword]: readonly [string, Json]): boolean =>
    !(keyword === 'type' && meant !== undefined) && !(keyword === 'required' && isFlag);
  return { ...meant, ...Object.fromEntries(Object.entries(schema).filter(isLeft)) };
}

function words(schema: JsonObject): string {
  const said = Object.entries(schema).map(([keyword, value]) => `${keyword}: ${String(value)}`);
  return said.length === 0 ? 'no type' : said.join(', ');
}

/** A keyword, but no member, nor any other schema, of that name. */
const keywordAtEnd =
  /(?:^|\/(?!(?:properties|patternProperties|dependentSchemas|\$defs|definitions)\/)[^/]+)\/(?<keyword>[^/]+)$/;

/** Whether the meta-schema refuses no more than a keyword that is read as its author means it. */
export function isMeant({ data, instancePath, keyword }: ErrorObject): boolean {
  const name = keywordAtEnd.exec(instancePath)?.groups?.['keyword'];
  if (name === 'type') return typeof data === 'string' && typeMeant(data) !== undefined;
  const isFlag = keyword === 'type' && typeof data === 'boolean';
  return isFlag && (name === 'required' || name === 'exclusiveMinimum' || name === 'exclusiveMaximum');
}
