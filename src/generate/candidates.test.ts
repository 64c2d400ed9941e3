import { describe, expect, test } from 'vitest';
import type { Json, JsonSchema } from './json.ts';
import { candidates } from './literal/candidates.ts';

type Case = readonly [keyword: string, schema: JsonSchema, value: Json, edits: readonly string[]];

/** One line each: the member that is wrong, `*` where the fault stands inside, what is wrong, and the value. */
function lines(keyword: string, schema: JsonSchema, value: Json): readonly string[] {
  return candidates(keyword, schema, value).map(({ member = '', inside, describes, value: edited }) =>
    `${member}${inside === true ? '*' : ''} ${describes}: ${JSON.stringify(edited)}`.trim(),
  );
}

describe('of arrays', () => {
  test.each<Case>([
    ['minItems', { minItems: 0 }, [1], []],
    ['minItems', { minItems: '2' }, [1], []],
    [
      'minItems',
      { minItems: 1 },
      [1],
      ['it has 0 items instead of at least 1: []', 'it has 0 items instead of at least 1: [1]'],
    ],
    [
      'minItems',
      { minItems: 2 },
      [1, 2, 3],
      ['it has 1 items instead of at least 2: [1]', 'it has 1 items instead of at least 2: [3]'],
    ],
    ['maxItems', { maxItems: '2' }, [1], []],
    ['maxItems', { maxItems: 1001 }, [1], []],
    [
      'maxItems',
      { maxItems: 2, items: { enum: [1, 2, 3] } },
      [2],
      ['it has 3 items instead of at most 2: [2,2,2]', 'it has 3 items instead of at most 2: [2,1,3]'],
    ],
    [
      'maxItems',
      { maxItems: 2, items: { const: 1 } },
      [1, 1],
      ['it has 3 items instead of at most 2: [1,1,1]'],
    ],
    ['maxItems', { maxItems: 1, items: false }, [], []],
    [
      'uniqueItems',
      { uniqueItems: true, items: { const: 4 } },
      [],
      [
        'it has the same item twice: [4,4]',
        'it has the same item twice: [4]',
        'it has the same item twice: [4,4]',
      ],
    ],
    ['uniqueItems', { uniqueItems: true, items: false }, [], []],
    [
      'uniqueItems',
      { uniqueItems: true },
      [1, 2, 3],
      [
        'it has the same item twice: [1,2,3,1]',
        'it has the same item twice: [1,2,1]',
        'it has the same item twice: [1,1]',
      ],
    ],
    ['contains', { minItems: 1 }, [1], []],
    [
      'contains',
      { contains: { type: 'integer' } },
      ['x', 1, 2],
      ['it has no item of the kind that it must contain: ["x"]'],
    ],
    [
      'contains',
      { contains: { const: 1 }, maxContains: 2, items: { enum: [1, 2] } },
      [2, 1],
      [
        'it has no item of the kind that it must contain: [2]',
        'it has too many items of one kind: [2,1,1,1]',
      ],
    ],
    [
      'contains',
      { contains: { const: 1 }, minContains: 0, maxContains: 1 },
      [],
      ['it has no item of the kind that it must contain: []', 'it has too many items of one kind: [1,1]'],
    ],
    [
      'contains',
      { contains: false, minContains: 0, maxContains: 1 },
      [],
      ['it has no item of the kind that it must contain: []'],
    ],
    [
      'contains',
      { contains: { const: 1 }, minContains: 0, maxContains: 1000 },
      [1],
      ['it has no item of the kind that it must contain: []'],
    ],
    [
      'prefixItems',
      { prefixItems: [{ const: 1 }, false] },
      [],
      ['* it has an item where none is allowed: [1,0]'],
    ],
    [
      'prefixItems',
      { prefixItems: [{ const: 1 }, false, { const: 3 }] },
      [1],
      ['* it has an item where none is allowed: [1,0]'],
    ],
    ['prefixItems', { prefixItems: [{ const: 1 }, { const: 2 }] }, [], []],
    ['prefixItems', { prefixItems: [{ const: 1 }, { const: 2 }] }, [1, 2], []],
    [
      'items',
      { prefixItems: [{ const: 1 }, { const: 2 }], items: false },
      [],
      ['2 it has one item more than the schema allows: [1,2,0]'],
    ],
    [
      'items',
      { prefixItems: [{ const: 1 }, { const: 2 }], items: false },
      [1, 2],
      ['2 it has one item more than the schema allows: [1,2,0]'],
    ],
    ['items', { prefixItems: [{ const: 1 }, false], items: false }, [], []],
    ['items', { items: { const: 1 } }, [], []],
    [
      'unevaluatedItems',
      { unevaluatedItems: false },
      [],
      ['0 it has one item more than the schema allows: [0]'],
    ],
    ['unevaluatedItems', { unevaluatedItems: true }, [], []],
    ['type', { type: 'array' }, [], []],
  ])('%s of %j, from %j', (keyword, schema, value, expected) => {
    expect(lines(keyword, schema, value)).toEqual(expected);
  });

  test('too many items are sent up to a thousand', () => {
    const sizes = [1000, 1001].map((maxItems) =>
      candidates('maxItems', { maxItems, items: { const: 0 } }, []).map(
        ({ value }) => Object.keys(value ?? {}).length,
      ),
    );
    expect(sizes).toEqual([[1001], []]);
    const many = [999, 1000].map(
      (maxContains) => candidates('contains', { contains: { const: 0 }, maxContains }, [0]).length,
    );
    expect(many).toEqual([2, 1]);
  });
});

