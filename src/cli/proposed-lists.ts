import { declaresHeader, type Operation } from '../model/contract.ts';
import {
  isLinkList,
  isOnly,
  itemsAt,
  lastOf,
  membersAt,
  placesIn,
  plain,
} from '../model/described-places.ts';
import type { JsonPointer } from '../model/json.ts';
import { usualPaging } from '../model/usual-paging.ts';
import { flowText } from './flow-text.ts';

/** Cursors that are the ID of the last item, unless a page has another one. */
const lastItem = /^(?:startafter|startingafter)$/;
export function paginationOf(list: Operation, operations: readonly Operation[]): readonly string[] {
  const paging = usualPaging(list);
  if (paging === undefined) return [];
  const { field, items, limit, style } = paging;
  const next = style === 'cursor' ? nextAt(list, operations, items, field) : undefined;
  const isLinked = style === 'cursor' && next === undefined;
  if (isLinked && !declaresHeader(list.success, 'link')) return [];
  const parts = [
    `limit: ${flowText(limit)}`,
    `cursor: ${flowText(field)}`,
    ...(isLinked ? ['style: link'] : style === 'cursor' ? [] : [`style: ${style}`]),
    `items: ${flowText(items)}`,
    ...(next === undefined ? [] : [`next: ${flowText(next)}`]),
  ];
  return [`pagination: { ${parts.join(', ')} }`];
}

/** Where a page says where the next one is: in a member called `next`, or as the query field is, or in its last item. */
function nextAt(
  list: Operation,
  operations: readonly Operation[],
  items: JsonPointer,
  field: string,
): JsonPointer | undefined {
  const { schema } = list.success;
  const places = placesIn(schema).filter((at) => at !== items && !isOnly(schema, at, 'boolean'));
  const nameOf = (at: JsonPointer): string => plain(lastOf(at));
  const found =
    places.find((at) => /^(?:odata)?next/.test(nameOf(at))) ??
    places.find((at) => nameOf(at) === plain(field)) ??
    places.find((at) => isLinkList(schema, at));
  if (found === undefined) return lastItem.test(plain(field)) ? idOfLast(list, operations, items) : undefined;
  return membersAt(schema, found).includes('href') ? `${found}/href` : found;
}

/** The ID of the last item, or what the read of one record calls it: `code` for `/coupons/{code}`. */
function idOfLast(
  { path, success }: Operation,
  operations: readonly Operation[],
  items: JsonPointer,
): JsonPointer | undefined {
  const members = membersAt(success.schema, `${items}/0`);
  const fields = operations.flatMap((one) => {
    const isOne = one.method === 'GET' && /^\/\{[^/{}]+\}$/.test(below(one.path, path));
    return isOne ? one.pathFields.slice(-1).map(({ name }) => plain(name)) : [];
  });
  const name = members.find((one) => one === 'id') ?? members.find((one) => fields.includes(plain(one)));
  return name === undefined ? undefined : `${items}/-1/${name}`;
}

const below = (path: string, of: string): string => (path.startsWith(of) ? path.slice(of.length) : '');

/** Query fields that are named like a member of the items, or like the one member of their members. */
export function filtersOf({ id, kind, pagination, queryFields, success }: Operation): readonly {
  readonly where: string;
  readonly text: string;
}[] {
  const items = kind === 'read' ? itemsAt(success.schema) : undefined;
  if (items === undefined) return [];
  const item = `${items}/0`;
  const members = membersAt(success.schema, item);
  const inner = placesIn(success.schema, item);
  const memberOf = (name: string): JsonPointer | undefined => {
    const own = members.find(
      (one) =>
        plain(one) === plain(name) ||
        (plain(one) === `${plain(name)}s` && isOnly(success.schema, `${item}/${one}`, 'array')),
    );
    const all = inner.filter((at) => plain(lastOf(at)) === plain(name));
    const found = own === undefined ? all : inner.filter((at) => at === `${item}/${own}`);
    return found.length === 1 ? found[0]?.slice(item.length) : undefined;
  };
  return queryFields
    .filter(
      ({ filters, name }) => filters === undefined && ![pagination?.limit, pagination?.cursor].includes(name),
    )
    .flatMap(({ name }) => {
      // JSON:API: `filter[status]`.
      const at = memberOf(/^filters?\[([^[\]]+)\]$/.exec(name)?.[1] ?? name);
      return at === undefined
        ? []
        : [{ where: `${id}, query field ${name}`, text: `x-governed: { filters: ${at} }` }];
    });
}
