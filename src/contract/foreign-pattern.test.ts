import { expect, test } from 'vitest';
import { unicodePattern } from './pattern.ts';

test.each<[string, string, readonly string[], readonly string[]]>([
  ['\\A[a-z]+\\z', '^[a-z]+$', ['abc'], ['Aabcz', 'ABC']],
  ['\\A\\d{3}\\Z', '^\\d{3}$', ['123'], ['A123Z']],
  ['(?i)^ab[c-e]\\d$', '^[aA][bB][c-eC-E]\\d$', ['ABD1', 'abc2'], ['xbc1']],
  ['^[a-z]++$', '^[a-z]+$', ['abc'], ['a1']],
  ['^a{2,3}+b$', '^a{2,3}b$', ['aab'], ['ab']],
  ['^(?P<x>[a-z])-(?P=x)$', '^(?<x>[a-z])-\\k<x>$', ['a-a'], ['a-b']],
  ['^(?>ab|a)c$', '^(?:ab|a)c$', ['abc'], ['b']],
  ['^[[:alpha:]_]+$', '^[A-Za-z_]+$', ['ab_'], ['a1', ':']],
  ['^\\p{Alpha}\\p{IsDigit}$', '^[A-Za-z][0-9]$', ['a1'], ['1a', '11']],
  ['^[\\p{Alnum}-]+$', '^[A-Za-z0-9-]+$', ['a-1'], ['_']],
  ['^a\\hb$', '^a[ \\t]b$', ['a b'], ['ahb']],
  ['^\\p{Punct}$', '^[!-\\/:-@\\[-`\\{-~]$', ['!', '~', '[', '{'], ['a', '0', ' ']],
])('%s is read as %s', (pattern, expected, matching, others) => {
  expect(unicodePattern(pattern)).toBe(expected);
  for (const text of matching) expect(new RegExp(expected, 'u').test(text), text).toBe(true);
  for (const text of others) expect(new RegExp(expected, 'u').test(text), text).toBe(false);
});

test.each([
  ['^[a-z]+$', '^[a-z]+$'],
  ['^\\p{L}+$', '^\\p{L}+$'],
  ['^a\\-b$', '^a-b$'],
  ['^\\\\A$', '^\\\\A$'],
  ['^[+]+$', '^[+]+$'],
  ['^a+?$', '^a+?$'],
])('%s stays %s', (pattern, expected) => {
  expect(unicodePattern(pattern)).toBe(expected);
});

test.each(['(?x) a b', '(?s).*', '(a', '\\Gab(', '(?(1)a|b)'])('%s is refused', (pattern) => {
  expect(unicodePattern(pattern)).toBeUndefined();
});
