import { validator } from '../generate/index.ts';
import type { Operation, QueryField } from '../model/contract.ts';
import { isArray, isObject } from '../model/json.ts';
import { isNumbered } from '../model/pages.ts';
import { valueFor } from './given.ts';

/** Longer addresses are refused for their length. */
const longestQuery = 1000;

/** No member of any enum, no date, no ID of a common form. */
const stranger = 'assay-none-of-these';
/** Of another form than names of which the first is one. */
const strangers = [stranger, '9~none_of~these'];

const plainFormats = new Set(['date', 'date-time', 'uuid']);

export function wrongQueries({
  schema,
}: Pick<QueryField, 'schema'>): readonly { readonly value: string; readonly keyword: string }[] {
  if (!isObject(schema)) return [];
  // A list of one value is sent like the value.
  const { items } = schema;
  if (schema['type'] === 'array') return isObject(items) ? wrongQueries({ schema: items }) : [];
  const found: { readonly value: string; readonly keyword: string }[] = [];
  const add = (keyword: string, value: string | number): void => {
    found.push({ value: String(value), keyword });
  };
  const bound = (keyword: string, beyond: number): void => {
    const limit = schema[keyword];
    // Greater numbers have no exact text: one beyond 9223372036854775807 may be the limit itself.
    if (typeof limit === 'number' && Number.isSafeInteger(Math.ceil(limit + beyond)))
      add(keyword, limit + beyond);
  };
  if (schema['type'] === 'integer' || schema['type'] === 'number') {
    add('type', 'abc');
    bound('minimum', -1);
    bound('maximum', 1);
    bound('exclusiveMinimum', 0);
    bound('exclusiveMaximum', 0);
    // 0 may be caught because it is false, or no page at all: a negative number is neither.
    if (schema['minimum'] === 1) add('minimum', -1);
    // Some parsers read as far as there are digits.
    add('type', '7abc');
    if (schema['type'] === 'integer') add('type', '7.5');
  }
  if (schema['type'] === 'boolean') add('type', 'maybe');
  const { maxLength } = schema;
  if (schema['type'] === 'string' && typeof maxLength === 'number' && maxLength < longestQuery)
    add('maxLength', 'a'.repeat(maxLength + 1));
  if (isArray(schema['enum'])) add('enum', stranger);
  else if (schema['type'] === 'string') {
    const check = validator(schema, { formats: 'assert' });
    for (const value of strangers) {
      const [broken] = check(value);
      const isPlain = broken?.keyword !== 'format' || plainFormats.has(String(schema['format']));
      if (broken === undefined || !isPlain || !['format', 'pattern', 'const'].includes(broken.keyword))
        continue;
      add(broken.keyword, value);
      break;
    }
  }
  return found;
}

/** A valid value of each query field that a request may do without; a cursor of nobody is none. */
export function optionalQuery(
  list: Pick<Operation, 'pagination' | 'queryFields'>,
): readonly (readonly [string, string])[] {
  const { pagination, queryFields } = list;
  return queryFields.flatMap((field) => {
    if (
      field.required ||
      field.value !== undefined ||
      (field.name === pagination?.cursor && !isNumbered(list))
    )
      return [];
    const value = valueFor(field);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [[field.name, String(value)] as const]
      : [];
  });
}
