import { expect, test } from 'vitest';
import type { JsonObject } from '../model/json.ts';
import { object } from '../selftest/shapes/document.ts';
import { taking } from '../testing/contracts.ts';
import { type OtherOrder, otherOrders } from './other-orders.ts';
import { operationValues } from './values.ts';

/** What is found for a body of these members, all of them required. */
function orders(properties: JsonObject, most = 4): readonly OtherOrder[] {
  const operation = taking(object(properties));
  return otherOrders(operation, operationValues(operation, []), most, '<marker>');
}

const texts = { type: 'string', minLength: 1 };

test('a list of two items is turned round, and has one of them twice', () => {
  const found = orders({ text: texts, codes: { type: 'array', items: { enum: ['a', 'b'] } } });
  expect(found.map(({ at, base, by, other }) => [at, (base as JsonObject)['codes'], by, other])).toEqual([
    ['/codes', ['b', 'a'], 'order', ['a', 'b']],
    ['/codes', ['b', 'a'], 'repetition', ['b', 'a', 'a']],
  ]);
});

test.each<[what: string, list: JsonObject]>([
  ['may not hold an item twice', { type: 'array', uniqueItems: true, items: { enum: ['a', 'b'] } }],
  ['has items of one kind only', { type: 'array', minItems: 1, items: { const: 'a' } }],
  ['holds at most one', { type: 'array', maxItems: 1, items: { enum: ['a', 'b'] } }],
  [
    'says what comes first',
    { type: 'array', prefixItems: [{ const: 'a' }, { const: 'b' }], items: false, minItems: 2 },
  ],
])('a list that %s is left out', (_, list) => {
  expect(orders({ text: texts, list })).toEqual([]);
});

test('a list of at most two items has none of them twice', () => {
  const list = { type: 'array', maxItems: 2, items: { enum: ['a', 'b'] } };
  expect(orders({ text: texts, list }).map(({ by }) => by)).toEqual(['order']);
});

test('the marker goes with the item that carries it', () => {
  const operation = taking({ type: 'array', items: { type: 'array', items: texts } });
  const sent = (marker: string): unknown =>
    otherOrders(operation, { marker, plain: [['one', 'two']], valid: undefined }, 1, '<marker>').map(
      ({ by, other }) => [by, other],
    );
  expect(sent('/0/0')).toEqual([
    ['order', ['two', 'one <marker>']],
    ['repetition', ['one <marker>', 'two', 'two']],
  ]);
  expect(sent('/0/1')).toEqual([]);
});

test('no more lists than are wanted', () => {
  const list = { type: 'array', items: { type: 'integer' } };
  expect(new Set(orders({ text: texts, one: list, two: list }, 1).map(({ at }) => at)).size).toBe(1);
});
