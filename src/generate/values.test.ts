import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePoints } from './evaluation.ts';
import { isArray, isObject, type Json, type JsonSchema } from './json.ts';
import { validator } from './validator.ts';
import { type ValidValues, validValues } from './values.ts';

/** A name that makes an object look like a promise to linters. */
const THEN = 'then';

type Supported = Extract<ValidValues, { kind: 'supported' }>;

function supported(schema: JsonSchema, options: Parameters<typeof validValues>[1] = {}): Supported {
  const values = validValues(schema, options);
  if (values.kind !== 'supported') throw new Error(JSON.stringify(values));
  return values;
}

function samples(
  schema: JsonSchema,
  numRuns = 200,
  options: Parameters<typeof validValues>[1] = {},
): readonly Json[] {
  return fc.sample(supported(schema, options).arbitrary, { seed: 11, numRuns });
}

const subject = {
  type: 'object',
  required: ['subject'],
  properties: { subject: { type: 'string' }, note: { type: 'string' } },
};

describe('numbers as text', () => {
  const optional = '^-?\\d{0,6}(?:\\.\\d{0,2})?$';
  test.each<[string, JsonSchema, Json, Json]>([
    ['of a format', { type: 'string', format: 'decimal' }, '0', '1.00'],
    ['of a format and a pattern', { type: 'string', format: 'decimal', pattern: optional }, '0', '1.00'],
    ['without places', { type: 'string', format: 'decimal', pattern: '^\\d{1,3}$' }, '0', '1'],
    ['of a pattern alone', { type: 'string', pattern: '^-?\\d{0,6}$' }, '0', '1'],
  ])('%s: neither empty nor a sign alone, and above 0 where more is said', (_, schema, smallest, typical) => {
    expect(validValues(schema, { formats: 'assert' })).toMatchObject({ smallest, typical });
  });

  test('are decimal numbers where the format says so, whatever the pattern lets pass', () => {
    for (const value of samples({ type: 'string', format: 'decimal', pattern: optional }, 100, {
      formats: 'assert',
    }))
      expect(String(value)).toMatch(/^\d+(\.\d+)?$/);
  });

  test('a pattern of signs alone has no letter or digit', () => {
    expect(validValues({ type: 'string', pattern: '^-{1,3}$' })).toMatchObject({ smallest: '-' });
  });
});

describe('the smallest value', () => {
  test.each<[string, JsonSchema, Json]>([
    ['required members only', subject, { subject: 'a' }],
    ['text', { type: 'string', minLength: 3 }, 'aaa'],
    ['a pattern', { type: 'string', pattern: '^[A-Z]{2}\\d$' }, 'AA0'],
    ['a date', { type: 'string', format: 'date' }, '2024-01-01'],
    ['a decimal', { type: 'string', format: 'decimal' }, '0'],
    [
      'a decimal whose pattern lets all of it be left out',
      { type: 'string', format: 'decimal', pattern: '^-?\\d{0,6}(?:\\.\\d{0,2})?$' },
      '0',
    ],
    ['a number', { type: 'number', minimum: 2.5 }, 2.5],
    ['an integer above', { type: 'integer', exclusiveMinimum: 4 }, 5],
    ['a multiple', { type: 'number', multipleOf: 0.25, minimum: 0.3 }, 0.5],
    ['below zero', { type: 'integer', maximum: -3 }, -3],
    ['an enum', { enum: ['long', 'x'] }, 'x'],
    ['a constant', { const: { a: [1] } }, { a: [1] }],
    ['items', { type: 'array', items: { type: 'boolean' }, minItems: 2 }, [false, false]],
    ['different items', { type: 'array', items: { enum: [1, 2] }, minItems: 2, uniqueItems: true }, [1, 2]],
    [
      'a tuple',
      { type: 'array', prefixItems: [{ const: 'v' }, { type: 'null' }], items: false, minItems: 2 },
      ['v', null],
    ],
    ['contains', { type: 'array', items: { type: 'integer' }, contains: { minimum: 10 } }, [10]],
    [
      'one item for two',
      {
        type: 'array',
        maxItems: 1,
        allOf: [{ contains: { multipleOf: 2 } }, { contains: { multipleOf: 3, minimum: 1 } }],
        items: { type: 'integer' },
      },
      [6],
    ],
    [
      'dependents',
      {
        type: 'object',
        required: ['a'],
        properties: { a: { const: 1 }, b: { const: 2 } },
        dependentRequired: { a: ['b'] },
      },
      { a: 1, b: 2 },
    ],
    [
      'enough members',
      {
        type: 'object',
        minProperties: 2,
        properties: { a: { const: 1 } },
        additionalProperties: { const: 2 },
      },
      { a: 1, alpha: 2 },
    ],
    ['an allOf', { allOf: [{ type: 'integer' }, { minimum: 7 }, { multipleOf: 5 }] }, 10],
    [
      'one of two',
      {
        oneOf: [
          { type: 'integer', minimum: 0, maximum: 10 },
          { type: 'integer', minimum: 0, maximum: 20 },
        ],
      },
      11,
    ],
    ['not', { type: 'integer', minimum: 0, maximum: 3, not: { maximum: 2 } }, 3],
    [
      'then',
      {
        type: 'object',
        required: ['k'],
        properties: { k: { const: 1 }, v: { const: 2 } },
        if: { properties: { k: { const: 1 } } },
        [THEN]: { required: ['v'] },
      },
      { k: 1, v: 2 },
    ],
    [
      'an end to recursion',
      {
        $defs: {
          n: {
            type: 'object',
            required: ['next'],
            properties: { next: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] } },
          },
        },
        $ref: '#/$defs/n',
      },
      { next: null },
    ],
    ['an anchor', { $defs: { x: { $anchor: 'here', const: 1 } }, $ref: '#here' }, 1],
    ['an identifier', { $id: 'https://example.org/a', $defs: { x: { $id: 'b', const: 1 } }, $ref: 'b' }, 1],
    ['members where no type is given', { required: ['a'], properties: { a: { type: 'null' } } }, { a: null }],
  ])('%s', (_, schema, value) => {
    expect(supported(schema).smallest).toEqual(value);
    const check = validator(schema);
    for (const other of samples(schema, 40)) expect(check(other)).toEqual([]);
  });
});

