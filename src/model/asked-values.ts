import type { Operation, QueryField } from './contract.ts';
import { itemsAt, plain } from './described-places.ts';
import { isArray, isObject, type Json, type JsonObject, type JsonSchema } from './json.ts';
import { wordsOf } from './name-words.ts';
import { remembered, rememberedWith } from './remembered.ts';
import { schemasAt } from './schema-places.ts';

const everything = /^(?:all|any|every|everything|both|\*)$/i;

/** Last words of a value that says that nothing is asked for, as `STATE_UNSPECIFIED` does in protocol buffers. */
const nothing = /^(?:unspecified|unset|undefined|unknown|unrecognized)$/;

type Scalar = string | number | boolean;

/** The values that a schema, or that of its items, names; null is asked for by none. */
export function namedValues(schema: JsonSchema): readonly Scalar[] {
  return ['', '/0']
    .flatMap((at) => schemasAt(schema, at).flatMap((one) => (isArray(one['enum']) ? one['enum'] : [])))
    .filter(isScalar);
}

function isScalar(value: Json): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Whether a filter with a value asks for records that show it. One that says that nothing is asked for may show all of them. Of
 * the values that its schema names, `all` may ask for any record, and `active` for several states, if items have neither among
 * the values that their schema names.
 */
export function asksForItself(
  { pagination, success }: Operation,
  { filters = '', schema }: QueryField,
  wanted: string,
): boolean {
  if (nothing.test(wordsOf(wanted).at(-1) ?? '')) return false;
  if (!isObject(schema) || !named(schema).has(wanted)) return true;
  const items = pagination?.items ?? itemsAt(success.schema);
  const shown =
    items === undefined || !isObject(success.schema)
      ? undefined
      : shownAt(success.schema, `${items}/0${filters}`);
  return shown === undefined || shown.size === 0 ? !everything.test(wanted) : shown.has(plain(wanted));
}

/** Every value of an enumeration is looked up in it, and it may have thousands. */
const named = remembered((schema: JsonObject) => new Set(namedValues(schema).map(String)));
const shownAt = rememberedWith(
  (schema: JsonObject, at: string) =>
    new Set(schemasAt(schema, at).flatMap((one) => namedValues(one).map((value) => plain(String(value))))),
);
