import { expect, test } from 'vitest';
import type { Json, JsonSchema } from './json.ts';
import { type Case, linesOf } from './literal/mutations.ts';
import { jsonType, negated } from './negated-edits.ts';
import { placesIn } from './places.ts';
import { study } from './study.ts';

/** A name that makes an object look like a promise to linters. */
const THEN = 'then';

const cases: readonly Case[] = [
  [
    'required',
    {
      dependentSchemas: { a: { properties: { b: { const: 1 } }, required: ['b'] } },
      properties: { a: { const: 0 } },
    },
    {},
    ['/b a is present without what it requires: {"a":0}'],
  ],
  [
    'oneOf',
    { enum: [1, 2, 3], oneOf: [{ const: 1 }, { const: 2 }] },
    1,
    [' the body satisfies none of the alternatives: 3'],
  ],
  [
    'oneOf, enum',
    { oneOf: [{ enum: [1, 2] }, { enum: [2, 3] }, { enum: [3, 4] }] },
    1,
    [
      ' the body satisfies none of the alternatives: 0',
      ' the body satisfies more than one of the alternatives: 2',
      ' the body is none of the listed values: 3',
      ' the body is none of the listed values: 1.5',
    ],
  ],
  [
    'anyOf, required',
    {
      type: 'object',
      properties: { a: { const: 1 }, b: { const: 2 } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { a: 1, b: 2 },
    [' the body satisfies none of the alternatives: {}'],
  ],
  [
    'anyOf, required',
    {
      type: 'object',
      properties: { a: { const: 1 }, b: { const: 2 } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { a: 1 },
    [' the body satisfies none of the alternatives: {}', '/a a is missing: {}'],
  ],
  [
    'oneOf, required',
    {
      type: 'object',
      properties: { a: { const: 1 }, b: { const: 2 } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { a: 1 },
    [
      ' the body satisfies none of the alternatives: {}',
      ' the body satisfies more than one of the alternatives: {"a":1,"b":2}',
      '/a a is missing: {}',
    ],
  ],
  ['not', { not: { const: 5 } }, 1, [' the body has a value that the schema excludes: 5']],
  [
    'not',
    { enum: [1, 'x'], not: { type: 'string' } },
    1,
    [' the body has a value that the schema excludes: "x"'],
  ],
  [
    'required, maximum',
    {
      type: 'object',
      required: ['k'],
      properties: { k: { enum: [1, 2] }, x: { const: 1 }, y: { const: 2 } },
      if: { properties: { k: { const: 1 } } },
      [THEN]: { required: ['x'] },
      else: { required: ['y'] },
    },
    { k: 1, x: 1 },
    [
      '/k k is missing: {"x":1}',
      '/y the body meets neither the condition (if) nor the alternative (else): {"k":2,"x":1}',
      '/x x is missing: {"k":1}',
    ],
  ],
  [
    'required, maximum',
    {
      type: 'object',
      required: ['k'],
      properties: { k: { enum: [1, 2] }, x: { const: 1 }, y: { const: 2 } },
      if: { properties: { k: { const: 1 } } },
      [THEN]: { required: ['x'] },
      else: { required: ['y'] },
    },
    { k: 2, y: 2 },
    [
      '/x the body meets the condition (if), but not what follows (then): {"k":1,"y":2}',
      '/y y is missing: {"k":2}',
    ],
  ],
  [
    'maximum, minimum',
    { enum: [1, 7, 12], if: { minimum: 10 }, else: { maximum: 5 } },
    1,
    [' the body breaks maximum: 7'],
  ],
  [
    'required, type',
    { properties: { a: { anyOf: [{ type: 'object', required: ['b'] }, { type: 'null' }] } } },
    { a: { b: true } },
    [
      '/a a is an array instead of an object: {"a":[]}',
      '/a a is a number instead of an object: {"a":0}',
      '/a a is a boolean instead of an object: {"a":true}',
      '/a a is text instead of an object: {"a":"text"}',
      '/a/b b is missing: {"a":{}}',
    ],
  ],
  [
    'required, anyOf',
    { properties: { a: { anyOf: [{ type: 'object', required: ['b'] }, { type: 'null' }] } } },
    { a: { b: true } },
    ['/a a satisfies none of the alternatives: {"a":{}}', '/a/b b is missing: {"a":{}}'],
  ],
  [
    'const',
    {
      $ref: '#/$defs/a',
      $defs: { a: { allOf: [{ properties: { x: { $ref: '#/$defs/b' } } }] }, b: { const: true } },
    },
    { x: true },
    ['/x x is not the one value that is allowed: {"x":false}'],
  ],
  ['format', { format: 'date' }, 5, [' the body is of another type and breaks format: "a"']],
  ['format', { format: 'int32' }, 'x', []],
  [
    'enum',
    { enum: [5, '9'] },
    5,
    [
      ' the body is none of the listed values: 6',
      ' the body is none of the listed values: 4',
      ' the body is none of the listed values: 5.5',
    ],
  ],
  [
    'enum',
    { enum: ['a'] },
    'a',
    [
      ' the body is none of the listed values: "not-a"',
      ' the body is none of the listed values: "ax"',
      ' the body is none of the listed values: "b"',
    ],
  ],
  ['enum', { enum: [true] }, true, [' the body is none of the listed values: false']],
  [
    'not',
    { type: ['integer', 'string'], not: { enum: [5, 'x'] } },
    1,
    [' the body has a value that the schema excludes: 5'],
  ],
  [
    'anyOf',
    { type: ['integer', 'null'], anyOf: [{ const: null }, { minimum: 3 }] },
    null,
    [' the body satisfies none of the alternatives: 0'],
  ],
  [
    'oneOf',
    { type: 'integer', enum: [1, 2, 3, 4], oneOf: [{ enum: [1, 2] }, { enum: [1, 3] }] },
    2,
    [
      ' the body satisfies none of the alternatives: 4',
      ' the body satisfies more than one of the alternatives: 1',
    ],
  ],
  [
    'const',
    { oneOf: [{ const: 1 }, { type: 'string' }] },
    1,
    [
      ' the body is not the one value that is allowed: 2',
      ' the body is not the one value that is allowed: 1.5',
    ],
  ],
  [
    'oneOf',
    {
      type: 'object',
      properties: { a: { const: 1 }, b: { const: 2 } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
    },
    { a: 1, c: 9 },
    [
      ' the body satisfies none of the alternatives: {}',
      ' the body satisfies more than one of the alternatives: {"a":1,"c":9,"b":2}',
      ' the body satisfies more than one of the alternatives: {"a":1,"b":2}',
    ],
  ],
  [
    'anyOf',
    { anyOf: [{ type: 'number' }, { const: 'a' }] },
    1,
    [
      ' the body satisfies none of the alternatives: {}',
      ' the body satisfies none of the alternatives: []',
      ' the body satisfies none of the alternatives: "text"',
    ],
  ],
  [
    'anyOf',
    { anyOf: [{ type: ['object', 'array', 'string'] }] },
    {},
    [
      ' the body satisfies none of the alternatives: 0',
      ' the body satisfies none of the alternatives: true',
      ' the body satisfies none of the alternatives: null',
    ],
  ],
  [
    'required',
    { dependentSchemas: { z: { required: ['b'] } } },
    {},
    [
      '/b z is present without what it requires: {"z":0}',
      '/b z is present without what it requires: {"z":[]}',
    ],
  ],
  [
    'required',
    { if: { required: ['z'] }, [THEN]: { required: ['b'] } },
    {},
    [
      '/b the body meets the condition (if), but not what follows (then): {"z":0}',
      '/b the body meets the condition (if), but not what follows (then): {"z":[]}',
    ],
  ],
  [
    'required',
    { if: { required: ['z'] }, else: { required: ['y'] } },
    { z: 1 },
    ['/y the body meets neither the condition (if) nor the alternative (else): {}'],
  ],
  [
    'maximum',
    { type: 'integer', if: { minimum: 5 }, [THEN]: { maximum: 9 } },
    3,
    [
      ' the body meets the condition (if), but not what follows (then): 10',
      ' the body meets the condition (if), but not what follows (then): 999989',
      ' the body meets the condition (if), but not what follows (then): 23',
    ],
  ],
];

test.each(cases)('%s of %j, from %j', (...given) => {
  expect(linesOf(given)).toEqual(given[3]);
});

test.each<[string, JsonSchema, Json]>([
  ['contains', { items: { enum: [1, 2] }, contains: { const: 1 }, minContains: 2, maxItems: 3 }, [1, 1]],
  ['contains', { items: { enum: [1, 2] }, contains: { const: 1 }, maxContains: 1, maxItems: 3 }, [1]],
  ['additionalProperties', { properties: { a: { const: 1 } }, additionalProperties: false }, { a: 1 }],
  ['minimum', { minimum: 3, maximum: 9, multipleOf: 2 }, 6],
  ['enum', { enum: [1, 2], minimum: 0, maximum: 6, multipleOf: 1 }, 1],
  ['pattern', { pattern: '^a', maxLength: 3 }, 'ab'],
  ['minItems', { minItems: 2, items: { const: 1 } }, [1, 1]],
])('with %s negated, all else of %j still holds', (keyword, schema, base) => {
  const made = study(schema);
  if ('failure' in made) throw new Error(made.failure.why);
  const { index, evaluator } = made.builder;
  const [root] = placesIn(made, base, 0);
  const values = root === undefined ? [] : negated(made, root, index.root, keyword);
  const broken = values.map(
    (value) => new Set(evaluator.evaluate(index.root, value).faults.map((fault) => fault.keyword)),
  );
  expect(broken.length).toBeGreaterThan(0);
  for (const keywords of broken) expect(keywords).toEqual(new Set([keyword]));
});

test('types are those of JSON', () => {
  expect([null, true, 1, 'a', [], {}].map(jsonType)).toEqual([
    'null',
    'boolean',
    'number',
    'string',
    'array',
    'object',
  ]);
});
