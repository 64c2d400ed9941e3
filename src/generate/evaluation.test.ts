import { describe, expect, test } from 'vitest';
import { codePoints, isOfType, sameJson } from './evaluation.ts';
import type { Json, JsonSchema } from './json.ts';
import { study } from './study.ts';

/** A name that makes an object look like a promise to linters. */
const THEN = 'then';

/** What is wrong by the second reading, each fault with its place in the value and in the schema; and whether ajv agrees. */
function faultsOf(schema: JsonSchema, value: Json): { faults: readonly string[]; ajv: boolean } {
  const made = study(schema, { formats: 'assert' });
  if ('failure' in made) throw new Error(made.failure.why);
  const { faults } = made.builder.evaluator.evaluate(made.builder.index.root, value);
  return {
    faults: faults.map(({ pointer, schemaPointer }) => `${pointer} ${schemaPointer}`),
    ajv: made.compiled.valid(value),
  };
}

describe('what a schema says of a value', () => {
  test.each<[JsonSchema, Json, readonly string[]]>([
    [true, 1, []],
    [false, 1, [' ']],
    [{}, null, []],
    // Types.
    [{ type: 'null' }, null, []],
    [{ type: 'null' }, 0, [' /type']],
    [{ type: 'null' }, {}, [' /type']],
    [{ type: 'boolean' }, false, []],
    [{ type: 'boolean' }, 'true', [' /type']],
    [{ type: 'integer' }, 2, []],
    [{ type: 'integer' }, 2.5, [' /type']],
    [{ type: 'number' }, 2.5, []],
    [{ type: 'array' }, [], []],
    [{ type: 'array' }, {}, [' /type']],
    [{ type: 'object' }, {}, []],
    [{ type: 'object' }, [], [' /type']],
    [{ type: 'object' }, null, [' /type']],
    [{ type: ['string', 'null'] }, null, []],
    [{ type: ['string', 'null'] }, 3, [' /type']],
    // Listed values.
    [{ const: null }, null, []],
    [{ const: null }, 0, [' /const']],
    [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }, []],
    [{ const: { a: 1 } }, { a: 1, b: 2 }, [' /const']],
    [{ const: [1, 2] }, [2, 1], [' /const']],
    [{ enum: ['a', 3] }, 3, []],
    [{ enum: ['a', 3] }, '3', [' /enum']],
    // Numbers, each at its bound.
    [{ minimum: 3 }, 3, []],
    [{ minimum: 3 }, 2.9, [' /minimum']],
    [{ maximum: 3 }, 3, []],
    [{ maximum: 3 }, 3.1, [' /maximum']],
    [{ exclusiveMinimum: 3 }, 3.1, []],
    [{ exclusiveMinimum: 3 }, 3, [' /exclusiveMinimum']],
    [{ exclusiveMaximum: 3 }, 2.9, []],
    [{ exclusiveMaximum: 3 }, 3, [' /exclusiveMaximum']],
    [{ multipleOf: 0.01 }, 19.99, []],
    [{ multipleOf: 0.5 }, 0.75, [' /multipleOf']],
    [{ minimum: 3, multipleOf: 2 }, 1, [' /minimum', ' /multipleOf']],
    [{ minimum: 3, maximum: 1, multipleOf: 7, minLength: 9 }, true, []],
    // Text.
    [{ minLength: 2 }, 'ab', []],
    [{ minLength: 2 }, '😀', [' /minLength']],
    [{ maxLength: 2 }, '😀😀', []],
    [{ maxLength: 2 }, 'abc', [' /maxLength']],
    [{ pattern: 'b' }, 'abc', []],
    [{ pattern: '^b' }, 'abc', [' /pattern']],
    [{ pattern: '^b' }, 7, []],
    [{ format: 'date' }, '2024-02-29', []],
    [{ format: 'date' }, '2023-02-29', [' /format']],
    [{ format: 'date' }, 5, []],
    // Arrays.
    [{ minItems: 1 }, [0], []],
    [{ minItems: 1 }, [], [' /minItems']],
    [{ maxItems: 1 }, [0], []],
    [{ maxItems: 1 }, [0, 0], [' /maxItems']],
    [{ uniqueItems: true }, [1, '1', { a: 1 }], []],
    [{ uniqueItems: true }, [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }], [' /uniqueItems']],
    [{ uniqueItems: false }, [1, 1], []],
    [{ minItems: 1, uniqueItems: true }, 'aa', []],
    [{ prefixItems: [{ type: 'null' }, { type: 'null' }] }, [null], []],
    [{ prefixItems: [{ type: 'null' }, { type: 'null' }] }, [1, null, 2], ['/0 /prefixItems/0/type']],
    [{ items: { type: 'null' } }, [null, 1, 2], ['/1 /items/type', '/2 /items/type']],
    [{ prefixItems: [true], items: { type: 'null' } }, [1, 2], ['/1 /items/type']],
    [{ prefixItems: [true], items: false }, [1], []],
    [{ prefixItems: [true], items: false }, [1, 2, 3], ['/1 /items', '/2 /items']],
    [{ items: true }, [1], []],
    [{ contains: { type: 'null' } }, [1, null], []],
    [{ contains: { type: 'null' } }, [1], [' /contains']],
    [{ contains: { type: 'null' } }, [], [' /contains']],
    [{ contains: { type: 'null' }, minContains: 0 }, [], []],
    [{ contains: { type: 'null' }, minContains: 2 }, [null, null], []],
    [{ contains: { type: 'null' }, minContains: 2 }, [null, 1], [' /contains']],
    [{ contains: { type: 'null' }, maxContains: 1 }, [null, 1], []],
    [{ contains: { type: 'null' }, maxContains: 1 }, [null, null], [' /contains']],
    [{ minContains: 2 }, [1], []],
    [{ unevaluatedItems: false }, [], []],
    [{ unevaluatedItems: false }, [1], ['/0 /unevaluatedItems']],
    [{ unevaluatedItems: { type: 'null' } }, [null, 1], ['/1 /unevaluatedItems/type']],
    [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], ['/1 /unevaluatedItems']],
    [{ items: true, unevaluatedItems: false }, [1, 2], []],
    [{ contains: { type: 'null' }, unevaluatedItems: false }, [null, null], []],
    [{ allOf: [{ prefixItems: [true, true] }], unevaluatedItems: false }, [1, 2], []],
    [
      {
        anyOf: [{ prefixItems: [{ const: 1 }] }, { prefixItems: [true, { const: 2 }] }],
        unevaluatedItems: false,
      },
      [1, 3],
      ['/1 /unevaluatedItems'],
    ],
    // Where something else is wrong, what is left over follows from that.
    [{ minItems: 3, unevaluatedItems: false }, [1], [' /minItems']],
    // Objects.
    [{ minProperties: 1 }, { a: 1 }, []],
    [{ minProperties: 1 }, {}, [' /minProperties']],
    [{ maxProperties: 1 }, { a: 1 }, []],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, [' /maxProperties']],
    [{ maxProperties: 0, required: ['a'] }, [1], []],
    [{ required: ['a', 'b'] }, { b: 1 }, ['/a /required']],
    [{ required: ['toString'] }, {}, ['/toString /required']],
    [{ properties: { a: { type: 'null' }, b: { type: 'null' } } }, { b: 1 }, ['/b /properties/b/type']],
    [{ properties: { toString: { type: 'null' } } }, {}, []],
    [{ properties: { a: false } }, { a: 1 }, ['/a /properties/a']],
    [{ patternProperties: { '^a': { type: 'null' } } }, { b: 1, ab: 1 }, ['/ab /patternProperties/^a/type']],
    [
      { properties: { ab: { minimum: 2 } }, patternProperties: { '^a': { minimum: 3 } } },
      { ab: 1 },
      ['/ab /properties/ab/minimum', '/ab /patternProperties/^a/minimum'],
    ],
    [{ additionalProperties: false }, {}, []],
    [{ additionalProperties: false }, { a: 1 }, ['/a /additionalProperties']],
    [{ properties: { a: true }, additionalProperties: false }, { a: 1 }, []],
    [
      { patternProperties: { '^a': true }, additionalProperties: false },
      { ab: 1, b: 1 },
      ['/b /additionalProperties'],
    ],
    [{ additionalProperties: { type: 'null' } }, { a: 1 }, ['/a /additionalProperties/type']],
    [{ propertyNames: { maxLength: 1 } }, { a: 1, bc: 1 }, ['/bc /propertyNames']],
    [{ propertyNames: { maxLength: 1 } }, ['bc'], []],
    [{ dependentRequired: { a: ['b', 'c'] } }, { a: 1, c: 1 }, ['/b /dependentRequired']],
    [{ dependentRequired: { a: ['b'] } }, { c: 1 }, []],
    [{ dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, ['/b /dependentSchemas/a/required']],
    [{ dependentSchemas: { a: { required: ['b'] } } }, {}, []],
    [
      {
        dependentSchemas: { a: { properties: { b: true } } },
        properties: { a: true },
        unevaluatedProperties: false,
      },
      { a: 1, b: 1 },
      [],
    ],
    [{ unevaluatedProperties: false }, { a: 1 }, ['/a /unevaluatedProperties']],
    [{ unevaluatedProperties: { type: 'null' } }, { a: 1, b: null }, ['/a /unevaluatedProperties/type']],
    [{ allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, { a: 1 }, []],
    [{ additionalProperties: true, unevaluatedProperties: false }, { a: 1 }, []],
    [{ patternProperties: { '^a': true }, unevaluatedProperties: false }, { ab: 1 }, []],
    [{ required: ['b'], unevaluatedProperties: false }, { a: 1 }, ['/b /required']],
    [{ allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false }, { a: 1 }, []],
    // Nested places.
    [
      { properties: { 'a/b': { items: { required: ['c'] } } } },
      { 'a/b': [{}] },
      ['/a~1b/0/c /properties/a~1b/items/required'],
    ],
    // In place.
    [{ $ref: '#/$defs/x', $defs: { x: { type: 'null' } } }, 1, [' /$defs/x/type']],
    [
      { $ref: '#/$defs/x', minimum: 3, $defs: { x: { maximum: 0 } } },
      1,
      [' /minimum', ' /$defs/x/maximum'].toSorted(),
    ],
    [{ allOf: [{ minimum: 3 }, { type: 'null' }] }, 1, [' /allOf/0/minimum', ' /allOf/1/type']],
    [{ anyOf: [{ minimum: 3 }, { type: 'null' }] }, 3, []],
    [{ anyOf: [{ minimum: 3 }, { type: 'number' }] }, 3, []],
    [{ anyOf: [{ minimum: 3 }, { type: 'null' }] }, 1, [' /anyOf']],
    [{ oneOf: [{ minimum: 3 }, { type: 'null' }] }, 3, []],
    [{ oneOf: [{ minimum: 3 }, { type: 'number' }] }, 3, [' /oneOf']],
    [{ oneOf: [{ minimum: 3 }, { type: 'null' }] }, 1, [' /oneOf']],
    [{ oneOf: [{ properties: { a: true } }, { type: 'null' }], unevaluatedProperties: false }, { a: 1 }, []],
    [
      {
        anyOf: [{ properties: { a: { const: 2 } } }, { properties: { b: true } }],
        unevaluatedProperties: false,
      },
      { a: 1, b: 1 },
      ['/a /unevaluatedProperties'],
    ],
    [{ not: { type: 'null' } }, 1, []],
    [{ not: { type: 'null' } }, null, [' /not']],
    [{ not: {} }, 1, [' /not']],
    [{ if: { minimum: 5 }, [THEN]: { maximum: 7 }, else: { minimum: 2 } }, 6, []],
    [{ if: { minimum: 5 }, [THEN]: { maximum: 7 }, else: { minimum: 2 } }, 8, [' /then/maximum']],
    [{ if: { minimum: 5 }, [THEN]: { maximum: 7 }, else: { minimum: 2 } }, 1, [' /else/minimum']],
    [{ if: { minimum: 5 }, [THEN]: { maximum: 7 } }, 1, []],
    [{ if: { minimum: 5 }, else: { minimum: 2 } }, 8, []],
    [{ [THEN]: { maximum: 7 }, else: { minimum: 9 } }, 8, []],
    [
      { if: { properties: { a: { const: 2 } } }, unevaluatedProperties: false },
      { a: 1 },
      ['/a /unevaluatedProperties'],
    ],
    [
      { if: { required: ['a'] }, [THEN]: { properties: { a: true } }, unevaluatedProperties: false },
      { a: 1 },
      [],
    ],
  ])('%j of %j', (schema, value, expected) => {
    const { faults, ajv } = faultsOf(schema, value);
    expect(faults.toSorted()).toEqual(expected.toSorted());
    expect(ajv).toBe(expected.length === 0);
  });

  test.each<[JsonSchema, Json, readonly string[]]>([
    [{ contains: { type: 'null' }, unevaluatedItems: false }, [null, 1], ['/1 /unevaluatedItems']],
    [{ if: { properties: { a: { const: 1 } } }, unevaluatedProperties: false }, { a: 1 }, []],
  ])('%j of %j, where ajv keeps no annotations and says otherwise', (schema, value, expected) => {
    expect(faultsOf(schema, value)).toEqual({ faults: expected, ajv: expected.length > 0 });
  });

  test('a keyword of a kind that it cannot have says nothing', () => {
    const made = study(true);
    if ('failure' in made) throw new Error(made.failure.why);
    const { index, evaluator } = made.builder;
    for (const schema of [
      { required: 'a', dependentRequired: { b: 'c' }, dependentSchemas: 1, properties: null },
      { required: [7], dependentRequired: { b: [7] } },
      { minimum: '9', maxProperties: '0', pattern: 1, format: 1, enum: 1, allOf: {}, anyOf: {}, oneOf: 3 },
      { $ref: 7, $dynamicRef: 7 },
    ])
      expect(evaluator.holds(index.standIn(index.root, JSON.stringify(schema), schema), { b: 1 })).toBe(true);
  });

  test('a given place comes before every pointer', () => {
    const made = study({ required: ['b'], type: 'object' });
    if ('failure' in made) throw new Error(made.failure.why);
    const { index, evaluator } = made.builder;
    expect(evaluator.evaluate(index.root, {}, ['a', 0]).faults).toEqual([
      { pointer: '/a/0/b', keyword: 'required', schemaPointer: '/required' },
    ]);
    expect(evaluator.holds(index.root, {})).toBe(false);
    expect(evaluator.holds(index.root, { b: 1 })).toBe(true);
  });

  test('of anyOf and oneOf it says what each branch found wrong', () => {
    const made = study({ anyOf: [{ type: 'null' }, { minimum: 3 }] });
    if ('failure' in made) throw new Error(made.failure.why);
    const { index, evaluator } = made.builder;
    const [fault] = evaluator.evaluate(index.root, 1).faults;
    expect(
      fault?.branches?.map(({ node, faults }) => [node.at, faults.map(({ keyword }) => keyword)]),
    ).toEqual([
      ['/anyOf/0', ['type']],
      ['/anyOf/1', ['minimum']],
    ]);
  });

  test('a reference that goes round in place ends', () => {
    const made = study({ $ref: '#' });
    if ('failure' in made) throw new Error(made.failure.why);
    expect(made.builder.evaluator.holds(made.builder.index.root, 1)).toBe(true);
  });
});

