import { expect, test } from 'vitest';
import { contract as literal } from '../clauses/cases/contract.ts';
import { type Operation, operationOf } from '../model/contract.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { formedMarker, markedValue } from '../model/marker.ts';
import { object } from '../selftest/shapes/document.ts';
import { taking } from '../testing/contracts.ts';
import { samplesOf } from './marks.ts';
import { operationValues } from './values.ts';

const withMembers = (properties: JsonObject, required = Object.keys(properties)): Operation =>
  taking(object(properties, required));
/** Where a body can carry a marker, and one value of each place. */
const marksOf = (
  operation: Operation,
  examples: readonly Json[] = [],
): readonly (readonly [string, Json])[] => {
  const { marks, plain = null } = operationValues(operation, examples);
  return marks(plain).map(({ at, form }) => [
    at,
    markedValue(form, formedMarker(form, '7b'.repeat(32)) ?? 'asy-0123456789abcdef'),
  ]);
};
const text = (pattern: string): Json => ({ type: 'string', pattern });

test.each<[string, JsonObject, readonly (readonly [string, unknown])[]]>([
  [
    'a UUID',
    { account: { type: 'string', format: 'uuid' } },
    [
      [
        '/account',
        expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ],
    ],
  ],
  [
    'capitals and digits',
    { sku: text('^[A-Z0-9]{8,20}$') },
    [['/sku', expect.stringMatching(/^[A-Z0-9]{20}$/)]],
  ],
  ['digits', { number: text('^\\d{6,12}$') }, [['/number', expect.stringMatching(/^[1-9]\d{11}$/)]]],
  ['what begins alike', { no: text('^INV-\\d{12}$') }, [['/no', expect.stringMatching(/^INV-[1-9]\d{11}$/)]]],
  [
    'a short text',
    { code: { type: 'string', maxLength: 10 } },
    [['/code', expect.stringMatching(/^[0-9a-z]{10}$/)]],
  ],
  [
    'an e-mail address',
    { mail: { type: 'string', format: 'email' } },
    [['/mail', 'asy-0123456789abcdef@example.com']],
  ],
  [
    'a URI',
    { link: { type: 'string', format: 'uri' } },
    [['/link', 'https://example.com/asy-0123456789abcdef']],
  ],
  [
    'a pattern that takes the usual marker',
    { slug: text('^[a-z0-9-]{3,40}$') },
    [['/slug', 'asy-0123456789abcdef']],
  ],
  [
    'a number of twelve digits, or else of nine or ten',
    { amount: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.01 } },
    [
      ['/amount', 805_156_649_851],
      ['/amount', 1_316_649_851],
    ],
  ],
  ['an integer of 32 bits', { count: { type: 'integer', format: 'int32' } }, [['/count', 1_316_649_851]]],
  ['too few characters', { code: text('^[A-Z]{2}\\d{4}$'), short: { type: 'string', maxLength: 3 } }, []],
  ['too small a number', { count: { type: 'integer', minimum: 1, maximum: 9999 } }, []],
  ['a moment', { at: { type: 'string', format: 'date-time' }, on: { type: 'string', format: 'date' } }, []],
  [
    'fixed values',
    { currency: { enum: ['EUR', 'CHF'] }, kind: { const: 'a' }, urgent: { type: 'boolean' } },
    [],
  ],
])('a body without free text is marked by %s', (_, properties, expected) => {
  expect(marksOf(withMembers(properties))).toEqual(expected);
});

test('a text goes before a number, and what the result shows before what it does not', () => {
  const amount = { type: 'integer' };
  const sku = text('^[A-Z0-9]{12}$');
  const operation = withMembers({ amount, hidden: sku, sku });
  const showing: Operation = {
    ...operation,
    success: { ...operation.success, schema: { properties: { amount, sku } } },
  };
  expect(marksOf(operation).map(([at]) => at)).toEqual(['/hidden', '/sku', '/amount', '/amount']);
  expect(marksOf(showing).map(([at]) => at)).toEqual(['/sku', '/amount', '/amount', '/hidden']);
});

