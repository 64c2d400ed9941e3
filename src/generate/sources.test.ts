import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arraysOf } from './arrays.ts';
import type { Json, JsonSchema } from './json.ts';
import { objectsOf } from './objects.ts';
import type { Source } from './source.ts';
import { stringsOf } from './strings.ts';
import { type Study, study } from './study.ts';

type Written = {
  readonly smallest: Json;
  readonly loose: boolean;
  readonly cost: number;
  /** The fewest and the most items, members or characters of what is drawn, before it is checked. */
  readonly sizes: readonly [number, number];
};
type Case = readonly [schema: JsonSchema, depth: number, written: Written | undefined];
type Way = Parameters<Study['builder']['expansion']['separate']>[0];

function written(
  schema: JsonSchema,
  write: (made: Study, way: Way) => Source | undefined,
): Written | undefined {
  const made = study(schema, { formats: 'assert' });
  if ('failure' in made) throw new Error(made.failure.why);
  const [way] = made.builder.expansion.expand([made.builder.index.root]);
  const source = way === undefined ? undefined : write(made, way);
  if (source === undefined) return undefined;
  const sizes = fc
    .sample(source.arbitrary, { seed: 3, numRuns: 400 })
    .map((value) => (typeof value === 'string' ? [...value] : Object.keys(value ?? {})).length);
  const { smallest, loose, cost } = source;
  return { smallest, loose, cost, sizes: [Math.min(...sizes), Math.max(...sizes)] };
}

