import { expect, test } from 'vitest';
import type { JsonSchema } from '../model/json.ts';
import { fieldsOf } from './fields.ts';

const text = { type: 'string' } as const;

test.each<readonly [string, JsonSchema | undefined, readonly string[]]>([
  ['no schema', undefined, []],
  ['anything', true, []],
  ['nothing', false, []],
  ['no members', { type: 'object' }, []],
  ['members that are none', { properties: ['subject'] }, []],
  ['members', { properties: { subject: text, priority: true } }, ['/subject', '/priority']],
  [
    'members of members',
    { properties: { contact: { properties: { email: text } } } },
    ['/contact', '/contact/email'],
  ],
  [
    'members of items',
    { properties: { emails: { items: { properties: { address: text } } } } },
    ['/emails', '/emails/0/address'],
  ],
  ['items of items', { items: { items: { properties: { x: text } } } }, ['/0/0/x']],
  [
    'names that a pointer escapes',
    { properties: { 'a/b~c': { properties: { d: text } } } },
    ['/a~1b~0c', '/a~1b~0c/d'],
  ],
  [
    'members of every branch, each once',
    {
      allOf: [{ properties: { a: text } }, { properties: { b: text } }],
      anyOf: [{ properties: { c: text } }, { properties: { a: text } }],
      oneOf: [{ properties: { d: text } }],
    },
    ['/a', '/b', '/c', '/d'],
  ],
  [
    'members of a condition',
    {
      if: { properties: { a: text } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { b: text } },
      else: { properties: { c: text } },
    },
    ['/a', '/b', '/c'],
  ],
  ['a branch that is none', { allOf: { properties: { a: text } } }, []],
  [
    'a reference',
    { $ref: '#/$defs/case%20file', $defs: { 'case file': { properties: { subject: text } } } },
    ['/subject'],
  ],
  [
    'a reference below a member, read from the root',
    { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { properties: { b: text } } } },
    ['/a', '/a/b'],
  ],
  ['a reference to nothing', { $ref: '#/$defs/none', properties: { a: text } }, ['/a']],
  [
    'a reference to elsewhere',
    { $ref: 'other.json#/$defs/a', $defs: { a: { properties: { b: text } } } },
    [],
  ],
  ['a reference that is none', { $ref: 5, properties: { a: text } }, ['/a']],
])('%s', (_, schema, fields) => {
  expect(fieldsOf(schema)).toEqual(fields);
});

test('recursion is followed to a depth of six', () => {
  const deep = fieldsOf({ properties: { a: { $ref: '#' } } });
  // Each round takes two: the member, and the reference from it.
  expect(deep).toEqual(['/a', '/a/a', '/a/a/a', '/a/a/a/a']);
  expect(fieldsOf({ properties: { a: text }, items: { $ref: '#' } })).toEqual([
    '/a',
    '/0/a',
    '/0/0/a',
    '/0/0/0/a',
  ]);
});

test('what is deeper than six is not looked for', () => {
  const nested = (depth: number): JsonSchema =>
    depth === 0 ? { properties: { leaf: text } } : { items: nested(depth - 1) };
  expect(fieldsOf(nested(6))).toEqual(['/0/0/0/0/0/0/leaf']);
  expect(fieldsOf(nested(7))).toEqual([]);
  const branched = (depth: number): JsonSchema =>
    depth === 0 ? { properties: { leaf: text } } : { anyOf: [branched(depth - 1)] };
  expect(fieldsOf(branched(6))).toEqual(['/leaf']);
  expect(fieldsOf(branched(7))).toEqual([]);
  const conditional = (depth: number): JsonSchema =>
    depth === 0 ? { properties: { leaf: text } } : { if: conditional(depth - 1) };
  expect(fieldsOf(conditional(6))).toEqual(['/leaf']);
  expect(fieldsOf(conditional(7))).toEqual([]);
  const members = (depth: number): JsonSchema =>
    depth === 0 ? { properties: { leaf: text } } : { properties: { m: members(depth - 1) } };
  expect(fieldsOf(members(6))).toContain('/m/m/m/m/m/m/leaf');
  expect(fieldsOf(members(7))).not.toContain('/m/m/m/m/m/m/m/leaf');
});
