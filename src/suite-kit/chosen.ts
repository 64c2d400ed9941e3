import fc from 'fast-check';
import { type Validator, validator, validValues } from '../generate/index.ts';
import { isObject, type Json, type JsonSchema } from '../model/json.ts';

const compiled = new Map<JsonSchema, Validator>();
const drawnFrom = new Map<JsonSchema, fc.Arbitrary<Json> | undefined>();

/** How many values are drawn of a form that fits neither a key nor a marker; the most varied one is taken. */
const draws = 16;
const longest = 64;

/** An ID that a path field accepts, made of a key (a UUID) or a marker that nobody else uses. */
export function idOfForm(
  schema: JsonSchema,
  { key, marker }: { readonly key: string; readonly marker: string },
): string {
  const check = compiled.get(schema) ?? validator(schema, { formats: 'assert' });
  compiled.set(schema, check);
  const hex = key.replaceAll('-', '');
  const digits = String(Number.parseInt(hex.slice(0, 12), 16));
  const letters = hex.replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? 'g');
  const beginning = beginningOf(schema);
  const forms = [marker, key, hex, letters, digits, digits.slice(0, 9)]
    .flatMap((form) => [form, form.slice(0, 12), form.slice(0, 8), form.toUpperCase()])
    .flatMap((form) => (beginning === '' ? [form] : [beginning + form, form]));
  const fits = (form: string): boolean =>
    check(form).length === 0 || (/^\d{1,15}$/.test(form) && check(Number(form)).length === 0);
  return forms.find(fits) ?? drawn(schema, Number.parseInt(hex.slice(0, 8), 16) | 0) ?? marker;
}

/** What the values of a pattern begin with: `case_` of `^case_.+$`. Drawn values have characters that servers dislike. */
function beginningOf(schema: JsonSchema): string {
  const pattern = isObject(schema) ? schema['pattern'] : undefined;
  return typeof pattern === 'string' ? (/^\^([\w:-]+)/.exec(pattern)?.[1] ?? '') : '';
}

/** The smallest values of a schema, and those near them, would be drawn for many records. */
function drawn(schema: JsonSchema, seed: number): string | undefined {
  if (!drawnFrom.has(schema)) {
    const values = validValues(schema, { formats: 'assert' });
    drawnFrom.set(schema, values.kind === 'supported' ? fc.noBias(values.arbitrary) : undefined);
  }
  const arbitrary = drawnFrom.get(schema);
  if (arbitrary === undefined) return undefined;
  const variety = (text: string): number => (text.length > longest ? 0 : new Set(text).size);
  return fc
    .sample(arbitrary, { seed, numRuns: draws })
    .flatMap((value) => (typeof value === 'string' || typeof value === 'number' ? [String(value)] : []))
    .reduce<string | undefined>(
      (best, text) => (best === undefined || variety(text) > variety(best) ? text : best),
      undefined,
    );
}
