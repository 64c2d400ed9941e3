import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commonStep, decimalOf, isMultiple, numberOf, unitsAt } from './decimals.ts';
import { numbersOf } from './numbers.ts';
import { ANYTHING, type ValueShape } from './shape.ts';

const bounds = (given: Partial<ValueShape['numbers']>): ValueShape['numbers'] => ({
  ...ANYTHING.numbers,
  ...given,
});

describe('the smallest number', () => {
  test.each<[Partial<ValueShape['numbers']>, number | undefined]>([
    [{}, 0],
    [{ integer: true }, 0],
    [{ min: 2.5 }, 2.5],
    [{ above: 2.5 }, 3],
    [{ above: 2 }, 3],
    [{ above: 2, below: 2.5 }, 2.25],
    [{ max: -2.5 }, -2.5],
    [{ below: -2 }, -3],
    [{ below: 0 }, -1],
    [{ above: 0 }, 1],
    [{ min: -3, max: 3 }, 0],
    [{ min: 3, max: 3 }, 3],
    [{ integer: true, min: 2.5 }, 3],
    [{ integer: true, max: -2.5 }, -3],
    [{ integer: true, above: 2, below: 3 }, undefined],
    [{ integer: true, above: 2, below: 4 }, 3],
    [{ integer: true, min: 0.1, max: 0.9 }, undefined],
    [{ steps: [4], min: 1 }, 4],
    [{ steps: [4], max: -1 }, -4],
    [{ steps: [4], above: 4 }, 8],
    [{ steps: [4], below: -4 }, -8],
    [{ steps: [4], above: 4, below: 8 }, undefined],
    [{ steps: [4, 6], min: 1 }, 12],
    [{ steps: [0.3], min: 0.2 }, 0.3],
    [{ steps: [0.5], integer: true, min: 0.1 }, 1],
    [{ steps: [1.5], integer: true, min: 0.1 }, 3],
    [{ steps: [0.01], min: 19.99, max: 19.99 }, 19.99],
    [{ min: 1e300 }, 1e300],
    [{ integer: true, min: 2 ** 60 }, 2 ** 60],
  ])('of %j is %s', (given, smallest) => {
    expect(numbersOf(bounds(given), [])?.smallest).toBe(smallest);
  });
});

describe('multiples', () => {
  const drawn = (given: Partial<ValueShape['numbers']>): readonly number[] => {
    const numbers = numbersOf(bounds(given), []);
    return numbers === undefined
      ? []
      : [...new Set(fc.sample(numbers.arbitrary, { seed: 4, numRuns: 300 }))].sort((a, b) => a - b);
  };

  test('of which binary fractions say otherwise are left out, where there are others', () => {
    // 0.3 / 0.1 and 0.6 / 0.2 are 2.9999999999999996.
    expect(drawn({ steps: [0.1], min: 0.1, max: 0.5 })).toEqual([0.1, 0.2, 0.4, 0.5]);
    expect(drawn({ steps: [0.1, 0.2], min: 0.2, max: 1 })).toEqual([0.2, 0.4, 0.8, 1]);
    expect(drawn({ steps: [0.1], min: 0.3, max: 0.5 })).toEqual([0.4, 0.5]);
    expect(drawn({ steps: [0.1], min: -0.5, max: -0.3 })).toEqual([-0.5, -0.4]);
    expect(drawn({ steps: [0.1], min: 0.3, max: 0.3 })).toEqual([0.3]);
  });

  test('reach both ends of what is excluded and what is not', () => {
    expect(drawn({ steps: [5], above: -10, below: 10 })).toEqual([-5, 0, 5]);
    expect(drawn({ steps: [5], min: -10, max: 10 })).toEqual([-10, -5, 0, 5, 10]);
    expect(drawn({ steps: [5], min: -9, max: 9 })).toEqual([-5, 0, 5]);
    expect(drawn({ steps: [5], min: 11, max: 14 })).toEqual([]);
  });

  test('beyond what counts exactly are multiples still', () => {
    const min = 2 ** 60;
    const values = drawn({ integer: true, min, max: min + 10_000 });
    expect(values.length).toBeGreaterThan(10);
    expect(values.every((value) => value >= min && value <= min + 10_000)).toBe(true);
    expect(drawn({ integer: true, min: -min - 10_000, max: -min }).every((value) => value <= -min)).toBe(
      true,
    );
  });

  test.each<[number, number, boolean]>([
    [6, 0, false],
    [Number.NaN, 2, false],
    [Number.POSITIVE_INFINITY, 2, false],
    [4, Number.POSITIVE_INFINITY, false],
    [0.5, 0, false],
    [2, 0.5, true],
    [2 ** 60, 3, false],
  ])('%d of %d: %s', (value, step, expected) => {
    expect(isMultiple(value, step)).toBe(expected);
  });
});

