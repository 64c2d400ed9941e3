import { describe, expect, test } from 'vitest';
import { breaksOnly, faultsSince, type IntendedFault } from './blame.ts';
import type { Json, JsonSchema } from './json.ts';
import { type Study, study } from './study.ts';

function made(schema: JsonSchema): Study {
  const found = study(schema);
  if ('failure' in found) throw new Error(found.failure.why);
  return found;
}

const claimOf = (text: string): IntendedFault => {
  const [pointer = '', schemaPointer = ''] = text.split(' ');
  return { pointer, schemaPointer, keyword: schemaPointer.split('/').at(-1) ?? '' };
};

const nullable: JsonSchema = { anyOf: [{ type: 'object', required: ['a'] }, { type: 'null' }] };

describe('what is wrong since a value was valid', () => {
  test.each<[JsonSchema, Json, Json, string | undefined, readonly string[]]>([
    [{ type: 'string', minLength: 2 }, 'ab', 'a', undefined, [' /minLength']],
    // Of alternatives, what the one that held finds wrong.
    [nullable, { a: 1 }, {}, undefined, ['/a /anyOf/0/required']],
    [nullable, null, {}, undefined, [' /anyOf/1/type']],
    [nullable, { a: 1 }, {}, ' /anyOf', [' /anyOf']],
    [
      { items: nullable },
      [{ a: 1 }, { a: 1 }],
      [{}, {}],
      '/0 /items/anyOf',
      ['/0 /items/anyOf', '/1/a /items/anyOf/0/required'],
    ],
    [
      { anyOf: [{ properties: { b: nullable }, required: ['b'] }, { const: 1 }] },
      { b: { a: 1 } },
      { b: {} },
      undefined,
      ['/b/a /anyOf/0/properties/b/anyOf/0/required'],
    ],
    // Alternatives as such: of a value that is new, that held none, or that holds several.
    [{ items: { anyOf: [{ minimum: 5 }, { const: 1 }] } }, [], [3], undefined, ['/0 /items/anyOf']],
    [{ anyOf: [{ const: 1 }, { const: 2 }] }, 3, 4, undefined, [' /anyOf']],
    [{ oneOf: [{ maximum: 5 }, { minimum: 5 }] }, 1, 5, undefined, [' /oneOf']],
    [{ oneOf: [{ const: 1 }, { const: 2 }] }, 2, 3, undefined, [' /oneOf/1/const']],
  ])('of %j, from %j to %j, where %s is claimed', (schema, before, after, claim, expected) => {
    const faults = faultsSince(made(schema), before, after, claim === undefined ? undefined : claimOf(claim));
    expect(faults.map(({ pointer, schemaPointer }) => `${pointer} ${schemaPointer}`)).toEqual(expected);
  });
});

describe('a claim to break one thing', () => {
  test.each<[string, JsonSchema, Json, Json, string, boolean]>([
    ['the one thing', { minLength: 2, pattern: '^a' }, 'ab', 'a', ' /minLength', true],
    ['nothing at all', { minLength: 2 }, 'ab', 'abc', ' /minLength', false],
    ['another thing', { minLength: 2, maxLength: 3 }, 'ab', 'abcd', ' /minLength', false],
    ['another thing too', { minLength: 2, pattern: '^a' }, 'ab', 'b', ' /minLength', false],
    [
      'the same keyword elsewhere in the schema',
      { allOf: [{ minLength: 2 }, { minLength: 3 }] },
      'abc',
      'ab',
      ' /allOf/0/minLength',
      false,
    ],
    [
      'the same keyword here and there',
      { allOf: [{ minLength: 2 }, { minLength: 3 }] },
      'abc',
      'a',
      ' /allOf/0/minLength',
      true,
    ],
    [
      'something elsewhere in the value too',
      { properties: { a: { type: 'string' }, b: { type: 'string' } } },
      { a: 'x', b: 'x' },
      { a: 1, b: 1 },
      '/a /properties/a/type',
      false,
    ],
    [
      'something elsewhere too, next to an alternative',
      { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] }, b: { type: 'string' } } },
      { a: 'x', b: 'x' },
      { a: 1, b: 1 },
      '/a /properties/a/anyOf/0/type',
      false,
    ],
    ['a type, and all that follows from it', { type: 'string', enum: ['a'] }, 'a', 5, ' /type', true],
    ['a listed value, and its type', { type: 'string', enum: ['a'] }, 'a', 5, ' /enum', false],
    ['both lower bounds', { minimum: 3, exclusiveMinimum: 2 }, 3, 1, ' /minimum', true],
    ['both upper bounds', { maximum: 3, exclusiveMaximum: 4 }, 3, 5, ' /exclusiveMaximum', true],
    ['a bound and a step', { minimum: 0, multipleOf: 2 }, 2, -1, ' /minimum', false],
    ['both lists', { enum: [1, 2], const: 1 }, 1, 3, ' /enum', true],
    ['one of the lists', { enum: [1, 2], const: 1 }, 1, 2, ' /const', true],
    ['all alternatives', { anyOf: [{ const: 1 }, { const: 2 }] }, 1, 3, ' /anyOf', true],
    ['the alternative that held', { anyOf: [{ const: 1 }, { const: 2 }] }, 1, 3, ' /anyOf/0/const', true],
    ['the other alternative', { anyOf: [{ const: 1 }, { const: 2 }] }, 1, 3, ' /anyOf/1/const', false],
    [
      'what must be contained, nested',
      { properties: { a: { contains: { const: 1 } } } },
      { a: [1] },
      { a: [2] },
      '/a /properties/a/contains',
      true,
    ],
    // Where ajv accepts the value nothing is claimed.
    [
      'what ajv accepts',
      { contains: { type: 'null' }, unevaluatedItems: false },
      [null],
      [null, 1],
      '/1 /unevaluatedItems',
      false,
    ],
    [
      'what ajv calls unevaluated too, since that follows',
      {
        $ref: '#/$defs/x',
        $defs: { x: { properties: { a: { properties: { b: { type: 'string' } } } } } },
        unevaluatedProperties: false,
      },
      { a: { b: 'x' } },
      { a: { b: 1 } },
      '/a/b /$defs/x/properties/a/properties/b/type',
      true,
    ],
  ])('%s', (_, schema, before, after, claim, expected) => {
    expect(breaksOnly(made(schema), before, after, claimOf(claim))).toBe(expected);
  });

  test('names both the keyword and its place', () => {
    const study = made({ minLength: 2 });
    const claim = { pointer: '', keyword: 'minLength', schemaPointer: '/minLength' };
    expect(breaksOnly(study, 'ab', 'a', claim)).toBe(true);
    expect(breaksOnly(study, 'ab', 'a', { ...claim, keyword: 'maxLength' })).toBe(false);
    expect(breaksOnly(study, 'ab', 'a', { ...claim, schemaPointer: '/maxLength' })).toBe(false);
    expect(breaksOnly(study, 'ab', 'a', { ...claim, pointer: '/0' })).toBe(false);
  });
});

test('a text that breaks a format as well is still too short; what breaks the length is no fault of a format alone', () => {
  const found = study({ type: 'string', format: 'date', minLength: 1 }, { formats: 'assert' });
  if ('failure' in found) throw new Error(found.failure.why);
  expect(breaksOnly(found, '2026-01-01', '', claimOf(' /minLength'))).toBe(true);
  expect(breaksOnly(found, '2026-01-01', '', claimOf(' /format'))).toBe(false);
});
