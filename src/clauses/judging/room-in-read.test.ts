import { expect, test } from 'vitest';
import { type Operation, operationOf } from '../../model/contract.ts';
import type { Json, JsonSchema } from '../../model/json.ts';
import { contract } from '../cases/contract.ts';
import { hasRoomFor } from './room-in-read.ts';

const read = (schema: JsonSchema): { readonly operation: Operation } => {
  const operation = operationOf(contract, 'getCase');
  return { operation: { ...operation, success: { ...operation.success, schema } } };
};
const of = (to: JsonSchema): JsonSchema => ({ type: 'object', properties: { to } });

test.each<[string, JsonSchema, Json]>([
  ['a list where it shows a text', of({ type: 'string' }), ['a']],
  ['a fraction where it shows whole numbers', of({ type: 'integer' }), 7.5],
  [
    'an object where it shows one of two other types',
    of({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
    {},
  ],
  ['a list in a list of texts', { type: 'array', items: of({ type: 'string' }) }, ['a']],
])('a read has no room for %s', (_, schema, value) => {
  expect(hasRoomFor(read(schema), '/to', value)).toBe(false);
});

test.each<[string, JsonSchema, Json]>([
  ['what is of its type', of({ type: 'string' }), 'a'],
  ['a whole number', of({ type: 'number' }), 7],
  ['one of several types', of({ oneOf: [{ type: 'array' }, { type: 'string' }] }), ['a']],
  ['anything where one of two says no type', of({ anyOf: [{ type: 'string' }, {}] }), ['a']],
  ['a member without a type', of({ description: 'any' }), ['a']],
  ['a member that it does not describe', { type: 'object' }, ['a']],
])('a read has room for %s', (_, schema, value) => {
  expect(hasRoomFor(read(schema), '/to', value)).toBe(true);
});
