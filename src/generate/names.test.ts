import { describe, expect, test } from 'vitest';
import { knownNames } from './names.ts';

describe('the names that a schema knows', () => {
  test.each([
    ['of its own', { properties: { a: true, b: true } }, ['a', 'b']],
    ['by reference', { $ref: '#/$defs/it', $defs: { it: { properties: { a: true } } } }, ['a']],
    ['of alternatives', { oneOf: [{ properties: { a: true } }, { properties: { b: true } }] }, ['a', 'b']],
    [
      'of conditions',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { properties: { a: true }, if: { properties: { a: { const: 1 } } }, then: { properties: { b: true } } },
      ['a', 'b'],
    ],
    [
      'of dependent schemas',
      { properties: { a: true }, dependentSchemas: { a: { properties: { b: true } } } },
      ['a', 'b'],
    ],
  ])('%s', (_, schema, names) => {
    expect([...knownNames(schema).names]).toEqual(names);
  });

  test.each([
    ['a schema that names none', { type: 'object' }, true],
    ['a closed one', { properties: { a: true }, additionalProperties: false }, false],
    ['a map', { properties: { a: true }, additionalProperties: { type: 'string' } }, true],
    ['names by pattern', { allOf: [{ patternProperties: { '^x-': true } }] }, true],
    ['any further member', { properties: { a: true }, unevaluatedProperties: true }, true],
  ])('are whether others may be, in %s', (_, schema, free) => {
    expect(knownNames(schema).free).toBe(free);
  });

  test('of a schema that contains itself', () => {
    const node = { properties: { next: true }, oneOf: [{ $ref: '#' }, { $ref: '#/$defs/lost' }] };
    expect([...knownNames(node).names]).toEqual(['next']);
  });
});
