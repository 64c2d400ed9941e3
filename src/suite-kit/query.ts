import { inOtherCase, validator, validValues } from '../generate/index.ts';
import { withoutNull } from '../model/alternatives.ts';
import type { Operation, QueryField } from '../model/contract.ts';
import { isArray, isObject, type JsonObject } from '../model/json.ts';
import { isNumbered } from '../model/pages.ts';
import { valueFor } from './given.ts';

/** Longer addresses are refused for their length. */
const longestQuery = 1000;

/** No member of any enum, no date, no ID of a common form. */
const stranger = 'assay-none-of-these';
/** Of another form than names of which the first is one. */
const strangers = [stranger, '9~none_of~these'];

const plainFormats = new Set(['date', 'date-time', 'uuid']);

/** A wrong value; a near one is like a right one, which a lenient check of a header or a path may take for it. */
export type WrongQuery = { readonly value: string; readonly keyword: string; readonly isNear?: true };

export function wrongQueries({ schema }: Pick<QueryField, 'schema'>): readonly WrongQuery[] {
  if (!isObject(schema)) return [];
  // A list of one value is sent like the value.
  if (schema['type'] === 'array') {
    const items = itemsOf(schema);
    return items === undefined ? [] : wrongQueries({ schema: items });
  }
  const found: WrongQuery[] = [];
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
    const number = numberWithin(schema);
    add('type', `${number}abc`);
    if (schema['type'] === 'integer') add('type', `${number}.5`);
    // Some parsers take it for a number, and it is neither below nor above any bound.
    else add('type', 'NaN');
  }
  if (schema['type'] === 'boolean') add('type', 'maybe');
  const { maxLength, minLength } = schema;
  if (schema['type'] === 'string' && typeof maxLength === 'number' && maxLength < longestQuery)
    add('maxLength', 'a'.repeat(maxLength + 1));
  // An empty value may stand for none.
  if (
    schema['type'] === 'string' &&
    typeof minLength === 'number' &&
    minLength > 1 &&
    minLength < longestQuery
  )
    add('minLength', 'a'.repeat(minLength - 1));
  if (isArray(schema['enum'])) {
    const number = otherNumber(schema);
    // The text of a choice of numbers is no number: a service that reads any number refuses it nevertheless.
    if (number !== undefined) add('enum', number);
    add('enum', stranger);
  } else if (schema['type'] === 'string') {
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
  return [...found, ...nearlyRight(schema)];
}

/** What the items of a list are, on their own. */
export function itemsOf(schema: JsonObject): JsonObject | undefined {
  const { $defs, items } = schema;
  const alone = items === undefined ? undefined : withoutNull(schema, items);
  return isObject(alone) ? { ...alone, ...($defs === undefined ? {} : { $defs }) } : undefined;
}

/** A whole number within the bounds, which a half more leaves as well: what is refused for another reason shows nothing. */
function numberWithin(schema: JsonObject): number {
  const { maximum, minimum } = schema;
  const candidates = [7, typeof minimum === 'number' ? Math.ceil(minimum) : 0].concat(
    typeof maximum === 'number' ? [Math.floor(maximum) - 1] : [],
  );
  const check = validator({ ...schema, type: 'number' });
  const fits = candidates.find(
    (one) =>
      one >= 0 &&
      check(one).length === 0 &&
      check(one + 0.5).every(({ keyword }) => keyword === 'multipleOf'),
  );
  return fits ?? 7;
}

/** A number that is none of the choices, all of which are numbers. */
function otherNumber(schema: JsonObject): number | undefined {
  const choices = schema['enum'];
  const numbers = isArray(choices) ? choices.filter((one) => typeof one === 'number') : [];
  const isAll = isArray(choices) && numbers.length > 0 && numbers.length === choices.length;
  const other = Math.floor(Math.max(...numbers)) + 1;
  const errors = isAll && Number.isSafeInteger(other) ? validator(schema)(other) : [];
  return errors.length > 0 && errors.every(({ keyword }) => keyword === 'enum') ? other : undefined;
}

/** A choice in the other letter case, and a text of which a part matches the pattern. */
function nearlyRight(schema: JsonObject): readonly WrongQuery[] {
  const { enum: choices, pattern } = schema;
  if (isArray(choices)) {
    const turned = choices
      .flatMap((one) => (typeof one === 'string' ? [inOtherCase(one)] : []))
      .find((one) => !choices.includes(one));
    return turned === undefined ? [] : [{ value: turned, keyword: 'enum', isNear: true }];
  }
  const values = typeof pattern === 'string' ? validValues(schema) : undefined;
  if (values?.kind !== 'supported' || typeof values.smallest !== 'string') return [];
  const check = validator(schema, { formats: 'assert' });
  const isNear = (text: string): boolean => {
    const broken = check(text).map(({ keyword }) => keyword);
    return broken.includes('pattern') && broken.every((one) => ['pattern', 'format'].includes(one));
  };
  // A check may look for a match at the beginning alone, or at the end.
  return [
    [`${values.smallest}x`, `${values.smallest}0`].find(isNear),
    [`x${values.smallest}`, `0${values.smallest}`].find(isNear),
  ].flatMap((value) => (value === undefined ? [] : [{ value, keyword: 'pattern', isNear: true as const }]));
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
