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
    '5',
    '',
  ])('%s is none', (text) => {
    expect(httpDate(text)).toBeUndefined();
  });

  it('is the inverse of toUTCString, to the second', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_102_444_800 }), (seconds) => {
        expect(httpDate(new Date(seconds * 1000).toUTCString())).toBe(seconds * 1000);
      }),
    );
  });
});