test.each<Case>([
  [{ items: { const: 1 } }, 0, { smallest: [], loose: false, cost: 6, sizes: [0, 5] }],
  [{ items: { const: 1 } }, 1, { smallest: [], loose: false, cost: 5, sizes: [0, 4] }],
  [{ items: { const: 1 } }, 4, { smallest: [], loose: false, cost: 2, sizes: [0, 1] }],
  [{ items: { const: 1 } }, 5, { smallest: [], loose: false, cost: 1, sizes: [0, 0] }],
  [{ items: { const: 1 }, minItems: 2 }, 5, { smallest: [1, 1], loose: false, cost: 3, sizes: [2, 2] }],
  [{ items: { const: 1 }, minItems: 2 }, 0, { smallest: [1, 1], loose: false, cost: 8, sizes: [2, 7] }],
  [
    { items: { const: 1 }, minItems: 2, maxItems: 4 },
    0,
    { smallest: [1, 1], loose: false, cost: 5, sizes: [2, 4] },
  ],
  [{ items: { const: 1 }, maxItems: 0 }, 0, { smallest: [], loose: false, cost: 1, sizes: [0, 0] }],
  [
    { items: { type: 'array', items: { const: 1 } } },
    0,
    { smallest: [], loose: false, cost: 26, sizes: [0, 5] },
  ],
  [
    { items: { type: 'array', minItems: 30, items: { const: 1 } } },
    0,
    { smallest: [], loose: false, cost: 36, sizes: [0, 1] },
  ],
  [{ items: { enum: [1, 2] }, uniqueItems: true }, 0, { smallest: [], loose: true, cost: 3, sizes: [0, 2] }],
  [
    { items: { enum: [1, 2] }, uniqueItems: true, minItems: 2 },
    0,
    { smallest: [1, 2], loose: true, cost: 3, sizes: [2, 2] },
  ],
  [{ items: { enum: [1, 2] }, uniqueItems: true, minItems: 3 }, 0, undefined],
  [
    { items: { type: 'integer' }, uniqueItems: true, minItems: 3 },
    0,
    { smallest: [0, 7, 3], loose: true, cost: 9, sizes: [3, 8] },
  ],
  [{ prefixItems: [{ const: 1 }, { const: 2 }] }, 0, { smallest: [], loose: false, cost: 3, sizes: [0, 2] }],
  [{ prefixItems: [{ const: 1 }, { const: 2 }] }, 5, { smallest: [], loose: false, cost: 3, sizes: [0, 0] }],
  [
    { prefixItems: [{ const: 1 }, { const: 2 }], minItems: 1 },
    0,
    { smallest: [1], loose: false, cost: 3, sizes: [1, 2] },
  ],
  [
    { prefixItems: [{ const: 1 }, { const: 2 }], minItems: 1 },
    5,
    { smallest: [1], loose: false, cost: 3, sizes: [1, 1] },
  ],
  [
    { prefixItems: [{ const: 1 }, { const: 2 }], items: false },
    0,
    { smallest: [], loose: false, cost: 3, sizes: [0, 2] },
  ],
  [{ prefixItems: [{ const: 1 }, { const: 2 }], items: false, minItems: 3 }, 0, undefined],
  [
    { prefixItems: [{ const: 1 }, { const: 2 }], items: { const: 3 }, minItems: 2 },
    0,
    { smallest: [1, 2], loose: false, cost: 8, sizes: [2, 7] },
  ],
  [
    { prefixItems: [{ const: 1 }, { const: 2 }], items: { const: 3 }, minItems: 3 },
    5,
    { smallest: [1, 2, 3], loose: false, cost: 4, sizes: [3, 3] },
  ],
  [
    { prefixItems: [{ const: 1 }, { const: 2 }], items: { const: 3 }, maxItems: 2 },
    0,
    { smallest: [], loose: false, cost: 3, sizes: [0, 2] },
  ],
  [
    { prefixItems: [{ const: 1 }, false], items: { const: 3 } },
    0,
    { smallest: [], loose: false, cost: 2, sizes: [0, 1] },
  ],
  [{ prefixItems: [{ const: 1 }, false], minItems: 2 }, 0, undefined],
  [
    { contains: { const: 1 }, items: { enum: [1, 2] } },
    0,
    { smallest: [1], loose: true, cost: 7, sizes: [1, 6] },
  ],
  [
    { contains: { const: 1 }, items: { enum: [1, 2] } },
    5,
    { smallest: [1], loose: true, cost: 2, sizes: [1, 1] },
  ],
  [
    { contains: { const: 1 }, items: { enum: [1, 2] }, maxContains: 1, maxItems: 2 },
    0,
    { smallest: [1], loose: true, cost: 3, sizes: [1, 2] },
  ],
  [
    { contains: { const: 1 }, minContains: 2, items: { enum: [1, 2] } },
    0,
    { smallest: [1, 1], loose: true, cost: 8, sizes: [2, 7] },
  ],
  [
    { contains: { const: 1 }, minContains: 0, items: { enum: [1, 2] } },
    0,
    { smallest: [], loose: true, cost: 6, sizes: [0, 5] },
  ],
  [{ contains: false }, 0, undefined],
  [{ contains: { const: 1 }, maxItems: 0 }, 0, undefined],
  [{ allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }], maxItems: 1 }, 0, undefined],
  [{ items: { const: 1 }, minItems: 2001 }, 0, undefined],
  [{ items: false, minItems: 1 }, 0, undefined],
  [{ items: false }, 0, { smallest: [], loose: false, cost: 1, sizes: [0, 0] }],
])('arrays of %j at depth %d', (schema, depth, expected) => {
  expect(written(schema, ({ builder }, way) => arraysOf(builder, way.arrays, depth))).toEqual(expected);
});

