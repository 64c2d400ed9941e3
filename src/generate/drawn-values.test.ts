import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from './json.ts';
import { validValues } from './values.ts';

/** A name that makes an object look like a promise to linters. */
const THEN = 'then';

/** Of schemas that allow few values: the smallest, and all that are drawn. */
test.each<[JsonSchema, string, readonly string[]]>([
  [
    { type: 'array', items: { enum: [1, 2] }, minItems: 1, maxItems: 2 },
    '[1]',
    ['[1,1]', '[1,2]', '[1]', '[2,1]', '[2,2]', '[2]'],
  ],
  [
    { type: 'array', items: { enum: [1, 2] }, uniqueItems: true },
    '[]',
    ['[1,2]', '[1]', '[2,1]', '[2]', '[]'],
  ],
  [{ type: 'array', items: { enum: [1, 2] }, uniqueItems: true, minItems: 2 }, '[1,2]', ['[1,2]', '[2,1]']],
  [
    { type: 'array', items: { const: 1 } },
    '[]',
    ['[1,1,1,1,1]', '[1,1,1,1]', '[1,1,1]', '[1,1]', '[1]', '[]'],
  ],
  [
    { type: 'array', items: { const: 1 }, minItems: 7 },
    '[1,1,1,1,1,1,1]',
    [
      '[1,1,1,1,1,1,1,1,1,1,1,1]',
      '[1,1,1,1,1,1,1,1,1,1,1]',
      '[1,1,1,1,1,1,1,1,1,1]',
      '[1,1,1,1,1,1,1,1,1]',
      '[1,1,1,1,1,1,1,1]',
      '[1,1,1,1,1,1,1]',
    ],
  ],
  [{ type: 'array', items: { const: 1 }, maxItems: 0 }, '[]', ['[]']],
  [{ type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], items: false }, '[]', ['[1,2]', '[1]', '[]']],
  [
    { type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], items: { const: 3 }, maxItems: 4 },
    '[]',
    ['[1,2,3,3]', '[1,2,3]', '[1,2]', '[1]', '[]'],
  ],
  [
    {
      type: 'array',
      prefixItems: [{ const: 1 }, { const: 2 }],
      items: { const: 3 },
      minItems: 3,
      maxItems: 4,
    },
    '[1,2,3]',
    ['[1,2,3,3]', '[1,2,3]'],
  ],
  [{ type: 'array', prefixItems: [{ const: 1 }, false], items: { const: 3 } }, '[]', ['[1]', '[]']],
  [{ type: 'array', prefixItems: [{ const: 1 }, { const: 2 }], maxItems: 1 }, '[]', ['[1]', '[]']],
  [
    { type: 'array', items: { enum: [1, 2] }, contains: { const: 1 }, maxItems: 2 },
    '[1]',
    ['[1,1]', '[1,2]', '[1]'],
  ],
  [
    { type: 'array', items: { enum: [1, 2] }, contains: { const: 1 }, minContains: 2, maxItems: 3 },
    '[1,1]',
    ['[1,1,1]', '[1,1,2]', '[1,1]'],
  ],
  [
    { type: 'array', items: { enum: [1, 2] }, contains: { const: 1 }, maxContains: 1, maxItems: 2 },
    '[1]',
    ['[1,2]', '[1]'],
  ],
  [
    {
      type: 'array',
      items: { enum: [1, 2] },
      contains: { const: 1 },
      minContains: 0,
      maxContains: 0,
      maxItems: 2,
    },
    '[]',
    ['[2,2]', '[2]', '[]'],
  ],
  [
    {
      type: 'array',
      items: { enum: [1, 2] },
      allOf: [{ contains: { const: 1 } }, { contains: { const: 2 } }],
      maxItems: 2,
    },
    '[1,2]',
    ['[1,2]'],
  ],
  [
    {
      type: 'array',
      maxItems: 1,
      items: { enum: [1, 2, 6] },
      allOf: [{ contains: { multipleOf: 2 } }, { contains: { multipleOf: 3 } }],
    },
    '[6]',
    ['[6]'],
  ],
  [
    { type: 'object', required: ['a'], properties: { a: { enum: [1, 2] }, b: { const: 3 } } },
    '{"a":1}',
    ['{"a":1,"b":3}', '{"a":1}', '{"a":2,"b":3}', '{"a":2}'],
  ],
  [
    { type: 'object', properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } }, minProperties: 2 },
    '{"a":1,"b":2}',
    ['{"a":1,"b":2,"c":3}', '{"a":1,"b":2}', '{"a":1,"c":3}', '{"b":2,"c":3}'],
  ],
  [
    { type: 'object', properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } }, maxProperties: 1 },
    '{}',
    ['{"a":1}', '{"b":2}', '{"c":3}', '{}'],
  ],
  [
    {
      type: 'object',
      required: ['a'],
      properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } },
      maxProperties: 2,
    },
    '{"a":1}',
    ['{"a":1,"b":2}', '{"a":1,"c":3}', '{"a":1}'],
  ],
  [
    { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, dependentRequired: { a: ['b'] } },
    '{}',
    ['{"a":1,"b":2}', '{"b":2}', '{}'],
  ],
  [
    {
      type: 'object',
      properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } },
      dependentRequired: { a: ['b'], b: ['c'] },
    },
    '{}',
    ['{"a":1,"b":2,"c":3}', '{"b":2,"c":3}', '{"c":3}', '{}'],
  ],
  [
    {
      type: 'object',
      properties: { a: { const: 1 } },
      dependentRequired: { a: ['z'] },
      additionalProperties: false,
    },
    '{}',
    ['{}'],
  ],
  [
    { type: 'object', minProperties: 1, maxProperties: 1, additionalProperties: { const: 2 } },
    '{"alpha":2}',
    ['{"alpha":2}', '{"beta":2}', '{"key-1":2}', '{"snake_case":2}'],
  ],
  [
    {
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      patternProperties: { '^x[12]$': { const: 2 } },
      additionalProperties: false,
    },
    '{"x1":2}',
    ['{"x1":2}', '{"x2":2}'],
  ],
  // A member that nothing describes is none that a service must take.
  [{ type: 'object', patternProperties: { '^x$': { const: 2 } } }, '{}', ['{"x":2}', '{}']],
  [
    {
      type: 'object',
      minProperties: 2,
      maxProperties: 2,
      propertyNames: { enum: ['p', 'q', 'r'] },
      additionalProperties: { const: 2 },
    },
    '{"p":2,"q":2}',
    ['{"p":2,"q":2}', '{"p":2,"r":2}', '{"q":2,"r":2}'],
  ],
  [
    { type: 'object', properties: { a: { const: 1 }, b: { const: 2 } }, propertyNames: { maxLength: 0 } },
    '{}',
    ['{}'],
  ],
  [{ type: 'object', properties: { a: false, b: { const: 2 } } }, '{}', ['{"b":2}', '{}']],
  [
    { type: 'object', properties: { a: { const: 1 } }, additionalProperties: { const: 9 }, maxProperties: 2 },
    '{}',
    [
      '{"a":1,"alpha":9}',
      '{"a":1,"beta":9}',
      '{"a":1,"key-1":9}',
      '{"a":1,"snake_case":9}',
      '{"a":1}',
      '{"alpha":9,"beta":9}',
      '{"alpha":9,"key-1":9}',
      '{"alpha":9,"snake_case":9}',
      '{"alpha":9}',
      '{"beta":9,"key-1":9}',
      '{"beta":9,"snake_case":9}',
      '{"beta":9}',
      '{"key-1":9,"snake_case":9}',
      '{"key-1":9}',
      '{"snake_case":9}',
      '{}',
    ],
  ],
  [{ type: 'boolean' }, 'false', ['false', 'true']],
  [{ type: 'null' }, 'null', ['null']],
  [{ enum: [3, 'x', null] }, '3', ['"x"', '3', 'null']],
  [{ type: ['boolean', 'null'] }, 'null', ['false', 'null', 'true']],
  [{ enum: [1, 2, 3, 4], not: { enum: [2, 4] } }, '1', ['1', '3']],
  [{ oneOf: [{ enum: [1, 2] }, { enum: [2, 3] }] }, '1', ['1', '3']],
  [{ anyOf: [{ const: 1 }, { const: 2 }], enum: [2, 3] }, '2', ['2']],
  [{ enum: [1, 2, 3], if: { const: 1 }, [THEN]: false }, '2', ['2', '3']],
  [{ type: 'integer', minimum: 3, maximum: 5 }, '3', ['3', '4', '5']],
  [{ type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 }, '4', ['4']],
  [{ type: 'number', multipleOf: 0.25, minimum: 0, maximum: 1 }, '0', ['0', '0.25', '0.5', '0.75', '1']],
  [{ type: 'number', multipleOf: 0.1, minimum: 0.1, maximum: 0.5 }, '0.1', ['0.1', '0.2', '0.4', '0.5']],
  [{ type: 'integer', multipleOf: 3, minimum: -7, maximum: 7 }, '0', ['-3', '-6', '0', '3', '6']],
  [{ type: 'number', multipleOf: 1.5, minimum: 1, maximum: 6 }, '1.5', ['1.5', '3', '4.5', '6']],
  [{ type: 'string', maxLength: 0 }, '""', ['""']],
  [{ type: 'string', enum: ['a', 'bb'], minLength: 2 }, '"bb"', ['"bb"']],
  [{ type: 'string', pattern: '^[ab]{1,2}$' }, '"a"', ['"a"', '"aa"', '"ab"', '"b"', '"ba"', '"bb"']],
  [{ type: 'string', pattern: '^[ab]c?$', maxLength: 1 }, '"a"', ['"a"', '"b"']],
  [
    {
      $ref: '#/$defs/n',
      $defs: {
        n: { type: 'object', required: ['v'], properties: { v: { const: 1 }, n: { $ref: '#/$defs/n' } } },
      },
    },
    '{"v":1}',
    [
      '{"v":1,"n":{"v":1,"n":{"v":1,"n":{"v":1,"n":{"v":1,"n":{"v":1}}}}}}',
      '{"v":1,"n":{"v":1,"n":{"v":1,"n":{"v":1,"n":{"v":1}}}}}',
      '{"v":1,"n":{"v":1,"n":{"v":1,"n":{"v":1}}}}',
      '{"v":1,"n":{"v":1,"n":{"v":1}}}',
      '{"v":1,"n":{"v":1}}',
      '{"v":1}',
    ],
  ],
  [
    {
      type: 'object',
      minProperties: 1,
      unevaluatedProperties: { const: 1 },
      properties: { a: { const: 2 } },
      maxProperties: 1,
    },
    '{"a":2}',
    ['{"a":2}', '{"alpha":1}', '{"beta":1}', '{"key-1":1}', '{"snake_case":1}'],
  ],
])('%j', (schema, smallest, drawn) => {
  const values = validValues(schema);
  if (values.kind !== 'supported') throw new Error(JSON.stringify(values));
  expect(JSON.stringify(values.smallest)).toBe(smallest);
  const found = fc.sample(values.arbitrary, { seed: 3, numRuns: 300 });
  expect([...new Set(found.map((value) => JSON.stringify(value)))].toSorted()).toEqual(drawn);
});

test('more members than are named have names of their own', () => {
  const schema: JsonSchema = { type: 'object', minProperties: 12, additionalProperties: { const: 1 } };
  const values = validValues(schema);
  expect(values.kind === 'supported' && Object.keys(values.smallest ?? {})).toEqual([
    'alpha',
    'beta',
    'key-1',
    'snake_case',
    'camelCase',
    'Ünïcödé',
    'with space',
    'a/b~c',
    'x',
    'key0',
    'key1',
    'key2',
  ]);
});
