import { expect, test } from 'vitest';
import type { JsonSchema } from '../model/json.ts';
import { textMembers } from './texts.ts';

const text = { type: 'string' } as const;
const names = (schema: JsonSchema): readonly string[] =>
  textMembers(schema).map(({ at, required, room }) => `${at}${required ? '!' : ''}${room ? '' : ' short'}`);

test.each<[string, JsonSchema, readonly string[]]>([
  [
    'plain members',
    { required: ['a'], properties: { a: text, b: text, n: { type: 'integer' } } },
    ['/a!', '/b'],
  ],
  [
    'no free texts',
    {
      properties: {
        pattern: { type: 'string', pattern: '^x' },
        format: { type: 'string', format: 'date' },
        fixed: { type: 'string', const: 'x' },
        named: { type: 'string', enum: ['x'] },
        union: { type: ['string', 'integer'] },
        any: true,
      },
    },
    [],
  ],
  [
    'room for the marker',
    { properties: { a: { ...text, maxLength: 39 }, b: { ...text, maxLength: 40 } } },
    ['/a short', '/b'],
  ],
  [
    'texts that may be null, as one of two alternatives',
    {
      required: ['a'],
      properties: {
        a: { anyOf: [text, { type: 'null' }], title: 'A' },
        b: { oneOf: [{ type: 'null' }, { ...text, maxLength: 9 }] },
        c: { anyOf: [{ ...text, pattern: '^x' }, { type: 'null' }] },
        d: { anyOf: [text, { type: 'integer' }, { type: 'null' }] },
      },
    },
    ['/a!', '/b short'],
  ],
  [
    'a reference',
    { $ref: '#/$defs/Body', $defs: { Body: { properties: { a: { $ref: '#/$defs/Text' } } }, Text: text } },
    ['/a'],
  ],
  [
    'objects that every value has, after the first level',
    {
      required: ['data', 'note'],
      properties: {
        data: {
          type: 'object',
          required: ['attributes'],
          properties: {
            attributes: { type: 'object', required: ['name'], properties: { name: text, alias: text } },
            meta: { type: 'object', properties: { remark: text } },
          },
        },
        list: { type: 'array', items: text },
        note: text,
      },
    },
    ['/note!', '/data/attributes/name!', '/data/attributes/alias'],
  ],
  [
    'an object that is described next to a reference',
    {
      required: ['spec'],
      properties: { spec: { allOf: [{ $ref: '#/$defs/Spec' }], default: {} } },
      $defs: { Spec: { type: 'object', required: ['title'], properties: { title: text } } },
    },
    ['/spec/title!'],
  ],
  [
    'what says what kind of object it is',
    { properties: { apiVersion: text, kind: text, note: text } },
    ['/note'],
  ],
  ['a kind of its own', { properties: { kind: text } }, ['/kind']],
  [
    'an object that leads back to itself',
    {
      $ref: '#/$defs/Node',
      $defs: {
        Node: { type: 'object', required: ['next'], properties: { next: { $ref: '#/$defs/Node' }, a: text } },
      },
    },
    ['/a', '/next/a', '/next/next/a', '/next/next/next/a', '/next/next/next/next/a'],
  ],
  [
    'what is put together',
    { allOf: [{ properties: { a: text } }, { required: ['a', 'b'], properties: { b: text } }] },
    ['/a!', '/b!'],
  ],
  [
    'what one part narrows',
    {
      allOf: [
        { properties: { a: text, b: text } },
        { properties: { a: { pattern: '^x' }, b: { maxLength: 10 } } },
      ],
    },
    ['/b short'],
  ],
  [
    'what all branches have',
    {
      oneOf: [
        { required: ['a'], properties: { kind: { const: 'one' }, a: text, c: text } },
        { required: ['a', 'b'], properties: { kind: { const: 'two' }, a: text, b: text } },
      ],
    },
    ['/a!'],
  ],
  [
    'what no branch forbids',
    {
      properties: { a: text, b: text },
      oneOf: [{ properties: { a: { enum: ['x'] } } }, { properties: { b: { ...text, minLength: 2 } } }],
    },
    ['/b'],
  ],
  [
    'what a condition narrows',
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { properties: { a: text }, if: {}, then: { properties: { a: { format: 'email' } } } },
    [],
  ],
  [
    'a schema that leads back to itself',
    {
      $ref: '#/$defs/A',
      $defs: { A: { properties: { a: text }, anyOf: [{ $ref: '#/$defs/A' }, { properties: { a: text } }] } },
    },
    ['/a'],
  ],
  ['a reference to itself', { properties: { a: { $ref: '#/properties/a' } } }, []],
  ['no object', true, []],
])('%s', (_, schema, expected) => {
  expect(names(schema)).toEqual(expected);
});

test('the longest of the least lengths counts', () => {
  expect(
    textMembers({
      allOf: [{ properties: { a: { ...text, minLength: 2 } } }, { properties: { a: { minLength: 7 } } }],
    }),
  ).toEqual([{ at: '/a', required: false, room: true, least: 7 }]);
});