test('a free text with room is still the only place', () => {
  const operation = withMembers({ title: { type: 'string' }, account: { type: 'string', format: 'uuid' } });
  expect([operationValues(operation, []).marker, marksOf(operation)]).toEqual(['/title', []]);
});

test('texts that may exist once get values of their own, where the body has them', () => {
  const operation = withMembers(
    {
      title: { type: 'string' },
      code: text('^[A-Z0-9]{12}$'),
      amount: { type: 'integer' },
      tax: text('^[A-Z0-9]{12}$'),
    },
    ['title', 'code', 'amount'],
  );
  const ownOf = (unique: boolean): readonly string[] => {
    const { own, plain = null } = operationValues(operation, [], unique ? 'all' : undefined);
    return own(plain).map(({ at }) => at);
  };
  expect([ownOf(true), ownOf(false)]).toEqual([['/code'], []]);
});

test('a change of a record needs values of its own, and no other marks', () => {
  const operation = withMembers({ code: text('^[A-Z0-9]{12}$') }, ['code']);
  const [field] = operationOf(literal, 'closeCase').pathFields;
  const change: Operation = { ...operation, pathFields: field === undefined ? [] : [field] };
  const { own, plain = null } = operationValues(change, [], 'all');
  expect([own(plain).map(({ at }) => at), marksOf(change)]).toEqual([['/code'], []]);
});

test('a reference of an example that the vendor gave may have to exist', () => {
  const uuid = { type: 'string', format: 'uuid' };
  const given = { accountId: '7b0e3c52-5c30-4a0b-9d0c-0d7b2a1f4e11' };
  expect(marksOf(withMembers({ accountId: uuid }), [given])).toEqual([]);
});

test('a body in which the place has another meaning is left without a mark', () => {
  const { marks } = operationValues(
    taking({
      ...object({ kind: { enum: ['a', 'b'] }, code: { type: 'string', pattern: '^([0-9]{12}|none)$' } }),
      if: { properties: { kind: { const: 'b' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { code: { const: 'none' } } },
    }),
    [{ kind: 'a', code: '000000000000' }],
  );
  expect(marks({ kind: 'a', code: '000000000001' }).length).toBeLessThanOrEqual(1);
  expect(marks({ kind: 'b', code: 'none' })).toEqual([]);
});

test('samples of a form are values that it takes, and differ', () => {
  const samples = samplesOf({ kind: 'number', least: 100, step: 5, count: 1000 });
  expect(new Set(samples).size).toBeGreaterThan(8);
  for (const sample of samples) expect(Number(sample) % 5).toBe(0);
});

test('an ID that the body chooses is new in each body, though few texts have its form', () => {
  const made = (more: Partial<Operation>): Operation => ({
    ...withMembers({ name: { type: 'string' }, sku: text('^[A-Z]{3}-[0-9]{5}$') }, ['name', 'sku']),
    ...more,
  });
  const ownOf = (more: Partial<Operation>, single?: 'id'): readonly string[] => {
    const { own, plain = null } = operationValues(made(more), [], single);
    return own(plain).map(({ at }) => at);
  };
  expect(ownOf({ idAt: '/sku' }, 'id')).toEqual(['/sku']);
  // Bodies that the configuration gives may name a record that is there.
  expect(ownOf({ idAt: '/sku' })).toEqual([]);
  expect(ownOf({ idAt: '/id' }, 'id')).toEqual([]);
});

test('each of several records has values of its own (G19)', () => {
  const code = text('^[A-Z0-9]{4,24}$');
  const item = object({ name: { type: 'string' }, code }, ['name', 'code']);
  const ownOf = (items: JsonObject): readonly string[] => {
    const { own, plain = null } = operationValues(
      withMembers({ items: { ...items, items: item } }),
      [],
      'all',
    );
    return own(plain).map(({ at }) => at);
  };
  expect(ownOf({ type: 'array', minItems: 1 })).toContain('/items/0/code');
  // Nothing is put into a list that may be empty.
  expect(ownOf({ type: 'array' })).toEqual([]);
  // A value of a member of the body itself is as before.
  const { own, plain = null } = operationValues(withMembers({ name: { type: 'string' }, code }), [], 'all');
  expect(own(plain).map(({ at }) => at)).toEqual(['/code']);
});
