import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { httpDate } from './http-date.ts';

const example = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('HTTP-date', () => {
  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    '%s',
    (text) => {
      expect(httpDate(text)).toBe(example);
    },
  );

  it.each([
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 25:49:37 GMT',
    'Sun, 06 nov 1994 08:49:37 GMT',
    'Sun, 00 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:00:00 GMT',
    'Sun, 06 Nov 1994 08:60:00 GMT',
    'Sun, 06 Nov 1994 08:49:61 GMT',
    'Sun, 32 Nov 1994 08:49:37 GMT',
    'Sun, 6 Nov 1994 08:49:37 GMT',
    'Sun, 006 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 94 08:49:37 GMT',
    'Sun, 06 Nov 1994 8:49:37 GMT',
    'Sun, 06 Nov 1994 08:4:37 GMT',
    'Sun, 06 Nov 1994 08:49:3 GMT',
    'Sun, 06 11. 1994 08:49:37 GMT',
    'Sun, 06 No 1994 08:49:37 GMT',
    'Foo, 06 Nov 1994 08:49:37 GMT',
    'a Sun, 06 Nov 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT or so',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06-Nov-94 08:49:37 GMT',
    'sunday, 06-Nov-94 08:49:37 GMT',
    'SUNDAY, 06-Nov-94 08:49:37 GMT',
    '1unday, 06-Nov-94 08:49:37 GMT',
    'On Sunday, 06-Nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT+1',
    'Sunday, 6-Nov-94 08:49:37 GMT',
    'Sunday, 06-No-94 08:49:37 GMT',
    'Sunday, 06-nov-94 08:49:37 GMT',
    'Sunday, 06-Nov-1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 8:49:37 GMT',
    'Sunday, 06-Nov-94 08:9:37 GMT',
    'Sunday, 06-Nov-94 08:49:7 GMT',
    'Sun Nov 6 08:49:37 1994',
    'Sun Nov  6 08:49:37 94',
    'Sun nov  6 08:49:37 1994',
    'Sun NOV  6 08:49:37 1994',
    'Sun No  6 08:49:37 1994',
    'Foo Nov  6 08:49:37 1994',
    'a Sun Nov  6 08:49:37 1994',
    'Sun Nov  6 08:49:37 19945',
    'Sun Nov  x 08:49:37 1994',
    'Sun Nov x6 08:49:37 1994',
    'Sun Nov  6 8:49:37 1994',
    'Sun Nov  6 08:9:37 1994',
    'Sun Nov  6 08:49:7 1994',
    'Sun Foo  6 08:49:37 1994',
    'Sun Nov 32 08:49:37 1994',
    '5',
    '',
  ])('%s is none', (text) => {
    expect(httpDate(text)).toBeUndefined();
  });

  it.each<readonly [string, number]>([
    ['Tue, 01 Jan 2030 00:00:00 GMT', Date.UTC(2030, 0, 1)],
    ['Sat, 31 Dec 2016 23:59:60 GMT', Date.UTC(2017, 0, 1)],
    ['Mon, 31 Mar 2025 23:59:59 GMT', Date.UTC(2025, 2, 31, 23, 59, 59)],
    ['Friday, 01-Feb-69 00:00:01 GMT', Date.UTC(2069, 1, 1, 0, 0, 1)],
    ['Wednesday, 01-Apr-70 00:00:01 GMT', Date.UTC(1970, 3, 1, 0, 0, 1)],
    ['Thu May 15 12:00:07 2026', Date.UTC(2026, 4, 15, 12, 0, 7)],
    ['Wed Aug 31 12:00:07 2033', Date.UTC(2033, 7, 31, 12, 0, 7)],
  ])('%s', (text, time) => {
    expect(httpDate(text)).toBe(time);
  });

  it('is the inverse of toUTCString, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
        expect(httpDate(new Date(seconds * 1000).toUTCString())).toBe(seconds * 1000);
      }),
    );
  });
});
