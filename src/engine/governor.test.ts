import { expect, test } from 'vitest';
import type { Clock } from '../model/clock.ts';
import { makeGovernor } from './governor.ts';

/** A clock that moves only when somebody sleeps. */
function fakeClock(): Clock & { readonly pass: (milliseconds: number) => void } {
  let now = 0;
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  return { monotonic: () => now, wall: () => now, pass, sleep: async (milliseconds) => pass(milliseconds) };
}

test('nobody waits before the first 429', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  for (let index = 0; index < 500; index += 1) expect(await governor.admit({ principal: 'full' })).toBe(true);
  expect(governor.waited()).toBe(0);
});

test('a share of a declared limit is kept from the beginning, and calm does not lift it', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 60_000, interval: 40 });
  for (let index = 0; index < 501; index += 1) expect(await governor.admit({ principal: 'full' })).toBe(true);
  expect(clock.monotonic()).toBe(500 * 40);
});

test('after a 429 the principal rests as asked, then keeps under the rate at which it came; others go on', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  for (let index = 0; index < 100; index += 1) await governor.admit({ principal: 'full' });
  clock.pass(1000);
  governor.throttled('full', 1000, 999);
  await governor.admit({ principal: 'other' });
  expect(clock.monotonic()).toBe(1000);
  await governor.admit({ principal: 'full' });
  expect(clock.monotonic()).toBe(2000);
  const before = clock.monotonic();
  for (let index = 0; index < 9; index += 1) await governor.admit({ principal: 'full' });
  // 100 requests in 1 s and the guided 0.75 s were a window: a tenth slower than that.
  expect(clock.monotonic() - before).toBeCloseTo(9 * 17.5 * 1.1, 5);
});

test('a long wait counts for the rate: one window of it holds so many requests', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  for (let index = 0; index < 100; index += 1) await governor.admit({ principal: 'full' });
  clock.pass(1000);
  governor.throttled('full', 7000, 999);
  await governor.admit({ principal: 'full' });
  const before = clock.monotonic();
  for (let index = 0; index < 9; index += 1) await governor.admit({ principal: 'full' });
  expect(clock.monotonic() - before).toBeCloseTo(9 * ((1000 + 7000 / 1.05) / 100) * 1.1, 5);
});

test('the pace rises soon while no limit is known, and slowly near one that is', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  const milliseconds = async (requests: number): Promise<number> => {
    const before = clock.monotonic();
    for (let index = 0; index < requests; index += 1) await governor.admit({ principal: 'full' });
    return clock.monotonic() - before;
  };
  await milliseconds(100);
  clock.pass(1000);
  governor.throttled('full', 1000, 999);
  expect(await milliseconds(200)).toBeLessThan(1000 + 200 * 17.5 * 1.1 * 0.5);
  governor.throttled('full', 1000, clock.monotonic());
  await milliseconds(1);
  const near = await milliseconds(50);
  expect(await milliseconds(50)).toBeCloseTo(near, 5);
});

test('who waits for a place while another is throttled rests as well', async () => {
  let now = 0;
  const sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  const governor = makeGovernor(
    {
      monotonic: () => now,
      wall: () => now,
      sleep: (milliseconds) =>
        new Promise((wake) => void sleepers.push({ at: now + milliseconds, wake: () => wake(undefined) })),
    },
    { left: () => 60_000 },
  );
  await governor.admit({ principal: 'full' });
  governor.throttled('full', 100, 0);
  let sent: number | undefined;
  const waiting = governor.admit({ principal: 'full' }).then(() => {
    sent = now;
  });
  now = 50;
  governor.throttled('full', 1000, 40);
  while (sent === undefined) {
    const next = sleepers.shift();
    now = next?.at ?? now;
    next?.wake();
    await Promise.race([waiting, new Promise((resolve) => setImmediate(resolve))]);
  }
  expect(sent).toBe(1050);
});

test('requests that were in flight belong to the same event, and slow nobody down further', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 600_000 });
  for (let index = 0; index < 100; index += 1) await governor.admit({ principal: 'full' });
  clock.pass(1000);
  for (let index = 0; index < 20; index += 1) governor.throttled('full', 1000, 990);
  await governor.admit({ principal: 'full' });
  const before = clock.monotonic();
  for (let index = 0; index < 9; index += 1) await governor.admit({ principal: 'full' });
  expect(clock.monotonic() - before).toBeCloseTo(9 * 17.5 * 1.1, 5);
});

test('who will have to wait later goes first', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await governor.admit({ principal: 'full' });
  governor.throttled('full', 1000, 0);
  const order: number[] = [];
  await Promise.all(
    [0, 6000, 10_000, 0].map(async (ahead, index) => {
      await governor.admit({ principal: 'full', ahead });
      order.push(index);
    }),
  );
  expect(order).toEqual([2, 1, 0, 3]);
});

test('a wait beyond what is left is refused', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 500 });
  await governor.admit({ principal: 'full' });
  governor.throttled('full', 1000, 0);
  expect(await governor.admit({ principal: 'full' })).toBe(false);
});

type Limiter = (now: number) => number;

const fixedWindow = (limit: number, windowMs: number): Limiter => {
  let openedAt = Number.NEGATIVE_INFINITY;
  let used = 0;
  return (now) => {
    if (now >= openedAt + windowMs) {
      openedAt = now;
      used = 0;
    }
    used += 1;
    return used > limit ? openedAt + windowMs - now : 0;
  };
};

const bucket = (size: number, perMs: number): Limiter => {
  let left = size;
  let at = 0;
  return (now) => {
    left = Math.min(size, left + (now - at) * perMs);
    at = now;
    if (left < 1) return (1 - left) / perMs;
    left -= 1;
    return 0;
  };
};

// At the least time that the limit allows: 11.2, 13.0, 69.0 and 13.0 s.
test.each([
  ['60 in 500 ms', fixedWindow(60, 500), 16.5, 3],
  ['100 in a second', fixedWindow(100, 1000), 19, 5],
  ['a bucket of 20, and 20 a second', bucket(20, 0.02), 74, 8],
  ['a bucket of 100, and 100 a second', bucket(100, 0.1), 15, 6],
] as const)('1,400 requests at %s, guided in whole seconds', async (_, waitOf, seconds, throttled) => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 600_000 });
  let refused = 0;
  for (let accepted = 0; accepted < 1400; ) {
    const before = clock.monotonic();
    await governor.admit({ principal: 'full' });
    if (clock.monotonic() === before) clock.pass(0.4);
    const wait = waitOf(clock.monotonic());
    if (wait === 0) accepted += 1;
    else {
      refused += 1;
      const sent = clock.monotonic();
      clock.pass(2);
      governor.throttled('full', Math.ceil(wait / 1000) * 1000 + 250, sent);
    }
  }
  expect(clock.monotonic() / 1000).toBeLessThan(seconds);
  expect(refused).toBeLessThanOrEqual(throttled);
});
