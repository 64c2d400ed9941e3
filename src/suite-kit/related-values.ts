import type { Operation } from '../model/contract.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { schemasAt } from '../model/schema-places.ts';

const date = /^(\d{4}-\d\d-\d\d)(?=$|[T ])/;
const week = 7 * 24 * 60 * 60 * 1000;

/** Whether a value is a date, or a time with its date. */
export function isDate(value: Json | undefined): value is string {
  return typeof value === 'string' && date.test(value) && !Number.isNaN(Date.parse(value.slice(0, 10)));
}

/** A date some weeks later, on the same day of the week, and at the same time. */
export function weeksAfter(value: string, weeks: number): string {
  const day = new Date(Date.parse(value.slice(0, 10)) + weeks * week).toISOString().slice(0, 10);
  return value.replace(date, day);
}

/**
 * The dates that a member may have in one of several bodies: as far from each other as in the plain body, and later where that
 * has none. Services refuse a range that ends before it begins.
 */
export function datesFor(at: JsonPointer, own: string, bodies: Bodies, nth: number): readonly string[] {
  const known = valueAt(bodies.plain, at);
  if (isDate(known)) return [weeksAfter(known, nth)];
  const first = datesIn(bodies.plain)[0];
  const day = first ?? datesIn(bodies.grown)[0] ?? own;
  return [own.replace(date, weeksAfter(day.slice(0, 10), first === undefined ? nth : nth + 1))];
}

/** The plain body, and that with all that may be left out. */
type Bodies = { readonly plain: Json; readonly grown: Json };

function datesIn(value: Json): readonly string[] {
  if (isDate(value)) return [value];
  return isObject(value) ? Object.values(value).flatMap(datesIn) : [];
}

type Known = {
  readonly operation: Operation;
  /** The schemas of the IDs that paths of the contract have. */
  readonly ids: readonly JsonSchema[];
  readonly plain: Json;
  readonly fits: (value: Json) => boolean;
};

/** A body without what may name a record that nobody made: it has the form of an ID, and may be left out. */
export function withoutUnknownRecords({ fits, ids, operation, plain }: Known, body: Json): Json {
  const { body: declared, named = [] } = operation;
  const forms = [
    ...ids.map((schema) => (isObject(schema) ? [schema] : [])),
    ...named.map(({ at }) => schemasAt(declared?.schema, at)),
  ].map(formOf);
  return Object.keys(isObject(body) ? body : {}).reduce<Json>((rest, name) => {
    const at = pointerOf([name]);
    const form = formOf(schemasAt(declared?.schema, at));
    if (valueAt(plain, at) !== undefined || form === undefined || !forms.includes(form)) return rest;
    const less = withValueAt(rest, at, undefined);
    return fits(less) ? less : rest;
  }, body);
}

/** What a schema says of the form of a value; undefined where many other texts are of that form. */
function formOf(schemas: readonly JsonObject[]): string | undefined {
  const all = (keyword: string): readonly Json[] =>
    schemas.flatMap((each) => {
      const value = each[keyword] ?? [];
      return isArray(value) ? value : [value];
    });
  const types = all('type').filter((type) => type !== 'null');
  const [formats, patterns, least] = ['format', 'pattern', 'minimum'].map(all);
  const isIts = types.includes('integer')
    ? least?.[0] === 1
    : [...(formats ?? []), ...(patterns ?? [])].length > 0;
  return isIts && all('maximum').length === 0 ? JSON.stringify([types, formats, patterns]) : undefined;
}
