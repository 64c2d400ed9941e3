import { validator } from '../../src/generate/index.ts';
import type { Operation } from '../../src/model/contract.ts';
import { isObject } from '../../src/model/json.ts';
import { firstPage, largestPage } from '../../src/model/pages.ts';
import type { Step, Wave } from '../../src/model/scenario.ts';
import { send, when } from '../../src/suite-kit/scene.ts';

export type Query = NonNullable<Step['query']>;

/** So many pages, as large as they may be, are read of a list at most. */
export const manyPages = 40;
export const mostOf = (list: Operation): number => Math.min(100, largestPage(list));

export const sized = ({ pagination }: Operation, limit: number): Query =>
  pagination === undefined ? [] : [[pagination.limit, String(limit)]];

/** What leads to the page of a number, from 0: what `before`, the page before it, says, or a number counted on from it. */
export function cursorTo(list: Operation, index: number, before: string): Query {
  const paging = list.pagination;
  if (paging === undefined || index === 0) return [];
  if (paging.next !== undefined)
    return [[paging.cursor, { step: before, at: paging.next, cursor: paging.cursor }]];
  if (paging.style === 'link') return [[paging.cursor, { step: before, nextPage: paging.cursor }]];
  const behind = paging.style === 'page' ? 'page' : 'items';
  // Where nothing says which page is the first, a page that is read twice is better than one that is passed over.
  return [
    [
      paging.cursor,
      { step: before, behind, field: paging.cursor, items: paging.items, first: firstPage(list) ?? 0 },
    ],
  ];
}

/** A larger page is not asked for: it takes a service long to make. */
const mostRead = 500;

/** What asks for the largest page that the contract names; undefined where it names none. */
export function largestSize({ pagination, queryFields }: Operation): Query | undefined {
  const schema = queryFields.find(({ name }) => name === pagination?.limit)?.schema;
  const most = isObject(schema) ? schema['maximum'] : undefined;
  if (pagination === undefined || typeof most !== 'number' || most > mostRead) return undefined;
  return validator(schema ?? true)(most).length === 0 ? [[pagination.limit, String(most)]] : undefined;
}

/** What asks for a page far beyond the last one, where pages or items are counted; undefined where there is no such number. */
export function beyondTheEnd({ pagination, queryFields }: Operation): Query | undefined {
  if (pagination?.style !== 'offset' && pagination?.style !== 'page') return undefined;
  const schema = queryFields.find(({ name }) => name === pagination.cursor)?.schema ?? true;
  const check = validator(schema);
  const far = [100_000, 10_000, 1000].find((number) => check(number).length === 0);
  return far === undefined ? undefined : [[pagination.cursor, String(far)]];
}

/** The fields of a query on the next page: a client that follows an address sends those of the address. */
function followedTo({ pagination }: Operation, query: Query, before: string): Query {
  const address = pagination?.next ?? (pagination?.style === 'link' ? 'link' : undefined);
  return query.map(([name, value]) =>
    address === undefined || typeof value !== 'string'
      ? [name, value]
      : [name, { step: before, followed: name, address, otherwise: value }],
  );
}

const pageId = (name: string, index: number): string =>
  index === 0 && name === 'afar' ? name : `${name}-${index}`;

/** Pages one after the other, each where the one before was accepted. */
export function walkFrom(
  list: Operation,
  walk: {
    readonly name: string;
    readonly from?: number;
    readonly most: number;
    readonly limit: number;
    readonly query: Query;
  },
  page: (id: string, query: Query) => Step,
): readonly Wave[] {
  const { from = 0, most, name } = walk;
  const id = pageId(name, from);
  const before = pageId(name, from - 1);
  const query = [
    ...sized(list, walk.limit),
    ...(from === 0 ? walk.query : followedTo(list, walk.query, before)),
    ...cursorTo(list, from, before),
  ];
  return [
    send(page(id, query)),
    ...(from + 1 < most ? [when(id, 'accepted', walkFrom(list, { ...walk, from: from + 1 }, page))] : []),
  ];
}
