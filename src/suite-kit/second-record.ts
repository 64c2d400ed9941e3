import { validator } from '../generate/index.ts';
import type { Operation } from '../model/contract.ts';
import { type JsonPointer, valueAt, withValueAt } from '../model/json.ts';
import { inSecondItem } from '../model/named-records.ts';
import type { BodyValue } from '../model/scenario.ts';
import { unknownId } from '../model/unknown-id.ts';

/** A body with a second ID in a list of IDs, or in a second object of a list; undefined where it can have none. */
export function withSecond(
  { body, named: records = [] }: Operation,
  first: JsonPointer,
  plain: BodyValue,
): { readonly at: JsonPointer; readonly name: string; readonly body: BodyValue } | undefined {
  const place = inSecondItem(first);
  const record = records.find(({ at, second }) => second === true && at === place?.second);
  if (place === undefined || record === undefined) return undefined;
  const id = valueAt(plain.value, first);
  const longer = withValueAt(plain.value, `${place.list}/1`, valueAt(plain.value, `${place.list}/0`) ?? null);
  const valid = validator(body?.schema ?? true, { formats: 'assert' });
  // One that has a form of its own is like the first.
  const others = typeof id === 'number' ? [id + 1] : [`${id}-2`, unknownId(String(id))];
  const value = [...others, id ?? null]
    .map((one) => withValueAt(longer, record.at, one))
    .find((one) => valid(one).length === 0);
  return value === undefined
    ? undefined
    : { at: record.at, name: record.field.name, body: { ...plain, value } };
}
