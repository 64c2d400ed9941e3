import { expect, test } from 'vitest';
import { repeatWords } from './repeats.ts';

test.each([
  ['fail', 3, 3, 'reproduced in 3 of 3 repeats'],
  ['fail', 1, 10, 'reproduced in 1 of 10 repeats'],
  ['unstable', 0, 10, 'reproduced in 0 of 10 repeats'],
  ['fail', 0, 10, 'proved by one trace, reproduced in 0 of 10 repeats'],
  ['fail', 0, 0, 'proved by one trace'],
] as const)('%s, %i of %i: %s', (verdict, violated, of, words) => {
  expect(repeatWords({ level: 'stated', verdict, repeats: { violated, of } })).toBe(words);
});

test('an advisory finding is not repeated', () => {
  const one = { level: 'advisory', verdict: 'fail', repeats: { violated: 0, of: 0 } } as const;
  expect(repeatWords(one)).toBe('seen, not repeated');
});
