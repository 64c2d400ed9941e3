import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson, type Json, type JsonSchema } from './json.ts';
import { mutationsOf, value } from './literal/mutated.ts';
import { invalidArbitrary, invalidValues, invalidValuesOf, type Skip } from './mutations.ts';
import { study } from './study.ts';

test('POST /cases: everything that can be wrong with a subject, in order', () => {
  const schema = { type: 'object', required: ['subject'], properties: { subject: { type: 'string' } } };
  expect(
    mutationsOf(schema, { subject: 'a' }).map(({ pointer, keyword, describes, value }) => [
      pointer,
      keyword,
      describes,
      value,
    ]),
  ).toEqual([
    ['', 'type', 'the body is an array instead of an object', []],
    ['', 'type', 'the body is a number instead of an object', 0],
    ['', 'type', 'the body is a boolean instead of an object', true],
    ['', 'type', 'the body is text instead of an object', 'text'],
    ['', 'type', 'the body is null instead of an object', null],
    ['/subject', 'required', 'subject is missing', {}],
    ['/subject', 'type', 'subject is an object instead of a string', { subject: {} }],
    ['/subject', 'type', 'subject is an array instead of a string', { subject: ['a'] }],
    ['/subject', 'type', 'subject is a number instead of a string', { subject: 0 }],
    ['/subject', 'type', 'subject is a boolean instead of a string', { subject: true }],
    ['/subject', 'type', 'subject is null instead of a string', { subject: null }],
  ]);
});

test('null is no fault where the type allows it and the enum does not list it: both readings are common', () => {
  const sent = (schema: JsonSchema): readonly Json[] =>
    mutationsOf(value(schema), { v: 'a' }).flatMap(({ pointer, value: body }) =>
      pointer === '/v' ? [JSON.stringify(body)] : [],
    );
  expect(sent({ type: ['string', 'null'], enum: ['a', 'b'] })).not.toContain('{"v":null}');
  expect(sent({ type: ['string', 'null'], enum: ['a', 'b'] })).toContain('{"v":{}}');
  expect(sent({ type: 'string', enum: ['a', 'b'] })).toContain('{"v":null}');
});

test('a mutation knows the valid body that it was made of', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } };
  expect(mutationsOf(schema, { a: 1, b: 2 }).map(({ base }) => base)).toContainEqual({ a: 1, b: 2 });
  const drawn = invalidArbitrary(schema);
  if (drawn === undefined) throw new Error('nothing was drawn');
  for (const { base, keyword, pointer, value } of fc.sample(drawn, { seed: 1, numRuns: 20 })) {
    const same = invalidValues(schema, base).mutations.filter(
      (one) =>
        one.keyword === keyword &&
        one.pointer === pointer &&
        canonicalJson(one.value) === canonicalJson(value),
    );
    expect(same).toHaveLength(1);
  }
});

test('the schema pointer leads to the keyword, through references', () => {
  const schema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/x' } },
    $defs: { x: { type: 'integer', minimum: 3 } },
  };
  expect(mutationsOf(schema, { a: 3 })).toContainEqual(
    expect.objectContaining({ pointer: '/a', schemaPointer: '/$defs/x/minimum', value: { a: 2 } }),
  );
});

test('null is no mutation where it is allowed, nor a wrong format where formats are annotations', () => {
  const schema = value({ type: ['string', 'null'], format: 'date' });
  const { mutations, notes } = invalidValues(schema, { v: '2024-01-01' });
  expect(
    mutations
      .filter(({ schemaPointer }) => schemaPointer === '/properties/v/type')
      .map(({ value: body }) => body),
  ).toEqual([{ v: {} }, { v: ['2024-01-01'] }, { v: 0 }, { v: true }]);
  expect(notes).toEqual([]);
});

test('what is to be left out is left out, and nothing else', () => {
  const schema = {
    type: 'object',
    required: ['a', 'b'],
    properties: { a: { type: 'string', maxLength: 3 }, b: { enum: ['x', 'y'] } },
  };
  const made = study(schema, {});
  if ('failure' in made) throw new Error(made.failure.why);
  const base = { a: 'ab', b: 'x' };
  const of = (skip?: Skip): readonly string[] =>
    invalidValuesOf(made, base, skip).mutations.map(({ pointer, keyword }) => `${pointer} ${keyword}`);
  const left = new Set(['/a required', '/a type', '/b enum', ' type']);
  const skip: Skip = (pointer, keyword) => left.has(`${pointer} ${keyword}`);
  expect(new Set(of(skip))).toEqual(new Set(['/b required', '/a maxLength']));
  expect(of(skip)).toEqual(of().filter((one) => !left.has(one)));
});

test('of many alternatives only some are tried together, and a long text is broken by its length', () => {
  const kind = (name: string) => ({ required: [name], properties: { [name]: { const: 1 } } });
  const oneOf = Array.from({ length: 40 }, (_, index) => kind(`k${index}`));
  expect(mutationsOf({ oneOf }, { k0: 1 }).map(({ describes }) => describes)).toContain(
    'the body satisfies more than one of the alternatives',
  );
  expect(mutationsOf({ type: 'string', maxLength: 20_000 }, 'a').map(({ keyword }) => keyword)).toContain(
    'maxLength',
  );
});

test('a body that names its own prototype is broken without being lost', () => {
  const schema: JsonSchema = JSON.parse(
    '{"type":"object","required":["__proto__"],"properties":{"__proto__":{"type":"integer"}}}',
  );
  const base: Json = JSON.parse('{"__proto__":1}');
  expect(mutationsOf(schema, base).map(({ pointer, keyword }) => `${pointer} ${keyword}`)).toContain(
    '/__proto__ required',
  );
});

test('keywords that cannot be broken alone are named', () => {
  const { notes } = invalidValues(value({ type: 'string', pattern: '^a{3}$', minLength: 3 }), { v: 'aaa' });
  expect(notes).toEqual([
    {
      at: '/properties/v/minLength',
      keyword: 'minLength',
      why: 'no value was found that breaks this keyword alone',
    },
  ]);
});

test('a base that is invalid has no mutations', () => {
  expect(invalidValues({ type: 'string' }, 5)).toEqual({
    mutations: [],
    notes: [{ at: '', keyword: '', why: 'the value to start from is not valid' }],
  });
});

test('mutations are enumerated the same every time', () => {
  const schema = value({
    type: 'array',
    minItems: 2,
    uniqueItems: true,
    items: { type: 'string', pattern: '^[a-f]+$' },
  });
  expect(mutationsOf(schema, { v: ['a', 'b'] })).toEqual(mutationsOf(schema, { v: ['a', 'b'] }));
});

test('a text that is too long for a process to hold is not made to break its limit', () => {
  const schema = value({ type: 'string', minLength: 1, maxLength: 70_254_592 });
  const { mutations, notes } = invalidValues(schema, { v: 'a' });
  expect(mutations.map(({ keyword }) => keyword)).not.toContain('maxLength');
  expect(mutations.map(({ keyword }) => keyword)).toContain('minLength');
  expect(notes).toEqual([
    {
      at: '/properties/v/maxLength',
      keyword: 'maxLength',
      why: 'no value was found that breaks this keyword alone',
    },
  ]);
});
