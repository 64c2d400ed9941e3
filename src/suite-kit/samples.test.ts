import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampled } from './samples.ts';

test('the same values are drawn once, however many suites look at them', () => {
  let drawn = 0;
  const values = fc.integer().map((value) => {
    drawn += 1;
    return value;
  });
  const first = sampled(values);
  expect(sampled(values)).toBe(first);
  expect(first).toEqual(fc.sample(fc.integer(), { seed: 1, numRuns: 30 }));
  expect(sampled(values, 60)).toHaveLength(60);
  expect(drawn).toBe(90);
  expect(sampled(undefined)).toEqual([]);
});
