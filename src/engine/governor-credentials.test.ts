import { expect, test } from 'vitest';
import { type EventClock, eventClock } from '../testing/event-clock.ts';
import { full, refused, served } from '../testing/governed.ts';
import { type Governor, makeGovernor } from './governor.ts';

/** 100 requests in 1 s and the guided 0.75 s were a window: a tenth slower than that. */
const interval = 17.5 * 1.1;

/** What `send` sends, then a 429 at the end of its second, which is waited for. */
async function throttledAfter(send: (governor: Governor, clock: EventClock) => Promise<unknown>) {
  const clock = eventClock();
  const governor = makeGovernor(clock, { left: () => 60_000 });
  await send(governor, clock);
  await clock.until(clock.sleep(1000));
  await refused(governor, clock, 1000, 1);
  return { clock, governor };
}

/** So many requests, one after another, each of which gets 401. */
async function refusals(governor: Governor, clock: EventClock, count: number): Promise<number> {
  const before = clock.monotonic();
  for (let index = 0; index < count; index += 1)
    (await clock.until(governor.admit({ senders: [full] })))?.(['uncounted']);
  return clock.monotonic() - before;
}

test('what is refused for its credential is not counted among the requests of a window', async () => {
  const { clock, governor } = await throttledAfter(async (own, time) => {
    await served(own, time, 100);
    await refusals(own, time, 40);
  });
  await served(governor, clock);
  expect(await served(governor, clock, 9)).toBeCloseTo(9 * interval, 5);
});

test('what is refused for its credential counts for a caller of whom nothing else is taken', async () => {
  const { clock, governor } = await throttledAfter((own, time) => refusals(own, time, 100));
  await refusals(governor, clock, 1);
  expect(await refusals(governor, clock, 9)).toBeCloseTo(9 * interval, 5);
});

test('others get the turn of what is refused for its credential', async () => {
  const { clock, governor } = await throttledAfter((own, time) => served(own, time, 100));
  await served(governor, clock, 2);
  const before = clock.monotonic();
  await refusals(governor, clock, 40);
  await served(governor, clock, 9);
  expect(clock.monotonic() - before).toBeCloseTo(9 * interval, 5);
});

test('what is refused for its credential keeps its turn where a limit has throttled it before', async () => {
  const { clock, governor } = await throttledAfter((own, time) => served(own, time, 100));
  await served(governor, clock, 2);
  (await clock.until(governor.admit({ senders: [full] })))?.(['counted']);
  expect(await refusals(governor, clock, 8)).toBeCloseTo(8 * interval, 5);
});
