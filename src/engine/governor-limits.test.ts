import { afterAll, expect, test, vi } from 'vitest';
import { eventClock } from '../testing/event-clock.ts';
import { makeGovernor } from './governor.ts';

const warned = vi.spyOn(process, 'emitWarning');
afterAll(() => expect(warned).not.toHaveBeenCalled());

/** A limit: how long a request must wait (0 takes it), and what happens when one that it took ends. */
type Limit = { readonly arrive: (now: number) => number; readonly leave: () => void };
type Request = { readonly principal: string; readonly operation: string; readonly kind: 'read' | 'command' };
type Limiter = (request: Request) => Limit;

const fixedWindow = (limit: number, windowMs: number): Limit => {
  let openedAt = Number.NEGATIVE_INFINITY;
  let used = 0;
  return {
    arrive: (now) => {
      if (now >= openedAt + windowMs) {
        openedAt = now;
        used = 0;
      }
      used += 1;
      return used > limit ? openedAt + windowMs - now : 0;
    },
    leave: () => undefined,
  };
};

const sliding = (limit: number, windowMs: number): Limit => {
  let taken: readonly number[] = [];
  return {
    arrive: (now) => {
      taken = taken.filter((at) => at > now - windowMs);
      if (taken.length >= limit) return (taken[0] ?? now) + windowMs - now;
      taken = [...taken, now];
      return 0;
    },
    leave: () => undefined,
  };
};

const bucket = (size: number, perMs: number): Limit => {
  let left = size;
  let at = 0;
  return {
    arrive: (now) => {
      left = Math.min(size, left + (now - at) * perMs);
      at = now;
      if (left < 1) return (1 - left) / perMs;
      left -= 1;
      return 0;
    },
    leave: () => undefined,
  };
};

/** Every second request is refused for so long. */
const outage = (ms: number): Limit => {
  let arrived = 0;
  return {
    arrive: (now) => {
      arrived += 1;
      return now < ms && arrived % 2 === 0 ? 1 : 0;
    },
    leave: () => undefined,
  };
};

/** One in so many is refused, whatever the pace. */
const oneIn = (many: number): Limit => {
  let seed = 1;
  return {
    arrive: () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % many === 0 ? 1000 : 0;
    },
    leave: () => undefined,
  };
};

const inFlight = (most: number, wait = 1): Limit => {
  let under = 0;
  return {
    arrive: () => {
      if (under >= most) return wait;
      under += 1;
      return 0;
    },
    leave: () => {
      under -= 1;
    },
  };
};

const both = (one: Limit, other: Limit): Limit => ({
  arrive: (now) => {
    const wait = one.arrive(now);
    if (wait > 0) return wait;
    const more = other.arrive(now);
    if (more > 0) one.leave();
    return more;
  },
  leave: () => {
    one.leave();
    other.leave();
  },
});

const whole =
  (limit: Limit): Limiter =>
  () =>
    limit;
const perCaller = (make: () => Limit): Limiter => {
  const limits = new Map<string, Limit>();
  return ({ principal }) => {
    const limit = limits.get(principal) ?? make();
    limits.set(principal, limit);
    return limit;
  };
};
const writes =
  (limit: Limit): Limiter =>
  ({ kind }) =>
    kind === 'command' ? limit : { arrive: () => 0, leave: () => undefined };

const only =
  (operation: string, limit: Limit): Limiter =>
  (request) =>
    request.operation === operation ? limit : { arrive: () => 0, leave: () => undefined };

type Guide = (wait: number) => number;
const seconds: Guide = (wait) => Math.max(1, Math.ceil(wait / 1000)) * 1000 + 250;

