import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invalidValuesOf, study, validValuesOf } from '../generate/index.ts';
import { type Json, type JsonPointer, type JsonSchema, valueAt } from '../model/json.ts';
import { object } from '../selftest/shapes/document.ts';
import { basesOf, faultsOfBranches, likelyFaults } from './likely-faults.ts';

const schema: JsonSchema = {
  type: 'object',
  required: ['count', 'express', 'priority', 'sku'],
  properties: {
    count: { type: 'integer', minimum: 1 },
    express: { type: 'boolean' },
    priority: { enum: ['low', 'high'] },
    sku: { type: 'string', pattern: '^[A-Z]{2}$' },
    note: { type: ['string', 'null'] },
  },
};
const plain = { count: 3, express: true, priority: 'low', sku: 'AB', note: 'x' };

test('values that are taken for valid ones are tried in each member', () => {
  const found = likelyFaults(schema, plain, undefined).map(({ keyword, pointer, value }) => [
    pointer,
    keyword,
    valueAt(value, pointer),
  ]);
  expect(found).toEqual([
    ['/count', 'type', true],
    ['/express', 'type', 'true'],
    ['/priority', 'enum', 'LOW'],
    ['/sku', 'pattern', 'ab'],
    ['/count', 'type', 3.5],
    ['/express', 'type', 1],
    ['/priority', 'enum', ''],
    ['/sku', 'pattern', 'ABB'],
    ['/count', 'type', '3'],
    ['/express', 'type', null],
    ['/priority', 'enum', 0],
    ['/sku', 'pattern', 'AB\nx'],
    ['/count', 'type', null],
    ['/priority', 'enum', 'low\n'],
    ['/sku', 'pattern', 'x AB'],
    ['/priority', 'enum', 'lo'],
    ['/sku', 'pattern', ' AB'],
    ['/priority', 'enum', null],
    ['/sku', 'type', null],
  ]);
});

test('a digit of another script is tried where a pattern lists the digits, and no dialect takes it for one', () => {
  const digitsOf = (member: JsonSchema): readonly Json[] =>
    likelyFaults({ type: 'object', properties: { code: member } }, { code: 'AB-12' }, undefined)
      .map(({ value }) => valueAt(value, '/code') ?? null)
      .filter((value) => /[\u0660-\u0669]/.test(String(value)));
  expect(digitsOf({ type: 'string', pattern: '^[A-Z]{2}-[0-9]{2}$' })).toEqual(['AB-1\u0662']);
  expect(digitsOf({ type: 'string', pattern: '^[A-Z]{2}-\\d{2}$' })).toEqual([]);
  expect(digitsOf({ type: 'string', pattern: '^\\p{L}+-\\p{N}+$' })).toEqual([]);
  expect(digitsOf({ type: 'string', format: 'date' })).toEqual([]);
  expect(digitsOf({ type: 'string' })).toEqual([]);
});

test('null is not tried next to an enum that does not list it, where the type allows it', () => {
  const nullsOf = (type: Json): readonly Json[] => {
    const properties = { size: { type, enum: ['small', 'large'] } };
    return likelyFaults({ type: 'object', properties }, { size: 'small' }, undefined)
      .map(({ value }) => valueAt(value, '/size') ?? null)
      .filter((value) => value === null);
  };
  expect(nullsOf(['string', 'null'])).toEqual([]);
  expect(nullsOf('string')).toEqual([null]);
});

test('a text is tried as a number that has its length and its form once it is written', () => {
  const text = (more: JsonSchema, value: string): unknown => {
    const properties = { text: { type: 'string', ...(typeof more === 'object' ? more : {}) } };
    const found = likelyFaults({ type: 'object', properties }, { text: value }, undefined);
    return found.map((fault) => valueAt(fault.value, '/text')).find((each) => typeof each === 'number');
  };
  expect(text({ minLength: 3 }, 'probe')).toBe(12345);
  expect(text({ pattern: '^\\d{5}$' }, '90210')).toBe(90210);
  expect(text({ minLength: 20 }, 'Conformance probe of it')).toBeUndefined();
  expect(text({ pattern: '^[A-Z]{2}$' }, 'AB')).toBeUndefined();
  // Of any text, 0 is a departure that says as much.
  expect(text({}, 'probe')).toBeUndefined();
});