test('the evaluation says what was looked at', () => {
  const made = study({ properties: { a: true }, patternProperties: { '^x': true } });
  if ('failure' in made) throw new Error(made.failure.why);
  const { index, evaluator } = made.builder;
  expect([...evaluator.evaluate(index.root, { a: 1, b: 1, xy: 1 }).members]).toEqual(['a', 'xy']);
  const list = index.standIn(index.root, 'list', { prefixItems: [true], contains: { const: 3 } });
  expect([...evaluator.evaluate(list, [1, 2, 3]).items]).toEqual([0, 2]);
});

test('length is counted in code points', () => {
  expect([codePoints(''), codePoints('ab'), codePoints('😀'), codePoints('e\u0301')]).toEqual([0, 2, 1, 2]);
});

test.each<[Json, Json, boolean]>([
  [1, 1, true],
  [1, '1', false],
  [null, null, true],
  [null, [], false],
  [[], {}, false],
  [{ a: [1] }, { a: [1] }, true],
  ['{}', {}, false],
  [{}, '{}', false],
])('%j and %j are the same: %s', (one, other, same) => {
  expect(sameJson(one, other)).toBe(same);
});

test('1.0 is an integer, and no text is', () => {
  expect(isOfType('integer', 1.0)).toBe(true);
  expect(isOfType('integer', '1')).toBe(false);
  expect(isOfType('string', '1')).toBe(true);
});
