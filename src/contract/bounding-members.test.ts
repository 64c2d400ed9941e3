import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';

const time = { type: 'integer', minimum: 0 };
const bounds = object({ gte: time, lt: time, eq: time, ne: time }, []);
const id = { type: 'string' };

async function fieldsOf(schema: Json, item: Json, more: Record<string, Json> = {}) {
  const contract = await contractOf(
    operation('GET /invoices', 'listInvoices', {
      parameters: [{ name: 'created', in: 'query', style: 'deepObject', explode: true, schema, ...more }],
      result: object({ data: { type: 'array', items: item } }),
    }),
  );
  return operationOf(contract, 'listInvoices').queryFields.map(({ filters, name }) => [name, filters]);
}

const declared = { 'x-governed': { filters: '/created' } };

test('members that bound a value select by that value, and others by a member of their name', async () => {
  expect(await fieldsOf(bounds, object({ id, created: time }), declared)).toEqual([
    ['created[gte]', '/created'],
    ['created[lt]', '/created'],
    ['created[eq]', '/created'],
    ['created[ne]', '/created/ne'],
  ]);
});

test('members of an object that items have select by its members, though they are called like bounds', async () => {
  const from = object({ from: time, to: time }, []);
  const item = object({ id, created: from });
  expect(await fieldsOf(from, item, declared)).toEqual([
    ['created[from]', '/created/from'],
    ['created[to]', '/created/to'],
  ]);
});

test('a query field may take the value alone as well', async () => {
  const item = object({ id, created: time });
  expect(await fieldsOf({ anyOf: [time, bounds] }, item, declared)).toEqual([
    ['created', '/created'],
    ['created[gte]', '/created'],
    ['created[lt]', '/created'],
    ['created[eq]', '/created'],
    ['created[ne]', '/created/ne'],
  ]);
});

test('two objects to choose from stay one query field; without a declared filter no member is one', async () => {
  const item = object({ id, created: time });
  const other = object({ day: { type: 'string' } }, []);
  expect(await fieldsOf({ anyOf: [other, bounds] }, item, declared)).toEqual([['created', '/created']]);
  expect((await fieldsOf(bounds, item)).map(([, filters]) => filters)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});