describe('of objects', () => {
  test.each<Case>([
    [
      'required',
      { required: ['a', 7, 'b'] },
      { a: 1, b: 2, c: 3 },
      ['a a is missing: {"b":2,"c":3}', 'b b is missing: {"a":1,"c":3}'],
    ],
    [
      'dependentRequired',
      { dependentRequired: { a: ['b', 'c'], d: 7 }, properties: { a: { const: 1 }, b: { const: 2 } } },
      {},
      ['b b is missing, which a needs: {"a":1,"c":0}', 'c c is missing, which a needs: {"a":1,"b":2}'],
    ],
    [
      'dependentRequired',
      { dependentRequired: { a: ['b'] } },
      { b: 5, a: 4 },
      ['b b is missing, which a needs: {"a":4}'],
    ],
    [
      'properties',
      { properties: { a: false, b: { const: 1 }, c: false } },
      {},
      ['a* a is a member that it may not have: {"a":0}', 'c* c is a member that it may not have: {"c":0}'],
    ],
    ['properties', { properties: { a: { const: 1 } } }, {}, []],
    [
      'patternProperties',
      { patternProperties: { '^x-': false, '^y': { const: 1 }, '^a$(?!)': false } },
      {},
      ['x-* x- is a member that it may not have: {"x-":0}'],
    ],
    [
      'additionalProperties',
      { properties: { other: true }, additionalProperties: false },
      {},
      ['unlisted unlisted is not a member that it may have: {"unlisted":0}'],
    ],
    ['additionalProperties', { additionalProperties: { const: 1 } }, {}, []],
    [
      'additionalProperties',
      { additionalProperties: false },
      { other: 1 },
      ['unlisted unlisted is not a member that it may have: {"other":1,"unlisted":0}'],
    ],
    [
      'unevaluatedProperties',
      { unevaluatedProperties: false },
      {},
      ['other other is not a member that it may have: {"other":0}'],
    ],
    [
      'additionalProperties',
      { propertyNames: { const: 'z' }, properties: { z: true }, additionalProperties: false },
      {},
      [],
    ],
    ['minProperties', { minProperties: 0 }, { a: 1 }, []],
    ['minProperties', { minProperties: '1' }, { a: 1 }, []],
    ['minProperties', { minProperties: 1 }, { a: 1 }, ['it has fewer than 1 members: {}']],
    [
      'minProperties',
      { minProperties: 2, required: ['a'] },
      { a: 1, b: 2, c: 3, d: 4 },
      ['it has fewer than 2 members: {"a":1}'],
    ],
    [
      'minProperties',
      { minProperties: 3 },
      { a: 1, b: 2, c: 3, d: 4 },
      ['it has fewer than 3 members: {"c":3,"d":4}'],
    ],
    [
      'minProperties',
      { minProperties: 2, required: ['a', 'b'] },
      { a: 1, b: 2 },
      ['it has fewer than 2 members: {"a":1,"b":2}'],
    ],
    ['maxProperties', { maxProperties: '2' }, {}, []],
    ['maxProperties', { maxProperties: 201 }, {}, []],
    [
      'maxProperties',
      { maxProperties: 2, properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } } },
      { b: 2 },
      ['it has more than 2 members: {"b":2,"a":1,"c":3}'],
    ],
    [
      'maxProperties',
      { maxProperties: 1, additionalProperties: { const: 9 } },
      { key0: 9 },
      ['it has more than 1 members: {"key0":9,"key1":9}'],
    ],
    [
      'maxProperties',
      { maxProperties: 1, additionalProperties: false },
      { key0: 9 },
      ['it has more than 1 members: {"key0":9,"key1":0}'],
    ],
    ['type', { type: 'object' }, {}, []],
  ])('%s of %j, from %j', (keyword, schema, value, expected) => {
    expect(lines(keyword, schema, value)).toEqual(expected);
  });

  test('too many members are sent up to two hundred', () => {
    const sizes = [200, 201].map((maxProperties) =>
      candidates('maxProperties', { maxProperties }, {}).map(({ value }) => Object.keys(value ?? {}).length),
    );
    expect(sizes).toEqual([[201], []]);
  });

  test('many names that may not be', () => {
    expect(
      candidates('propertyNames', { propertyNames: false }, { a: 1, '-': 2 }).map(({ member }) => member),
    ).toEqual(['', ' ', '!', 'a b', 'A', '0', 'é', '_', 'not allowed', 'x'.repeat(40), 'x'.repeat(300)]);
  });
});
