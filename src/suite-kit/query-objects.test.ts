import { expect, test } from 'vitest';
import type { QueryField } from '../model/contract.ts';
import { wrongObjects } from './query-objects.ts';

const schema = {
  type: 'object',
  required: ['width'],
  properties: {
    width: { type: 'integer', minimum: 1 },
    kind: { type: 'string', enum: ['a', 'b'] },
    until: { type: 'string', format: 'date' },
    parts: { type: 'array', items: { type: 'string' } },
  },
};
const wrong = (style: 'deepObject' | 'form' | 'json', more: Partial<QueryField> = {}): readonly string[] =>
  wrongObjects({
    name: 'box',
    required: false,
    filters: undefined,
    schema,
    style,
    explode: false,
    ...more,
  }).map(
    ({ keyword, member, pairs }) =>
      `${member} ${keyword}: ${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
  );

test('members of an object are wrong or missing, as its style writes them', () => {
  const examples = [{ width: 3, kind: 'a' }];
  expect(wrong('deepObject', { examples })).toEqual([
    'width required: box[kind]=a',
    'width type: box[width]=text&box[kind]=a',
    'width minimum: box[width]=0&box[kind]=a',
    'kind enum: box[width]=3&box[kind]=not-a',
  ]);
  expect(wrong('form', { examples })).toContain('width minimum: box=width,0,kind,a');
  expect(wrong('json', { examples })).toEqual(
    expect.arrayContaining([
      'width required: box={"kind":"a"}',
      'width minimum: box={"width":0,"kind":"a"}',
      'parts type: box={"width":3,"kind":"a","parts":{}}',
    ]),
  );
  // A number that is too small is no text that is allowed.
  const either = {
    type: 'object',
    properties: { a: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] } },
  };
  expect(wrong('deepObject', { schema: either, examples: [{ a: 3 }] })).toEqual([]);
  // What would have no member at all is not sent at all.
  expect(wrong('deepObject', { examples: [{ width: 3 }] })).not.toContain('width required: ');
});

test('members of their own, members of a body and lists are left alone', () => {
  expect(wrong('form', { explode: true })).toEqual([]);
  expect(wrong('deepObject', { name: 'box[width]' })).toEqual([]);
  expect(wrong('json', { at: '/box' })).toEqual([]);
  expect(wrong('form', { schema: { type: 'array', items: { type: 'string' } } })).toEqual([]);
});
