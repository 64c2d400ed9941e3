import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anchor, duration, moment, percent, plural, visible } from './words.ts';

test.each([
  [0, '0 ms'],
  [0.44, '0.4 ms'],
  [12.4, '12 ms'],
  [999.6, '1 s'],
  [3254, '3.25 s'],
  [42_449, '42.4 s'],
  [59_990, '1 min'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [5_430_000, '1 h 31 min'],
])('%d ms is %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test('a share that is not all is never 100%, and one that is not nothing never 0%', () => {
  expect([percent(0, 10), percent(1, 9999), percent(9998, 9999), percent(10, 10), percent(0, 0)]).toEqual([
    '0%',
    '1%',
    '99%',
    '100%',
    '0%',
  ]);
});

test('plurals and moments', () => {
  expect(plural(1, 'request')).toBe('1 request');
  expect(plural(12_345, 'request')).toBe('12,345 requests');
  expect(plural(2, 'is', 'are')).toBe('2 are');
  expect(moment('2026-01-31T10:00:01.250Z')).toBe('2026-01-31 10:00:01 UTC');
  expect(moment('yesterday')).toBe('yesterday');
});

test('anchors are plain, and differ where texts differ', () => {
  expect(anchor('v', 'IDM-6/POST /cases')).toBe('v-IDM-6_2f_POST_20__2f_cases');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      expect(anchor('v', one)).toMatch(/^v-[A-Za-z0-9_-]*$/);
      expect(anchor('v', one) === anchor('v', other)).toBe(one === other);
    }),
  );
});

test('nothing hides in a text', () => {
  expect(visible('a\u202Eb\u0000c\u200Bd\ne\tf\uD800g 😀')).toBe(
    'a\\u202eb\\u0000c\\u200bd\ne\tf\\ud800g 😀',
  );
});
