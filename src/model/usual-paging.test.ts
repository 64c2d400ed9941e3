import { expect, test } from 'vitest';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf, paged } from '../testing/contracts.ts';
import { operationOf } from './contract.ts';
import type { JsonObject } from './json.ts';
import { seemsPaged } from './usual-paging.ts';

const note = object({ id: { type: 'string' } });
const listed = object({ items: { type: 'array', items: note } });
const integer = { type: 'integer' };

async function seems(fields: Readonly<Record<string, JsonObject>>, result: JsonObject = listed) {
  const parameters = Object.entries(fields).map(([name, schema]) => ({ name, in: 'query', schema }));
  const contract = await contractOf(operation('GET /notes', 'listNotes', { parameters, result }));
  return seemsPaged(operationOf(contract, 'listNotes'));
}

test.each<[Readonly<Record<string, JsonObject>>, string, JsonObject?]>([
  [{ limit: integer, cursor: { type: 'string' } }, 'limit cursor cursor /items'],
  [{ per_page: {}, page: integer }, 'per_page page page /items'],
  [{ 'page[size]': integer, 'page[offset]': integer }, 'page[size] page[offset] offset /items'],
  [{ _count: integer, offset: integer }, '_count offset offset ', { type: 'array', items: note }],
])('a list with the fields %j seems to have pages', async (fields, expected, result = listed) => {
  const paging = await seems(fields, result);
  expect([paging?.limit, paging?.field, paging?.style, paging?.items].join(' ')).toBe(expected);
});

test.each<[string, Readonly<Record<string, JsonObject>>, JsonObject?]>([
  ['no field that leads on', { limit: integer, q: { type: 'string' } }],
  ['no size of a page', { page: integer, q: { type: 'string' } }],
  ['a size that is no number', { size: { type: 'string', enum: ['S', 'L'] }, page: integer }],
  ['one record', { limit: integer, page: integer }, note],
  [
    'two lists',
    { limit: integer, page: integer },
    object({ a: { type: 'array', items: note }, b: { type: 'array', items: note } }),
  ],
])('a read with %s does not', async (_, fields, result = listed) => {
  expect(await seems(fields, result)).toBeUndefined();
});

test('nor does a list whose pages are declared', async () => {
  const contract = await contractOf(operation('GET /notes', 'listNotes', paged));
  expect(seemsPaged(operationOf(contract, 'listNotes'))).toBeUndefined();
});