test('formats of integers bound them', () => {
  const drawn = (format: string, given: Partial<ValueShape['numbers']> = {}): readonly number[] => {
    const numbers = numbersOf(bounds(given), [format]);
    return numbers === undefined ? [] : fc.sample(numbers.arbitrary, { seed: 1, numRuns: 100 });
  };
  expect(drawn('int32').every(Number.isInteger)).toBe(true);
  expect(drawn('int64').every(Number.isInteger)).toBe(true);
  expect(drawn('double').every(Number.isInteger)).toBe(false);
  expect(drawn('int32', { min: 2 ** 31 - 1 })).toEqual(Array.from({ length: 100 }, () => 2 ** 31 - 1));
  expect(drawn('int32', { max: -(2 ** 31) })).toEqual(Array.from({ length: 100 }, () => -(2 ** 31)));
  expect(drawn('int32', { min: 2 ** 31 })).toEqual([]);
  expect(drawn('int64', { min: 2 ** 31 })).toHaveLength(100);
});

describe('the numbers drawn', () => {
  const range = (given: Partial<ValueShape['numbers']>): readonly [number, number] => {
    const numbers = numbersOf(bounds(given), []);
    const drawn = numbers === undefined ? [] : fc.sample(numbers.arbitrary, { seed: 2, numRuns: 2_000 });
    return [Math.min(...drawn), Math.max(...drawn)];
  };

  test.each<[Partial<ValueShape['numbers']>, number, number]>([
    [{}, -1_000_000, 1_000_000],
    [{ min: 5 }, 5, 1_000_005],
    [{ integer: true, min: 5 }, 5, 1_000_005],
    [{ integer: true, max: 5 }, -999_995, 5],
    [{ integer: true, max: 2_000_000 }, -1_000_000, 2_000_000],
    [{ integer: true, min: -2_000_000 }, -2_000_000, 1_000_000],
    [{ steps: [3], min: 3 }, 3, 3_003],
    [{ min: 0.1, max: 0.35 }, 0.1, 0.35],
    [{ min: -0.5, max: 0.5 }, -0.5, 0.5],
    [{ integer: true, min: -2, max: 2 }, -2, 2],
  ])('of %j reach from %d to %d', (given, least, most) => {
    const [low, high] = range(given);
    // Drawn numbers need not reach the very end of a wide range.
    const slack = (most - least) / 100;
    expect(low).toBeGreaterThanOrEqual(least);
    expect(low).toBeLessThanOrEqual(least + slack);
    expect(high).toBeLessThanOrEqual(most + slack);
    expect(high).toBeGreaterThanOrEqual(most - slack);
  });

  test('of a narrow range are not its ends alone', () => {
    const numbers = numbersOf(bounds({ above: 1, below: 1.01 }), []);
    const drawn = numbers === undefined ? [] : fc.sample(numbers.arbitrary, { seed: 2, numRuns: 200 });
    expect(drawn.every((value) => value > 1 && value < 1.01)).toBe(true);
    expect(new Set(drawn).size).toBeGreaterThan(50);
  });

  test('are hundredths where there is room, and never minus zero', () => {
    const numbers = numbersOf(bounds({ min: -1, max: 1 }), []);
    const drawn = numbers === undefined ? [] : fc.sample(numbers.arbitrary, { seed: 2, numRuns: 500 });
    expect(drawn.every((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-9)).toBe(true);
    expect(drawn.some((value) => !Number.isInteger(value))).toBe(true);
    expect(drawn.some((value) => Object.is(value, -0))).toBe(false);
  });
});

test.each([
  ['0', 0n, 0],
  ['12', 12n, 0],
  ['-1.25', -125n, 2],
  ['1e21', 1_000_000_000_000_000_000_000n, 0],
  ['1.5e-7', 15n, 8],
  ['-2.5e+25', -25_000_000_000_000_000_000_000_000n, 0],
])('%s is taken apart exactly', (text, units, scale) => {
  const decimal = decimalOf(Number(text));
  expect(decimal).toEqual({ units, scale });
  expect(numberOf(decimal)).toBe(Number(text));
});

test('units at a larger scale, and common steps', () => {
  expect(unitsAt({ units: 125n, scale: 2 }, 4)).toBe(12_500n);
  expect(unitsAt({ units: 125n, scale: 2 }, 2)).toBe(125n);
  expect(commonStep([])).toEqual({ units: 1n, scale: 0 });
  expect(commonStep([0.25])).toEqual({ units: 25n, scale: 2 });
  expect(commonStep([0.5, 0.75])).toEqual({ units: 150n, scale: 2 });
  expect(commonStep([6, 10, 15])).toEqual({ units: 30n, scale: 0 });
});