/** Senders of two callers, reads and commands; requests take so many milliseconds. */
async function simulated(
  limiter: Limiter,
  {
    requests = 400,
    latency = 20,
    guide = seconds,
    late = 0,
    senders = 8,
    timer = 0,
    callers = ['other', 'full', 'full', 'full'],
    own = false,
    unknown,
  }: {
    requests?: number;
    latency?: number;
    guide?: Guide;
    late?: number;
    senders?: number;
    /** Milliseconds by which timers fire late at most. */
    timer?: number;
    /** Whose requests the senders send, by turns. */
    callers?: readonly string[];
    /** Each sender sends one operation: what waits for another holds up none. */
    own?: boolean;
    /** One in so many requests is refused for its credential, before or after the limit counts it. */
    unknown?: { readonly oneIn: number; readonly counted: boolean };
  } = {},
): Promise<{
  readonly seconds: number;
  readonly least: number;
  readonly refused: number;
  readonly lost: number;
}> {
  const exact = eventClock();
  let slept = 0;
  const clock = {
    ...exact,
    sleep: (milliseconds: number, signal?: AbortSignal) => {
      slept += 1;
      return exact.sleep(milliseconds + (timer * ((slept * 7) % 11)) / 10, signal);
    },
  };
  const governor = makeGovernor(clock, { left: () => 6e8 });
  let left = requests;
  let refused = 0;
  let lost = 0;
  const sender = async (index: number): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const one: Request = {
        principal: callers[index % callers.length] ?? 'full',
        operation: `${left % 3 === 0 ? 'read' : 'write'}${own ? index : left % 4}`,
        kind: left % 3 === 0 ? 'read' : 'command',
      };
      const isUnknown = unknown !== undefined && left % unknown.oneIn === 0;
      const isCounted = !isUnknown || unknown.counted;
      for (let attempt = 0; ; attempt += 1) {
        const landing = await governor.admit({ senders: [one] });
        const startedAt = clock.monotonic();
        const limit = limiter(one);
        const wait = isCounted ? limit.arrive(startedAt) : 0;
        await clock.sleep(wait > 0 ? 1 : latency * (0.75 + ((left * 7) % 11) / 20));
        // Its place is free only a little after its response.
        if (wait === 0 && isCounted) void clock.sleep(late).then(limit.leave);
        if (isUnknown && wait === 0) landing?.([attempt === 0 ? 'uncounted' : 'counted']);
        else landing?.([{ startedAt, was: wait === 0 ? 'served' : { throttled: guide(wait) } }]);
        if (wait === 0) break;
        refused += 1;
        if (attempt === 3) {
          lost += 1;
          break;
        }
      }
    }
  };
  await clock.until(Promise.all(Array.from({ length: senders }, (_, index) => sender(index))));
  return { seconds: clock.monotonic() / 1000, least: governor.least() / 1000, refused, lost };
}

