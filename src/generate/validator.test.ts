import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test, vi } from 'vitest';
import type { Json, JsonSchema } from './json.ts';
import { validator } from './validator.ts';

test.each<[string, JsonSchema, Json, string, string]>([
  ['a missing member', { required: ['subject'] }, {}, '/subject', 'required'],
  ['a missing nested member', { properties: { a: { required: ['b/c'] } } }, { a: {} }, '/a/b~1c', 'required'],
  [
    'a member too many',
    { properties: { a: true }, additionalProperties: false },
    { a: 1, b: 2 },
    '/b',
    'additionalProperties',
  ],
  [
    'an unevaluated member',
    { allOf: [{ properties: { a: true } }], unevaluatedProperties: false },
    { a: 1, b: 2 },
    '/b',
    'unevaluatedProperties',
  ],
  ['a bad name', { propertyNames: { maxLength: 2 } }, { long: 1 }, '/long', 'maxLength'],
  ['a missing dependency', { dependentRequired: { a: ['b'] } }, { a: 1 }, '/b', 'dependentRequired'],
  ['an item too many', { prefixItems: [true], items: false }, [1, 2], '/1', 'items'],
  ['a wrong type', { properties: { a: { type: 'string' } } }, { a: 5 }, '/a', 'type'],
])('the pointer of %s', (_, schema, value, pointer, keyword) => {
  const errors = validator(schema)(value);
  expect(errors.map((error) => ({ pointer: error.pointer, keyword: error.keyword }))).toContainEqual({
    pointer,
    keyword,
  });
});

test('nothing is coerced', () => {
  expect(validator({ type: 'string' })(5)).toHaveLength(1);
  expect(validator({ type: 'number' })('5')).toHaveLength(1);
});

test('formats are annotations unless asserted', () => {
  const schema = { type: 'string', format: 'email' };
  expect(validator(schema)('nobody')).toEqual([]);
  expect(validator(schema, { formats: 'assert' })('nobody')).toMatchObject([
    { keyword: 'format', pointer: '' },
  ]);
});

test('hundredths are multiples of 0.01, whatever binary fractions say', () => {
  const check = validator({ multipleOf: 0.01 });
  for (const value of [19.99, 4.35, 0.07, 1.1, 123456.78]) expect(check(value)).toEqual([]);
  expect(check(0.005)).toHaveLength(1);
});

test('length counts code points', () => {
  expect(validator({ maxLength: 1 })('😀')).toEqual([]);
});

test('remotes are found by their URI', () => {
  const remotes = { 'https://example.org/word': { type: 'string' } };
  const check = validator({ $ref: 'https://example.org/word' }, { remotes });
  expect(check('a')).toEqual([]);
  expect(check(1)).toHaveLength(1);
});

test('a schema that cannot be compiled throws', () => {
  expect(() => validator({ $ref: '#/nowhere' })).toThrow(/nowhere/);
});

test('a schema that is none throws, and says where', () => {
  const wrong: JsonSchema = { properties: { a: { minLength: -1 } } };
  const said = 'schema is invalid: data/properties/a/minLength must be >= 0';
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  expect(() => validator(wrong)).toThrow(said);
  expect(() => validator({ $schema, ...wrong })).toThrow(said);
  expect(() => validator(true, { remotes: { 'https://example.org/wrong': wrong } })).toThrow(said);
});

test('another dialect is read where its meta-schema is given', () => {
  const $schema = 'https://example.org/dialect';
  const dialect: JsonSchema = { $id: $schema, properties: { minimum: { const: 3 } } };
  const remotes = { [$schema]: dialect };
  expect(validator({ $schema, minimum: 3 }, { remotes })(2)).toHaveLength(1);
  expect(() => validator({ $schema, minimum: 4 }, { remotes })).toThrow('schema is invalid');
  expect(() => validator({ $schema, minimum: 3 })).toThrow('no schema with key or ref');
});

test('a schema is compiled once for each way to read it', () => {
  const compile = vi.spyOn(Ajv2020.prototype, 'compile');
  const schema: JsonSchema = { type: 'string', format: 'date' };
  expect(validator(schema, { formats: 'assert' })('no date')).toHaveLength(1);
  expect(validator(schema)('no date')).toEqual([]);
  expect(validator(schema, { formats: 'assert' })('2026-02-30')).toHaveLength(1);
  expect(validator(schema, { formats: 'annotate' })(5)).toHaveLength(1);
  expect(compile).toHaveBeenCalledTimes(2);
  compile.mockRestore();
});

test('a schema may refer to the meta-schema', () => {
  const schema: JsonSchema = { $ref: 'https://json-schema.org/draft/2020-12/schema' };
  expect(validator(schema)({ type: 'string' })).toEqual([]);
  expect(validator(schema)({ type: 'text' })).not.toEqual([]);
});
