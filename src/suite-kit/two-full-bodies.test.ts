import { expect, test } from 'vitest';
import type { Json, JsonObject, JsonSchema } from '../model/json.ts';
import { isArray, isObject } from '../model/json.ts';
import { taking } from '../testing/contracts.ts';
import { twoFullBodies } from './two-full-bodies.ts';
import { operationValues } from './values.ts';

const text = { type: 'string' };
const order: JsonSchema = {
  type: 'object',
  required: ['reference'],
  additionalProperties: false,
  properties: {
    reference: { type: 'string', minLength: 1, maxLength: 60 },
    urgent: { type: 'boolean' },
    status: { enum: ['draft', 'placed', 'closed'] },
    priority: { enum: ['low', 'normal', 'high'] },
    labels: { type: 'array', items: { type: 'string', minLength: 1 } },
    extras: { type: 'object', additionalProperties: text },
    zone: { type: 'string', examples: ['Europe/Berlin', 'Asia/Tokyo'] },
    ship: { type: 'object', required: ['to'], additionalProperties: false, properties: { to: text } },
    note: { type: ['string', 'null'] },
    customerId: text,
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['sku'],
        additionalProperties: false,
        properties: { sku: text, gift: { type: 'boolean' }, count: { type: ['integer', 'null'] } },
      },
    },
  },
};

function bodies(schema: JsonSchema, plain: Json = { reference: 'A plain one' }) {
  const operation = taking(schema);
  const found = twoFullBodies(operation, operationValues(operation, [plain]));
  return found?.map((each) => (isObject(each) ? each : {}));
}

test('both bodies have all that may be left out, but for states and what may name a record', () => {
  const [one, other] = bodies(order) ?? [];
  const names = ['extras', 'labels', 'lines', 'note', 'priority', 'reference', 'ship', 'urgent', 'zone'];
  expect(Object.keys(one ?? {}).sort()).toEqual(names);
  expect(Object.keys(other ?? {}).sort()).toEqual(names);
});

test('the values differ from one body to the other, and each says something', () => {
  const [one = {}, other = {}] = bodies(order) ?? [];
  expect([one['reference'], other['reference']]).toEqual(['A plain one', 'A plain one']);
  expect([one['urgent'], other['urgent']]).toEqual([true, true]);
  expect([one['zone'], other['zone']]).toEqual(['Europe/Berlin', 'Asia/Tokyo']);
  const texts = [one, other].flatMap(({ note, ship }) => [note, isObject(ship) && ship['to']]);
  // A member that shows the text of another one would not be seen.
  expect(new Set(texts).size).toBe(4);
  for (const said of texts) expect(said).toMatch(/^A \w+ \w+$/);
  expect([one['priority'], other['priority']]).toEqual(['high', 'normal']);
  for (const list of ['labels', 'lines']) {
    const [items, others] = [one[list], other[list]].map((each) => (isArray(each) ? each : []));
    expect(items).toHaveLength(3);
    expect(others).toHaveLength(2);
    expect(items?.filter((item) => JSON.stringify(others).includes(JSON.stringify(item)))).toEqual([]);
  }
  expect(one['extras']).not.toEqual(other['extras']);
});

test('items have all that others of the list have, and their flags set', () => {
  const [one = {}] = bodies(order) ?? [];
  const lines = isArray(one['lines']) ? one['lines'] : [];
  for (const line of lines)
    expect(line).toEqual({ sku: expect.any(String), gift: true, count: expect.any(Number) });
});

test('a number is not close to the one in the first body', () => {
  const names = ['cents', 'fee', 'net', 'gross'];
  const [one = {}, other = {}] =
    bodies({
      type: 'object',
      required: ['reference'],
      additionalProperties: false,
      properties: {
        reference: text,
        ...Object.fromEntries(names.map((name) => [name, { type: 'integer', minimum: 0, maximum: 100 }])),
      },
    }) ?? [];
  for (const name of names) {
    const [cents = 0, others = 0] = [one[name], other[name]].map(Number);
    expect(Math.abs(cents - others)).toBeGreaterThan(Math.max(cents, others) / 50);
  }
});

