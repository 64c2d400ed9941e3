import { expect, test } from 'vitest';
import { invalidValues } from './mutations.ts';

test('a keyword that allows everything is neither broken nor said to be unbreakable', () => {
  const schema = {
    minLength: 0,
    minItems: 0,
    minProperties: 0,
    uniqueItems: false,
    items: true,
    additionalProperties: true,
    unevaluatedItems: true,
    unevaluatedProperties: true,
    properties: {},
    title: 'x',
  };
  for (const base of ['', [], {}]) expect(invalidValues(schema, base)).toEqual({ mutations: [], notes: [] });
});

test('a bound of zero is a bound', () => {
  const { mutations, notes } = invalidValues({ type: 'integer', minimum: 0 }, 0);
  expect(mutations.at(-1)).toEqual({
    pointer: '',
    keyword: 'minimum',
    schemaPointer: '/minimum',
    describes: 'the body is below 0',
    base: 0,
    value: -1,
  });
  expect(notes).toEqual([]);
});

test('types come first, whatever the order of the schema', () => {
  const { mutations } = invalidValues(
    { properties: { a: { minimum: 3, type: 'number' } }, type: 'object' },
    { a: 3 },
  );
  expect(mutations.map(({ schemaPointer, value }) => `${schemaPointer} ${JSON.stringify(value)}`)).toEqual([
    '/type []',
    '/type 0',
    '/type true',
    '/type "text"',
    '/type null',
    '/properties/a/type {"a":{}}',
    '/properties/a/type {"a":[3]}',
    '/properties/a/type {"a":true}',
    '/properties/a/type {"a":"text"}',
    '/properties/a/type {"a":"3"}',
    '/properties/a/type {"a":null}',
    '/properties/a/minimum {"a":2}',
    '/properties/a/minimum {"a":2.5}',
  ]);
});

test('a schema that cannot be read has no mutations, and says why', () => {
  const { mutations, notes } = invalidValues({ $ref: '#/nowhere' }, 1);
  expect(mutations).toEqual([]);
  expect(notes).toEqual([{ at: '', keyword: '$schema', why: expect.stringContaining('#/nowhere') }]);
});

test('what cannot be broken alone is said once, however often it is in force', () => {
  const schema = { items: { minLength: 3, pattern: '^a{3}$' } };
  expect(invalidValues(schema, ['aaa', 'aaa']).notes.map(({ at, keyword }) => `${keyword} ${at}`)).toEqual([
    'minLength /items/minLength',
  ]);
});
