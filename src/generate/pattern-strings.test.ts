import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patternStrings } from './pattern-strings.ts';

describe('text that matches a pattern', () => {
  test.each([
    '^[A-Z]{3}-\\d{4}$',
    'foo',
    '^(a|bc)+?$',
    '^(?=.*[A-Z])(?=.*\\d)(?=.*[!@#$]).{8,20}$',
    '\\p{L}+',
    '^\\P{ASCII}$',
    '^[^\\s@]+@[^\\s@]+$',
    '^\\S(.*\\S)?$',
    '(?<x>a+)-\\k<x>',
    '^(.)\\1$',
    '^.*$',
    '^\\cC$',
    'a\\b b',
    '^(?!-)[a-z-]{1,10}(?<!-)$',
    '^$',
    '^🐲*$',
    '^[\\u4e00-\\u9fff]{2}$',
    '^\\u{1F600}$',
    '^\\x41\\t$',
    '^[\\w.-]+\\/[\\w.+-]+$',
    '^(([01]?\\d|2[0-3]):[0-5]\\d)$',
    '^[\\s\\S]{3}$',
    '^(?:a{2,}|b{0,2}c)$',
    '^[\\]\\\\^-]+$',
  ])('%s', (source) => {
    const strings = patternStrings(source);
    if (strings === undefined) throw new Error('none found');
    const regex = new RegExp(source, 'u');
    expect(strings.smallest).toMatch(regex);
    for (const text of fc.sample(strings.arbitrary, { seed: 1, numRuns: 100 })) expect(text).toMatch(regex);
  });

  test.each([
    ['^[a-z]+$', 50, 60],
    ['foo', 10, 12],
    ['^\\d{2,}-[a-z]*$', 30, 30],
    ['^(ab)*$', 7, 9],
    ['^x?y?z?$', 3, 3],
  ])('%s of %i to %i characters', (source, min, max) => {
    const strings = patternStrings(source, { min, max });
    if (strings === undefined) throw new Error('none found');
    for (const text of [strings.smallest, ...fc.sample(strings.arbitrary, { seed: 1, numRuns: 100 })]) {
      expect(text).toMatch(new RegExp(source, 'u'));
      expect([...text].length).toBeGreaterThanOrEqual(min);
      expect([...text].length).toBeLessThanOrEqual(max);
    }
  });

  test.each(['^a$(?!)', '(', '^a{5}$'])('%s of at most four characters: none', (source) => {
    expect(patternStrings(source, { min: 0, max: 4 })).toBeUndefined();
  });

  test('shrinks', () => {
    const strings = patternStrings('^[a-z]{3,12}-\\d+$');
    if (strings === undefined) throw new Error('none found');
    const result = fc.check(
      fc.property(strings.arbitrary, (text) => text.length < 6),
      { seed: 1 },
    );
    expect(result.counterexample?.[0]?.length).toBeLessThanOrEqual(8);
  });
});
