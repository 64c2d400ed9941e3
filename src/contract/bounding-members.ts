import { boundOf, comparisonOf } from '../model/comparison.ts';
import type { QueryField } from '../model/contract.ts';
import { itemsAt, lastOf, plain } from '../model/described-places.ts';
import { type JsonPointer, type JsonSchema, parentOf } from '../model/json.ts';
import { describes } from '../model/schema-places.ts';

const equal = new Set(['eq', 'equal', 'equals']);

/**
 * The query fields of a list, where members of an object such as `created[gte]` bound a value: in the items that is `/created`
 * itself, unless they have an object there with members of these names.
 */
export function boundingMembers(
  fields: readonly QueryField[],
  page: JsonSchema | undefined,
  items: JsonPointer | undefined = itemsAt(page),
): readonly QueryField[] {
  if (items === undefined) return fields;
  return fields.map((field) => {
    const { filters, name, style } = field;
    if (filters === undefined || style !== 'deepObject' || !name.endsWith(']')) return field;
    const value = parentOf(filters);
    const bounds =
      equal.has(plain(lastOf(filters))) || boundOf(comparisonOf({ filters: value, name })) !== undefined;
    const isOfValue = describes(page, `${items}/0${value}`) && !describes(page, `${items}/0${filters}`);
    return value !== '' && bounds && isOfValue ? { ...field, filters: value } : field;
  });
}