describe('what cannot be had', () => {
  test.each<[string, JsonSchema]>([
    ['false', false],
    ['bounds that cross', { type: 'integer', minimum: 3, maximum: 2 }],
    ['no integer between', { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }],
    ['a required member that nothing fits', { type: 'object', required: ['a'], properties: { a: false } }],
    ['types apart', { allOf: [{ type: 'string' }, { type: 'number' }] }],
    ['recursion without an end', { type: 'object', required: ['a'], properties: { a: { $ref: '#' } } }],
    [
      'three different booleans',
      { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 3 },
    ],
  ])('%s is unsatisfiable', (_, schema) => {
    expect(validValues(schema).kind).toBe('unsatisfiable');
  });

  test('a pattern that contradicts its length is unsupported, and says so', () => {
    const values = validValues({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string', pattern: '^a{5}$', maxLength: 4 } },
    });
    expect(values).toMatchObject({
      kind: 'unsupported',
      notes: [{ at: '/properties/a', keyword: 'pattern' }],
    });
  });

  test('a reference that leads nowhere is unsupported', () => {
    expect(validValues({ $ref: '#/$defs/none' })).toMatchObject({
      kind: 'unsupported',
      notes: [{ why: expect.stringContaining('none') }],
    });
  });
});

describe('text', () => {
  const texts = samples({ type: 'string' }, 2_000).filter((value) => typeof value === 'string');

  test('is long, short and awkward, but never blank, with U+0000 or half a surrogate pair', () => {
    expect(Math.max(...texts.map(codePoints))).toBeGreaterThan(120);
    expect(Math.max(...texts.map(codePoints))).toBeLessThanOrEqual(200);
    expect(
      texts.every((text) => text.trim() !== '' && !text.includes('\u0000') && !/\p{Surrogate}/u.test(text)),
    ).toBe(true);
    for (const part of ['<script>', '"', "'", '\n', '😀', '日', '\u0301'])
      expect(
        texts.some((text) => text.includes(part)),
        part,
      ).toBe(true);
    expect(new Set(texts).size).toBeGreaterThan(1_200);
  });

  test('reaches the greatest length that is allowed, in code points', () => {
    const lengths = samples({ type: 'string', minLength: 2, maxLength: 120 }, 500).map((value) =>
      codePoints(String(value)),
    );
    expect(Math.min(...lengths)).toBe(2);
    expect(Math.max(...lengths)).toBe(120);
  });

  test.each([
    'date',
    'time',
    'date-time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'uri-template',
    'uuid',
    'regex',
    'json-pointer',
    'relative-json-pointer',
    'byte',
    'url',
    'iso-time',
    'iso-date-time',
    'json-pointer-uri-fragment',
    'decimal',
  ])('of format %s, varied', (format) => {
    const values = samples({ type: 'string', format }, 100, { formats: 'assert' });
    expect(new Set(values).size).toBeGreaterThan(4);
  });
});

