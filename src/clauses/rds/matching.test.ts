import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { passes } from './matching.ts';

test.each<[string, Json, string, boolean | undefined]>([
  ['the ID of a resource name', { room: 'rooms/7' }, '7', true],
  ['the ID of an address', { room: 'https://hotel.example/api/rooms/7' }, '7', true],
  ['an address of a plain ID', { room: '7' }, '/api/rooms/7', true],
  ['the name of another record', { room: 'rooms/17' }, '7', false],
  ['another collection', { room: 'suites/7' }, 'rooms/7', false],
  ['words with a slash', { room: 'sea view/7' }, '7', false],
  ['no value', { room: 'rooms/' }, '', false],
  ['a record without it', {}, '7', undefined],
])('a filter asks for a record: %s', (_, record, wanted, expected) =>
  expect(passes(record, { at: '/room', wanted })).toBe(expected),
);
