import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json, type JsonSchema } from './json.ts';
import { invalidArbitrary, invalidValues, type Mutation } from './mutations.ts';

/** A name that makes an object look like a promise to linters. */
const THEN = 'then';

function mutationsOf(schema: JsonSchema, base: Json): readonly Mutation[] {
  return invalidValues(schema, base, { formats: 'assert' }).mutations;
}

test('POST /cases: everything that can be wrong with a subject, in order', () => {
  const schema = { type: 'object', required: ['subject'], properties: { subject: { type: 'string' } } };
  expect(
    mutationsOf(schema, { subject: 'a' }).map(({ pointer, keyword, describes, value }) => [
      pointer,
      keyword,
      describes,
      value,
    ]),
  ).toEqual([
    ['', 'type', 'the body is an array instead of an object', []],
    ['', 'type', 'the body is a number instead of an object', 0],
    ['', 'type', 'the body is a boolean instead of an object', true],
    ['', 'type', 'the body is text instead of an object', 'text'],
    ['', 'type', 'the body is null instead of an object', null],
    ['/subject', 'required', 'subject is missing', {}],
    ['/subject', 'type', 'subject is an object instead of a string', { subject: {} }],
    ['/subject', 'type', 'subject is an array instead of a string', { subject: [] }],
    ['/subject', 'type', 'subject is a number instead of a string', { subject: 0 }],
    ['/subject', 'type', 'subject is a boolean instead of a string', { subject: true }],
    ['/subject', 'type', 'subject is null instead of a string', { subject: null }],
  ]);
});

test('a mutation knows the valid body that it was made of', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } };
  expect(mutationsOf(schema, { a: 1, b: 2 }).map(({ base }) => base)).toContainEqual({ a: 1, b: 2 });
  const drawn = invalidArbitrary(schema);
  if (drawn === undefined) throw new Error('nothing was drawn');
  for (const { base, keyword, pointer, value } of fc.sample(drawn, { seed: 1, numRuns: 20 })) {
    const same = invalidValues(schema, base).mutations.filter(
      (one) =>
        one.keyword === keyword &&
        one.pointer === pointer &&
        canonicalJson(one.value) === canonicalJson(value),
    );
    expect(same).toHaveLength(1);
  }
});