describe('values', () => {
  test('are the same for the same seed', () => {
    const schema: JsonSchema = {
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'array'] },
      properties: { a: { pattern: '^x+$' } },
    };
    expect(samples(schema, 50)).toEqual(samples(schema, 50));
  });

  test('shrink to what is small', () => {
    const schema: JsonSchema = {
      type: 'object',
      required: ['n', 's'],
      properties: {
        n: { type: 'integer', minimum: 0 },
        s: { type: 'string' },
        more: { type: 'array', items: { type: 'string' } },
      },
    };
    const result = fc.check(
      fc.property(supported(schema).arbitrary, (value) => isObject(value) && Number(value['n']) < 10),
      { seed: 3, numRuns: 500 },
    );
    expect(result.counterexample).toEqual([{ n: 10, s: expect.stringMatching(/^.$/u) }]);
  });

  test('have no members that the schema does not describe, unless there must be more', () => {
    for (const value of samples(subject))
      expect(['subject', 'note']).toEqual(expect.arrayContaining(Object.keys(isObject(value) ? value : {})));
    for (const value of samples({ type: 'object', minProperties: 2 }, 50))
      expect(Object.keys(isObject(value) ? value : {}).length).toBeGreaterThanOrEqual(2);
  });

  test('leave optional members out and put them in', () => {
    const having = samples(subject).filter((value) => isObject(value) && 'note' in value).length;
    expect(having).toBeGreaterThan(40);
    expect(having).toBeLessThan(160);
  });

  test('take every branch', () => {
    const kinds = samples({
      oneOf: [{ const: 'a' }, { type: 'integer' }, { type: 'array', items: { type: 'null' } }],
    });
    expect(
      kinds.some((value) => value === 'a') &&
        kinds.some((value) => typeof value === 'number') &&
        kinds.some(isArray),
    ).toBe(true);
  });

  test('are multiples by binary arithmetic too', () => {
    const amounts = samples({ type: 'number', multipleOf: 0.01, minimum: 0 }, 300);
    expect(amounts.every((amount) => Number.isInteger(Number(amount) / 0.01))).toBe(true);
    expect(amounts.some((amount) => !Number.isInteger(amount))).toBe(true);
  });

  test('are plain objects, whatever their members are called', () => {
    const schema: JsonSchema = JSON.parse(
      '{"type":"object","required":["__proto__","constructor","toString"],"properties":{"__proto__":{"type":"integer"},"constructor":{"type":"string"},"toString":{"const":1}}}',
    );
    for (const value of samples(schema, 30)) {
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(isObject(value) ? value : {}).sort()).toEqual([
        '__proto__',
        'constructor',
        'toString',
      ]);
      expect(JSON.parse(JSON.stringify(value))).toEqual(value);
    }
  });

  test('stay small, however the schema recurses', () => {
    const schema: JsonSchema = {
      type: 'object',
      properties: Object.fromEntries(
        'abcdefgh'.split('').map((name) => [name, { type: 'array', items: { $ref: '#' } }]),
      ),
    };
    const sizes = samples(schema, 200).map((value) => JSON.stringify(value).length);
    expect(Math.max(...sizes)).toBeLessThan(20_000);
  });

  test('go no deeper than asked, where nothing requires it', () => {
    const schema: JsonSchema = { type: 'object', properties: { child: { $ref: '#' } } };
    const depthOf = (value: Json | undefined): number => (isObject(value) ? 1 + depthOf(value['child']) : 0);
    expect(Math.max(...samples(schema, 300, { maxDepth: 2 }).map(depthOf))).toBe(3);
  });

  test('find remotes', () => {
    expect(
      supported(
        { $ref: 'https://example.org/x' },
        { remotes: { 'https://example.org/x': { const: 'found' } } },
      ).smallest,
    ).toBe('found');
  });

  test('of a small schema cost no many times what plain records do', () => {
    const { arbitrary } = supported(subject);
    const plain = fc.record({ subject: fc.string(), note: fc.string() }, { requiredKeys: ['subject'] });
    const cost = (drawn: fc.Arbitrary<unknown>): number => {
      fc.sample(drawn, { seed: 1, numRuns: 2_000 });
      const start = performance.now();
      fc.sample(drawn, { seed: 2, numRuns: 5_000 });
      return performance.now() - start;
    };
    // Four times as much as measured; both in one run, on whatever machine.
    expect(cost(arbitrary) / cost(plain)).toBeLessThan(40);
  });
});
