import { expect, test } from 'vitest';
import { makeWidth } from './width.ts';

/** Shows so many pictures of one latency, and returns the lanes after each. */
function shown(
  width: ReturnType<typeof makeWidth>,
  pictures: number,
  latency: number,
  trouble?: 'throttled' | 'failed',
): number[] {
  return Array.from({ length: pictures }, () => {
    let lanes = 0;
    for (let index = 0; index < 24; index += 1)
      ({ lanes } = width.see(latency, index === 5 ? trouble : undefined));
    return lanes;
  });
}

test('it grows to the most that is allowed while latency stays flat', () => {
  expect(shown(makeWidth(18), 4, 20)).toEqual([12, 16, 18, 18]);
  expect(shown(makeWidth(2), 2, 20)).toEqual([2, 2]);
});

test('it begins with few where the first responses were fast, until it is widened', () => {
  const width = makeWidth(32, 10);
  expect(width.now().lanes).toBe(2);
  expect(shown(width, 2, 5)).toEqual([2, 2]);
  expect(width.widen().lanes).toBe(16);
  expect(shown(width, 1, 5)).toEqual([20]);
  expect(makeWidth(32, 11).now().lanes).toBe(8);
  expect(makeWidth(32, 3).now().lanes).toBe(1);
  expect(makeWidth(2, 8).now().lanes).toBe(2);
});

test('it stops growing where the target grows slower, and goes back where it doubles', () => {
  const width = makeWidth(32);
  shown(width, 2, 20);
  expect(shown(width, 2, 30)).toEqual([16, 16]);
  expect(shown(width, 3, 50)).toEqual([12, 8, 8]);
});

test.each(['throttled', 'failed'] as const)(
  'one valid request that is %s makes it smaller, and then it rests',
  (trouble) => {
    const width = makeWidth(32);
    shown(width, 2, 20);
    expect(shown(width, 1, 20, trouble)).toEqual([12]);
    expect(shown(width, 5, 20)).toEqual([12, 12, 12, 12, 16]);
  },
);

test('requests that fail make it smaller than at the start, those that are throttled do not', () => {
  expect(shown(makeWidth(32), 3, 20, 'failed')).toEqual([6, 4, 4]);
  expect(shown(makeWidth(32), 3, 20, 'throttled')).toEqual([8, 8, 8]);
  expect(shown(makeWidth(2), 2, 20, 'throttled')).toEqual([2, 2]);
  const failing = makeWidth(32);
  shown(failing, 1, 20, 'failed');
  expect(shown(failing, 1, 20, 'throttled')).toEqual([6]);
});

test('more requests are held at a time where all that may be are, and others are served as fast', () => {
  const width = makeWidth(16);
  const held = (pictures: number, latency: number, holding: number, trouble?: 'throttled'): number => {
    let most = 0;
    for (let index = 0; index < 24 * pictures; index += 1)
      ({ held: most } = width.see(latency, index === 5 ? trouble : undefined, holding));
    return most;
  };
  expect(held(2, 20, 3)).toBe(4);
  expect(held(1, 20, 4)).toBe(8);
  expect(held(2, 230, 12)).toBe(16);
  // Those that are held have taken all workers of the target.
  expect(held(1, 1500, 16)).toBe(8);
  expect(held(3, 1500, 8)).toBe(2);
  expect(held(1, 1500, 1)).toBe(2);
  // For a while no more are tried.
  expect(held(14, 20, 2)).toBe(2);
  expect(held(1, 20, 2, 'throttled')).toBe(6);
});

test('nothing is held apart where fewer lanes are wanted than usual', () => {
  const width = makeWidth(7);
  for (let index = 0; index < 100; index += 1) expect(width.see(20, undefined, 7).held).toBe(0);
});

test('the usual time of a request is the median of the last measurement', () => {
  const width = makeWidth(8);
  const before = width.usualMs();
  shown(width, 1, 250);
  shown(width, 1, 300);
  expect([before, width.usualMs()]).toEqual([undefined, 300]);
});

test('there is no usual time where requests wait for each other', () => {
  const width = makeWidth(8);
  width.see(500);
  shown(width, 1, 1000);
  expect(width.usualMs()).toBeUndefined();
});
