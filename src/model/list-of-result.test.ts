import { expect, test } from 'vitest';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { operationOf } from './contract.ts';
import type { JsonObject } from './json.ts';
import { listOfMade } from './listed.ts';

const text = { type: 'string' };
const entry = object({ id: text, accountId: text, amount: text });
const account = object({ id: text, name: text });

/** The list that shows what `POST /accounts/{accountId}/deposits` makes, if its result and the items are such. */
async function listOf(result: JsonObject, item: JsonObject, effect: JsonObject = { list: 'entries' }) {
  const contract = await contractOf(
    operation('POST /accounts', 'openAccount', { body: object({ name: text }), result: account }),
    operation('GET /accounts/{accountId}', 'getAccount', { result: account }),
    operation('POST /accounts/{accountId}/deposits', 'deposit', {
      governed: { effect },
      body: object({ amount: text }),
      result,
    }),
    operation('GET /entries', 'entries', {
      governed: { pagination: { limit: 'limit', cursor: 'after', items: '/items', next: '/next' } },
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer' } },
        { name: 'after', in: 'query', schema: text },
      ],
      result: object({ items: { type: 'array', items: item }, next: text }),
    }),
  );
  return listOfMade(contract, operationOf(contract, 'deposit'))?.id;
}

test('a list elsewhere shows what a command on a record makes, if its items are such results', async () => {
  expect(await listOf(entry, entry)).toBe('entries');
});

test('nothing says so if the result is the record itself, has another schema, or is read by itself', async () => {
  expect(await listOf(account, account)).toBeUndefined();
  expect(await listOf(object({ id: text, done: text }), entry)).toBeUndefined();
  expect(await listOf(entry, entry, { list: 'entries', read: 'getAccount' })).toBeUndefined();
});