test('a fraction is tried that is within the bounds of its number, and what no column holds', () => {
  const level: JsonSchema = {
    type: 'object',
    properties: { level: { type: 'integer', minimum: 1, maximum: 5 } },
  };
  const fractions = (value: number): readonly unknown[] =>
    likelyFaults(level, { level: value }, undefined)
      .map((fault) => valueAt(fault.value, '/level'))
      .filter((each) => typeof each === 'number');
  const beyond = 1e20;
  expect(fractions(5)).toEqual([4.5, beyond]);
  expect(fractions(1)).toEqual([1.5, beyond]);
});

test('members that another branch of a choice requires are left out as well', () => {
  const payment: JsonSchema = {
    oneOf: [
      {
        type: 'object',
        required: ['method', 'token'],
        properties: { method: { const: 'card' }, token: { type: 'string' } },
      },
      {
        type: 'object',
        required: ['method', 'vat'],
        properties: { method: { const: 'invoice' }, vat: { type: 'string' } },
      },
    ],
  };
  const studied = study(payment, { formats: 'assert' });
  if ('failure' in studied) throw new Error(studied.failure.why);
  const values = validValuesOf(studied);
  const mutations = (base: Parameters<typeof invalidValuesOf>[1]) => invalidValuesOf(studied, base).mutations;
  const base = { method: 'card', token: 'a' };
  const found = faultsOfBranches(
    base,
    { mutations, others: undefined, valid: values.kind === 'supported' ? values.arbitrary : undefined },
    mutations(base),
  );
  expect(found.map(({ keyword, pointer }) => `${pointer} ${keyword}`)).toContain('/vat required');
});

test('of each alternative of a member some faults are among the first, next to a member that may be left out', () => {
  const kind = (name: string, more: Record<string, JsonSchema>) => ({
    type: 'object',
    required: ['type', ...Object.keys(more)],
    properties: { type: { const: name }, ...more },
  });
  const bounded = { type: 'number', minimum: 0, maximum: 9 };
  const choice: JsonSchema = {
    type: 'object',
    required: ['value'],
    properties: {
      value: {
        oneOf: [
          kind('text', { text: { type: 'string' } }),
          kind('coded', { system: { type: 'string', pattern: '^(loinc|snomed)$' } }),
          kind('numeric', { amount: bounded, unit: { type: 'string', maxLength: 9 } }),
        ],
      },
      range: { type: 'object', required: ['low', 'high'], properties: { low: bounded, high: bounded } },
    },
  };
  const studied = study(choice, { formats: 'assert' });
  if ('failure' in studied) throw new Error('the schema can be taken');
  const values = validValuesOf(studied);
  const base = { value: { type: 'text', text: 'x' } };
  const mutations = (body: Json) => invalidValuesOf(studied, body).mutations;
  const valid = values.kind === 'supported' ? values.arbitrary : undefined;
  const found = faultsOfBranches(base, { mutations, others: undefined, valid }, mutations(base), choice)
    .slice(0, 24)
    .map(({ keyword, pointer }) => `${pointer} ${keyword}`);
  expect(found).toEqual(
    expect.arrayContaining(['/value/system pattern', '/value/amount maximum', '/value/unit maxLength']),
  );
});

test('a text or a number next to null, and the second of two kinds, are broken as well', () => {
  const schema: JsonSchema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      code: { anyOf: [{ type: 'string', pattern: '^IMO[0-9]{7}$' }, { type: 'null' }] },
      weight: {
        anyOf: [
          { type: 'number', minimum: 0 },
          { type: 'string', pattern: '^[0-9]+kg$' },
        ],
      },
      parts: {
        type: 'array',
        minItems: 1,
        items: {
          oneOf: [
            { type: 'object', required: ['a'], properties: { a: { const: 1 } }, additionalProperties: false },
            {
              type: 'object',
              required: ['b'],
              properties: { b: { type: 'string', maxLength: 2 } },
              additionalProperties: false,
            },
          ],
        },
      },
    },
  };
  const studied = study(schema, { formats: 'assert' });
  if ('failure' in studied) throw new Error('the schema can be taken');
  const base = { name: 'x' };
  const mutations = (body: Json) => invalidValuesOf(studied, body).mutations;
  const found = faultsOfBranches(
    base,
    { mutations, others: undefined, valid: undefined },
    mutations(base),
    schema,
  );
  const ofCode = mutations(base).filter(({ ofBranch }) => ofBranch === undefined);
  expect([...ofCode, ...found].map(({ keyword, pointer }) => `${pointer} ${keyword}`)).toEqual(
    expect.arrayContaining([
      '/code pattern',
      '/weight pattern',
      '/parts/0/b required',
      '/parts/0/b maxLength',
      '/parts/0/other additionalProperties',
    ]),
  );
});

