import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { virtualTime } from './virtual-time.ts';

test('waits end in order, and take no time of the machine', async () => {
  const { begin, clock } = virtualTime(1_000_000);
  const ended: string[] = [];
  const wait = async (name: string, milliseconds: number): Promise<void> => {
    await clock.sleep(milliseconds);
    ended.push(`${name} at ${clock.monotonic()}`);
  };
  const start = performance.now();
  const all = Promise.all([wait('an hour', 3_600_000), wait('a second', 1000), wait('nothing', 0)]);
  begin();
  await all;
  expect(ended).toEqual(['nothing at 0', 'a second at 1000', 'an hour at 3600000']);
  expect(clock.wall()).toBe(4_600_000);
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('time stands still before it begins, and while there is work elsewhere', async () => {
  const { begin, clock, during } = virtualTime(0);
  let woken = 0;
  void clock.sleep(5).then(() => {
    woken += 1;
  });
  await pause(20);
  expect(woken).toBe(0);
  const work = during(pause(30, 'done'));
  begin();
  await pause(10);
  expect([woken, clock.monotonic()]).toEqual([0, 0]);
  expect(await work).toBe('done');
  await pause(20);
  expect([woken, clock.monotonic()]).toEqual([1, 5]);
});

test('time stands still for work on a busy machine as long as it takes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { begin, clock, during } = virtualTime(0);
    begin();
    const wait = clock.sleep(1000);
    let finish = (): void => undefined;
    const work = during(
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
    );
    vi.advanceTimersByTime(60_000);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(clock.monotonic()).toBe(0);
    finish();
    await work;
    await wait;
    expect(clock.monotonic()).toBe(1000);
  } finally {
    vi.useRealTimers();
  }
});

test('work elsewhere that waits for time to pass does not stop it', async () => {
  const { begin, clock, outside } = virtualTime(0);
  begin();
  await outside(clock.sleep(60_000));
  expect(clock.monotonic()).toBe(60_000);
});

test('an aborted wait is over at once', async () => {
  const { begin, clock } = virtualTime(0);
  begin();
  const ends = new AbortController();
  const wait = clock.sleep(1000, ends.signal);
  ends.abort();
  await wait;
  await clock.sleep(1000, ends.signal);
  // Nobody waits any more, so time has nowhere to go.
  await pause(20);
  expect(clock.monotonic()).toBe(0);
});
