import { expect, test } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import { type DocumentPart, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';

const permission = 'case.read';
const currency: JsonObject = {
  type: 'object',
  properties: { code: { type: 'string' }, name: { type: 'string' } },
};
const listOf = (item: JsonObject): JsonObject => ({
  type: 'object',
  properties: { items: { type: 'array', items: item } },
});

/** Where the fields of the path of GET /currencies/{code} get their values. */
async function sourcesOf(id: string, list: JsonObject, ...more: readonly DocumentPart[]) {
  const { operations } = await contractOf(
    operation('GET /currencies', 'listCurrencies', { permission, result: list }),
    operation('GET /currencies/{code}', 'getCurrency', { permission, result: currency }),
    ...more,
  );
  return operations.find((one) => one.id === id)?.pathFields.map(({ source }) => source);
}

test('a read of what nothing makes takes the first item of the list', async () => {
  const first = (at: string) => [{ operation: 'listCurrencies', at }];
  expect(await sourcesOf('getCurrency', listOf(currency))).toEqual(first('/items/0/code'));
  expect(await sourcesOf('getCurrency', { type: 'array', items: currency })).toEqual(first('/0/code'));
  const nested = listOf({ type: 'object', properties: { data: currency } });
  expect(await sourcesOf('getCurrency', nested)).toEqual(first('/items/0/data/code'));
});

test('a read within such a record takes the first item of each list', async () => {
  const rate: JsonObject = { type: 'object', properties: { rateId: { type: 'string' } } };
  const sources = await sourcesOf(
    'getRate',
    listOf(currency),
    operation('GET /currencies/{code}/rates', 'listRates', { permission, result: listOf(rate) }),
    operation('GET /currencies/{code}/rates/{rateId}', 'getRate', { permission, result: rate }),
  );
  expect(sources).toEqual([
    { operation: 'listCurrencies', at: '/items/0/code' },
    { operation: 'listRates', at: '/items/0/rateId' },
  ]);
});

test('what a command makes comes first, and a command takes no record of a list', async () => {
  const made = operation('POST /currencies', 'addCurrency', { permission, result: currency });
  expect(await sourcesOf('getCurrency', listOf(currency), made)).toEqual([
    { operation: 'addCurrency', at: '/code' },
  ]);
  const closed = operation('POST /currencies/{code}/close', 'close', { permission, result: currency });
  expect(await sourcesOf('close', listOf(currency), closed)).toEqual([undefined]);
});

test.each<[string, JsonObject]>([
  ['no list', { type: 'object', properties: { total: { type: 'integer' } } }],
  ['items without the field', listOf({ type: 'object', properties: { name: { type: 'string' } } })],
  ['items that are texts', { type: 'array', items: { type: 'string' } }],
])('nothing is taken of a result that has %s', async (_, list) => {
  expect(await sourcesOf('getCurrency', list)).toEqual([undefined]);
});