test('an object that may have any members has some of each type, other ones in the second body', () => {
  const free = (rest: JsonObject): JsonSchema => ({
    type: 'object',
    required: ['reference'],
    additionalProperties: false,
    properties: { reference: text, extras: { type: 'object', ...rest } },
  });
  const typesIn = (extras: Json | undefined): readonly string[] =>
    Object.values(isObject(extras) ? extras : {})
      .map((value) => typeof value)
      .sort();
  for (const rest of [{ additionalProperties: true }, { additionalProperties: {} }]) {
    const [one = {}, other = {}] = bodies(free(rest)) ?? [];
    expect(typesIn(one['extras'])).toEqual(['boolean', 'number', 'object', 'string']);
    expect(typesIn(other['extras'])).toEqual(['boolean', 'number', 'object', 'string']);
    expect(one['extras']).not.toEqual(other['extras']);
  }
  // What the contract does not describe may have members that it does not name.
  expect(bodies(free({}))?.[0]?.['extras'] ?? {}).toEqual({});
});

test('there are no two bodies where nothing may be added', () => {
  expect(
    bodies({ type: 'object', required: ['reference'], properties: { reference: text } }),
  ).toBeUndefined();
  expect(bodies(order, ['a list'])).toBeUndefined();
});

test('lists within items have two items each, with all that these may have', () => {
  const posting: JsonSchema = {
    type: 'object',
    required: ['amount'],
    additionalProperties: false,
    properties: { amount: { type: 'integer', minimum: 1 }, memo: text },
  };
  const batch = (items: JsonSchema): JsonSchema => ({
    type: 'object',
    required: ['title', 'batches'],
    additionalProperties: false,
    properties: {
      title: text,
      batches: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['postings'],
          additionalProperties: false,
          properties: { postings: items },
        },
      },
    },
  });
  const plain = { title: 'A plain one', batches: [{ postings: [{ amount: 1 }] }] };
  const postingsOf = (items: JsonSchema): readonly Json[] =>
    (bodies(batch(items), plain) ?? []).flatMap(({ batches }) =>
      isArray(batches) ? batches.map((each) => (isObject(each) ? (each['postings'] ?? null) : null)) : [],
    );
  const full = postingsOf({ type: 'array', minItems: 1, items: posting });
  expect(full.length).toBeGreaterThan(2);
  const own = { amount: expect.any(Number), memo: expect.any(String) };
  for (const postings of full) expect(postings).toEqual([own, own]);
  // Where a list may have one item, it has one.
  for (const postings of postingsOf({ type: 'array', minItems: 1, maxItems: 1, items: posting }))
    expect(postings).toEqual([expect.objectContaining({ amount: expect.any(Number) })]);
});

test('a code is another known one in the second body, and one example is not there twice', () => {
  const money: JsonSchema = {
    type: 'object',
    required: ['currency'],
    additionalProperties: false,
    properties: {
      currency: { type: 'string', pattern: '^[A-Z]{3}$', examples: ['EUR'] },
      cents: { type: 'integer' },
    },
  };
  const [one = {}, other = {}] =
    bodies({
      type: 'object',
      required: ['reference'],
      properties: {
        reference: { type: 'string', minLength: 1 },
        price: { allOf: [money, money] },
        shippedOn: {
          allOf: [1, 2].map(() => ({ type: 'string', format: 'date', examples: ['2027-03-01'] })),
        },
      },
    }) ?? [];
  expect([one['price'], other['price']]).toEqual([
    expect.objectContaining({ currency: 'EUR' }),
    expect.objectContaining({ currency: 'USD' }),
  ]);
  expect(one['shippedOn']).toBe('2027-03-01');
  expect(other['shippedOn']).not.toBe('2027-03-01');
});
