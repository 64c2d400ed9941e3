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
  for (let index = 0; index < 500; index += 1) expect(await governor.admit('full')).toBe(true);
  expect(governor.waited()).toBe(0);
});

test('after a 429 the principal rests as told, then keeps under the rate at which it came; others go on', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  for (let index = 0; index < 100; index += 1) await governor.admit('full');
  clock.pass(1000);
  governor.throttled('full', 1000, 999);
  await governor.admit('other');
  expect(clock.monotonic()).toBe(1000);
  await governor.admit('full');
  expect(clock.monotonic()).toBe(2000);
  const before = clock.monotonic();
  for (let index = 0; index < 40; index += 1) await governor.admit('full');
  // 100 requests in 2 s were too fast: 25 ms apart keeps to 80 % of that rate.
  expect(clock.monotonic() - before).toBeCloseTo(40 * 25, 5);
});

test('requests that were in flight tell of the same event, and slow nobody down further', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 600_000 });
  for (let index = 0; index < 100; index += 1) await governor.admit('full');
  clock.pass(1000);
  for (let index = 0; index < 20; index += 1) governor.throttled('full', 1000, 990);
  await governor.admit('full');
  const before = clock.monotonic();
  for (let index = 0; index < 40; index += 1) await governor.admit('full');
  expect(clock.monotonic() - before).toBeCloseTo(40 * 25, 5);
});

test('a wait beyond what is left is refused', async () => {
  const clock = fakeClock();
  const governor = makeGovernor(clock, { left: () => 500 });
  await governor.admit('full');
  governor.throttled('full', 1000, 0);
  expect(await governor.admit('full')).toBe(false);
});
