import { describe, expect, test } from 'vitest';
import { type Json, type JsonSchema, pointerOf } from './json.ts';
import { placesIn, type SchemaPlace, unnamedOf } from './places.ts';
import { study } from './study.ts';

function places(schema: JsonSchema, body: Json, levels?: number): readonly SchemaPlace[] {
  const made = study(schema);
  if ('failure' in made) throw new Error(made.failure.why);
  return placesIn(made, body, levels);
}

/** Each place with the schemas in force there, and the body that it is in, where that is another. */
function listed(schema: JsonSchema, body: Json, levels?: number): readonly string[] {
  return places(schema, body, levels).map(({ tokens, nodes, body: whole }) => {
    const schemas = nodes.map(({ at }) => (at === '' ? '#' : at)).join(' ');
    return `${pointerOf(tokens)}: ${schemas}${whole === body ? '' : ` in ${JSON.stringify(whole)}`}`;
  });
}

const THEN = 'then';

describe('the places of a body', () => {
  test.each<[JsonSchema, Json, readonly string[]]>([
    [{ const: 1 }, 1, [': #']],
    [
      { contains: { const: 1 }, items: { enum: [1, 2] }, maxItems: 2 },
      [1],
      [': #', '/0: /items', '/1: /items in [1,1]'],
    ],
    [{ properties: { a: { const: 1 } } }, { a: 1, b: 2 }, [': #', '/a: /properties/a', '/b: ']],
    [
      {
        properties: { a: { const: 1 } },
        patternProperties: { '^a': { const: 1 }, '^b': true },
        additionalProperties: { const: 2 },
      },
      { a: 1, c: 2 },
      [
        ': #',
        '/a: /properties/a /patternProperties/^a',
        '/c: /additionalProperties',
        '/b: /patternProperties/^b in {"a":1,"c":2,"b":0}',
        '/other: /additionalProperties in {"a":1,"c":2,"other":2}',
      ],
    ],
    [
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: { const: 2 } },
      { b: 2 },
      [
        ': # /allOf/0',
        '/b: /unevaluatedProperties',
        '/other: /unevaluatedProperties in {"b":2,"other":2}',
        '/a: /allOf/0/properties/a in {"b":2,"a":0}',
      ],
    ],
    // Of a long array the prefix, the first and the last item; of a short one the next item too.
    [
      { prefixItems: [{ const: 1 }], items: { const: 2 } },
      [1, 2, 2, 2],
      [': #', '/0: /prefixItems/0', '/1: /items', '/3: /items'],
    ],
    [{ items: { const: 2 } }, [], [': #', '/0: /items in [2]']],
    [
      { prefixItems: [{ const: 1 }, { const: 2 }] },
      [1],
      [': #', '/0: /prefixItems/0', '/1: /prefixItems/1 in [1,2]'],
    ],
    [{ prefixItems: [{ const: 1 }] }, [1], [': #', '/0: /prefixItems/0']],
    [{ minItems: 0 }, [], [': #']],
    [{ items: false }, [], [': #']],
    [
      { prefixItems: [true], unevaluatedItems: { const: 2 } },
      [5, 2],
      [': #', '/0: /prefixItems/0', '/1: /unevaluatedItems'],
    ],
    // What is not there is only visited where the body stays valid.
    [{ properties: { a: { const: 1 } }, dependentRequired: { a: ['b'] } }, {}, [': #']],
    [{ properties: { a: false } }, {}, [': #']],
    // In place.
    [
      { $ref: '#/$defs/x', $defs: { x: { $dynamicRef: '#y' }, y: { $dynamicAnchor: 'y', allOf: [true] } } },
      1,
      [': # /$defs/x /$defs/y /$defs/y/allOf/0'],
    ],
    [
      { anyOf: [{ minimum: 1 }, { minimum: 5 }, { maximum: 3 }], oneOf: [{ const: 2 }, { const: 3 }] },
      2,
      [': # /anyOf/0 /anyOf/2 /oneOf/0', ': # /anyOf/0 /anyOf/2 /oneOf/1 in 3'],
    ],
    // A branch that holds nowhere is visited once, whatever else refers to it.
    [
      {
        properties: { a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } },
        $defs: { x: { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^x+$' }] } },
      },
      { a: null, b: null },
      [
        ': #',
        '/a: /properties/a /$defs/x /$defs/x/anyOf/0',
        '/b: /properties/b /$defs/x /$defs/x/anyOf/0',
        '/a: /properties/a /$defs/x /$defs/x/anyOf/1 in {"a":"x","b":null}',
      ],
    ],
    // Null breaks nothing but the type, where a value that is absent may be another one.
    [
      { properties: { a: { type: ['object', 'null'], required: ['b'], properties: { b: { const: 1 } } } } },
      {},
      [': #', '/a: /properties/a in {"a":{"b":1}}', '/a/b: /properties/a/properties/b in {"a":{"b":1}}'],
    ],
    [{ properties: { a: { type: 'null' } } }, {}, [': #', '/a: /properties/a in {"a":null}']],
    // Of an absent list of lists the innermost item, too.
    [
      { properties: { a: { items: { items: { const: 1 } } } } },
      {},
      [
        ': #',
        '/a: /properties/a in {"a":[]}',
        '/a/0: /properties/a/items in {"a":[[]]}',
        '/a/0/0: /properties/a/items/items in {"a":[[1]]}',
      ],
    ],
    // Each position of a tuple, as if those before it were there.
    [
      { prefixItems: [{ const: 1 }, { const: 2 }, { const: 3 }] },
      [],
      [': #', '/0: /prefixItems/0 in [1]', '/1: /prefixItems/1 in [1,2]', '/2: /prefixItems/2 in [1,2,3]'],
    ],
    [{ if: { minimum: 5 }, [THEN]: { maximum: 9 }, else: { maximum: 4 } }, 6, [': # /then']],
    [{ if: { minimum: 5 }, [THEN]: { maximum: 9 }, else: { maximum: 4 } }, 1, [': # /else']],
    [
      { dependentSchemas: { a: { required: ['b'] }, c: true } },
      { a: 1, b: 1 },
      [': # /dependentSchemas/a', '/a: ', '/b: '],
    ],
    [{ $ref: '#' }, 1, [': #']],
  ])('of %j in %j', (schema, body, expected) => {
    expect(listed(schema, body)).toEqual(expected);
  });

  test('absent members are visited so many levels deep', () => {
    const nested: JsonSchema = {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { b: { type: 'object', properties: { c: { const: 1 } } } } },
      },
    };
    const pointers = (body: Json, levels?: number): readonly string[] =>
      places(nested, body, levels).map(({ tokens }) => pointerOf(tokens));
    expect(pointers({}, 0)).toEqual(['']);
    expect(pointers({}, 1)).toEqual(['', '/a']);
    expect(pointers({})).toEqual(['', '/a', '/a/b']);
    expect(pointers({ a: {} })).toEqual(['', '/a', '/a/b', '/a/b/c']);
    expect(pointers({}, 9)).toEqual(['', '/a', '/a/b', '/a/b/c']);
  });

  test('four hundred are visited at most', () => {
    const of = (length: number, member: Json): Json =>
      Object.fromEntries(Array.from({ length }, (_, index) => [`a${index}`, member]));
    expect(places({ type: 'object' }, of(25, of(20, 1)))).toHaveLength(400);
    expect(places({ type: 'object' }, of(500, 1))).toHaveLength(126);
  });

  test('a value can be put at each, and all else stays', () => {
    const schema: JsonSchema = {
      properties: { a: { items: { properties: { b: true, c: true } } }, d: true },
    };
    const put = places(schema, { a: [{ b: 1 }, 2], x: 3 }).map(({ tokens, rooted }) => [
      pointerOf(tokens),
      JSON.stringify(rooted('!')),
    ]);
    expect(put).toEqual([
      ['', '"!"'],
      ['/a', '{"a":"!","x":3}'],
      ['/a/0', '{"a":["!",2],"x":3}'],
      ['/a/0/b', '{"a":[{"b":"!"},2],"x":3}'],
      ['/a/0/c', '{"a":[{"b":1,"c":"!"},2],"x":3}'],
      ['/a/1', '{"a":[{"b":1},"!"],"x":3}'],
      ['/x', '{"a":[{"b":1},2],"x":"!"}'],
      ['/d', '{"a":[{"b":1},2],"x":3,"d":"!"}'],
    ]);
  });
});

test.each<[JsonSchema, readonly string[], string | undefined]>([
  [true, [], 'other'],
  [{ properties: { other: true } }, [], 'unlisted'],
  [{}, ['other', 'unlisted'], 'x-1'],
  [{ patternProperties: { '^[a-z]': true } }, [], '0'],
  [{ patternProperties: { '': true } }, [], undefined],
  [{ propertyNames: { pattern: '^z+$' } }, [], 'z'],
  [{ propertyNames: { pattern: '^z+$' } }, ['z'], undefined],
  [{ propertyNames: { pattern: '^z+x?$' } }, ['z'], 'zx'],
  [{ propertyNames: { maxLength: 1 } }, [], '0'],
  [{ propertyNames: false }, [], undefined],
])('a name that %j does not describe, next to %j: %s', (schema, taken, expected) => {
  const made = study(schema);
  if ('failure' in made) throw new Error(made.failure.why);
  expect(unnamedOf(made, [made.builder.index.root], taken)).toBe(expected);
});
