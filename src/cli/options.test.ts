import { expect, test } from 'vitest';
import { seedNumber, whole } from './options.ts';

test('--seed takes every seed that a configuration can give and a report can print', () => {
  expect(['0', '20270101', '-5', '2147483647', '-2147483648'].map(seedNumber)).toEqual([
    0, 20270101, -5, 2147483647, -2147483648,
  ]);
  for (const text of ['', 'x', '1.5', '1e3', '2147483648', '-2147483649', '0x10'])
    expect(() => seedNumber(text), text).toThrow('It must be a whole number of 32 bits.');
});

test('a number is within its bounds', () => {
  expect(whole(1, 256)('256')).toBe(256);
  expect(() => whole(1, 256)('257')).toThrow('It must be a whole number of at least 1 and at most 256.');
  expect(() => whole(1)('0')).toThrow('It must be a whole number of at least 1.');
});