test.each<Case>([
  [{ properties: { a: { const: 1 } } }, 0, { smallest: {}, loose: false, cost: 2, sizes: [0, 1] }],
  [{ properties: { a: { const: 1 } } }, 5, { smallest: {}, loose: false, cost: 1, sizes: [0, 0] }],
  [
    { required: ['a'], properties: { a: { const: 1 }, b: { const: 2 } } },
    0,
    { smallest: { a: 1 }, loose: false, cost: 3, sizes: [1, 2] },
  ],
  [
    { required: ['a'], properties: { a: { const: 1 }, b: { const: 2 } } },
    5,
    { smallest: { a: 1 }, loose: false, cost: 2, sizes: [1, 1] },
  ],
  [
    { required: ['a'], properties: { a: { const: 1 }, b: { const: 2 } }, maxProperties: 1 },
    0,
    { smallest: { a: 1 }, loose: false, cost: 3, sizes: [1, 1] },
  ],
  [{ required: ['a', 'b'], maxProperties: 1 }, 0, undefined],
  [{ required: ['a'], properties: { a: false } }, 0, undefined],
  [
    { minProperties: 2, properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } } },
    0,
    { smallest: { a: 1, b: 2 }, loose: false, cost: 4, sizes: [2, 3] },
  ],
  [
    { minProperties: 2, properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } } },
    5,
    { smallest: { a: 1, b: 2 }, loose: false, cost: 4, sizes: [2, 2] },
  ],
  [
    { minProperties: 2, properties: { a: { const: 'long text' }, b: { const: 2 }, c: { const: 3 } } },
    0,
    { smallest: { b: 2, c: 3 }, loose: false, cost: 4, sizes: [2, 3] },
  ],
  [{ minProperties: 2, properties: { a: { const: 1 } }, additionalProperties: false }, 0, undefined],
  [
    { minProperties: 2, properties: { a: { const: 1 } }, additionalProperties: { const: 2 } },
    0,
    { smallest: { a: 1, alpha: 2 }, loose: false, cost: 6, sizes: [2, 5] },
  ],
  [
    { minProperties: 2, properties: { a: { const: 1 } } },
    0,
    { smallest: { a: 1, alpha: 0 }, loose: false, cost: 134, sizes: [2, 5] },
  ],
  [{ additionalProperties: { const: 2 } }, 0, { smallest: {}, loose: false, cost: 5, sizes: [0, 4] }],
  [{ additionalProperties: { const: 2 } }, 5, { smallest: {}, loose: false, cost: 1, sizes: [0, 0] }],
  [{ additionalProperties: {} }, 0, { smallest: {}, loose: false, cost: 1, sizes: [0, 0] }],

  [{ patternProperties: { '^x$': false } }, 0, { smallest: {}, loose: true, cost: 1, sizes: [0, 0] }],
  [
    {
      patternProperties: { '^x$': { const: 1 }, '^y$': { const: 2 } },
      additionalProperties: false,
      minProperties: 2,
    },
    0,
    { smallest: { x: 1, y: 2 }, loose: true, cost: 3, sizes: [2, 2] },
  ],
  [
    { properties: { a: { const: 1 }, b: { const: 2 } }, dependentRequired: { a: ['b'] } },
    0,
    { smallest: {}, loose: true, cost: 3, sizes: [0, 2] },
  ],
  [
    { required: ['a'], properties: { a: { const: 1 }, b: { const: 2 } }, dependentRequired: { a: ['b'] } },
    0,
    { smallest: { a: 1, b: 2 }, loose: true, cost: 3, sizes: [2, 2] },
  ],
  [
    {
      required: ['a'],
      properties: { a: { const: 1 }, b: { const: 2 } },
      dependentRequired: { a: ['b'] },
      maxProperties: 1,
    },
    0,
    undefined,
  ],
  [
    {
      properties: { a: { const: 1 }, b: { const: 2 } },
      dependentRequired: { a: ['b'] },
      minProperties: 1,
      maxProperties: 1,
    },
    0,
    { smallest: { a: 1, b: 2 }, loose: true, cost: 3, sizes: [1, 2] },
  ],
  [
    {
      properties: { a: { const: 1 }, b: { const: 2 } },
      dependentRequired: { a: ['z'] },
      additionalProperties: false,
    },
    0,
    { smallest: {}, loose: true, cost: 2, sizes: [0, 1] },
  ],
  [
    { propertyNames: { pattern: '^k$' }, minProperties: 1 },
    0,
    { smallest: { k: 0 }, loose: false, cost: 34, sizes: [1, 1] },
  ],
  [
    { propertyNames: { enum: ['p', 'q'] }, minProperties: 2, additionalProperties: { const: 1 } },
    0,
    { smallest: { p: 1, q: 1 }, loose: false, cost: 3, sizes: [2, 2] },
  ],
  [{ propertyNames: { enum: ['p', 'q'] }, minProperties: 3 }, 0, undefined],
  [
    { propertyNames: false, properties: { a: true } },
    0,
    { smallest: {}, loose: false, cost: 1, sizes: [0, 0] },
  ],
  [
    { properties: { a: { type: 'array', minItems: 70, items: { const: 1 } }, b: { const: 2 } } },
    0,
    { smallest: {}, loose: false, cost: 61, sizes: [0, 2] },
  ],
  [
    {
      properties: { a: { type: 'array', minItems: 70, items: { const: 1 } }, b: { const: 2 } },
      maxProperties: 1,
    },
    0,
    { smallest: {}, loose: false, cost: 2, sizes: [0, 1] },
  ],
  [
    { maxProperties: 0, properties: { a: { const: 1 } } },
    0,
    { smallest: {}, loose: false, cost: 2, sizes: [0, 0] },
  ],
  // Where there must be a member, as in a PATCH, a large one may be there as well.
  [
    {
      properties: { a: { type: 'array', minItems: 70, items: { const: 1 } }, b: { const: 2 } },
      minProperties: 1,
    },
    0,
    { smallest: { b: 2 }, loose: false, cost: 61, sizes: [1, 2] },
  ],
])('objects of %j at depth %d', (schema, depth, expected) => {
  expect(written(schema, ({ builder }, way) => objectsOf(builder, way.objects, depth))).toEqual(expected);
});

