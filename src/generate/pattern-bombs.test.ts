import { beforeAll, expect, test } from 'vitest';
import { matcherOf } from './matching.ts';
import { validator } from './validator.ts';
import { validValues } from './values.ts';

const bombs: readonly (readonly [string, string])[] = [
  ['^([0-9a-fA-F-]+)+$', `${'0123456789abcdef-'.repeat(4)}!`],
  ['^(a|a)*$', `${'a'.repeat(60)}!`],
  ['^(a|aa)+$', `${'a'.repeat(90)}!`],
  ['^(?:(?:x?x?)*)*y', 'x'.repeat(60)],
  ['(.*a){20}', 'a'.repeat(200).replace(/a/g, 'ab')],
  ['^(\\w+\\s?)*$', `${'word '.repeat(20)}!`],
  ['^(a?){50}a{50}$', 'a'.repeat(49)],
  [`^${'a?'.repeat(40)}a{40}$`, 'a'.repeat(39)],
  [`^${'(a|a)'.repeat(40)}$`, 'a'.repeat(39)],
  ['\\s*\\s*\\s*\\s*x', ' '.repeat(20_000)],
  ['^(.+)\\1+$', 'ab'.repeat(10_000)],
];

/** V8 optimizes no further pattern once it has made a megabyte of code for others: it then finds failures late. */
beforeAll(() => {
  for (let one = 0; one < 3000; one += 1) {
    const words = Array.from({ length: 200 }, (_, word) => `k${one}x${word}`).join('|');
    const regex = new RegExp(`^(?:${words})$`, 'u');
    for (let times = 0; times < 3; times += 1) regex.test(`k${one}x199`);
  }
});

test.each(bombs)('%s ends on a text made for it', (pattern, text) => {
  const matches = matcherOf(pattern);
  for (let times = 0; times < 20; times += 1) expect(typeof matches(`${text}${times}`)).toBe('boolean');
});

test.each(bombs)('a schema with %s is checked, and blames nobody in doubt', (pattern, text) => {
  expect(validator({ type: 'string', pattern })(text)).toBeInstanceOf(Array);
});

test.each<[string, readonly string[], readonly string[]]>([
  ['^case_[0-9a-f]{8}$', ['case_0123abcd'], ['case_', 'Case_0123abcd']],
  ['^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$', ['7b0c2d9e-11f4-4c6a-9d3b-5a1e8f7c6b2d'], ['7b0c2d9e']],
  ['^(\\w+\\.)*\\w+$', ['a.b.c', 'a'], ['a..b', '']],
  ['^\\p{Lu}{2,}$', ['ÄÖ'], ['äö']],
  ['^.$', ['😀'], ['ab']],
])('%s matches what it did', (pattern, good, bad) => {
  const matches = matcherOf(pattern);
  expect([...good, ...bad].filter(matches)).toEqual(good);
});

test('values are drawn for a pattern that backtracks', () => {
  const drawn = validValues({ type: 'string', pattern: '^([0-9a-fA-F-]+)+$' });
  expect(drawn).toBeDefined();
});
