import { afterAll, expect, test, vi } from 'vitest';
import { eventClock } from '../testing/event-clock.ts';
import { full, refused, served } from '../testing/governed.ts';
import { makeGovernor } from './governor.ts';

const warned = vi.spyOn(process, 'emitWarning');
afterAll(() => expect(warned).not.toHaveBeenCalled());

test('nobody waits before the first 429', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  expect(await served(governor, clock, 500)).toBe(0);
});

test('a share of a declared limit is kept from the beginning, and calm does not lift it', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000, interval: 40 });
  expect(await served(governor, clock, 501)).toBe(500 * 40);
});

test('after a 429 the principal rests as asked, then keeps under the rate at which it came; others go on', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await served(governor, clock, 100);
  await clock.until(clock.sleep(1000));
  await refused(governor, clock, 1000, 1);
  await clock.until(governor.admit({ senders: [{ ...full, principal: 'other' }] }));
  expect(clock.monotonic()).toBe(1000);
  expect(await served(governor, clock)).toBe(1000);
  // 100 requests in 1 s and the guided 0.75 s were a window: a tenth slower than that.
  expect(await served(governor, clock, 9)).toBeCloseTo(9 * 17.5 * 1.1, 5);
});

test('many requests at once that one window may not hold are paced by it, those that it refused left out', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  const landings = await Promise.all(Array.from({ length: 30 }, () => governor.admit({ senders: [full] })));
  for (const [index, landing] of landings.entries())
    landing?.([{ startedAt: 0, was: index < 25 ? 'served' : { throttled: 1000 } }]);
  await served(governor, clock);
  expect(await served(governor, clock, 9)).toBeCloseTo(9 * (750 / 26) * 1.1, 5);
});

test('a long wait counts for the rate: one window of it holds so many requests', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await served(governor, clock, 100);
  await clock.until(clock.sleep(1000));
  await refused(governor, clock, 7000, 1);
  await served(governor, clock);
  expect(await served(governor, clock, 9)).toBeCloseTo(9 * ((1000 + 7000 / 1.05) / 100) * 1.1, 5);
});

test('the pace rises soon while no limit is known, and slowly near one that is', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await served(governor, clock, 100);
  await clock.until(clock.sleep(1000));
  await refused(governor, clock, 1000, 1);
  expect(await served(governor, clock, 200)).toBeLessThan(1000 + 200 * 17.5 * 1.1 * 0.75);
  await refused(governor, clock, 1000);
  await served(governor, clock);
  const near = await served(governor, clock, 50);
  expect(await served(governor, clock, 50)).toBeCloseTo(near, 5);
});

test('where a window holds few requests, the pace does not rise before two of them passed', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await served(governor, clock, 10);
  await clock.until(clock.sleep(200));
  await refused(governor, clock, 1050, 1);
  await served(governor, clock);
  expect(await served(governor, clock, 19)).toBeCloseTo(19 * 100 * 1.1, 5);
  expect(await served(governor, clock, 10)).toBeLessThan(10 * 100 * 1.1);
});

test('the least time counts the longest interval that was too fast, or the shortest that was not', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await served(governor, clock, 10);
  await clock.until(clock.sleep(200));
  await refused(governor, clock, 1050, 1);
  expect(governor.least()).toBe(0);
  await served(governor, clock, 15);
  await refused(governor, clock, 1050, 1);
  // What the first window held, and what nobody waits for, is left out.
  expect(governor.least()).toBeCloseTo(15 * 100 * 1.1, 5);
  await served(governor, clock, 800);
  expect(governor.least()).toBeLessThan(815 * 100 * 1.1);
});

test('who waits for a place while another is throttled rests as well', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await refused(governor, clock, 100);
  const waiting = governor.admit({ senders: [full] });
  await clock.until(clock.sleep(50));
  await refused(governor, clock, 1000, 10);
  await clock.until(waiting);
  expect(clock.monotonic()).toBe(1050);
});

test('requests that were in flight belong to the same event, and slow nobody down further', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 600_000 });
  await served(governor, clock, 100);
  await clock.until(clock.sleep(1000));
  for (let index = 0; index < 20; index += 1) await refused(governor, clock, 1000, 10);
  await served(governor, clock);
  expect(await served(governor, clock, 9)).toBeCloseTo(9 * 17.5 * 1.1, 5);
});

