import { setMaxListeners } from 'node:events';
import type { Clock } from '../model/clock.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Rest } from './lanes.ts';
import { heldMs, makeRooms, type Reception, type Room, type Rooms, type Sender } from './rooms.ts';

/** Requests to be sent at once. */
export type Admission = {
  readonly senders: readonly Sender[];
  /** They meet a limit on purpose, and do not wait for it. */
  readonly exempt?: boolean;
  /** Milliseconds that the sender must wait later in any case; the longest goes first. */
  readonly ahead?: number;
  /** When the scenario began: of those with as much ahead the oldest goes first, so that it comes to its end. */
  readonly since?: number;
  readonly rest?: Rest;
};

/** Reports that the requests have ended, and how each was taken where that says something. */
export type Landing = (receptions: readonly (Reception | undefined)[]) => void;

/** Keeps below the limits of the target for every suite but the throttling one: on the rate, and on requests in flight. */
export type Governor = {
  /** Waits until all may be sent; undefined if the wait would exceed the milliseconds left. */
  readonly admit: (wanted: Admission, signal?: AbortSignal) => Promise<Landing | undefined>;
  readonly atOnce: Rooms['atOnce'];
  /** Forgets what was met: it was no limit of the principals. */
  readonly forget: () => void;
  /** The least milliseconds that the requests so far take at the limits that were met. */
  readonly least: () => number;
};

type Waiter = {
  readonly senders: readonly Sender[];
  readonly names: readonly PrincipalName[];
  readonly rooms: readonly Room[];
  /** Who has a place may wait for the lane that it reserves. */
  readonly reserves: boolean;
  readonly ahead: number;
  readonly since: number;
  release: (landing: Landing | undefined) => void;
};

type Pace = {
  restUntil: number;
  nextAt: number;
  sentAt: number;
  /** When the latest requests were sent, while there is an interval. */
  lately: number[];
  interval: number;
  /** The interval at the last 429; 0 before the first. */
  tooFast: number;
  /** The last interval that was calm for long; 0 where it was too fast since. */
  held: number;
  /** The interval of the window that the first 429 showed: a shorter one may do, and this one mostly does. */
  safe: number;
  /** How long that window may have been, and how many requests it held; 0 before the first 429. */
  windowMs: number;
  window: number;
  /** When it was met. */
  windowAt: number;
  /** All requests so far, the longest interval that was too fast, and the shortest that was not. */
  total: number;
  refused: number;
  kept: number;
  sent: number;
  since: number;
  slowedAt: number;
  calm: number;
  /** How many requests without a 429 must pass before an interval is tried that was almost too fast. */
  patience: number;
};

/** This many requests show a rate; fewer show only that it was too fast. */
const enough = 5;
/** So many requests before the first 429 may be all that a window holds, however many are in flight: both are heeded. */
const many = 20;
/** Bounds of the interval between requests once throttled, in milliseconds. */
const fastest = 2;
const slowest = 250;
/**
 * After this many requests without a 429, or a quarter of the window that was met, the interval shrinks by a tenth, until
 * it comes near one that was too fast. Where it shrank faster, it would be far below the limit when a window is full. A
 * window of few requests is soon full, so two of them are seen through: a wait costs as much as one.
 */
const calmFar = 10;
const calmWindow = 25;
const fewInWindow = 30;
const calmNear = 600;
/** No pace is kept for longer than this without a try. */
const calmMs = 30_000;
/** Distance kept from a measured interval that was too fast; a failed try is undone with a little extra. */
const margin = 1.1;
/** Where a wait costs no more than a few requests, less is kept. */
const slowMs = 50;
const slowMargin = 1.05;
const backOff = 1.12;
/** If it fails again this soon, the limit is not near. */
const soon = 200;
const farBack = 1.25;
/** If it fails at once, it is far away. */
const atOnce = 3;
/** How far back requests show a window that they filled. */
const latelyMs = 1000;
/** Guidance comes in whole seconds, so a wait of one second, margin included, says little about the rate. */
const short = 1300;

/** The wait as guided, without the margin with which it is honoured. */
function guided(wait: number): number {
  return Math.max(0, Math.min(wait - 250, wait / 1.05));
}

const alwaysGoingOn: Rest = (work) => work();

