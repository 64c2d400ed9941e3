import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../model/json.ts';
import { object } from '../selftest/shapes/document.ts';
import { taking } from '../testing/contracts.ts';
import { otherEnds } from './list-ends.ts';

/** The list that is sent first for a body with these items, and those that come under its key. */
function ends(list: JsonObject, plain: Json): readonly unknown[] {
  const operation = taking(object({ list }));
  return otherEnds(operation, { marker: undefined, plain: { list: plain }, valid: undefined }, 1, '<m>').map(
    ({ at, base, others }) => [at, (base as JsonObject)['list'], ...others],
  );
}

test.each<[what: string, list: JsonObject, plain: Json, expected: readonly unknown[]]>([
  [
    'texts',
    { type: 'array', items: { type: 'string' } },
    ['a'],
    [
      '/list',
      ['a', 'a again', 'a again again'],
      ['a', 'a again', 'a again again again'],
      ['a', 'a again'],
      ['a', 'a again', 'a again again', 'a again again again'],
    ],
  ],
  [
    'no more than two',
    { type: 'array', maxItems: 2, items: { type: 'integer' } },
    [1],
    ['/list', [1, 2], [1, 3], [1]],
  ],
  [
    'at least two of a set',
    { uniqueItems: true, minItems: 2, maxItems: 2 },
    [1, 2],
    ['/list', [1, 2], [1, 3]],
  ],
  [
    'objects with a number',
    { type: 'array', maxItems: 2, items: object({ code: { type: 'string' }, count: { type: 'integer' } }) },
    [{ code: 'a', count: 1 }],
    [
      '/list',
      [
        { code: 'a', count: 1 },
        { code: 'a', count: 2 },
      ],
      [
        { code: 'a', count: 1 },
        { code: 'a', count: 3 },
      ],
      [{ code: 'a', count: 1 }],
    ],
  ],
])('the end of a list of %s is changed, taken away and added to', (_, list, plain, expected) => {
  expect(ends(list, plain).flat()).toEqual(expected);
});

test.each<[what: string, list: JsonObject, plain: Json]>([
  ['holds at most one item', { type: 'array', maxItems: 1, items: { type: 'integer' } }, [1]],
  ['has items of one kind only', { type: 'array', items: { const: 'a' } }, ['a']],
  ['has an item twice', { type: 'array', items: { type: 'integer' } }, [1, 1]],
])('a list that %s is left out', (_, list, plain) => {
  expect(ends(list, plain)).toEqual([]);
});

test('the first item keeps the marker', () => {
  const operation = taking({ type: 'array', minItems: 1, items: object({ text: { type: 'string' } }) });
  const values = { marker: '/0/text', plain: [{ text: 'one' }], valid: undefined };
  expect(otherEnds(operation, values, 1, '<marker>').map(({ others }) => others[1])).toEqual([
    [{ text: 'one <marker>' }, { text: 'one again' }],
  ]);
});
