import { validator, validValues } from '../generate/index.ts';
import type { QueryField } from '../model/contract.ts';
import { asText, isArray, isObject, type Json, type JsonObject } from '../model/json.ts';
import { itemsOf, wrongQueries } from './query.ts';
import { sampled } from './samples.ts';

/** A list that breaks a keyword as a whole, or in its second value: a check may look at the first one alone. */
export type WrongList = {
  readonly keyword: string;
  readonly pairs: readonly (readonly [string, string])[];
};

/** A longer list makes a long address. */
const longest = 20;

/** Lists of a query field that are too short, too long, or have a value twice, and one of a valid value and a wrong one. */
export function wrongLists({
  explode = true,
  name,
  schema,
  style = 'form',
}: Pick<QueryField, 'explode' | 'name' | 'schema' | 'style'>): readonly WrongList[] {
  if (!isObject(schema) || schema['type'] !== 'array' || style === 'json' || style === 'deepObject')
    return [];
  const { maxItems, minItems, uniqueItems } = schema;
  const least = typeof minItems === 'number' ? minItems : 0;
  const most = typeof maxItems === 'number' ? maxItems : longest;
  const items = itemsOf(schema);
  const values = someOf(items, most + 1);
  const [first] = values;
  if (first === undefined || items === undefined) return [];
  const check = validator(schema, { formats: 'assert' });
  const tries: readonly (readonly [keyword: string, list: readonly Json[]])[] = [
    ['maxItems', most < longest ? filled(values, most + 1) : []],
    ['uniqueItems', uniqueItems === true ? [first, ...values.slice(0, Math.max(1, least - 1))] : []],
    ['minItems', least > 1 ? filled(values, least - 1) : []],
  ];
  const [later] = wrongQueries({ schema: items }).filter(({ keyword }) => keyword !== 'format');
  const laterIsWrong =
    later !== undefined &&
    most > 1 &&
    least <= 2 &&
    check([first, later.value]).every(({ pointer }) => pointer === '/1');
  const separator = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
  const listed = (keyword: string, list: readonly Json[]): WrongList => {
    const texts = list.map(asText);
    const isSpread = style === 'form' && explode;
    return { keyword, pairs: isSpread ? texts.map((text) => [name, text]) : [[name, texts.join(separator)]] };
  };
  return [
    ...tries.flatMap(([keyword, list]): readonly WrongList[] => {
      const errors = check(list);
      const isWrong = list.length > 0 && errors.length > 0 && errors.every((one) => one.keyword === keyword);
      return isWrong ? [listed(keyword, list)] : [];
    }),
    ...(laterIsWrong ? [listed(later.keyword, [first, later.value])] : []),
  ];
}

/** So many values, the first of them again where there are too few. */
function filled(values: readonly Json[], count: number): readonly Json[] {
  return Array.from({ length: count }, (_, index) => values[index] ?? values[0] ?? null);
}

/** Up to so many values, each another one. */
function someOf(items: JsonObject | undefined, count: number): readonly Json[] {
  if (items === undefined) return [];
  const { enum: choices, minimum, type } = items;
  if (isArray(choices)) return choices.filter((one) => one !== '' && one !== null).slice(0, count);
  const valid = validator(items, { formats: 'assert' });
  const start = typeof minimum === 'number' ? Math.ceil(minimum) : 1;
  const drawn = Array.from({ length: count }, (_, index) =>
    type === 'integer' || type === 'number' ? start + index : `assay${index + 1}`,
  );
  const fine = drawn.filter((one) => valid(one).length === 0);
  if (fine.length > 0) return fine;
  // A pattern or a format asks for texts of its own.
  const made = validValues(items, { formats: 'assert' });
  if (made.kind !== 'supported') return [];
  const texts = [made.smallest, ...sampled(made.arbitrary)].filter((one) => one !== '' && isPlain(one));
  return [...new Set(texts)].slice(0, count);
}

/** Whether a value has none of the characters that separate the values of a list. */
function isPlain(value: Json): boolean {
  return typeof value === 'number' || (typeof value === 'string' && !/[,|\s]/.test(value));
}
