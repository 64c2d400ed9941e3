import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import { object } from '../selftest/shapes/document.ts';
import { nullMembers } from './null-members.ts';

const text = { type: 'string' };
const schema = object(
  {
    title: text,
    limit: text,
    labels: { type: 'object', additionalProperties: text },
    closed: { type: ['string', 'null'] },
    owners: { type: 'array', items: object({ name: text, share: { type: 'integer' } }, ['name']) },
  },
  ['title'],
);

test('null takes the place of an item, and of each member that may be left out, where it may not be null', () => {
  const full: Json = {
    ...{ title: 'a', limit: '1', closed: 'b', labels: { a: 'b' } },
    owners: [{ name: 'c', share: 1 }],
  };
  expect(
    nullMembers(schema, { title: 'a' }, fc.constant(full)).map(({ keyword, pointer }) => [pointer, keyword]),
  ).toEqual([
    ['/owners/0', 'type'],
    ['/limit', 'type'],
    ['/labels', 'type'],
    ['/labels/a', 'type'],
    ['/owners', 'type'],
    ['/owners/0/share', 'type'],
  ]);
});

test.each([
  ['is not sent where the type allows it and the enum does not list it', ['string', 'null'], []],
  ['is sent where the type does not allow it either', 'string', ['/size']],
  ['is sent where the enum alone says what is allowed', undefined, ['/size']],
])('null %s', (_, type, places) => {
  const size = { ...(type === undefined ? {} : { type }), enum: ['small', 'large'] };
  const sized = object({ title: text, size }, ['title']);
  const full = fc.constant<Json>({ title: 'a', size: 'large' });
  expect(nullMembers(sized, { title: 'a' }, full).map(({ pointer }) => pointer)).toEqual(places);
});

test('null in a member of an alternative is judged as that alternative says', () => {
  const closed = { additionalProperties: false };
  const size = { type: ['string', 'null'], enum: ['s', 'm'] };
  const union = object({
    box: {
      oneOf: [
        object({ kind: { const: 'flat' } }, ['kind'], closed),
        object({ kind: { const: 'deep' }, size, depth: { type: 'integer' } }, ['kind'], closed),
      ],
    },
  });
  const base: Json = { box: { kind: 'deep', size: 's', depth: 1 } };
  expect(
    nullMembers(union, base, fc.constant(base)).map(({ keyword, pointer }) => [pointer, keyword]),
  ).toEqual([['/box/depth', 'type']]);
});
