import { expect, test } from 'vitest';
import { trace } from '../clauses/cases/trace.ts';
import type { Clock } from '../model/clock.ts';
import type { Exchange, NoResponse } from '../model/exchange.ts';
import { virtualTime } from '../run/virtual-time.ts';
import { makePresence } from './presence.ts';

/** A request that got no response, in flight from one moment to another. */
const lost = (step: string, reason: NoResponse['reason'], startedAt: number, endedAt: number): Exchange => ({
  ...exchange(undefined),
  step,
  startedAt,
  sentAt: reason === 'refused' ? undefined : startedAt,
  endedAt,
  noAnswer: { reason, detail: '', partial: undefined },
});

const exchange = (status: number | undefined): Exchange => {
  const [made] = trace([{ id: 'step', status: status ?? 200 }]).exchanges;
  if (made === undefined) throw new Error('a line makes an exchange');
  const noAnswer: NoResponse = { reason: 'refused', detail: '', partial: undefined };
  return status === undefined ? { ...made, answer: undefined, noAnswer } : made;
};

/** A target that is away until `back` milliseconds, on a clock that moves only when somebody sleeps. */
async function watched(back: number, looks?: 'in vain') {
  let now = 0;
  let up = true;
  const happened: string[] = [];
  const presence = makePresence({
    clock: {
      monotonic: () => now,
      wall: () => now,
      sleep: async (milliseconds) => {
        now += milliseconds;
      },
    },
    signal: new AbortController().signal,
    waitMs: 30_000,
    look: async () => looks !== 'in vain' && (up || now >= back),
    onAway: () => happened.push('away'),
    onGone: () => happened.push('gone'),
    onSuspect: ({ noAnswer, step }, stop) => happened.push(`${step} ${noAnswer?.reason} at ${stop}`),
  });
  const saw = (exchange: Exchange): void => {
    up = exchange.answer !== undefined;
    presence.saw(exchange);
  };
  await presence.begin();
  return { presence: { ...presence, saw }, happened, now: () => now };
}

test('a row of silence is waited out until the target returns', async () => {
  const { happened, now, presence } = await watched(7000);
  presence.saw(exchange(201));
  for (let index = 0; index < 10; index += 1) presence.saw(exchange(undefined));
  await presence.away();
  expect([happened, now()]).toEqual([['away', 'step undefined at 1'], 7000]);
  expect(presence.away()).toBeUndefined();
  expect(presence.before()).toHaveLength(1);
  expect(presence.before()[0]).toContain('201');
});

test('a target that does not return is given up', async () => {
  const { happened, presence } = await watched(Number.POSITIVE_INFINITY);
  for (let index = 0; index < 10; index += 1) presence.saw(exchange(undefined));
  await presence.away();
  expect(happened.filter((each) => !each.includes(' at '))).toEqual(['away', 'gone']);
});

test('a target that accepts connections while it restarts is given the time that any other is given', async () => {
  const { happened, now, presence } = await watched(0);
  const silence = async (requests: number): Promise<void> => {
    for (let index = 0; index < requests; index += 1) {
      await presence.away();
      presence.saw(exchange(undefined));
    }
  };
  await silence(100);
  expect([happened.includes('gone'), now()]).toEqual([false, 9000]);
  await silence(300);
  expect(happened).toContain('gone');
});

test('single lost responses are no silence', async () => {
  const { happened, presence } = await watched(0);
  for (let index = 0; index < 40; index += 1) presence.saw(exchange(index % 5 === 4 ? 200 : undefined));
  expect(happened).toEqual([]);
});

test('what was in flight when nothing responded any more is named, and what had its response last', async () => {
  const { happened, presence } = await watched(60);
  presence.saw({ ...exchange(201), step: 'before' });
  presence.saw(lost('slow', 'reset', 1, 5));
  presence.saw(lost('other', 'closed', 2, 6));
  presence.saw(lost('late', 'refused', 6, 7));
  expect(await presence.there()).toBe(false);
  expect(happened).toEqual(['before undefined at 1', 'slow reset at 1', 'other closed at 1', 'away']);
});

test('a target that answers no look is not called stopped for one lost response', async () => {
  const { happened, presence } = await watched(0, 'in vain');
  presence.saw(exchange(201));
  presence.saw(lost('single', 'reset', 1, 5));
  expect(await presence.there()).toBe(true);
  expect(happened).toEqual([]);
});

test('a lost response while others are given stops nothing', async () => {
  const { happened, presence } = await watched(0);
  presence.saw(lost('single', 'reset', 1, 5));
  expect(await presence.there()).toBe(true);
  expect(happened).toEqual([]);
});

/** A clock on which only waits pass. */
function started(): Clock {
  const time = virtualTime(0);
  time.begin();
  return time.clock;
}

test.each([
  ['at once', 0],
  ['while a look is under way', 100],
  ['before the last look', 290],
])('a target that fails %s after a response is found to be away', async (_, failsAt) => {
  const clock = started();
  let looks = 0;
  const presence = makePresence({
    clock,
    signal: new AbortController().signal,
    waitMs: 0,
    look: async () => {
      looks += 1;
      await clock.sleep(200);
      return looks === 1 || clock.monotonic() < 200 + failsAt;
    },
    onAway: () => undefined,
    onGone: () => undefined,
  });
  await presence.begin();
  presence.saw(exchange(201));
  expect(await presence.there()).toBe(false);
});

test('a slow target is not waited for between two looks', async () => {
  const clock = started();
  const look = () => clock.sleep(500).then(() => true);
  const nothing = () => undefined;
  const signal = new AbortController().signal;
  const presence = makePresence({ clock, signal, waitMs: 0, look, onAway: nothing, onGone: nothing });
  await presence.begin();
  expect(await presence.there()).toBe(true);
  expect(clock.monotonic()).toBe(500 + 300 + 500);
});
