import fc from 'fast-check';
import { type Validator, validator } from '../generate/validator.ts';
import { validValues } from '../generate/values.ts';
import type { JsonSchema } from '../model/json.ts';

const compiled = new Map<JsonSchema, Validator>();

/** An id that a path field accepts, made of a key (a UUID) or a marker that nobody else uses. */
export function idOfForm(
  schema: JsonSchema,
  { key, marker }: { readonly key: string; readonly marker: string },
): string {
  const check = compiled.get(schema) ?? validator(schema, { formats: 'assert' });
  compiled.set(schema, check);
  const hex = key.replaceAll('-', '');
  const digits = String(Number.parseInt(hex.slice(0, 12), 16));
  const letters = hex.replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? 'g');
  const forms = [marker, key, hex, letters, digits, digits.slice(0, 9)].flatMap((form) => [
    form,
    form.slice(0, 12),
    form.slice(0, 8),
    form.toUpperCase(),
  ]);
  const fits = (form: string): boolean =>
    check(form).length === 0 || (/^\d{1,15}$/.test(form) && check(Number(form)).length === 0);
  const form = forms.find(fits);
  if (form !== undefined) return form;
  const values = validValues(schema, { formats: 'assert' });
  if (values.kind !== 'supported') return marker;
  const seed = Number.parseInt(hex.slice(0, 8), 16) | 0;
  const [drawn] = fc.sample(values.arbitrary, { seed, numRuns: 1 });
  return typeof drawn === 'string' || typeof drawn === 'number' ? String(drawn) : marker;
}
