import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../model/json.ts';
import { operation as documented, object } from '../selftest/shapes/document.ts';
import { contractOf, made } from '../testing/contracts.ts';
import { edgeBodies } from './edges.ts';
import { operationValues } from './values.ts';

async function edges(body: JsonObject, most = 9): Promise<readonly Json[]> {
  const { operations } = await contractOf(documented('POST /orders', 'order', { body, result: made }));
  const [operation] = operations;
  if (operation === undefined) throw new Error('the contract has no operation');
  return edgeBodies(operation, operationValues(operation, []), most);
}

const order = object(
  {
    note: { type: 'string', minLength: 1, maxLength: 200 },
    code: { type: 'string', minLength: 3, maxLength: 8 },
    count: { type: 'integer', minimum: 1, maximum: 10 },
    share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 100 },
    any: { type: 'number' },
    tags: {
      type: 'array',
      uniqueItems: true,
      minItems: 1,
      maxItems: 3,
      items: { type: 'string', minLength: 1 },
    },
    kind: { enum: ['a', 'b', 'c', 'd'] },
    parentId: { type: 'string', minLength: 1 },
  },
  ['note', 'code', 'count', 'tags', 'kind'],
);

test('one body has all optional members and the greatest of each, one the required ones and the least of each', async () => {
  const [full, least] = await edges(order);
  expect(full).toMatchObject({ code: 'xxxxxxxx', count: 10, share: 99.99, kind: 'd' });
  expect(full).toHaveProperty('tags.length', 3);
  expect(full).toHaveProperty('any');
  expect(full).not.toHaveProperty('parentId');
  expect(least).toMatchObject({ code: 'xxx', count: 1, kind: 'a' });
  expect(least).toHaveProperty('tags.length', 1);
  expect(Object.keys(Object(least)).sort()).toEqual(['code', 'count', 'kind', 'note', 'tags']);
});

test('a number of 64 bits has more than 32 in one of them', async () => {
  const wide = { type: ['integer', 'null'], format: 'int64' };
  const sent = async (members: JsonObject, most?: number) =>
    (await edges(object({ note: { type: 'string' }, ...members }, ['note']), most)).map((body) =>
      Object(body),
    );
  const bodies = await sent({ assetNo: wide, parentId: wide, size: { type: 'integer', format: 'int32' } });
  expect(bodies.filter(({ assetNo }) => assetNo > 2 ** 32)).toHaveLength(1);
  expect(bodies.find(({ assetNo }) => assetNo > 2 ** 32)).toMatchObject({ assetNo: 12_345_678_901 });
  for (const { parentId = 0, size } of bodies) {
    expect(parentId).toBeLessThan(2 ** 31);
    expect(size ?? 0).toBeLessThan(2 ** 31);
  }
  const small = await sent({ count: { ...wide, maximum: 100 }, plain: { type: 'integer' } });
  for (const { count, plain } of small) expect(Math.max(count ?? 0, plain ?? 0)).toBeLessThan(2 ** 31);
  // The budget may be for others alone.
  expect(
    (await sent({ assetNo: wide, size: { type: 'integer', minimum: 1, maximum: 9 } }, 1)).at(-1)?.assetNo ??
      0,
  ).toBeLessThan(2 ** 31);
});

test('the one with all members has instants of another time zone than UTC', async () => {
  const [full, least] = await edges(
    object({ at: { type: 'string', format: 'date-time' }, count: { maximum: 9, type: 'integer' } }),
  );
  expect(full).toMatchObject({ at: expect.stringMatching(/T.*[+-]\d\d:\d\d$/) });
  expect(least).toBeUndefined();
});

test('each fixed value is in one of them', async () => {
  const kinds = (await edges(order)).map((body) => Object(body).kind);
  expect(kinds).toEqual(['d', 'a', 'b', 'c', 'a']);
});

test('the last one has the least of each member that may be left out, and an integer is exact', async () => {
  const most = Number.MAX_SAFE_INTEGER;
  const [full, least] = await edges(
    object({ at: { type: 'string' }, count: { type: 'integer', minimum: 3, maximum: most } }, ['at']),
  );
  expect(full).toMatchObject({ count: most });
  expect(least).toMatchObject({ count: 3 });
});

test('a choice of branches keeps each of them valid, and what nothing bounds is left as it is', async () => {
  const branch = (kind: string, most: number): JsonObject =>
    object({ kind: { const: kind }, size: { type: 'integer', minimum: 0, maximum: most } });
  for (const body of await edges({ oneOf: [branch('small', 3), branch('large', 9)] }))
    expect([0, 3, 9]).toContain(Object(body).size);
  expect(await edges(object({ size: { type: 'integer' } }))).toEqual([]);
});

test('no more of them than are wanted', async () => {
  expect(await edges(order, 2)).toHaveLength(2);
  expect(await edges(order, 0)).toEqual([]);
});
