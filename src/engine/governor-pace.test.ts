import { expect, test } from 'vitest';
import { type EventClock, eventClock } from '../testing/event-clock.ts';
import { full, refused, served } from '../testing/governed.ts';
import { type Governor, makeGovernor } from './governor.ts';

async function paced(clock: EventClock): Promise<Governor> {
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await served(governor, clock, 100);
  await clock.until(clock.sleep(1000));
  await refused(governor, clock, 1000, 1);
  await served(governor, clock);
  return governor;
}

test.each([
  { window: 20, each: 60, before: 4 },
  { window: 100, each: 17.5, before: 2 },
])(
  'of $window requests in a window, 4 sent together wait for $before turns, and those after it for 4',
  async ({ window, each, before }) => {
    const clock = eventClock();
    const governor = makeGovernor(clock, { left: () => 60_000 });
    await served(governor, clock, window);
    await clock.until(clock.sleep(each * window - 750));
    await refused(governor, clock, 1000, 1);
    await served(governor, clock);
    const start = clock.monotonic();
    const landing = await clock.until(governor.admit({ senders: [full, full, full, full] }));
    landing?.([]);
    const turn = each * 1.1;
    expect(clock.monotonic() - start).toBeCloseTo(before * turn, 5);
    await served(governor, clock);
    expect(clock.monotonic() - start).toBeCloseTo((before + 4) * turn, 5);
  },
);

test('the pace stays where what was sent together came too soon, and the next of it waits for all its turns', async () => {
  const clock = eventClock();
  const governor = await paced(clock);
  const together = async (count: number): Promise<number> => {
    const start = clock.monotonic();
    const landing = await clock.until(governor.admit({ senders: Array.from({ length: count }, () => full) }));
    landing?.([]);
    return clock.monotonic() - start;
  };
  await served(governor, clock, 200);
  await refused(governor, clock, 1000);
  await served(governor, clock, 300);
  const turn = (await served(governor, clock, 50)) / 50;
  expect(await together(8)).toBeCloseTo(4 * turn, 5);
  await refused(governor, clock, 1000);
  await served(governor, clock);
  expect((await served(governor, clock, 50)) / 50).toBeCloseTo(turn, 5);
  expect(await together(8)).toBeCloseTo(8 * turn, 5);
  // Refused again, it was the pace.
  await served(governor, clock, 300);
  await together(8);
  await refused(governor, clock, 1000);
  await served(governor, clock);
  expect((await served(governor, clock, 50)) / 50).toBeGreaterThan(turn * 1.04);
});

test('a pace that was calm for long is slowed a little where it is refused, and more where it is refused again', async () => {
  const clock = eventClock();
  const governor = await paced(clock);
  const turnNow = async (): Promise<number> => {
    await served(governor, clock);
    return (await served(governor, clock, 9)) / 9;
  };
  // A limit is met, and the pace near it is calm for so long that it rises.
  await served(governor, clock, 200);
  await refused(governor, clock, 1000);
  await served(governor, clock, 300);
  const near = await turnNow();
  await served(governor, clock, 650);
  const risen = await turnNow();
  expect(risen).toBeLessThan(near * 0.96);
  // That was too much; back at the pace that was calm, it is refused as well.
  await refused(governor, clock, 1000);
  expect(await turnNow()).toBeCloseTo(near, 5);
  await refused(governor, clock, 1000);
  const slowed = await turnNow();
  expect(slowed).toBeGreaterThan(near * 1.01);
  expect(slowed).toBeLessThan(near * 1.06);
  await refused(governor, clock, 1000);
  expect(await turnNow()).toBeGreaterThan(slowed * 1.1);
});

test('a pace that nobody keeps up does not rise', async () => {
  const clock = eventClock();
  const governor = await paced(clock);
  for (let index = 0; index < 100; index += 1) {
    await clock.until(clock.sleep(200));
    await served(governor, clock);
  }
  expect(await served(governor, clock, 9)).toBeCloseTo(9 * 17.5 * 1.1, 5);
});