// How long each limit takes at least, by its rate or its places: about two thirds of the seconds given.
test.each<[string, Limiter, number, number, Parameters<typeof simulated>[1]?]>([
  ['60 in 500 ms', perCaller(() => fixedWindow(60, 500)), 9, 4, { requests: 1400 }],
  ['60 in 500 ms, for long', perCaller(() => fixedWindow(60, 500)), 41, 14, { requests: 8000, latency: 2 }],
  [
    '60 in 500 ms, with timers that fire late',
    perCaller(() => fixedWindow(60, 500)),
    42,
    14,
    { requests: 8000, latency: 2, timer: 4 },
  ],
  ['100 in a second', perCaller(() => fixedWindow(100, 1000)), 11, 8, { requests: 1400 }],
  ['a bucket of 20, and 20 a second', perCaller(() => bucket(20, 0.02)), 40, 18, { requests: 1400 }],
  ['a bucket of 100, and 100 a second', perCaller(() => bucket(100, 0.1)), 9, 6, { requests: 1400 }],
  ['600 a minute', perCaller(() => fixedWindow(600, 60_000)), 72, 4, { requests: 1400 }],
  ['one each 50 ms', perCaller(() => bucket(1, 0.02)), 30, 25],
  ['60 in 500 ms, for all callers', whole(fixedWindow(60, 500)), 9, 10],
  [
    '10 in a second, for all callers',
    whole(fixedWindow(10, 1000)),
    45,
    16,
    { callers: ['full', 'full', 'full', 'full', 'full', 'peer', 'other', 'nobody'] },
  ],
  [
    '60 in any 500 ms',
    perCaller(() => sliding(60, 500)),
    13,
    15,
    { requests: 1400, latency: 2, senders: 16 },
  ],
  ['10 in a second', perCaller(() => fixedWindow(10, 1000)), 26, 14],
  [
    '10 in a second, one in four refused before it counts',
    perCaller(() => fixedWindow(10, 1000)),
    20,
    12,
    { unknown: { oneIn: 4, counted: false } },
  ],
  [
    '10 in a second, one in four refused though it counts',
    perCaller(() => fixedWindow(10, 1000)),
    31,
    18,
    { unknown: { oneIn: 4, counted: true } },
  ],
  [
    '60 in 500 ms for all callers, one in four refused though it counts',
    whole(fixedWindow(60, 500)),
    18,
    10,
    { requests: 1400, unknown: { oneIn: 4, counted: true } },
  ],
  ['5 in a second', perCaller(() => fixedWindow(5, 1000)), 48, 14],
  ['20 commands a second', writes(bucket(20, 0.02)), 15, 10],
  ['one in flight for each caller', perCaller(() => inFlight(1)), 9, 10],
  ['two in flight for each caller', perCaller(() => inFlight(2)), 6, 10],
  ['four in flight for each caller', perCaller(() => inFlight(4)), 4, 6],
  ['one in flight, for all callers', whole(inFlight(1)), 18, 24],
  ['two in flight, for all callers', whole(inFlight(2)), 9, 10],
  ['two commands in flight', writes(inFlight(2)), 10, 10],
  ['two in flight, guided 0', perCaller(() => inFlight(2)), 4, 10, { guide: () => 250 }],
  ['two in flight, guided 60 s', perCaller(() => inFlight(2)), 70, 8, { guide: () => 63_000 }],
  ['two in flight, 300 ms each', perCaller(() => inFlight(2)), 42, 10, { latency: 300 }],
  ['one in flight, let go 10 ms after its response', whole(inFlight(1)), 20, 18, { late: 10 }],
  ['one in fifty refused', whole(oneIn(50)), 75, 45, { requests: 2000, latency: 5 }],
  ['two in flight, and 50 a second', perCaller(() => both(inFlight(2), bucket(50, 0.05))), 8, 12],
])('requests at %s', async (_, limiter, most, throttled, options) => {
  const took = await simulated(limiter, options);
  expect(took.seconds).toBeLessThan(most);
  expect(took.refused).toBeLessThanOrEqual(throttled);
  expect(took.lost).toBeLessThanOrEqual(1);
});

// Where all wait for that one it takes 44 s.
test('what a limit does not count goes on while what it counts waits', async () => {
  const limiter = only('write1', fixedWindow(5, 10_000));
  const took = await simulated(limiter, { requests: 1400, senders: 24, own: true, callers: ['full'] });
  expect(took.seconds).toBeLessThan(12);
  expect(took.refused).toBeLessThanOrEqual(2);
});

test.each<[string, Limiter, number, Parameters<typeof simulated>[1]]>([
  ['60 in 500 ms', whole(fixedWindow(60, 500)), (7800 - 60) / 120, { requests: 7800, latency: 5 }],
  ['100 a minute', whole(fixedWindow(100, 60_000)), (400 - 100) / (100 / 60), { requests: 400, latency: 5 }],
  [
    '10 in a second',
    whole(fixedWindow(10, 1000)),
    (1200 - 10) / 10,
    { requests: 1200, latency: 5, timer: 4 },
  ],
  // Each of two callers sends half of them.
  [
    '60 in 500 ms, with timers that fire late',
    perCaller(() => fixedWindow(60, 500)),
    (4000 - 60) / 120,
    { requests: 8000, latency: 2, timer: 4 },
  ],
])('the least time at %s is about what the limit takes', async (_, limiter, seconds, options) => {
  const { least } = await simulated(limiter, options);
  expect(least / seconds).toBeGreaterThan(0.8);
  expect(least / seconds).toBeLessThan(1.08);
});

test('the pace comes back where what was refused at any pace is refused no more', async () => {
  const { seconds: took } = await simulated(whole(outage(60_000)), { requests: 1000 });
  expect(took).toBeLessThan(165);
});
