import {
  isLinkList,
  isOnly,
  itemsAt,
  lastOf,
  membersAt,
  placesIn,
  plain,
} from '../contract/described-places.ts';
import type { Operation, QueryField } from '../model/contract.ts';
import type { JsonPointer, JsonSchema } from '../model/json.ts';
import { flowText } from './flow-text.ts';

const usualLimits = /^(?:limit|pagesize|perpage|maxresults|maxpagesize|maxitems|size|take|top)$/;
const usualCursors =
  /^(?:cursor|after|before|continue|marker|pagetoken|nexttoken|skiptoken|startafter|startingafter|continuationtoken|page(?:cursor|after))$/;
/** Cursors that are the ID of the last item, unless a page has another one. */
const lastItem = /^(?:startafter|startingafter)$/;
const usualOffsets = /^(?:offset|skip|pageoffset)$/;
const usualPages = /^(?:page|pageno|pagenumber|pageindex)$/;

export function paginationOf({ kind, pagination, queryFields, success }: Operation): readonly string[] {
  if (kind !== 'read' || pagination !== undefined) return [];
  const fields = queryFields.flatMap(sentNames);
  const named = (pattern: RegExp): string | undefined => fields.find((name) => pattern.test(plain(name)));
  // OData asks with `$count` for the number of all records, FHIR limits a page with `_count`.
  const limit = named(usualLimits) ?? fields.find((name) => name === '_count');
  const items = itemsAt(success.schema);
  const found = [
    { field: named(usualCursors), style: 'cursor' },
    { field: named(usualOffsets), style: 'offset' },
    { field: named(usualPages), style: 'page' },
  ].find(({ field }) => field !== undefined);
  if (limit === undefined || found?.field === undefined || items === undefined) return [];
  const { field, style } = found;
  const next = style === 'cursor' ? nextAt(success.schema, items, field) : undefined;
  if (style === 'cursor' && next === undefined) return [];
  const parts = [
    `limit: ${flowText(limit)}`,
    `cursor: ${flowText(field)}`,
    ...(style === 'cursor' ? [] : [`style: ${style}`]),
    `items: ${flowText(items)}`,
    ...(next === undefined ? [] : [`next: ${flowText(next)}`]),
  ];
  return [`pagination: { ${parts.join(', ')} }`];
}

/** The names under which a query field is sent: one for each member in the style `deepObject`. */
function sentNames({ name, schema, style }: QueryField): readonly string[] {
  return style === 'deepObject' && !name.includes('[')
    ? membersAt(schema, '').map((member) => `${name}[${member}]`)
    : [name];
}

/** Where a page says where the next one is: in a member called `next`, or as the query field is, or in its last item. */
function nextAt(schema: JsonSchema | undefined, items: JsonPointer, field: string): JsonPointer | undefined {
  const places = placesIn(schema).filter((at) => at !== items && !isOnly(schema, at, 'boolean'));
  const nameOf = (at: JsonPointer): string => plain(lastOf(at));
  const found =
    places.find((at) => /^(?:odata)?next/.test(nameOf(at))) ??
    places.find((at) => nameOf(at) === plain(field)) ??
    places.find((at) => isLinkList(schema, at));
  if (found === undefined)
    return lastItem.test(plain(field)) && membersAt(schema, `${items}/0`).includes('id')
      ? `${items}/-1/id`
      : undefined;
  return membersAt(schema, found).includes('href') ? `${found}/href` : found;
}

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
