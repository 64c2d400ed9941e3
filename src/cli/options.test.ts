import { expect, test } from 'vitest';
import { seedNumber } from './options.ts';

test('--seed takes every seed that a configuration can give and a report can print', () => {
  expect(['0', '20270101', '-5', '2147483647', '-2147483648'].map(seedNumber)).toEqual([
    0, 20270101, -5, 2147483647, -2147483648,
  ]);
  for (const text of ['', 'x', '1.5', '1e3', '2147483648', '-2147483649', '0x10'])
    expect(() => seedNumber(text), text).toThrow('It must be a whole number of 32 bits.');
});