export function makeGovernor(
  clock: Clock,
  /** `interval`: milliseconds between requests of a principal that are kept from the beginning. */
  limits: { readonly left: () => number; readonly interval?: number },
): Governor {
  const { interval: least = 0 } = limits;
  const paces = new Map<PrincipalName, Pace>();
  const rooms = makeRooms(clock, () => wake());
  let queue: readonly Waiter[] = [];
  let serving = false;
  let heard: AbortSignal | undefined;
  let wake = (): void => undefined;
  const paceOf = (principal: PrincipalName): Pace => {
    const known = paces.get(principal);
    if (known !== undefined) return known;
    const made: Pace = {
      restUntil: 0,
      nextAt: 0,
      sentAt: Number.NEGATIVE_INFINITY,
      lately: [],
      interval: least,
      tooFast: 0,
      held: 0,
      safe: Number.POSITIVE_INFINITY,
      windowMs: 0,
      window: 0,
      windowAt: 0,
      total: 0,
      refused: 0,
      kept: Number.POSITIVE_INFINITY,
      sent: 0,
      since: clock.monotonic(),
      slowedAt: 0,
      calm: 0,
      patience: calmNear,
    };
    paces.set(principal, made);
    return made;
  };
  const count = (pace: Pace): void => {
    pace.nextAt = Math.max(clock.monotonic(), pace.nextAt) + pace.interval;
    pace.sentAt = clock.monotonic();
    pace.sent += 1;
    pace.total += 1;
    // Nothing was throttled: there is no pace to keep, and none to win back.
    if (pace.interval === 0) return;
    pace.lately.push(clock.monotonic());
    while (clock.monotonic() - (pace.lately[0] ?? 0) > latelyMs && pace.lately.length > 0)
      pace.lately.shift();
    // A pace that is not kept up says nothing of the limit.
    const span = Math.min(latelyMs / 2, clock.monotonic() - pace.since);
    const kept = pace.lately.filter((at) => clock.monotonic() - at <= span).length * pace.interval;
    if (kept >= span * 0.6) pace.calm += 1;
    const nearest = pace.tooFast * (pace.tooFast > slowMs ? slowMargin : margin);
    const near = pace.interval <= nearest * 1.01;
    const shows = pace.window < fewInWindow ? pace.window * 2 : pace.window / 4;
    const far = Math.min(calmWindow, Math.max(calmFar, shows));
    if (pace.calm > (near ? Math.min(pace.patience, calmMs / pace.interval) : far)) {
      if (near) pace.held = pace.interval;
      pace.kept = Math.min(pace.kept, pace.interval);
      pace.interval = Math.max(least, pace.interval * 0.9, near ? 0 : nearest);
      pace.calm = 0;
      // It was not too fast for this target, whatever was met.
      if (pace.interval < pace.tooFast * 0.9) pace.tooFast = 0;
    }
  };
  /** What is sent together also waits as long as it would in turn, so that the window before it holds no more. */
  const due = (pace: Pace, together: number): number =>
    Math.max(pace.nextAt, pace.sentAt + together * pace.interval, pace.restUntil) - clock.monotonic();
  const slow = (
    pace: Pace,
    { startedAt, wait }: { readonly startedAt: number; readonly wait: number },
    { counted, crowded }: { readonly counted: boolean; readonly crowded: boolean },
  ): void => {
    const now = clock.monotonic();
    // Requests in flight when the first one was throttled, or sent during the rest, belong to the same event.
    const known = startedAt < Math.max(pace.slowedAt, pace.restUntil);
    pace.restUntil = Math.max(pace.restUntil, now + wait);
    pace.nextAt = 0;
    if (known) {
      // It was not among those that the window held.
      if (counted && pace.slowedAt === pace.windowAt && pace.window > many) {
        pace.window -= 1;
        pace.safe = (pace.windowMs / pace.window) * margin;
        pace.interval = Math.min(Math.max(least, slowest), Math.max(least, pace.safe));
      }
      return;
    }
    const first = pace.interval === 0;
    if (crowded && pace.window < many && (pace.slowedAt > 0 || pace.sent < many)) {
      // Fewer in flight may be enough; if not, the next window shows the rate.
      pace.slowedAt = now;
      pace.since = now + wait;
      pace.sent = 0;
      pace.lately = [];
      return;
    }
    // What came before the rest and the rest itself make a window, which holds so many requests.
    const observed =
      pace.sent >= enough && (first || wait > short) ? (now - pace.since + guided(wait)) / pace.sent : 0;
    // While the pace rises, the limit is passed before a window is full: the last second had it on both sides.
    const [from] = pace.lately;
    const mean =
      from !== undefined && pace.lately.length >= enough && wait <= short
        ? (now - from) / pace.lately.length
        : 0;
    // As fast as last time: the limit is here, so it is tried less often.
    if (pace.tooFast > 0 && pace.interval < pace.tooFast * margin) pace.patience *= 4;
    pace.refused = Math.max(pace.refused, pace.interval);
    pace.tooFast = Math.max(pace.interval, mean, first ? 0 : observed);
    if (first && observed > 0) {
      pace.safe = observed * margin;
      pace.window = pace.sent;
      pace.windowMs = observed * pace.sent;
      pace.windowAt = now;
    } else if (pace.interval > pace.safe * 0.99) pace.safe = Number.POSITIVE_INFINITY;
    const back =
      pace.held > pace.interval
        ? pace.held
        : Math.max(
            pace.interval * (pace.sent < enough ? atOnce : pace.calm < soon ? farBack : backOff),
            // It ends within the window that the first 429 showed: the limit is about between the two.
            pace.sent < pace.window * 1.5 && pace.safe < Number.POSITIVE_INFINITY
              ? Math.sqrt(pace.interval * pace.safe)
              : 0,
          );
    pace.interval = Math.min(
      Math.max(least, slowest),
      Math.max(
        least,
        first ? fastest : Math.min(back, pace.safe),
        Math.min(mean * margin, pace.safe),
        observed * margin,
      ),
    );
    pace.held = 0;
    pace.lately = [];
    pace.sent = 0;
    pace.slowedAt = now;
    pace.since = now + wait;
    pace.calm = 0;
  };
  const fly = (senders: readonly Sender[], exempt = false): Landing => {
    if (!exempt) for (const { principal } of senders) count(paceOf(principal));
    const leave = rooms.enter(senders);
    return (receptions) => {
      const crowded = leave(receptions);
      for (const [index, { principal }] of senders.entries()) {
        const { startedAt = 0, was } = receptions[index] ?? {};
        if (typeof was === 'object')
          slow(
            paceOf(principal),
            { startedAt, wait: was.throttled },
            { counted: !exempt, crowded: crowded[index] === true },
          );
      }
      wake();
    };
  };
  const waitOf = ({ names, senders }: Waiter): number =>
    Math.max(
      ...names.map((name) => due(paceOf(name), senders.filter(({ principal }) => principal === name).length)),
    );
  /** Whether requests may be sent at once where nobody else waits. */
  const isFree = (waiter: Waiter): boolean => {
    const wait = waitOf(waiter);
    if (wait > 0 || wait > limits.left() || heard?.aborted === true) return false;
    return waiter.reserves || rooms.full(waiter.senders).length === 0;
  };
  /** Lets go all that may be sent, in turn; returns the milliseconds until the next one may. */
  const admitQueue = (): number => {
    const blocked = new Set<PrincipalName | Room>();
    const isBlocked = (one: PrincipalName | Room): boolean => blocked.has(one);
    let soonest = Number.POSITIVE_INFINITY;
    for (const waiter of queue.toSorted((one, other) => other.ahead - one.ahead || one.since - other.since)) {
      const { names, release, senders } = waiter;
      const wait = waitOf(waiter);
      const over = heard?.aborted === true || wait > limits.left();
      if (!over && !waiter.reserves && (names.some(isBlocked) || waiter.rooms.some(isBlocked))) continue;
      const crowded = waiter.reserves ? [] : rooms.full(senders);
      // A request that is held up for long holds up no other.
      if (!over && crowded.some((room) => !rooms.turnsOver(room))) continue;
      const full = wait > 0 ? names : crowded;
      if (!over && full.length > 0) {
        soonest = Math.min(soonest, wait > 0 ? wait : heldMs);
        for (const room of full) blocked.add(room);
        continue;
      }
      queue = queue.filter((other) => other !== waiter);
      release(over ? undefined : fly(senders));
    }
    return soonest;
  };
  const serve = async (): Promise<void> => {
    serving = true;
    const served = new AbortController();
    // Sleeps that something else cut short listen until all is served.
    setMaxListeners(0, served.signal);
    let wakesAt = Number.POSITIVE_INFINITY;
    for (let wait = admitQueue(); queue.length > 0; wait = admitQueue())
      await new Promise<void>((resolve) => {
        wake = resolve;
        const until = clock.monotonic() + wait;
        // To wake too early, or twice, costs less than to end each sleep that something else cut short.
        if (until >= wakesAt - 0.001) return;
        wakesAt = until;
        void clock.sleep(wait, served.signal).then(() => {
          if (wakesAt === until) wakesAt = Number.POSITIVE_INFINITY;
          wake();
        });
      });
    // With a reason, none is made up: that takes longer than all the rest.
    served.abort('served');
    serving = false;
  };
  return {
    async admit({ senders, exempt, ahead = 0, since = 0, rest = alwaysGoingOn }, signal) {
      if (signal?.aborted === true) return undefined;
      if (exempt === true) return fly(senders, true);
      // One signal ends all of a run.
      if (heard !== signal) signal?.addEventListener('abort', () => wake(), { once: true });
      heard = signal;
      const waiter: Waiter = {
        senders,
        names: [...new Set(senders.map(({ principal }) => principal))],
        rooms: senders.flatMap(rooms.of),
        reserves: rest.reserves === true,
        ahead,
        since,
        release: () => undefined,
      };
      if (queue.length === 0 && isFree(waiter)) return fly(senders);
      const waiting = new Promise<Landing | undefined>((resolve) => {
        waiter.release = resolve;
      });
      queue = [...queue, waiter];
      admitQueue();
      if (!queue.includes(waiter)) return waiting;
      if (serving) wake();
      else void serve();
      return rest(() => waiting, ahead > 0 ? 'pace before a wait' : 'pace');
    },
    atOnce: rooms.atOnce,
    forget() {
      paces.clear();
      wake();
    },
    // What the first window held came without a wait.
    least: () =>
      Math.max(
        0,
        ...[...paces.values()].map(
          ({ kept, refused, total, window }) => (total - window) * Math.min(refused, kept),
        ),
      ),
  };
}