test('who will have to wait later goes first', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await refused(governor, clock, 1000);
  const order: number[] = [];
  await clock.until(
    Promise.all(
      [0, 6000, 10_000, 0].map(async (ahead, index) => {
        await governor.admit({ senders: [full], ahead });
        order.push(index);
      }),
    ),
  );
  expect(order).toEqual([2, 1, 0, 3]);
});

test('of those with as much ahead the oldest goes first', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await served(governor, clock, 10);
  await refused(governor, clock, 1000, 1);
  const order: number[] = [];
  await clock.until(
    Promise.all(
      [7, 3, 5].map(async (number) => {
        await governor.admit({ senders: [full], since: number === 7 ? 0 : 20, number });
        order.push(number);
      }),
    ),
  );
  expect(order).toEqual([7, 3, 5]);
});

test('a wait beyond what is left is refused', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 500 });
  await refused(governor, clock, 1000);
  expect(await clock.until(governor.admit({ senders: [full] }))).toBeUndefined();
});

test('more requests at once than a target takes go alone, and slow nobody down', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  const wave = async (): Promise<void> => {
    const landing = await clock.until(governor.admit({ senders: [full, full, full] }));
    const startedAt = clock.monotonic();
    landing?.([
      { startedAt, was: 'served' },
      { startedAt, was: { throttled: 1000 } },
      { startedAt, was: { throttled: 1000 } },
    ]);
  };
  await wave();
  const one = await clock.until(governor.admit({ senders: [full] }));
  let second = false;
  const other = governor.admit({ senders: [full] }).then((landing) => {
    second = true;
    return landing;
  });
  await clock.until(clock.sleep(500));
  expect(second).toBe(false);
  one?.([{ startedAt: clock.monotonic(), was: 'served' }]);
  (await clock.until(other))?.([{ startedAt: clock.monotonic(), was: 'served' }]);
  await wave();
  // The rest, and then no interval.
  await served(governor, clock);
  expect(await served(governor, clock, 20)).toBeLessThan(200);
});

test('a target that refused more gets as many at once as it takes, once that is proved', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  const peer = { ...full, principal: 'peer' };
  expect(governor.atOnce([full, full, full])).toBe(3);
  const landings = await Promise.all([1, 2, 3].map(() => governor.admit({ senders: [full] })));
  for (const [index, landing] of landings.entries())
    landing?.([{ startedAt: clock.monotonic(), was: index < 2 ? 'served' : { throttled: 1000 } }]);
  expect(governor.atOnce([full, full, full])).toBe(3);
  await served(governor, clock, 10);
  expect(governor.atOnce([full, full, full])).toBe(2);
  expect(governor.atOnce([full, full])).toBe(2);
  // Even while one more is tried.
  for (let index = 0; index < 60; index += 1) {
    await clock.until(clock.sleep(20));
    const both = await Promise.all([1, 2].map(() => clock.until(governor.admit({ senders: [full] }))));
    for (const landing of both) landing?.([{ startedAt: clock.monotonic(), was: 'served' }]);
  }
  expect(governor.atOnce([full, full, full, full])).toBe(3);
  expect(governor.atOnce([peer, peer, peer])).toBe(3);
});

test('a request that is refused alone, long after the last one ended, was too fast', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  const landings = await Promise.all([1, 2].map(() => governor.admit({ senders: [full] })));
  for (const [index, landing] of landings.entries())
    landing?.([{ startedAt: clock.monotonic(), was: index < 1 ? 'served' : { throttled: 1000 } }]);
  for (let index = 0; index < 10; index += 1) {
    await clock.until(clock.sleep(100));
    await served(governor, clock);
  }
  await clock.until(clock.sleep(100));
  await refused(governor, clock, 1000);
  await served(governor, clock);
  expect(await served(governor, clock, 10)).toBeGreaterThan(1000);
});

test('a target that is too busy for so many gets fewer at once', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  const landings = await Promise.all([1, 2, 3].map(() => governor.admit({ senders: [full] })));
  for (const [index, landing] of landings.entries())
    landing?.([{ startedAt: clock.monotonic(), was: index < 2 ? 'served' : 'busy' }]);
  await clock.until(clock.sleep(10));
  const again = await Promise.all([1, 2].map(() => governor.admit({ senders: [full] })));
  expect(again).toHaveLength(2);
  const third = governor.admit({ senders: [full] });
  await clock.until(clock.sleep(10));
  again[0]?.([]);
  expect(await clock.until(third)).toBeDefined();
});

