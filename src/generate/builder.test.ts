import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonSchema } from './json.ts';
import { invalidValues } from './mutations.ts';
import { size } from './source.ts';
import { type Study, type StudyOptions, study } from './study.ts';
import { validValues } from './values.ts';

function made(schema: JsonSchema, options: StudyOptions = {}): Study {
  const found = study(schema, options);
  if ('failure' in found) throw new Error(found.failure.why);
  return found;
}

test.each<[Json, number]>([
  [1, 1],
  ['ab', 4],
  [null, 4],
  [[], 3],
  [{}, 3],
  [[1, 2], 6],
])('the size of %j is %d', (value, expected) => {
  expect(size(value)).toBe(expected);
});

test('a note is kept once for each keyword and place', () => {
  const { builder, notes } = made({ properties: { a: { minLength: 1 } } });
  const node = builder.index.child(builder.index.root, 'properties', 'a');
  builder.note(node, 'minLength', 'one');
  builder.note(node, 'minLength', 'two');
  builder.note(node, 'pattern', 'three');
  builder.note(undefined, 'minLength', 'four');
  builder.note(undefined, 'minLength', 'five');
  expect(notes).toEqual([
    { at: '/properties/a', keyword: 'minLength', why: 'one' },
    { at: '/properties/a', keyword: 'pattern', why: 'three' },
    { at: '', keyword: 'minLength', why: 'four' },
  ]);
});

describe('a source', () => {
  test('is made once for the same schemas, in whatever order, and for all that is deep', () => {
    const { builder } = made(
      { properties: { a: { type: 'integer' }, b: { minimum: 3 }, c: true } },
      { maxDepth: 2 },
    );
    const of = (name: string) =>
      builder.index.child(builder.index.root, 'properties', name) ?? builder.index.root;
    const [a, b, c] = [of('a'), of('b'), of('c')];
    const source = builder.source([a, b], 0);
    expect(source?.smallest).toBe(3);
    expect(builder.source([b, a], 0)).toBe(source);
    expect(builder.source([a, c, b, a], 0)).toBe(source);
    expect(builder.source([a], 0)).not.toBe(source);
    expect(builder.source([a, b], 3)).toBe(builder.source([a, b], 9));
    expect(builder.source([a, b], 2)).not.toBe(builder.source([a, b], 3));
  });

  test('lists all of its values where they are few', () => {
    const all = (schema: JsonSchema): readonly Json[] | undefined => {
      const { builder } = made(schema);
      return builder.source([builder.index.root], 0)?.all;
    };
    expect(all({ enum: [3, 1, 2], not: { const: 1 } })).toEqual([3, 2]);
    expect(all({ type: ['boolean', 'null'] })).toEqual([null, false, true]);
    expect(all({ type: 'boolean', not: { const: true } })).toEqual([false]);
    expect(all({ type: ['boolean', 'integer'] })).toBeUndefined();
    expect(all({ type: 'integer' })).toBeUndefined();
  });

  test('of several kinds costs what the dearest costs', () => {
    const cost = (schema: JsonSchema): number | undefined => {
      const { builder } = made(schema);
      return builder.source([builder.index.root], 0)?.cost;
    };
    expect(cost({ type: ['boolean', 'array'], items: { const: 1 }, minItems: 3 })).toBe(9);
    expect(cost({ type: ['boolean', 'null'] })).toBe(1);
  });

  test('below the deepest level has no arrays and objects where nothing asks for them', () => {
    const kinds = (depth: number): readonly string[] => {
      const { builder } = made(true, { maxDepth: 2 });
      const source = builder.source([builder.index.standIn(builder.index.root, 'x', {})], depth);
      const drawn = source === undefined ? [] : fc.sample(source.arbitrary, { seed: 1, numRuns: 300 });
      return [
        ...new Set(
          drawn.map((value) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)),
        ),
      ].toSorted();
    };
    expect(kinds(0)).toEqual(['array', 'boolean', 'null', 'number', 'object', 'string']);
    expect(kinds(2)).toEqual(['boolean', 'null', 'number', 'string']);
  });
});

describe('samples', () => {
  test('begin with the smallest, and are the same every time', () => {
    const { builder } = made({ type: 'integer', minimum: 5 });
    const samples = builder.samples([builder.index.root], 0);
    expect(samples[0]).toBe(5);
    expect(samples).toHaveLength(7);
    expect(builder.samples([builder.index.root], 0)).toBe(samples);
    const other = made({ type: 'integer', minimum: 5 });
    expect(other.builder.samples([other.builder.index.root], 0)).toEqual(samples);
  });

  test('are none where nothing fits', () => {
    const { builder } = made(false);
    expect(builder.samples([builder.index.root], 0)).toEqual([]);
  });
});

describe('what a schema may not be', () => {
  test.each<[JsonSchema, Json]>([
    [{ type: 'integer', minimum: 0, not: { maximum: 9 } }, 10],
    [{ type: 'integer', minimum: 0, allOf: [{ not: { maximum: 9 } }, { not: { minimum: 11 } }] }, 10],
    [{ type: 'string', not: { maxLength: 2 } }, 'aaa'],
    [{ type: ['string', 'null'], not: { type: 'null' } }, 'a'],
    [{ type: 'object', not: { properties: { a: { type: 'integer' } } } }, { a: 'a' }],
    [{ type: 'object', not: { required: ['a'] } }, {}],
    [
      {
        oneOf: [
          { minimum: 0, type: 'number' },
          { maximum: 0, type: 'number' },
        ],
      },
      1,
    ],
    [{ type: 'integer', not: { anyOf: [{ maximum: 4 }, { minimum: 6 }] } }, 5],
    [{ type: 'integer', not: { not: { minimum: 7 } } }, 7],
    // A list rather than null; of all else, null is the least.
    [{ type: ['array', 'null'], items: { type: 'integer', minimum: 3 }, minItems: 1 }, [3]],
    [{ anyOf: [{ type: 'null' }, { type: 'array' }] }, []],
    [{ anyOf: [{ type: 'null' }, { type: 'object', required: ['a'] }] }, null],
  ])('%j: the smallest is %j', (schema, smallest) => {
    const values = validValues(schema);
    expect(values.kind === 'supported' && values.smallest).toEqual(smallest);
  });
});

test('a recursive choice of closed alternatives is broken without going through all its ways', () => {
  const expression = { $ref: '#/$defs/Expression' };
  const operation = (op: string, more: Record<string, JsonSchema>): JsonSchema => ({
    type: 'object',
    required: ['op', ...Object.keys(more)],
    properties: { op: { const: op }, ...more },
    additionalProperties: false,
  });
  const several = { args: { type: 'array', minItems: 2, items: expression } };
  const rule: JsonSchema = {
    type: 'object',
    required: ['when'],
    properties: { when: expression },
    $defs: {
      Expression: {
        oneOf: [
          operation('and', several),
          operation('or', several),
          operation('not', { arg: expression }),
          operation('compare', { left: expression, right: expression }),
          operation('literal', {
            value: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
          }),
        ],
      },
    },
  };
  const found = invalidValues(rule, { when: { op: 'literal', value: 1 } }).mutations;
  expect(found.map(({ keyword, pointer }) => `${pointer} ${keyword}`)).toEqual(
    expect.arrayContaining(['/when required', '/when oneOf']),
  );
});