test('another alternative of a member is tried, however many members the body may leave out next to it', () => {
  const members = Object.fromEntries('abcdefgh'.split('').map((name) => [name, { type: 'integer' }]));
  const optional = Object.fromEntries(
    'ijklmnop'.split('').map((name) => [name, { type: 'object', properties: members }]),
  );
  const capture = (method: string, more: Record<string, JsonSchema>): JsonSchema => ({
    type: 'object',
    required: ['method', ...Object.keys(more)],
    properties: { method: { const: method }, ...more },
  });
  const wide: JsonSchema = {
    type: 'object',
    required: ['capture'],
    properties: {
      capture: { oneOf: [capture('hand', {}), capture('trap', { hours: { type: 'integer', maximum: 9 } })] },
      ...optional,
    },
  };
  const studied = study(wide, { formats: 'assert' });
  if ('failure' in studied) throw new Error('the schema can be taken');
  const values = validValuesOf(studied);
  const valid = values.kind === 'supported' ? values.arbitrary : undefined;
  const bases = basesOf({ capture: { method: 'hand' } }, valid, { schema: wide });
  expect(bases.map((one) => valueAt(one, '/capture/method'))).toContain('trap');
});

test.each<[string, string, readonly Json[]]>([
  ['only encrypted ones are allowed', '^https://', ['http://a.test/']],
  ['others are allowed too', '^https?://', []],
])('an address is tried without encryption where %s', (_, pattern, expected) => {
  const properties = { url: { type: 'string', pattern } };
  const found = likelyFaults({ type: 'object', properties }, { url: 'https://a.test/' }, undefined)
    .map(({ value }) => valueAt(value, '/url') ?? null)
    .filter((value) => typeof value === 'string' && value.startsWith('http:'));
  expect(found).toEqual(expected);
});

test('one letter or digit more than a pattern counts is tried, whatever planes of Unicode it is of', () => {
  const grown = (pattern: string, text: string): readonly Json[] => {
    const properties = { text: { type: 'string', pattern } };
    return likelyFaults({ type: 'object', properties }, { text }, undefined)
      .map(({ value }) => valueAt(value, '/text') ?? null)
      .filter((value) => value === `${text}${[...text].at(-1) ?? ''}`);
  };
  expect(grown('^\\d+\\.\\d{2}$', '0.00')).toEqual(['0.000']);
  expect(grown('^\\d+\\.\\d{2,}$', '0.00')).toEqual([]);
  expect(grown('^\\p{L}$', '𝓐')).toEqual(['𝓐𝓐']);
  expect(grown('^-{2}$', '--')).toEqual([]);
});

test('what breaks a format alone is tried after all that must be refused, and what breaks a pattern too is not', () => {
  const text = (more: JsonSchema): JsonSchema => ({ type: 'string', ...(more as Record<string, Json>) });
  const found = likelyFaults(
    {
      type: 'object',
      properties: {
        due: text({ format: 'date-time' }),
        mail: text({ format: 'email', pattern: '@example[.]com$' }),
      },
    },
    { due: '2026-01-02T03:04:05Z', mail: 'ada@example.com' },
    undefined,
  ).map(({ keyword, pointer, value }) => [pointer, keyword, valueAt(value, pointer)]);
  const kinds = found.map(([, keyword]) => keyword === 'format');
  expect(kinds).toEqual([...kinds].sort((one, other) => Number(one) - Number(other)));
  expect(found).toContainEqual(['/mail', 'pattern', 'ada@example.comm']);
  expect(found).toContainEqual(['/due', 'format', 'x 2026-01-02T03:04:05Z']);
});

