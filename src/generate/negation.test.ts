import { describe, expect, test } from 'vitest';
import type { JsonSchema } from './json.ts';
import { negations } from './negation.ts';
import { schemaIndex } from './references.ts';
import { study } from './study.ts';
import { validValues } from './values.ts';

/** A name that makes an object look like a promise to linters. */
const THEN = 'then';

function waysToFail(schema: JsonSchema): readonly JsonSchema[] {
  const index = schemaIndex(schema);
  return negations(index, index.root).map((node) => node.schema);
}

describe('the ways to fail', () => {
  test.each<[JsonSchema, readonly JsonSchema[]]>([
    [true, []],
    [false, [true]],
    [{}, []],
    [{ title: 'x', $defs: {} }, []],
    [{ type: 'null' }, [{ type: ['boolean', 'integer', 'number', 'string', 'array', 'object'] }]],
    [{ type: 'number' }, [{ type: ['null', 'boolean', 'string', 'array', 'object'] }]],
    [
      { type: 'integer' },
      [{ type: ['null', 'boolean', 'number', 'string', 'array', 'object'], not: { type: 'integer' } }],
    ],
    [{ type: ['null', 'boolean', 'number', 'string', 'array'] }, [{ type: ['object'] }]],
    [{ type: ['null', 'boolean', 'number', 'string', 'array', 'object'] }, [false]],
    [{ const: 1 }, [true]],
    [{ enum: [1] }, [true]],
    [{ minLength: 2 }, [{ type: 'string', maxLength: 1 }]],
    [{ maxLength: 2 }, [{ type: 'string', minLength: 3 }]],
    [{ pattern: 'a' }, [{ type: 'string' }]],
    [{ format: 'date' }, [{ type: 'string' }]],
    [{ minimum: 2 }, [{ type: 'number', exclusiveMaximum: 2 }]],
    [{ maximum: 2 }, [{ type: 'number', exclusiveMinimum: 2 }]],
    [{ exclusiveMinimum: 2 }, [{ type: 'number', maximum: 2 }]],
    [{ exclusiveMaximum: 2 }, [{ type: 'number', minimum: 2 }]],
    [{ multipleOf: 2 }, [{ type: 'number' }]],
    [{ minItems: 2 }, [{ type: 'array', maxItems: 1 }]],
    [{ maxItems: 2 }, [{ type: 'array', minItems: 3 }]],
    [
      { uniqueItems: true },
      [
        { type: 'array', minItems: 2, items: { const: 0 } },
        { type: 'array', minItems: 2 },
      ],
    ],
    [{ uniqueItems: false }, []],
    [
      { prefixItems: [{ const: 1 }, { const: 2 }] },
      [
        { type: 'array', minItems: 1, prefixItems: [{ not: { const: 1 } }] },
        { type: 'array', minItems: 2, prefixItems: [true, { not: { const: 2 } }] },
      ],
    ],
    [{ items: { const: 1 } }, [{ type: 'array', minItems: 1, prefixItems: [{ not: { const: 1 } }] }]],
    [
      { items: { const: 1 }, prefixItems: [true] },
      [
        { type: 'array', minItems: 2, prefixItems: [true, { not: { const: 1 } }] },
        { type: 'array', minItems: 1, prefixItems: [{ not: true }] },
      ],
    ],
    [{ contains: { const: 1 } }, [{ type: 'array', items: { not: { const: 1 } } }]],
    [{ contains: { const: 1 }, minContains: 0 }, []],
    [
      { contains: { const: 1 }, maxContains: 2 },
      [
        { type: 'array', items: { not: { const: 1 } } },
        { type: 'array', minItems: 3, items: { const: 1 } },
      ],
    ],
    [{ minProperties: 2 }, [{ type: 'object', maxProperties: 1 }]],
    [{ maxProperties: 2 }, [{ type: 'object', minProperties: 3 }]],
    [
      { required: ['a', 'b'] },
      [
        { type: 'object', properties: { a: false } },
        { type: 'object', properties: { b: false } },
      ],
    ],
    [
      { properties: { a: { const: 1 } } },
      [{ type: 'object', required: ['a'], properties: { a: { not: { const: 1 } } } }],
    ],
    [
      { patternProperties: { '^x': { const: 1 }, '^a$(?!)': true } },
      [{ type: 'object', required: ['x'], properties: { x: { not: { const: 1 } } } }],
    ],
    [
      { additionalProperties: { const: 1 } },
      [
        { type: 'object', required: ['other'], properties: { other: { not: { const: 1 } } } },
        { type: 'object', required: ['0'], properties: { '0': { not: { const: 1 } } } },
      ],
    ],
    [
      { propertyNames: { const: 'a' } },
      [{ type: 'object', minProperties: 1, propertyNames: { not: { const: 'a' } } }],
    ],
    [
      { dependentRequired: { a: ['b', 'c'] } },
      [
        { type: 'object', required: ['a'], properties: { b: false } },
        { type: 'object', required: ['a'], properties: { c: false } },
      ],
    ],
    [
      { dependentSchemas: { a: { minProperties: 2 } } },
      [{ type: 'object', required: ['a'], not: { minProperties: 2 } }],
    ],
    [{ allOf: [{ const: 1 }, { const: 2 }] }, [{ not: { const: 1 } }, { not: { const: 2 } }]],
    [{ anyOf: [{ const: 1 }, { const: 2 }] }, [{ allOf: [{ not: { const: 1 } }, { not: { const: 2 } }] }]],
    [
      { oneOf: [{ const: 1 }, { const: 2 }, { const: 3 }] },
      [
        { allOf: [{ not: { const: 1 } }, { not: { const: 2 } }, { not: { const: 3 } }] },
        { allOf: [{ const: 1 }, { const: 2 }] },
        { allOf: [{ const: 1 }, { const: 3 }] },
        { allOf: [{ const: 2 }, { const: 3 }] },
      ],
    ],
    [{ not: { const: 1 } }, [{ const: 1 }]],
    [{ if: { const: 1 } }, []],
    [{ if: { const: 1 }, [THEN]: { const: 2 } }, [{ allOf: [{ const: 1 }, { not: { const: 2 } }] }]],
    [
      { if: { const: 1 }, [THEN]: { const: 2 }, else: { const: 3 } },
      [
        { allOf: [{ const: 1 }, { not: { const: 2 } }] },
        { allOf: [{ not: { const: 1 } }, { not: { const: 3 } }] },
      ],
    ],
    [{ unevaluatedItems: false }, [{ type: 'array', minItems: 1 }]],
    [{ unevaluatedProperties: false }, [{ type: 'object', minProperties: 1 }]],
    [{ $ref: '#/$defs/x', $defs: { x: { minimum: 2 } } }, [{ type: 'number', exclusiveMaximum: 2 }]],
    [{ $dynamicRef: '#x', $defs: { x: { $dynamicAnchor: 'x', not: { const: 1 } } } }, [{ const: 1 }]],
    [{ $ref: '#' }, []],
    [{ $ref: '#/$defs/none' }, []],
    [
      { minimum: 2, maxLength: 1 },
      [
        { type: 'number', exclusiveMaximum: 2 },
        { type: 'string', minLength: 2 },
      ],
    ],
  ])('%j', (schema, expected) => {
    expect(waysToFail(schema)).toEqual(expected);
  });

  test('of many alternatives, twelve pairs that hold at once', () => {
    const ways = waysToFail({ oneOf: Array.from({ length: 9 }, (_, position) => ({ const: position })) });
    expect(ways).toHaveLength(1 + 12);
  });

  test('have different labels, and the place of their schema', () => {
    const index = schemaIndex({ properties: { a: { minimum: 2, maximum: 9 } } });
    const node = index.child(index.root, 'properties', 'a');
    const ways = node === undefined ? [] : negations(index, node);
    expect(ways.map(({ at }) => at)).toEqual(['/properties/a/~not-0', '/properties/a/~not-1']);
  });
});

