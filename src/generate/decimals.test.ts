import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commonStep, decimalOf, isMultiple, numberOf } from './decimals.ts';
import { numbersOf } from './numbers.ts';

test.each<[number, number, boolean]>([
  [19.99, 0.01, true],
  [4.35, 0.05, true],
  [0.3, 0.1, true],
  [1e22, 0.5, true],
  [-6, 3, true],
  [0, 0.7, true],
  [0.005, 0.01, false],
  [7, 2, false],
  [1e-7, 1e-6, false],
  [5, 0, false],
])('%d is a multiple of %d: %s', (value, step, expected) => {
  expect(isMultiple(value, step)).toBe(expected);
});

test('decimals are exact', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (value) => numberOf(decimalOf(value)) === value || value === 0,
    ),
  );
});

test('the common step of steps', () => {
  expect(numberOf(commonStep([4, 6]))).toBe(12);
  expect(numberOf(commonStep([0.25, 0.1]))).toBe(0.5);
});

test('numbers keep all their bounds', () => {
  const bound = fc.integer({ min: -1_000, max: 1_000 }).map((count) => count / 100);
  fc.assert(
    fc.property(
      bound,
      bound,
      fc.constantFrom(1, 0.5, 0.01, 0.3),
      fc.boolean(),
      (one, other, step, integer) => {
        const [min, max] = [Math.min(one, other), Math.max(one, other)];
        const numbers = numbersOf({ integer, min, max, above: min, below: Infinity, steps: [step] }, []);
        const values =
          numbers === undefined
            ? []
            : [numbers.smallest, ...fc.sample(numbers.arbitrary, { seed: 1, numRuns: 10 })];
        return values.every(
          (value) =>
            value > min && value <= max && isMultiple(value, step) && (!integer || Number.isInteger(value)),
        );
      },
    ),
    { seed: 1 },
  );
});