const value = (member: JsonSchema, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema => ({
  type: 'object',
  required: ['v'],
  properties: { v: member, ...more },
});

describe('each keyword', () => {
  test.each<[string, JsonSchema, Json, string, string, Json]>([
    ['enum', value({ enum: ['a', 'b'] }), { v: 'a' }, '/v', 'enum', { v: 'not-a' }],
    ['const', value({ const: 3 }), { v: 3 }, '/v', 'const', { v: 4 }],
    ['minLength', value({ type: 'string', minLength: 3 }), { v: 'abc' }, '/v', 'minLength', { v: 'ab' }],
    ['maxLength', value({ type: 'string', maxLength: 3 }), { v: '😀' }, '/v', 'maxLength', { v: '😀aaa' }],
    ['pattern', value({ type: 'string', pattern: '^\\d+$' }), { v: '12' }, '/v', 'pattern', { v: '~2' }],
    [
      'pattern of a bounded length',
      value({ type: 'string', pattern: '^\\d+$', minLength: 2, maxLength: 2 }),
      { v: '12' },
      '/v',
      'pattern',
      { v: '~2' },
    ],
    [
      'format',
      value({ type: 'string', format: 'date' }),
      { v: '2024-01-01' },
      '/v',
      'format',
      { v: '2024-13-45' },
    ],
    ['minimum', value({ type: 'integer', minimum: 5 }), { v: 5 }, '/v', 'minimum', { v: 4 }],
    ['maximum', value({ type: 'number', maximum: 5 }), { v: 5 }, '/v', 'maximum', { v: 6 }],
    [
      'exclusiveMinimum',
      value({ type: 'number', exclusiveMinimum: 0 }),
      { v: 1 },
      '/v',
      'exclusiveMinimum',
      { v: 0 },
    ],
    [
      'exclusiveMaximum',
      value({ type: 'number', exclusiveMaximum: 0 }),
      { v: -1 },
      '/v',
      'exclusiveMaximum',
      { v: 0 },
    ],
    [
      'multipleOf',
      value({ type: 'number', multipleOf: 0.01 }),
      { v: 0.07 },
      '/v',
      'multipleOf',
      { v: 0.075 },
    ],
    ['type, where a fraction is near', value({ type: 'integer' }), { v: 1 }, '/v', 'type', { v: 1.5 }],
    ['type, where a number in quotes is near', value({ type: 'number' }), { v: 1 }, '/v', 'type', { v: '1' }],
    ['minItems', value({ type: 'array', minItems: 2 }), { v: [1, 2] }, '/v', 'minItems', { v: [1] }],
    [
      'maxItems',
      value({ type: 'array', items: { const: 1 }, maxItems: 1 }),
      { v: [] },
      '/v',
      'maxItems',
      { v: [1, 1] },
    ],
    [
      'uniqueItems',
      value({ type: 'array', uniqueItems: true }),
      { v: [1, 2] },
      '/v',
      'uniqueItems',
      { v: [1, 2, 1] },
    ],
    [
      'contains',
      value({ type: 'array', contains: { const: 1 } }),
      { v: [1, 2] },
      '/v',
      'contains',
      { v: [2] },
    ],
    [
      'maxContains',
      value({ type: 'array', contains: { const: 1 }, maxContains: 1 }),
      { v: [1, 2] },
      '/v',
      'contains',
      { v: [1, 2, 1] },
    ],
    [
      'items',
      value({
        type: 'array',
        items: { type: 'object', required: ['k'], properties: { k: { type: 'boolean' } } },
      }),
      { v: [{ k: true }] },
      '/v/0/k',
      'type',
      { v: [{ k: {} }] },
    ],
    [
      'items of an empty list',
      value({ type: 'array', items: { type: 'string' } }),
      { v: [] },
      '/v/0',
      'type',
      { v: [{}] },
    ],
    [
      'prefixItems',
      value({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] }),
      { v: ['a', 1] },
      '/v/1',
      'type',
      { v: ['a', {}] },
    ],
    [
      'items false',
      value({ type: 'array', prefixItems: [true], items: false }),
      { v: [1] },
      '/v/1',
      'items',
      { v: [1, 0] },
    ],
    [
      'required, nested',
      value({ type: 'object', required: ['k'] }),
      { v: { k: 1 } },
      '/v/k',
      'required',
      { v: {} },
    ],
    [
      'additionalProperties',
      { type: 'object', properties: { a: true }, additionalProperties: false },
      {},
      '/other',
      'additionalProperties',
      { other: 0 },
    ],
    [
      'additionalProperties of a kind',
      { type: 'object', additionalProperties: { type: 'integer' } },
      {},
      '/other',
      'type',
      { other: {} },
    ],
    [
      'unevaluatedProperties',
      { type: 'object', allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
      {},
      '/other',
      'unevaluatedProperties',
      { other: 0 },
    ],
    [
      'patternProperties',
      { type: 'object', patternProperties: { '^x': { type: 'integer' } } },
      {},
      '/x',
      'type',
      { x: {} },
    ],
    [
      'propertyNames',
      { type: 'object', propertyNames: { pattern: '^[a-z]+$' } },
      {},
      '/',
      'propertyNames',
      { '': 0 },
    ],
    [
      'dependentRequired',
      { type: 'object', dependentRequired: { a: ['b'] } },
      { a: 1, b: 2 },
      '/b',
      'dependentRequired',
      { a: 1 },
    ],
    [
      'dependentRequired of what is absent',
      { type: 'object', dependentRequired: { a: ['b'] } },
      {},
      '/b',
      'dependentRequired',
      { a: 0 },
    ],
    ['minProperties', { type: 'object', minProperties: 1 }, { a: 1 }, '', 'minProperties', {}],
    [
      'maxProperties',
      { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, maxProperties: 1 },
      {},
      '',
      'maxProperties',
      { a: 1, b: 2 },
    ],
    [
      'a member that may not be',
      { type: 'object', properties: { a: false } },
      {},
      '/a',
      'false schema',
      { a: 0 },
    ],
    [
      'an optional member that is absent',
      { type: 'object', properties: { a: { type: 'string' } } },
      {},
      '/a',
      'type',
      { a: {} },
    ],
    ['oneOf, none', { oneOf: [{ type: 'string' }, { type: 'integer' }] }, 1, '', 'oneOf', -0.01],
    ['oneOf, several', { type: 'integer', oneOf: [{ minimum: 5 }, { maximum: 9 }] }, 1, '', 'oneOf', 5],
    [
      'a branch of oneOf',
      {
        oneOf: [
          { type: 'object', required: ['k', 'x'], properties: { k: { const: 'a' }, x: { type: 'string' } } },
          { type: 'object', required: ['k'], properties: { k: { const: 'b' } } },
        ],
      },
      { k: 'a', x: '' },
      '/x',
      'type',
      { k: 'a', x: {} },
    ],
    [
      'anyOf',
      {
        type: 'object',
        properties: { a: { const: 1 }, b: { const: 2 } },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      { a: 1 },
      '',
      'anyOf',
      {},
    ],
    [
      'not',
      { type: 'object', not: { required: ['a'] }, properties: { a: { const: 1 } } },
      {},
      '',
      'not',
      { a: 1 },
    ],
    [
      'then',
      {
        type: 'object',
        properties: { k: { enum: [1, 2] } },
        required: ['k'],
        if: { properties: { k: { const: 1 } } },
        [THEN]: { required: ['z'] },
      },
      { k: 2 },
      '/z',
      'required',
      { k: 1 },
    ],
    [
      'dependentSchemas',
      { type: 'object', properties: { a: { const: 1 } }, dependentSchemas: { a: { required: ['b'] } } },
      {},
      '/b',
      'required',
      { a: 1 },
    ],
    [
      'through a reference',
      { $ref: '#/$defs/x', $defs: { x: { type: 'object', required: ['a'] } } },
      { a: 1 },
      '/a',
      'required',
      {},
    ],
    [
      'a name that needs escaping',
      { type: 'object', required: ['a/b'] },
      { 'a/b': 1 },
      '/a~1b',
      'required',
      {},
    ],
  ])('%s', (_, schema, base, pointer, keyword, body) => {
    const found = mutationsOf(schema, base).map(
      (mutation) => `${mutation.pointer} ${mutation.keyword} ${canonicalJson(mutation.value)}`,
    );
    expect(found).toContain(`${pointer} ${keyword} ${canonicalJson(body)}`);
  });
});

test('the schema pointer leads to the keyword, through references', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/x' } },
    $defs: { x: { type: 'integer', minimum: 3 } },
  };
  expect(mutationsOf(schema, { a: 3 })).toContainEqual(
    expect.objectContaining({ pointer: '/a', schemaPointer: '/$defs/x/minimum', value: { a: 2 } }),
  );
});

