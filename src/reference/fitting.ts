import {
  asText,
  isArray,
  isObject,
  type Json,
  type JsonSchema,
  pointerOf,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { describes } from '../model/schema-places.ts';
import type { Schemas } from './schemas.ts';

export type Fitting = {
  readonly schemas: Schemas;
  /** The record in the form of a schema, as far as its members tell. */
  readonly shape: (schema: JsonSchema) => Json;
  readonly id: string;
  readonly idAt: string;
};

/** The value if valid, else a list of the one record, its ID, or the smallest valid value with what it may have of it. */
export function fitted(fitting: Fitting, schema: JsonSchema, value: Json): Json {
  const valid = (one: Json): boolean => fitting.schemas.faultsOf(schema, one).length === 0;
  /** With the ID where the schema has a place for it, be it within a member that may be missing. */
  const named = (whole: Json): Json => {
    if (fitting.idAt === '') return whole;
    if (asText(valueAt(whole, fitting.idAt) ?? '') === fitting.id || !describes(schema, fitting.idAt))
      return whole;
    return (
      formsOf(fitting.id)
        .map((id) => withValueAt(whole, fitting.idAt, id))
        .find(valid) ?? whole
    );
  };
  if (valid(value)) return named(value);
  const smallest = fitting.schemas.smallestOf(schema);
  if (smallest === undefined) return value;
  if (!isObject(smallest)) {
    const items = fitting.schemas.itemsOf(schema, '');
    const candidates: Json[] = isArray(smallest)
      ? [[fitted(fitting, items, fitting.shape(items))]]
      : formsOf(fitting.id);
    return candidates.find(valid) ?? smallest;
  }
  let filled: Json = smallest;
  for (const [name, member] of Object.entries(isObject(value) ? value : {})) {
    const next = withValueAt(filled, pointerOf([name]), member);
    if (valid(next)) filled = next;
  }
  return named(filled);
}

/** An ID as a text, and as a number where it is one. */
function formsOf(id: string): Json[] {
  const number = Number(id);
  return Number.isFinite(number) ? [id, number] : [id];
}
