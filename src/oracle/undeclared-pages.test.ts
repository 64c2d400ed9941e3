import { expect, test } from 'vitest';
import type { QueryField } from '../model/contract.ts';
import type { Json, JsonSchema } from '../model/json.ts';
import { mayHavePages } from './undeclared-pages.ts';

const field = (name: string, schema: JsonSchema = {}): QueryField => ({
  name,
  required: false,
  schema,
  filters: undefined,
});

function may(
  body: Json,
  items: number,
  fields: readonly QueryField[] = [],
  { headers = [], schema }: { headers?: [string, string][]; schema?: JsonSchema } = {},
): boolean {
  const answer = { status: 200, headers, body: '', bodyBytes: 0, truncated: false };
  return mayHavePages(
    { queryFields: fields, success: { status: 200, mediaType: undefined, schema } },
    answer,
    body,
    items,
  );
}

test.each<[string, Json, boolean]>([
  ['more pages than one, as Spring says', { content: [1], last: false, totalPages: 3 }, true],
  ['the last page, as Spring says', { content: [1], last: true, totalPages: 1, totalElements: 1 }, false],
  ['more records than items', { data: [1], total: 40 }, true],
  ['as many records as items', { data: [1], total: 1 }, false],
  ['a cursor', { links: [1], cursor: 'abc' }, true],
  ['no cursor', { links: [1], cursor: null }, false],
  ['deep in what is said about the page', { data: [1], meta: { pagination: { next: '/a?page=2' } } }, true],
])('what a page says of itself: %s', (_, body, expected) => expect(may(body, 1)).toBe(expected));

test.each<[string, QueryField, number, boolean]>([
  ['fewer items than a page has', field('limit', { default: 20 }), 19, false],
  ['as many items as a page has', field('limit', { default: 20 }), 20, true],
  ['nobody knows how many a page has', field('pageSize'), 3, true],
  ['an object with the paging', field('pageable'), 3, true],
  ['a member with the paging', field('filter', { properties: { offset: {}, where: {} } }), 3, true],
  ['a member that says how many', field('filter', { properties: { limit: { default: 20 } } }), 3, false],
  ['other members', field('filter', { properties: { where: {} } }), 3, false],
  ['no items', field('limit'), 0, false],
  ['no such field', field('status'), 3, false],
])('what the query fields of a list say: %s', (_, one, items, expected) =>
  expect(may([], items, [one])).toBe(expected),
);

test('a position has the name of the query field that takes it', () => {
  expect(may({ entries: [1], before: 'abc' }, 1, [field('before')])).toBe(true);
  expect(may({ entries: [1], before: 'abc' }, 1)).toBe(false);
});

test('a page without the member for the next one is the last', () => {
  const schema = { type: 'object', properties: { items: { type: 'array' }, nextToken: { type: 'string' } } };
  expect(may({ items: [1] }, 1, [field('limit')], { schema })).toBe(false);
});

test.each<[string, string, boolean]>([
  ['X-Total-Count', '40', true],
  ['X-Total-Count', '1', false],
  ['Content-Range', 'items 0-0/40', true],
  ['Content-Range', 'items 0-0/*', false],
])('a header counts the records: %s %s', (name, value, expected) =>
  expect(may([1], 1, [], { headers: [[name, value]] })).toBe(expected),
);
