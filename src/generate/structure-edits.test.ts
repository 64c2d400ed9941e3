import { expect, test } from 'vitest';
import { type Case, linesOf } from './literal/mutations.ts';

const cases: readonly Case[] = [
  ['minItems', { minItems: 0 }, [], []],
  [
    'minItems',
    { items: { type: 'integer' }, minItems: 2 },
    [7, 8, 9],
    [
      ' the body has 1 items instead of at least 2: [7]',
      ' the body has 1 items instead of at least 2: [9]',
      ' the body breaks minItems: []',
    ],
  ],
  [
    'minItems',
    { prefixItems: [{ const: 1 }, { const: 2 }, { const: 3 }], minItems: 3 },
    [1, 2, 3],
    [
      ' the body has 2 items instead of at least 3: [1,2]',
      ' the body breaks minItems: []',
      ' the body breaks minItems: [1]',
    ],
  ],
  [
    'maxItems',
    { items: { enum: [1, 2, 3] }, maxItems: 2 },
    [3],
    [
      ' the body has 3 items instead of at most 2: [3,3,3]',
      ' the body has 3 items instead of at most 2: [3,1,2]',
    ],
  ],
  [
    'maxItems',
    { items: { enum: [1, 2, 3] }, maxItems: 2, uniqueItems: true },
    [3],
    [' the body has 3 items instead of at most 2: [3,1,2]'],
  ],
  ['maxItems', { maxItems: 1, items: false }, [], []],
  [
    'maxItems',
    { maxItems: 2, prefixItems: [{ const: 'a' }, { const: 'b' }, { const: 'c' }] },
    ['a'],
    [' the body has 3 items instead of at most 2: ["a","b","c"]'],
  ],
  [
    'uniqueItems',
    { uniqueItems: true, items: { const: 4 } },
    [],
    [' the body has the same item twice: [4,4]'],
  ],
  ['uniqueItems', { uniqueItems: true, items: false }, [], []],
  ['uniqueItems', { uniqueItems: false }, [1], []],
  [
    'uniqueItems',
    { uniqueItems: true, maxItems: 2, items: { type: 'integer' } },
    [5, 6],
    [' the body has the same item twice: [5,5]'],
  ],
  [
    'uniqueItems',
    { uniqueItems: true, minItems: 3, items: { type: 'integer' } },
    [5, 6, 7],
    [' the body has the same item twice: [5,6,7,5]', ' the body has the same item twice: [5,6,5]'],
  ],
  [
    'contains',
    { contains: { type: 'integer' } },
    ['x', 1, 2],
    [' the body has no item of the kind that it must contain: ["x"]'],
  ],
  [
    'contains',
    { contains: { const: 1 }, minContains: 2 },
    [1, 1],
    [' the body has no item of the kind that it must contain: []'],
  ],
  [
    'contains',
    { contains: { const: 1 }, minContains: 0, maxContains: 2 },
    [1],
    [' the body has too many items of one kind: [1,1,1]'],
  ],
  [
    'contains',
    { contains: { const: 1 }, minContains: 0, maxContains: 1 },
    [],
    [' the body has too many items of one kind: [1,1]'],
  ],
  [
    'contains',
    { contains: { const: 1 }, minItems: 1, items: { enum: [1, 2] } },
    [1],
    [' the body breaks contains: [2]'],
  ],
  ['contains', { contains: { const: 1 }, minContains: 0 }, [1], []],
  [
    'false schema',
    { prefixItems: [{ const: 1 }, false] },
    [],
    ['/1 the body has an item where none is allowed: [1,0]'],
  ],
  [
    'false schema',
    { prefixItems: [{ const: 1 }, false] },
    [1],
    ['/1 the body has an item where none is allowed: [1,0]'],
  ],
  [
    'items',
    { prefixItems: [{ const: 1 }, { const: 2 }], items: false },
    [],
    ['/2 the body has one item more than the schema allows: [1,2,0]'],
  ],
  ['items', { items: false }, [], ['/0 the body has one item more than the schema allows: [0]']],
  [
    'unevaluatedItems',
    { allOf: [{ prefixItems: [{ const: 1 }] }], unevaluatedItems: false },
    [1],
    ['/1 the body has one item more than the schema allows: [1,0]'],
  ],
  [
    'type',
    { allOf: [{ prefixItems: [{ const: 1 }] }], unevaluatedItems: { type: 'null' } },
    [1, null],
    [
      '/1 item 1 is an object instead of null: [1,{}]',
      '/1 item 1 is an array instead of null: [1,[]]',
      '/1 item 1 is a number instead of null: [1,0]',
      '/1 item 1 is a boolean instead of null: [1,true]',
      '/1 item 1 is text instead of null: [1,"text"]',
    ],
  ],
  [
    'required',
    { items: { type: 'object', required: ['a'] } },
    [{ a: 1 }, { a: 2 }, { a: 3 }],
    ['/0/a a is missing: [{},{"a":2},{"a":3}]', '/2/a a is missing: [{"a":1},{"a":2},{}]'],
  ],
  [
    'const',
    { items: { items: { const: true } } },
    [[true]],
    ['/0/0 item 0 is not the one value that is allowed: [[false]]'],
  ],
  [
    'const',
    { properties: { a: { items: { items: { const: true } } } } },
    { a: [[true]] },
    ['/a/0/0 item 0 of a is not the one value that is allowed: {"a":[[false]]}'],
  ],
  [
    'const',
    { prefixItems: [{ const: true }, { const: false }], items: { const: true } },
    [true, false, true, true, true],
    [
      '/0 item 0 is not the one value that is allowed: [false,false,true,true,true]',
      '/1 item 1 is not the one value that is allowed: [true,true,true,true,true]',
      '/2 item 2 is not the one value that is allowed: [true,false,false,true,true]',
      '/4 item 4 is not the one value that is allowed: [true,false,true,true,false]',
    ],
  ],
  [
    'required',
    { required: ['a', 'b'] },
    { a: 1, b: 2 },
    ['/a a is missing: {"b":2}', '/b b is missing: {"a":1}'],
  ],
  [
    'dependentRequired',
    { dependentRequired: { a: ['b', 'c'] } },
    {},
    ['/b b is missing, which a needs: {"a":0,"c":0}', '/c c is missing, which a needs: {"a":0,"b":0}'],
  ],
  [
    'dependentRequired',
    { dependentRequired: { a: ['b'] }, properties: { a: { const: 5 }, b: { const: 6 } } },
    {},
    ['/b b is missing, which a needs: {"a":5}'],
  ],
  [
    'dependentRequired',
    { dependentRequired: { a: ['b'] } },
    { a: 1, b: 2, c: 3 },
    ['/b b is missing, which a needs: {"a":1,"c":3}'],
  ],
  [
    'false schema',
    { properties: { a: false, b: { const: 1 } } },
    {},
    ['/a a is a member that the body may not have: {"a":0}'],
  ],
  [
    'false schema',
    { patternProperties: { '^x-': false, '^y': { const: 1 } } },
    {},
    ['/x- x- is a member that the body may not have: {"x-":0}'],
  ],
  [
    'additionalProperties',
    { properties: { other: true, unlisted: true }, additionalProperties: false },
    {},
    ['/x-1 x-1 is not a member that the body may have: {"x-1":0}'],
  ],
  [
    'additionalProperties',
    { patternProperties: { '^[a-z]': true }, additionalProperties: false },
    {},
    ['/0 0 is not a member that the body may have: {"0":0}'],
  ],
  [
    'additionalProperties',
    { propertyNames: { pattern: '^z+$' }, additionalProperties: false },
    {},
    ['/z z is not a member that the body may have: {"z":0}'],
  ],
  [
    'additionalProperties',
    { propertyNames: { pattern: '^z+$' }, properties: { z: true }, additionalProperties: false },
    {},
    [],
  ],
  [
    'const',
    { properties: { a: true }, additionalProperties: { const: true } },
    { b: true },
    [
      '/b b is not the one value that is allowed: {"b":false}',
      '/other other is not the one value that is allowed: {"b":true,"other":false}',
    ],
  ],
  [
    'const',
    { patternProperties: { '^x': { const: true } } },
    { xy: true },
    ['/xy xy is not the one value that is allowed: {"xy":false}'],
  ],
  [
    'const',
    { patternProperties: { '^x': { const: true } } },
    {},
    ['/x x is not the one value that is allowed: {"x":false}'],
  ],
  [
    'const',
    { allOf: [{ properties: { a: { const: true } } }], unevaluatedProperties: { const: false } },
    {},
    [
      '/other other is not the one value that is allowed: {"other":true}',
      '/a a is not the one value that is allowed: {"a":false}',
    ],
  ],
  [
    'propertyNames',
    { propertyNames: { maxLength: 11 }, additionalProperties: { const: 4 } },
    {},
    [
      '/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx the body has a member with the name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx": {"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx":4}',
    ],
  ],
  [
    'propertyNames',
    { propertyNames: { minLength: 1 }, additionalProperties: { const: 4 } },
    {},
    ['/ the body has a member with the name "": {"":4}'],
  ],
  [
    'propertyNames',
    { propertyNames: { enum: ['', 'a'] } },
    { '': 1 },
    [
      '/  the body has a member with the name " ": {"":1," ":0}',
      '/! the body has a member with the name "!": {"":1,"!":0}',
      '/a b the body has a member with the name "a b": {"":1,"a b":0}',
    ],
  ],
  [
    'minProperties',
    { minProperties: 2, required: ['a'] },
    { a: 1, b: 2, c: 3 },
    [' the body has fewer than 2 members: {"a":1}'],
  ],
  ['minProperties', { minProperties: 2, required: ['a', 'b'] }, { a: 1, b: 2 }, []],
  ['minProperties', { minProperties: 0 }, {}, []],
  [
    'maxProperties',
    { maxProperties: 2, properties: { a: { const: 1 }, b: { const: 2 } } },
    { b: 2 },
    [' the body has more than 2 members: {"b":2,"a":1,"key0":0}'],
  ],
  [
    'maxProperties',
    { maxProperties: 1, additionalProperties: { const: 9 } },
    { x: 9 },
    [' the body has more than 1 members: {"x":9,"key0":9}'],
  ],
  ['maxProperties', { maxProperties: 0 }, {}, [' the body has more than 0 members: {"key0":0}']],
  [
    'const',
    {
      properties: {
        a: {
          type: 'object',
          required: ['x'],
          properties: { x: { const: 1 }, b: { type: 'object', properties: { c: { const: true } } } },
        },
      },
    },
    {},
    [
      '/a/x x is not the one value that is allowed: {"a":{"x":2}}',
      '/a/x x is not the one value that is allowed: {"a":{"x":0}}',
      '/a/x x is not the one value that is allowed: {"a":{"x":1.5}}',
    ],
  ],
];

test.each(cases)('%s of %j, from %j', (...given) => {
  expect(linesOf(given)).toEqual(given[3]);
});