/** Each way really fails the schema, except where it only says to which type a keyword applies. */
describe('a value of a way to fail', () => {
  test.each<[JsonSchema]>([
    [{ type: 'integer' }],
    [{ minLength: 2 }],
    [{ minimum: 2 }],
    [{ exclusiveMaximum: 2 }],
    [{ minItems: 2 }],
    [{ prefixItems: [{ const: 1 }, { const: 2 }] }],
    [{ prefixItems: [true], items: { const: 1 } }],
    [{ contains: { const: 1 }, maxContains: 2 }],
    [{ required: ['a', 'b'] }],
    [{ patternProperties: { '^x': { const: 1 } } }],
    [{ dependentRequired: { a: ['b', 'c'] } }],
    [{ dependentSchemas: { a: { minProperties: 2 } } }],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }],
    [{ oneOf: [{ minimum: 1 }, { maximum: 2 }] }],
    [{ if: { minimum: 1 }, [THEN]: { maximum: 2 }, else: { maximum: -3 } }],
  ])('fails %j', (schema) => {
    const made = study(schema);
    if ('failure' in made) throw new Error(made.failure.why);
    for (const way of waysToFail(schema)) {
      const values = validValues(way);
      expect(values.kind === 'supported' && made.valid(values.smallest), JSON.stringify(way)).toBe(false);
    }
  });
});
