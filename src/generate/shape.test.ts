import { describe, expect, test } from 'vitest';
import type { Json } from './json.ts';
import { schemaIndex } from './references.ts';
import { ANYTHING, both, JSON_TYPES, meantTypes, type ValueShape } from './shape.ts';

const { root } = schemaIndex({ const: 1 });
const never = schemaIndex(false).root;

type Parts = {
  readonly types?: ValueShape['types'];
  readonly values?: readonly Json[];
  readonly numbers?: Partial<ValueShape['numbers']>;
  readonly strings?: Partial<ValueShape['strings']>;
  readonly arrays?: Partial<ValueShape['arrays']>;
  readonly objects?: Partial<ValueShape['objects']>;
  readonly avoid?: ValueShape['avoid'];
  readonly loose?: boolean;
};

const shape = ({ numbers, strings, arrays, objects, ...rest }: Parts): ValueShape => ({
  ...ANYTHING,
  ...rest,
  numbers: { ...ANYTHING.numbers, ...numbers },
  strings: { ...ANYTHING.strings, ...strings },
  arrays: { ...ANYTHING.arrays, ...arrays },
  objects: { ...ANYTHING.objects, ...objects },
});

describe('two shapes at once', () => {
  test('anything adds nothing', () => {
    const one = shape({ numbers: { min: 3 } });
    expect(both(one, ANYTHING)).toBe(one);
    expect(both(ANYTHING, one)).toBe(one);
  });

  test('take the tighter bound of each, and all that is asked', () => {
    const item = { node: root, min: 1, max: 2 };
    const one = shape({
      types: new Set(['number', 'string', 'array', 'object']),
      numbers: { integer: true, min: 1, max: 9, above: 0, below: 20, steps: [2] },
      strings: { min: 1, max: 9, patterns: ['a'], formats: ['date'] },
      arrays: { min: 1, max: 9, unique: true, lists: [{ prefix: [root] }], contains: [item] },
      objects: {
        min: 1,
        max: 9,
        required: new Set(['a']),
        facets: [{ named: new Map(), patterned: [] }],
        names: [root],
        dependents: [['a', ['b']]],
      },
      avoid: [root],
      loose: true,
    });
    const other = shape({
      numbers: { min: 2, max: 8, above: -1, below: 19, steps: [2, 3] },
      strings: { min: 2, max: 8, patterns: ['a', 'b'], formats: ['time'] },
      arrays: { min: 2, max: 8, lists: [{ prefix: [] }], contains: [item] },
      objects: { min: 2, max: 8, required: new Set(['b']), names: [root], dependents: [['c', []]] },
    });
    const expected = {
      types: new Set(['number', 'string', 'array', 'object']),
      numbers: { integer: true, min: 2, max: 8, above: 0, below: 19, steps: [2, 3] },
      strings: { min: 2, max: 8, patterns: ['a', 'b'], formats: ['date', 'time'] },
      arrays: { min: 2, max: 8, unique: true, contains: [item, item] },
      objects: { min: 2, max: 8, required: new Set(['a', 'b']), names: [root, root] },
      avoid: [root],
      loose: true,
    };
    expect(both(one, other)).toMatchObject(expected);
    expect(both(other, one)).toMatchObject({
      ...expected,
      numbers: { ...expected.numbers, steps: [2, 3] },
      strings: { ...expected.strings, formats: ['time', 'date'] },
    });
    expect(both(one, other)?.arrays.lists).toEqual([{ prefix: [root] }, { prefix: [] }]);
    expect(both(one, other)?.objects.facets).toHaveLength(1);
    expect(both(one, other)?.objects.dependents).toEqual([
      ['a', ['b']],
      ['c', []],
    ]);
    expect(both(other, shape({ avoid: [root] }))).toMatchObject({ loose: false, avoid: [root] });
  });

  test('keep the values that both list', () => {
    const one = shape({ values: [1, { a: 1, b: 2 }, 'x'] });
    expect(both(one, shape({ values: [{ b: 2, a: 1 }, 'x', 2] }))?.values).toEqual([{ a: 1, b: 2 }, 'x']);
    expect(both(one, shape({ loose: true }))?.values).toEqual(one.values);
    expect(both(shape({ loose: true }), one)?.values).toEqual(one.values);
    expect(both(one, shape({ values: [2] }))).toBeUndefined();
  });

  test('have the types that both have, or are impossible', () => {
    const of = (...types: ('number' | 'string' | 'null')[]): ValueShape => shape({ types: new Set(types) });
    expect(both(of('number', 'string'), of('string', 'null'))?.types).toEqual(new Set(['string']));
    expect(both(of('number'), of('string'))).toBeUndefined();
  });

  test.each<[string, Parts, string | undefined]>([
    ['a point', { numbers: { min: 3, max: 3 } }, undefined],
    ['nothing between', { numbers: { min: 4, max: 3 } }, 'number'],
    ['a point that is excluded from below', { numbers: { above: 3, max: 3 } }, 'number'],
    ['a point that is excluded from above', { numbers: { min: 3, below: 3 } }, 'number'],
    ['an open interval', { numbers: { above: 3, below: 4 } }, undefined],
    ['text of one length', { strings: { min: 2, max: 2 } }, undefined],
    ['text of no length', { strings: { min: 3, max: 2 } }, 'string'],
    ['arrays of one length', { arrays: { min: 2, max: 2 } }, undefined],
    ['arrays of no length', { arrays: { min: 3, max: 2 } }, 'array'],
    ['objects of one size', { objects: { min: 2, max: 2 } }, undefined],
    ['objects of no size', { objects: { min: 3, max: 2 } }, 'object'],
    ['room for what is required', { objects: { max: 1, required: new Set(['a']) } }, undefined],
    ['no room for what is required', { objects: { max: 1, required: new Set(['a', 'b']) } }, 'object'],
    [
      'a required member that may not be',
      {
        objects: {
          required: new Set(['b', 'a']),
          facets: [{ named: new Map([['a', never]]), patterned: [] }],
        },
      },
      'object',
    ],
    [
      'a member that may not be, and need not',
      {
        objects: {
          required: new Set(['b']),
          facets: [{ named: new Map([['a', never]]), patterned: [] }],
        },
      },
      undefined,
    ],
  ])('%s rules out the type %3$s', (_, parts, ruledOut) => {
    const found = both(shape(parts), shape({ loose: true }));
    expect(found?.types).toEqual(new Set(JSON_TYPES.filter((type) => type !== ruledOut)));
  });

  test('are impossible where their bounds leave no type', () => {
    const one = shape({ types: new Set(['string']), strings: { min: 3 } });
    expect(both(one, shape({ strings: { max: 2 } }))).toBeUndefined();
  });
});

