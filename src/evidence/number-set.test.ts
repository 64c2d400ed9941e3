import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeNumberSet } from './number-set.ts';

test('a number is new once, whatever was added before', () => {
  const numbers = makeNumberSet();
  expect([1, 2, 1, 31, 32, 63, 4095, 4096, 31, 4096].map((each) => numbers.add(each))).toEqual([
    true,
    true,
    false,
    true,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('numbers are as new as in a set', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.nat(200), fc.maxSafeNat())), (all) => {
      const numbers = makeNumberSet();
      const set = new Set<number>();
      for (const each of all) {
        expect(numbers.add(each)).toBe(!set.has(each));
        set.add(each);
      }
    }),
  );
});
