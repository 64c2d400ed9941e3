import type { Operation, QueryField } from './contract.ts';
import { itemsAt, membersAt, plain } from './described-places.ts';
import { isObject, type JsonPointer } from './json.ts';

const usualLimits = /^(?:limit|pagesize|perpage|maxresults|maxpagesize|maxitems|size|take|top)$/;
const usualCursors =
  /^(?:cursor|after|before|continue|marker|pagetoken|nexttoken|skiptoken|startafter|startingafter|continuationtoken|page(?:cursor|after))$/;
const usualOffsets = /^(?:offset|skip|pageoffset)$/;
const usualPages = /^(?:page|pageno|pagenumber|pageindex)$/;

/** The query fields of a list that are named as those are that lead from page to page. */
type UsualPaging = {
  readonly limit: string;
  readonly field: string;
  readonly style: 'cursor' | 'offset' | 'page';
  readonly items: JsonPointer;
};

/** How a list whose pages are not declared seems to be paged, by the names of its query fields. */
export function usualPaging({ kind, pagination, queryFields, success }: Operation): UsualPaging | undefined {
  if (kind !== 'read' || pagination !== undefined) return undefined;
  const fields = queryFields.flatMap(sentNames);
  const named = (pattern: RegExp): string | undefined => fields.find((name) => pattern.test(plain(name)));
  // OData asks with `$count` for the number of all records, FHIR limits a page with `_count`.
  const limit = named(usualLimits) ?? fields.find((name) => name === '_count');
  const items = itemsAt(success.schema);
  const found = (
    [
      ['cursor', usualCursors],
      ['offset', usualOffsets],
      ['page', usualPages],
    ] as const
  )
    .map(([style, pattern]) => ({ field: named(pattern), style }))
    .find(({ field }) => field !== undefined);
  if (limit === undefined || found?.field === undefined || items === undefined) return undefined;
  return { limit, field: found.field, style: found.style, items };
}

/** The same, where the size of a page is a number, as that of a shirt need not be. */
export function seemsPaged(list: Operation): UsualPaging | undefined {
  const paging = usualPaging(list);
  const schema = list.queryFields.find(({ name }) => name === paging?.limit)?.schema;
  const types = isObject(schema) ? [schema['type'] ?? []].flat() : [];
  const isNumber = types.length === 0 || types.some((type) => type === 'integer' || type === 'number');
  return isNumber ? paging : undefined;
}

/** The names under which a query field is sent: one for each member in the style `deepObject`. */
function sentNames({ name, schema, style }: QueryField): readonly string[] {
  return style === 'deepObject' && !name.includes('[')
    ? membersAt(schema, '').map((member) => `${name}[${member}]`)
    : [name];
}
