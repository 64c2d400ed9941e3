import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonSchema } from './json.ts';
import { invalidArbitrary } from './mutations.ts';

function drawn(schema: JsonSchema): readonly string[] {
  const arbitrary = invalidArbitrary(schema);
  if (arbitrary === undefined) throw new Error('no mutations');
  const found = fc.sample(arbitrary, { seed: 2, numRuns: 200 });
  return [
    ...new Set(found.map(({ pointer, keyword, value }) => `${pointer} ${keyword} ${JSON.stringify(value)}`)),
  ];
}

test('random mutations are all those of every value that is drawn', () => {
  expect(drawn({ enum: ['a', 'b'] }).toSorted()).toEqual([
    ' enum "A"',
    ' enum "B"',
    ' enum "ax"',
    ' enum "bx"',
    ' enum "c"',
    ' enum "not-a"',
    ' enum "not-b"',
  ]);
});

test('every keyword that can be broken has its turn, absent members apart', () => {
  const schema = {
    type: 'object',
    required: ['a'],
    properties: { a: { enum: [true] }, b: { type: 'null' } },
    additionalProperties: false,
  };
  expect(drawn(schema).toSorted()).toEqual([
    ' type "text"',
    ' type 0',
    ' type []',
    ' type null',
    ' type true',
    '/a enum {"a":false,"b":null}',
    '/a enum {"a":false}',
    '/a required {"b":null}',
    '/a required {}',
    '/b type {"a":true,"b":"text"}',
    '/b type {"a":true,"b":0}',
    '/b type {"a":true,"b":[]}',
    '/b type {"a":true,"b":true}',
    '/b type {"a":true,"b":{}}',
    '/other additionalProperties {"a":true,"b":null,"other":0}',
    '/other additionalProperties {"a":true,"other":0}',
  ]);
});

test('there are none where nothing can be broken, nothing is valid, or the schema is none', () => {
  expect(invalidArbitrary(true)).toBeUndefined();
  expect(invalidArbitrary(false)).toBeUndefined();
  expect(invalidArbitrary({ $ref: '#/nowhere' })).toBeUndefined();
});