test.each<Case>([
  [{ type: 'string' }, 0, { smallest: 'a', loose: false, cost: 1, sizes: [1, 200] }],
  [
    { type: 'string', minLength: 3, maxLength: 5 },
    0,
    { smallest: 'aaa', loose: false, cost: 1, sizes: [3, 5] },
  ],
  [{ type: 'string', maxLength: 0 }, 0, { smallest: '', loose: false, cost: 1, sizes: [0, 0] }],
  [{ type: 'string', format: 'date' }, 0, { smallest: '2024-01-01', loose: false, cost: 1, sizes: [10, 10] }],
  [
    { type: 'string', format: 'date', maxLength: 20 },
    0,
    { smallest: '2024-01-01', loose: true, cost: 1, sizes: [10, 10] },
  ],
  [
    { type: 'string', format: 'date', maxLength: 5 },
    0,
    { smallest: 'a', loose: true, cost: 1, sizes: [1, 5] },
  ],
  [{ type: 'string', format: 'colour' }, 0, { smallest: 'a', loose: true, cost: 1, sizes: [1, 200] }],
  [
    { type: 'string', format: 'uuid', pattern: '^0' },
    0,
    { smallest: '00000000-0000-4000-8000-000000000000', loose: true, cost: 1, sizes: [36, 36] },
  ],
  [{ type: 'string', pattern: '^a{2,4}$' }, 0, { smallest: 'aa', loose: false, cost: 1, sizes: [2, 4] }],
  [
    { type: 'string', pattern: '^a{2,4}$', minLength: 3 },
    0,
    { smallest: 'aaa', loose: false, cost: 1, sizes: [3, 4] },
  ],
  [{ type: 'string', pattern: '^a{5}$', maxLength: 4 }, 0, undefined],
  [
    { type: 'string', allOf: [{ pattern: '^a' }, { pattern: 'b$' }] },
    0,
    { smallest: 'afb', loose: false, cost: 1, sizes: [2, 4] },
  ],
  [{ type: 'string', allOf: [{ pattern: '^a' }, { pattern: '^b' }] }, 0, undefined],
  [
    { type: 'string', allOf: [{ format: 'email' }, { format: 'date' }] },
    0,
    { smallest: 'a@b.example', loose: true, cost: 1, sizes: [9, 42] },
  ],
  [
    { type: 'string', format: 'email', minLength: 20 },
    0,
    { smallest: 'mcaller@v60y.example', loose: true, cost: 1, sizes: [20, 42] },
  ],
])('text of %j', (schema, _, expected) => {
  expect(
    written(schema, ({ builder }, way) => stringsOf(builder, way.strings, [builder.index.root])),
  ).toEqual(expected);
});
