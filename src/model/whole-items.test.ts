import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { operationOf } from './contract.ts';
import type { JsonSchema } from './json.ts';
import { showsWhole } from './whole-items.ts';

const record = { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } };
const inData = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { data: schema } });
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const part = { type: 'object', properties: { id: { type: 'string' } } };

test.each<readonly [string, JsonSchema, JsonSchema, string, boolean]>([
  ['items without an envelope', listOf(record), record, '/id', true],
  ['items in an envelope', inData(listOf(record)), record, '/id', true],
  ['items and a result in an envelope', inData(listOf(record)), inData(record), '/data/id', true],
  ['a result in an envelope', listOf(record), inData(record), '/data/id', true],
  ['a part of each record', inData(listOf(part)), inData(record), '/data/id', false],
])('%s', (_, page, result, id, expected) => {
  const list = operationOf(contract, 'listParts');
  const add = operationOf(contract, 'addPart');
  const shows = showsWhole(
    { ...list, pagination: undefined, success: { ...list.success, schema: page } },
    {
      ...add,
      effect: { read: undefined, list: 'listParts', id },
      success: { ...add.success, schema: result },
    },
  );
  expect(shows).toBe(expected);
});