test.each<[Parts, readonly string[]]>([
  [{}, JSON_TYPES],
  [{ types: new Set(['null']), strings: { min: 1 } }, ['null']],
  [{ numbers: { min: 1 } }, ['number']],
  [{ numbers: { max: 1 } }, ['number']],
  [{ numbers: { above: 1 } }, ['number']],
  [{ numbers: { below: 1 } }, ['number']],
  [{ numbers: { steps: [2] } }, ['number']],
  [{ strings: { min: 1 } }, ['string']],
  [{ strings: { max: 1 } }, ['string']],
  [{ strings: { patterns: ['a'] } }, ['string']],
  [{ strings: { formats: ['date'] } }, ['string']],
  [{ arrays: { min: 1 } }, ['array']],
  [{ arrays: { max: 1 } }, ['array']],
  [{ arrays: { unique: true } }, ['array']],
  [{ arrays: { lists: [{ prefix: [] }] } }, ['array']],
  [{ arrays: { contains: [{ node: root, min: 1, max: 1 }] } }, ['array']],
  [{ objects: { min: 1 } }, ['object']],
  [{ objects: { max: 1 } }, ['object']],
  [{ objects: { required: new Set(['a']) } }, ['object']],
  [{ objects: { facets: [{ named: new Map(), patterned: [] }] } }, ['object']],
  [{ objects: { names: [root] } }, ['object']],
  [{ objects: { dependents: [['a', ['b']]] } }, ['object']],
  [{ objects: { max: 1 }, numbers: { min: 0 } }, ['number', 'object']],
])('%o means the types %j', (parts, types) => {
  expect([...meantTypes(shape(parts))]).toEqual(types);
});
