import { expect, test } from 'vitest';
import { makeWidth } from './width.ts';

/** Shows so many pictures of one latency, and returns the lanes after each. */
function shown(
  width: ReturnType<typeof makeWidth>,
  pictures: number,
  latency: number,
  trouble = false,
): number[] {
  return Array.from({ length: pictures }, () => {
    let lanes = 0;
    for (let index = 0; index < 24; index += 1) lanes = width.see(latency, trouble && index === 5);
    return lanes;
  });
}

test('it grows to the most that is allowed while latency stays flat', () => {
  expect(shown(makeWidth(18), 4, 20)).toEqual([12, 16, 18, 18]);
  expect(shown(makeWidth(2), 2, 20)).toEqual([2, 2]);
});

test('it stops growing where the target grows slower, and goes back where it doubles', () => {
  const width = makeWidth(32);
  shown(width, 2, 20);
  expect(shown(width, 2, 30)).toEqual([16, 16]);
  expect(shown(width, 3, 50)).toEqual([12, 8, 8]);
});

test('one valid request that is throttled or fails makes it smaller, and then it rests', () => {
  const width = makeWidth(32);
  shown(width, 2, 20);
  expect(shown(width, 1, 20, true)).toEqual([12]);
  expect(shown(width, 5, 20)).toEqual([12, 12, 12, 12, 16]);
});