test('a fraction is tried for a number that an item may leave out, next to members that the body may leave out', () => {
  const parcel: JsonSchema = {
    type: 'object',
    required: ['sku'],
    properties: { sku: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 99 } },
  };
  const shipment: JsonSchema = {
    type: 'object',
    required: ['parcels'],
    properties: { parcels: { type: 'array', minItems: 1, items: parcel }, note: { type: 'string' } },
  };
  const studied = study(shipment, { formats: 'assert' });
  if ('failure' in studied) throw new Error(studied.failure.why);
  const values = validValuesOf(studied);
  const faults = likelyFaults(
    shipment,
    { parcels: [{ sku: 'a' }] },
    values.kind === 'supported' ? values.arbitrary : undefined,
  );
  const counts = faults
    .filter(({ pointer }) => pointer === '/parcels/0/count')
    .map(({ value }) => valueAt(value, '/parcels/0/count'));
  expect(counts.some((count) => typeof count === 'number' && !Number.isInteger(count))).toBe(true);
});

test('another choice is tried in the other letter case where the plain one has no letters', () => {
  const reason = { enum: ['0', 'a,b', 'A,B', 'Other'] };
  const found = likelyFaults({ type: 'object', properties: { reason } }, { reason: '0' }, undefined);
  expect(found.map(({ value }) => valueAt(value, '/reason'))).toContain('OTHER');
});

test('the keys of a map are one place: drawn ones take no room from other alternatives', () => {
  const text = { type: 'string', maxLength: 3 };
  const members = {
    tags: { type: 'object', propertyNames: { pattern: '^[a-z]{1,3}$' }, additionalProperties: text },
    part: { oneOf: [object({ whole: { const: 1 } }, ['whole']), object({ half: text }, ['half'])] },
  };
  const schema: JsonSchema = object(members, []);
  const studied = study(schema, { formats: 'assert' });
  if ('failure' in studied) throw new Error('the schema can be taken');
  const bodies = [{ tags: { ab: 'x', cd: 'y', ef: 'z' } }, { tags: { gh: 'x' }, part: { half: 'x' } }];
  const mutations = (body: Json) => invalidValuesOf(studied, body).mutations;
  const found = faultsOfBranches(
    {},
    { mutations, others: fc.constantFrom(...bodies), valid: undefined },
    mutations({}),
    schema,
  );
  expect(found.map(({ pointer }) => pointer).filter((at) => at.startsWith('/tags/'))).toEqual([]);
  expect(found.map(({ pointer }) => pointer)).toContain('/part/half');
});

test('of alternatives, what is wrong is what the one that held says', () => {
  const closed = (members: { readonly [name: string]: JsonSchema }): JsonSchema => ({
    ...object(members, Object.keys(members)),
    additionalProperties: false,
  });
  const union: JsonSchema = object(
    {
      cargo: {
        oneOf: [
          closed({ kind: { const: 'parcel' }, fragile: { type: 'boolean' } }),
          closed({
            kind: { const: 'mail' },
            to: { type: 'string', format: 'email' },
            sent: { type: 'integer' },
          }),
          closed({ kind: { const: 'fax' }, to: { type: 'integer' } }),
        ],
      },
    },
    ['cargo'],
  );
  const found = likelyFaults(union, { cargo: { kind: 'mail', to: 'a@example.com', sent: 5 } }, undefined);
  const broken = (pointer: JsonPointer): readonly string[] => [
    ...new Set(found.filter((one) => one.pointer === pointer).map(({ keyword }) => keyword)),
  ];
  expect(broken('/cargo/to')).toEqual(['type', 'format']);
  expect(broken('/cargo/sent')).toEqual(['type']);
  // A text that breaks a format alone may be accepted.
  const ofTexts = found.filter(
    ({ pointer, value }) => pointer === '/cargo/to' && typeof valueAt(value, pointer) === 'string',
  );
  expect([...new Set(ofTexts.map(({ keyword }) => keyword))]).toEqual(['format']);
});
