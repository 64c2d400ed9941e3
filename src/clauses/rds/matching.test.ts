import { expect, test } from 'vitest';
import type { Comparison } from '../../model/comparison.ts';
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

const day = '2026-03-05';
const time = '2026-03-05T09:00:00Z';
test.each<[Comparison, Json, string, boolean | undefined]>([
  ['least', 7, '7', true],
  ['least', 8, '7', true],
  ['least', 6, '7', false],
  ['most', 6, '7', true],
  ['most', 8, '7', false],
  ['least', '2026-03-05T10:00:00Z', time, true],
  ['least', '2026-03-05T08:00:00Z', time, false],
  ['most', '2026-03-05T10:00:00Z', time, false],
  ['most', '2026-03-05T09:00:00.400Z', time, undefined],
  ['most', '2026-03-06', day, false],
  ['most', time, day, undefined],
  ['least', null, '7', undefined],
  ['least', 'Ada', 'Grace', false],
  // `?to=` may ask for leave that ends on a day, or on an earlier one.
  ['equal-or-most', '2026-03-04', day, undefined],
  ['equal-or-most', day, day, true],
  ['equal-or-most', '2026-03-06', day, false],
  ['equal-or-least', '2026-03-06', day, undefined],
  ['equal-or-least', '2026-03-04', day, false],
  ['equal-or-least', 'ada@example.com', 'grace@example.com', false],
  ['words', 'Conformance probe asy-2', 'Conformance probe asy-1', undefined],
  ['words', 'Probes', 'a probe', undefined],
  ['words', 'Quartz jug', 'Conformance probe asy-1', false],
  ['words', 'Conformance probe asy-1', 'conformance probe ASY-1', true],
  ['words', null, 'probe', false],
  ['equal', 'Conformance probe asy-2', 'Conformance probe asy-1', false],
  ['equal', 8, '7', false],
])('by %s, %j passes %s: %s', (by, value, wanted, expected) =>
  expect(passes({ it: value }, { at: '/it', by, wanted })).toBe(expected),
);
