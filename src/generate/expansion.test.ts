import { describe, expect, test } from 'vitest';
import { expansion, MOST } from './expansion.ts';
import type { JsonSchema } from './json.ts';
import { schemaIndex } from './references.ts';
import type { ValueShape } from './shape.ts';

/** A name that makes an object look like a promise to linters. */
const THEN = 'then';

function ways(schema: JsonSchema): readonly ValueShape[] {
  const index = schemaIndex(schema);
  return expansion(index).expand([index.root]);
}

function onlyWay(schema: JsonSchema): ValueShape {
  const [only, ...others] = ways(schema);
  if (only === undefined || others.length > 0) throw new Error('not one way');
  return only;
}

describe('the keywords of one schema', () => {
  test('of numbers', () => {
    const schema = {
      type: 'integer',
      minimum: 1,
      maximum: 9,
      exclusiveMinimum: 0,
      exclusiveMaximum: 10,
      multipleOf: 2,
    };
    expect(onlyWay(schema)).toMatchObject({
      types: new Set(['number']),
      numbers: { integer: true, min: 1, max: 9, above: 0, below: 10, steps: [2] },
      loose: false,
    });
    expect(onlyWay({ minimum: '1' }).numbers).toEqual({
      integer: false,
      min: -Infinity,
      max: Infinity,
      above: -Infinity,
      below: Infinity,
      steps: [],
    });
    expect(onlyWay({ type: ['integer', 'number'] }).numbers.integer).toBe(false);
    expect(onlyWay({ type: 'string' }).numbers.integer).toBe(false);
    expect(onlyWay({ type: ['integer', 'string'] })).toMatchObject({
      types: new Set(['number', 'string']),
      numbers: { integer: true },
    });
  });

  test('of text', () => {
    expect(onlyWay({ minLength: 1, maxLength: 2, pattern: 'a', format: 'date' }).strings).toEqual({
      min: 1,
      max: 2,
      patterns: ['a'],
      formats: ['date'],
    });
    expect(onlyWay({ pattern: 1, format: 1 }).strings).toEqual({
      min: 0,
      max: Infinity,
      patterns: [],
      formats: [],
    });
  });

  test('of arrays', () => {
    const { arrays } = onlyWay({
      minItems: 1,
      maxItems: 9,
      uniqueItems: true,
      prefixItems: [{ const: 1 }],
      items: { const: 2 },
      contains: { const: 3 },
      minContains: 2,
      maxContains: 4,
    });
    expect(arrays).toMatchObject({
      min: 1,
      max: 9,
      unique: true,
      lists: [{ prefix: [{ at: '/prefixItems/0' }], rest: { at: '/items' } }],
      contains: [{ node: { at: '/contains' }, min: 2, max: 4 }],
    });
    expect(onlyWay({ contains: true }).arrays).toMatchObject({
      unique: false,
      lists: [],
      contains: [{ min: 1, max: Infinity }],
    });
    expect(onlyWay({ items: {} }).arrays.lists).toMatchObject([{ prefix: [], rest: { at: '/items' } }]);
    expect(onlyWay({ prefixItems: [{}] }).arrays.lists).toMatchObject([
      { prefix: [{ at: '/prefixItems/0' }] },
    ]);
    expect(onlyWay({ prefixItems: [] }).arrays.lists).toEqual([]);
  });

  test('of objects', () => {
    const { objects } = onlyWay({
      minProperties: 1,
      maxProperties: 9,
      required: ['a', 7],
      properties: { a: { const: 1 } },
      patternProperties: { '^x': { const: 2 } },
      additionalProperties: { const: 3 },
      propertyNames: { minLength: 1 },
      dependentRequired: { a: ['b', 7], c: 1 },
    });
    expect(objects).toMatchObject({
      min: 1,
      max: 9,
      required: new Set(['a']),
      names: [{ at: '/propertyNames' }],
      dependents: [
        ['a', ['b']],
        ['c', []],
      ],
    });
    const [facet] = objects.facets;
    expect([...(facet?.named ?? [])].map(([name, node]) => [name, node?.at])).toEqual([
      ['a', '/properties/a'],
    ]);
    expect(facet?.patterned.map(([pattern, node]) => [pattern, node?.at])).toEqual([
      ['^x', '/patternProperties/^x'],
    ]);
    expect(facet?.rest?.at).toBe('/additionalProperties');
    expect(onlyWay({ required: 'a', minProperties: 1 }).objects).toMatchObject({
      required: new Set(),
      facets: [],
    });
    expect(onlyWay({ patternProperties: { a: {} } }).objects.facets).toHaveLength(1);
    expect(onlyWay({ additionalProperties: {} }).objects.facets).toHaveLength(1);
    expect(onlyWay({ properties: {} }).objects.facets).toEqual([]);
  });

  test('list values, of the types that are allowed', () => {
    expect(onlyWay({ enum: [1, 1.5, 'a', null], type: ['integer', 'null'] }).values).toEqual([1, null]);
    expect(onlyWay({ enum: [1, 'a'], type: 'string' }).values).toEqual(['a']);
    expect(onlyWay({ enum: [1, 'a'] }).values).toEqual([1, 'a']);
    expect(onlyWay({ const: null }).values).toEqual([null]);
    expect(onlyWay({ const: 1, enum: [1, 2] }).values).toEqual([1]);
    expect(onlyWay({ minimum: 1 }).values).toBeUndefined();
    expect(onlyWay({ const: 1, type: 'string' }).values).toEqual([]);
    expect(ways({ allOf: [{ type: 'string' }, { const: 1, type: 'null' }] })).toEqual([]);
  });
});