test('a scenario that keeps others from their lanes does not wait for their places', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  const one = await clock.until(governor.admit({ senders: [full] }));
  const other = await clock.until(governor.admit({ senders: [full] }));
  other?.([{ startedAt: 0, was: 'busy' }]);
  one?.([{ startedAt: 0, was: 'served' }]);
  // It has a place, and no lane to send from.
  await clock.until(governor.admit({ senders: [full] }));
  const rest = Object.assign(<Result>(work: () => Promise<Result>) => work(), { reserves: () => true });
  await expect(clock.until(governor.admit({ senders: [full] }))).rejects.toThrow('everybody waits');
  expect(await clock.until(governor.admit({ senders: [full], rest }))).toBeDefined();
});

test('what was met and was no limit of the principal is forgotten', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 1e9 });
  for (let times = 0; times < 3; times += 1) {
    await served(governor, clock, 1);
    await refused(governor, clock, 1250);
  }
  governor.forget();
  expect(await served(governor, clock, 20)).toBe(0);
});

/** A governor that has met a limit of 100 requests in 1.75 s, and keeps below it. */
test('who waits for a place that is held for long holds up nobody else', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  const landings = await Promise.all([1, 2, 3].map(() => governor.admit({ senders: [full] })));
  for (const [index, landing] of landings.entries())
    if (index > 0) landing?.([{ startedAt: 0, was: index < 2 ? 'served' : 'busy' }]);
  const together = governor.admit({ senders: [full, full] });
  const alone = await clock.until(governor.admit({ senders: [full] }));
  expect(clock.monotonic()).toBe(200);
  alone?.([{ startedAt: 200, was: 'served' }]);
  landings[0]?.([{ startedAt: 0, was: 'served' }]);
  expect(await clock.until(together)).toBeDefined();
});

test('a request that ends before others of its wave leaves its place', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  const landings = await Promise.all([1, 2, 3].map(() => governor.admit({ senders: [full] })));
  for (const [index, landing] of landings.entries())
    landing?.([{ startedAt: 0, was: index < 2 ? 'served' : 'busy' }]);
  const wave = await clock.until(governor.admit({ senders: [full, full] }));
  const next = governor.admit({ senders: [full] });
  wave?.ended(1);
  (await clock.until(next))?.([{ startedAt: clock.monotonic(), was: 'served' }]);
  expect(clock.monotonic()).toBeLessThan(200);
  wave?.([
    { startedAt: 0, was: 'served' },
    { startedAt: 0, was: 'served' },
  ]);
  const both = await clock.until(governor.admit({ senders: [full, full] }));
  expect(both).toBeDefined();
  expect(governor.atOnce([full, full, full])).toBe(3);
});

test('a request that is sent later than others of its wave takes its turn then', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000, interval: 100 });
  const wave = await clock.until(governor.admit({ senders: [full, { ...full, delayed: true }] }));
  const start = clock.monotonic();
  await served(governor, clock);
  expect(clock.monotonic() - start).toBe(100);
  wave?.sent(1);
  await served(governor, clock);
  expect(clock.monotonic() - start).toBe(300);
});

test('where a pace is kept, one request is tried next to those that are held for long, until one is refused', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000, interval: 1 });
  const one = await clock.until(governor.admit({ senders: [full] }));
  const other = await clock.until(governor.admit({ senders: [full] }));
  other?.([{ startedAt: clock.monotonic(), was: 'busy' }]);
  const third = await clock.until(governor.admit({ senders: [full] }));
  expect(clock.monotonic()).toBeGreaterThanOrEqual(200);
  third?.([{ startedAt: clock.monotonic(), was: 'busy' }]);
  let isSent = false;
  const last = governor.admit({ senders: [full] }).then((landing) => {
    isSent = true;
    return landing;
  });
  await clock.until(clock.sleep(2000));
  expect(isSent).toBe(false);
  one?.([{ startedAt: 0, was: 'served' }]);
  expect(await clock.until(last)).toBeDefined();
});

test('requests whose lane comes late take new turns, and are not sent together', async () => {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000, interval: 40 });
  await served(governor, clock);
  const sent: number[] = [];
  let lanes = clock.sleep(1000);
  const send = async (): Promise<void> => {
    const rest = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      const result = await work();
      await lanes;
      return result;
    };
    const landing = await governor.admit({ senders: [full], rest });
    sent.push(clock.monotonic());
    landing?.([{ startedAt: clock.monotonic(), was: 'served' }]);
  };
  const all = Promise.all([send(), send(), send(), send()]);
  void lanes.then(() => {
    lanes = Promise.resolve();
  });
  await clock.until(all);
  expect(sent).toEqual([1000, 1040, 1080, 1120]);
});