test('null is no mutation where it is allowed, nor a wrong format where formats are annotations', () => {
  const schema = value({ type: ['string', 'null'], format: 'date' });
  const { mutations, notes } = invalidValues(schema, { v: '2024-01-01' });
  expect(
    mutations
      .filter(({ schemaPointer }) => schemaPointer === '/properties/v/type')
      .map(({ value: body }) => body),
  ).toEqual([{ v: {} }, { v: [] }, { v: 0 }, { v: true }]);
  expect(notes).toEqual([]);
});

test('a body that names its own prototype is broken without being lost', () => {
  const schema: JsonSchema = JSON.parse(
    '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"integer"}}}',
  );
  const base: Json = JSON.parse('{"__proto__":1}');
  expect(mutationsOf(schema, base).map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toContain(
    '/__proto__ required',
  );
});

test('keywords that cannot be broken alone are named', () => {
  const { notes } = invalidValues(value({ type: 'string', pattern: '^a{3}$', minLength: 3 }), { v: 'aaa' });
  expect(notes).toEqual([
    {
      at: '/properties/v/minLength',
      keyword: 'minLength',
      why: 'no value was found that breaks this keyword alone',
    },
  ]);
});

test('a base that is invalid has no mutations', () => {
  expect(invalidValues({ type: 'string' }, 5)).toEqual({
    mutations: [],
    notes: [{ at: '', keyword: '', why: 'the value to start from is not valid' }],
  });
});

test('mutations are enumerated the same every time', () => {
  const schema = value({
    type: 'array',
    minItems: 2,
    uniqueItems: true,
    items: { type: 'string', pattern: '^[a-f]+$' },
  });
  expect(mutationsOf(schema, { v: ['a', 'b'] })).toEqual(mutationsOf(schema, { v: ['a', 'b'] }));
});