describe('the ways to satisfy', () => {
  /** The bounds of numbers of each way, and how many schemas it has to keep clear of. */
  const bounds = (schema: JsonSchema): unknown =>
    ways(schema).map(({ numbers, avoid, loose }) => [
      numbers.min,
      numbers.max,
      avoid.map(({ at }) => at),
      loose,
    ]);

  test.each<[JsonSchema, unknown]>([
    [true, [[-Infinity, Infinity, [], false]]],
    [false, []],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [[1, 2, [], false]]],
    [{ allOf: [{ minimum: 1 }, false] }, []],
    [
      { anyOf: [{ minimum: 1 }, { maximum: 2 }, false], minimum: 0 },
      [
        [1, Infinity, [], false],
        [0, 2, [], false],
      ],
    ],
    [
      { oneOf: [{ minimum: 1 }, { maximum: 2 }] },
      [
        [1, Infinity, ['/oneOf/1'], true],
        [-Infinity, 2, ['/oneOf/0'], true],
      ],
    ],
    [{ not: { minimum: 1 } }, [[-Infinity, Infinity, ['/not'], true]]],
    [
      { if: { minimum: 5 }, [THEN]: { maximum: 9 }, else: { minimum: 1 } },
      [
        [5, 9, [], false],
        [1, Infinity, ['/if'], true],
      ],
    ],
    [
      { if: { minimum: 5 } },
      [
        [5, Infinity, [], false],
        [-Infinity, Infinity, ['/if'], true],
      ],
    ],
    [{ $ref: '#/$defs/x', maximum: 4, $defs: { x: { minimum: 1 } } }, [[1, 4, [], false]]],
    [{ $dynamicRef: '#x', $defs: { x: { $dynamicAnchor: 'x', minimum: 1 } } }, [[1, Infinity, [], false]]],
    [{ $ref: '#' }, []],
    [{ $ref: '#/$defs/none' }, []],
  ])('%j', (schema, expected) => {
    expect(bounds(schema)).toEqual(expected);
  });

  test('are cut where there are too many', () => {
    const four = { anyOf: [{ minimum: 1 }, { minimum: 2 }, { minimum: 3 }, { minimum: 4 }] };
    expect(ways({ allOf: [four, four, four] })).toHaveLength(MOST);
    expect(ways({ allOf: [four, four, four, four] })).toHaveLength(MOST);
  });

  test('what a member asks for: without the member, or with both', () => {
    const [without, present] = ways({ dependentSchemas: { a: { required: ['b'], minProperties: 3 } } });
    expect(without?.types.has('string')).toBe(true);
    expect(without?.objects.facets[0]?.named.get('a')?.schema).toBe(false);
    expect(present?.types).toEqual(new Set(['object']));
    expect(present?.objects).toMatchObject({ required: new Set(['a', 'b']), min: 3, facets: [] });
  });
});

describe('what no other keyword speaks of', () => {
  test('members: bound where no schema binds the others already', () => {
    const { objects, loose } = onlyWay({
      allOf: [{ properties: { a: true }, patternProperties: { '^x': true } }],
      unevaluatedProperties: { const: 1 },
    });
    const facet = objects.facets[1];
    expect(objects.facets).toHaveLength(2);
    expect([...(facet?.named.keys() ?? [])]).toEqual(['a']);
    expect(facet?.patterned).toEqual([['^x', undefined]]);
    expect(facet?.rest?.at).toBe('/unevaluatedProperties');
    expect(loose).toBe(true);
    expect(onlyWay({ additionalProperties: true, unevaluatedProperties: false }).objects.facets).toHaveLength(
      1,
    );
  });

  test('items: bound after the longest prefix', () => {
    const { arrays, loose } = onlyWay({
      allOf: [{ prefixItems: [true, true] }, { prefixItems: [true] }],
      unevaluatedItems: { const: 1 },
    });
    expect(arrays.lists[2]).toMatchObject({
      prefix: [undefined, undefined],
      rest: { at: '/unevaluatedItems' },
    });
    expect(loose).toBe(true);
    expect(onlyWay({ items: true, unevaluatedItems: false }).arrays.lists).toHaveLength(1);
    expect(onlyWay({ unevaluatedItems: false }).arrays.lists).toMatchObject([
      { prefix: [], rest: { schema: false } },
    ]);
    // What `contains` finds is evaluated.
    expect(onlyWay({ contains: { const: 3 }, unevaluatedItems: false }).arrays.lists).toMatchObject([
      { prefix: [], rest: { at: '/contains' } },
    ]);
    expect(onlyWay({ contains: { const: 3 }, unevaluatedItems: { const: 4 } }).arrays.lists).toMatchObject([
      { prefix: [], rest: { at: '/unevaluatedItems' } },
    ]);
  });
});

test('keeping clear of a schema takes one of the ways to fail it at a time', () => {
  const index = schemaIndex({
    minimum: 0,
    allOf: [{ not: { maximum: 3, type: 'number' } }, { not: { const: 9 } }],
  });
  const { expand, separate } = expansion(index);
  const [shape] = expand([index.root]);
  if (shape === undefined) throw new Error('no way');
  const apart = separate(shape);
  expect(
    apart.map(({ numbers, types, avoid, loose }) => [
      numbers.above,
      types.size,
      avoid.map(({ at }) => at),
      loose,
    ]),
  ).toEqual([
    [3, 1, ['/allOf/1/not'], true],
    [-Infinity, 5, ['/allOf/1/not'], true],
  ]);
  const { avoid: _, ...free } = shape;
  const unbound = { ...free, avoid: [] };
  expect(separate(unbound)).toEqual([unbound]);
});
