import { expect, test } from 'vitest';
import { affordable, allChangedAlone } from './affordable.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

test('all places of an ordinary value are taken', () => {
  const places = numbers(allChangedAlone);
  expect(affordable(places)).toBe(places);
});

test('of a large value, places are spread over all of it', () => {
  const chosen = affordable(numbers(1000));
  expect(chosen).toHaveLength(62);
  expect([chosen[0], chosen[1], chosen.at(-1)]).toEqual([0, 16, 999]);
});

test('what is taken costs no more the larger a value is, down to a least number', () => {
  expect(affordable(numbers(500)).length * 500).toBe(62_500);
  expect(affordable(numbers(100_000))).toHaveLength(40);
});

test('few places of a large value are all taken', () => {
  expect(affordable(numbers(30), 5000)).toEqual(numbers(30));
});
