import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bounded } from './bounded.ts';

const even = (value: number): boolean => value % 2 === 0;
const draw = <T>(arbitrary: fc.Arbitrary<T>): readonly T[] => fc.sample(arbitrary, { seed: 1, numRuns: 200 });

test('only values that pass are drawn, and the fallback where none does', () => {
  const drawn = draw(bounded(fc.nat({ max: 9 }), even, -1));
  expect(new Set(drawn)).toEqual(new Set([0, 2, 4, 6, 8]));
  expect(new Set(draw(bounded(fc.nat({ max: 9 }), (value) => value > 9, 99)))).toEqual(new Set([99]));
});

test('a source that is slow to make is made once, when the first value is drawn', () => {
  let made = 0;
  const arbitrary = bounded(
    () => {
      made++;
      return fc.nat({ max: 9 });
    },
    even,
    -1,
  );
  expect(made).toBe(0);
  expect(draw(arbitrary)).toEqual(draw(bounded(fc.nat({ max: 9 }), even, -1)));
  draw(arbitrary);
  expect(made).toBe(1);
});

test('a value is drawn again forty times before the fallback takes its place', () => {
  let asked = 0;
  const never = (): boolean => {
    asked++;
    return false;
  };
  const random = fc.sample(bounded(fc.nat(), never, 7), { seed: 1, numRuns: 1 });
  expect(random).toEqual([7]);
  expect(asked).toBe(40);
});

test('values shrink to smaller ones that pass', () => {
  const arbitrary = bounded(fc.nat({ max: 1_000 }), (value) => value > 3, 4);
  const small = fc.property(arbitrary, (value) => value < 11);
  const all = fc.property(arbitrary, (value) => value < 0);
  expect(fc.check(all, { seed: 1 }).counterexample).toEqual([4]);
  expect(fc.check(small, { seed: 1 }).counterexample).toEqual([11]);
  expect(fc.check(small, { examples: [[996]] }).counterexample).toEqual([11]);
});

test('a value can be shrunk without context where the source can, and it passes', () => {
  const arbitrary = bounded(fc.nat({ max: 10 }), even, 0);
  expect([4, 3, 12, 'x'].map((value) => arbitrary.canShrinkWithoutContext(value))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  const mapped = bounded(
    fc.nat().map((value) => value + 1),
    even,
    0,
  );
  expect([...mapped.shrink(4, undefined)]).toEqual([]);
});
