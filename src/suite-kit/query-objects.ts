import { invalidValues, validator } from '../generate/index.ts';
import type { QueryField } from '../model/contract.ts';
import { asText, isObject, type Json, type JsonObject, pointerTokens } from '../model/json.ts';
import { valueFor } from './given.ts';

/** An object of which one member is wrong or missing, as a query field has it. */
export type WrongObject = {
  readonly keyword: string;
  readonly member: string;
  readonly pairs: readonly (readonly [string, string])[];
};

const most = 10;

/** What breaks in a text, too. A type is what the text is read as, and what breaks a format may be accepted. */
const ofTexts = new Set(
  (
    'required type enum const pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf'
  ).split(' '),
);

/**
 * Values of a query field that is one object: written as JSON, as `box[width]`, or as `width,3`. Members in the usual style are
 * query fields of their own, as those of `box` are where each may be sent alone.
 */
export function wrongObjects(field: Omit<QueryField, 'filters'>): readonly WrongObject[] {
  const { explode = true, name, schema, style = 'form' } = field;
  const isWhole = style === 'json' || style === 'deepObject' || (style === 'form' && !explode);
  const base =
    isWhole && !name.includes('[') && field.at === undefined
      ? valueFor({ ...field, filters: undefined })
      : undefined;
  if (!isObject(base) || Object.keys(base).length === 0) return [];
  const check = validator(schema);
  const seen = new Set<string>();
  return invalidValues(schema, base, { formats: 'assert' })
    .mutations.flatMap(({ keyword, pointer, value }): readonly WrongObject[] => {
      const [member, ...deeper] = pointerTokens(pointer);
      if (member === undefined || deeper.length > 0 || !isObject(value) || seen.has(`${member} ${keyword}`))
        return [];
      const read = { ...value, ...(member in value ? { [member]: asText(value[member] ?? null) } : {}) };
      // A number that is wrong may be a text that is right.
      const isText = style !== 'json';
      if (check(value).length === 0 || (isText && check(read).length === 0)) return [];
      if (isText && !breaksAsText(keyword, value, member, base[member])) return [];
      const pairs = pairsOf({ name, style }, value);
      if (pairs.length === 0) return [];
      seen.add(`${member} ${keyword}`);
      return [{ keyword, member, pairs }];
    })
    .slice(0, most);
}

function breaksAsText(keyword: string, value: JsonObject, member: string, right: Json | undefined): boolean {
  const wrong = value[member];
  return (
    ofTexts.has(keyword) &&
    Object.values(value).every((one) => one !== null && typeof one !== 'object') &&
    // One text may be a list of one.
    (keyword !== 'type' || (wrong === 'text' && (typeof right === 'number' || typeof right === 'boolean'))) &&
    // An empty value may stand for none.
    wrong !== ''
  );
}

function pairsOf(
  { name, style }: { readonly name: string; readonly style: QueryField['style'] },
  value: JsonObject,
): WrongObject['pairs'] {
  if (style === 'json') return [[name, JSON.stringify(value)]];
  const members: readonly (readonly [string, Json])[] = Object.entries(value);
  if (style === 'deepObject') return members.map(([member, one]) => [`${name}[${member}]`, asText(one)]);
  return members.length === 0
    ? []
    : [[name, members.flatMap(([member, one]) => [member, asText(one)]).join(',')]];
}
