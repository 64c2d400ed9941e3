import type { Operation } from './contract.ts';
import { membersAt } from './described-places.ts';
import { isObject, type Json, type JsonPointer, parentOf, pointerOf, pointerTokens } from './json.ts';
import { idPointer } from './result-id.ts';
import { schemasAt } from './schema-places.ts';

/**
 * Members of the items of a list that hold the record as the result of a command is: `{"fullUrl": "...", "resource": {"id": "1"}}`.
 * By its schema it is that record, or has most of its members, of which the item itself has none. Where the document describes
 * neither, all filters of the list lead into the one member, and the record has what they filter by.
 */
export function wrappersOf(list: Operation, maker: Operation): readonly JsonPointer[] {
  const { pagination, queryFields, success } = list;
  if (pagination === undefined) return [];
  const item = `${pagination.items}/0`;
  const id = idPointer(maker);
  const leaf = pointerTokens(id).at(-1) ?? '';
  const records = schemasAt(maker.success.schema, parentOf(id));
  const known = new Set(records.filter(hasMembers).map((schema) => JSON.stringify(schema)));
  const own = membersAt(maker.success.schema, parentOf(id));
  const names = membersAt(success.schema, item);
  const within = (name: string): JsonPointer => item + pointerOf([name]);
  // A record may hold another one of its kind, such as its parent.
  if (names.some((name) => name !== leaf && own.includes(name))) return [];
  const same = names.filter((name) =>
    schemasAt(success.schema, within(name)).some((one) => known.has(JSON.stringify(one))),
  );
  if (same.length > 0) return same.map((name) => pointerOf([name]));
  const alike = names.filter((name) => {
    const inner = membersAt(success.schema, within(name));
    const shared = own.filter((one) => inner.includes(one));
    return inner.includes(leaf) && shared.length > 1 && shared.length * 2 >= own.length;
  });
  if (alike.length > 0) return alike.map((name) => pointerOf([name]));
  const filters = queryFields.flatMap((field) => (field.filters === undefined ? [] : [field.filters]));
  const [top = '', ...others] = new Set(filters.map((at) => pointerTokens(at)[0] ?? ''));
  const isUndescribed =
    (names.length === 0 || names.includes(top)) && membersAt(success.schema, within(top)).length === 0;
  const prefix = pointerOf([top]);
  return filters.length > 0 &&
    others.length === 0 &&
    isUndescribed &&
    !own.includes(top) &&
    filters.every((at) =>
      [maker.success, maker.body].some((one) => has(one?.schema, at.slice(prefix.length))),
    )
    ? [prefix]
    : [];
}

/** Where a record, or the body that makes it, has what an item of a list has at a place. */
export function placeInRecord(list: Operation, maker: Operation, at: JsonPointer): JsonPointer {
  const wrapper = wrappersOf(list, maker).find((one) => at.startsWith(`${one}/`));
  return wrapper === undefined ? at : at.slice(wrapper.length);
}

function hasMembers(schema: Json): boolean {
  return isObject(schema) && isObject(schema['properties']);
}

function has(schema: Operation['success']['schema'], at: JsonPointer): boolean {
  return at !== '' && schema !== undefined && schemasAt(schema, at).length > 0;
}
