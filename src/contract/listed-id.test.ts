import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';

const text = { type: 'string' };
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items });
const item = { properties: { index: { type: 'integer' }, id: text } };

/** Where the result of a command for several records has the ID of the first. */
const idOf = async (
  result: JsonObject,
  {
    body = object({ items: listOf(object({ subject: text })) }),
    effect = { list: 'list' },
    links = {},
    path = '/tickets.createMany',
    shown = item,
  }: {
    readonly shown?: JsonObject;
    readonly body?: JsonObject;
    readonly effect?: JsonObject | undefined;
    readonly links?: JsonObject;
    readonly path?: string;
  } = {},
) => {
  const contract = await contractOf(
    operation('POST /tickets.open', 'open', { result: { properties: { id: text } }, links }),
    operation(`POST ${path}`, 'make', {
      body,
      result,
      ...(effect.list === null ? {} : { governed: { effect } }),
    }),
    operation('GET /tickets', 'list', { result: listOf(shown) }),
  );
  return operationOf(contract, 'make').idAt;
};

test.each<[string, JsonObject, Parameters<typeof idOf>[1], string]>([
  ['a list of results', { properties: { results: listOf(item) } }, {}, '/results/0/id'],
  ['a list named like the one that was sent', { properties: { items: listOf(item) } }, {}, '/items/0/id'],
  [
    'in another spelling, with an ID named like the record',
    { properties: { Contacts: listOf({ properties: { ContactID: text } }) } },
    { body: object({ Contacts: listOf(object({ Name: text })) }), path: '/contacts.create' },
    '/Contacts/0/ContactID',
  ],
  ['a list that is the whole result', listOf(item), {}, '/0/id'],
  [
    'a list next to that of errors',
    { properties: { created: listOf(item), errors: listOf(item) } },
    {},
    '/created/0/id',
  ],
])('the first ID is in %s', async (_, result, more, at) => {
  expect(await idOf(result, more)).toBe(at);
});

test.each<[string, JsonObject, Parameters<typeof idOf>[1]]>([
  ['two lists could have it', { properties: { results: listOf(item), records: listOf(item) } }, {}],
  ['the list is of something else', { properties: { jobs: listOf(item) } }, {}],
  [
    'items are sent with their IDs',
    { properties: { results: listOf(item) } },
    { body: object({ items: listOf(object({ id: text })) }) },
  ],
  ['IDs are sent alone', { properties: { results: listOf(item) } }, { body: object({ ids: listOf(text) }) }],
  [
    'a link fills the body with IDs',
    { properties: { results: listOf(item) } },
    { links: { make: { operationId: 'make', requestBody: { items: [{ subject: '$response.body#/id' }] } } } },
  ],
  [
    'nothing shows what the command makes',
    { properties: { results: listOf(item) } },
    { effect: { list: null } },
  ],
  ['the result has only a count', { properties: { created: { type: 'integer' } } }, {}],
])('no ID is known where %s', async (_, result, more) => {
  expect(await idOf(result, more)).toBeUndefined();
});

const lines = listOf(object({ id: text, sku: text }));
const order = object({ number: text, lines });
const ordering = { body: object({ lines: listOf(object({ sku: text })) }), path: '/orders' };

test.each<[string, JsonObject]>([
  ['shows it as a whole', order],
  ['shows less of it', object({ id: text, number: text })],
])('a part of one record has no ID for it, where the list %s', async (_, shown) => {
  await expect(idOf(order, { ...ordering, shown })).rejects.toThrow(
    'name the member with the ID in x-governed.effect.id',
  );
});

test('a list next to members that the record has as well holds the records where it is named like them', async () => {
  const result = object({ status: text, orders: listOf(object({ id: text })) });
  const shown = object({ id: text, status: text });
  expect(await idOf(result, { ...ordering, shown })).toBe('/orders/0/id');
  expect(await idOf(object({ data: lines }), { ...ordering, shown: object({ id: text, data: text }) })).toBe(
    '/data/0/id',
  );
});
