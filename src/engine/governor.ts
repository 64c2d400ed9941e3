import type { Clock } from '../model/clock.ts';
import type { PrincipalName } from '../model/principal.ts';
import type { Rest } from './lanes.ts';

/** A request to send, and on whose behalf. */
export type Admission = {
  readonly principal: PrincipalName;
  /** How many requests at once (default: 1). */
  readonly requests?: number;
  /** Milliseconds that the sender must wait later in any case; the longest goes first. */
  readonly ahead?: number;
  /** How it waits. */
  readonly rest?: Rest;
};

/** Keeps the pace below the rate limit for every suite but the throttling one: each 429 slows it down. */
export type Governor = {
  /** Waits until the principal may send; resolves to false if the wait would exceed the milliseconds left. */
  readonly admit: (wanted: Admission, signal?: AbortSignal) => Promise<boolean>;
  /** Reports that a request, sent at `startedAt`, was throttled, and that the principal must wait this many milliseconds. */
  readonly throttled: (principal: PrincipalName, wait: number, startedAt: number) => void;
  /** Milliseconds spent waiting so far. */
  readonly waited: () => number;
  /** The least milliseconds that the requests so far take at the limits that were met. */
  readonly least: () => number;
};

type Waiter = {
  readonly requests: number;
  readonly ahead: number;
  readonly since: number;
  readonly release: (may: boolean) => void;
};

type Pace = {
  readonly queue: Waiter[];
  /** Whether the queue is being served. */
  served: boolean;
  /** No request is sent before this time. */
  restUntil: number;
  /** When the next request may be sent. */
  nextAt: number;
  /** When the latest requests were sent, while there is an interval. */
  lately: number[];
  interval: number;
  /** The interval at the last 429; 0 before the first. */
  tooFast: number;
  /** The interval of the window that the first 429 showed: a shorter one may do, and this one mostly does. */
  safe: number;
  /** All requests so far, and the shortest interval that was too fast. */
  total: number;
  limit: number;
  sent: number;
  since: number;
  slowedAt: number;
  calm: number;
  /** How many requests without a 429 must pass before an interval is tried that was almost too fast. */
  patience: number;
};

/** This many requests show a rate; fewer show only that it was too fast. */
const enough = 5;
/** Bounds of the interval between requests once throttled, in milliseconds. */
const fastest = 2;
const slowest = 250;
/** After this many requests without a 429 the interval shrinks by a tenth, until it comes near one that was too fast. */
const calmFar = 10;
const calmNear = 600;
/** Distance kept from a measured interval that was too fast; a failed try is undone with a little extra. */
const margin = 1.1;
const backOff = 1.12;
/** If it fails again this soon, the limit is not near. */
const soon = 200;
const farBack = 1.25;
/** How far back requests show a window that they filled. */
const latelyMs = 1000;
/** Guidance comes in whole seconds, so a wait of one second, margin included, says little about the rate. */
const short = 1300;

/** The wait as guided, without the margin with which it is honoured. */
function guided(wait: number): number {
  return Math.max(0, Math.min(wait - 250, wait / 1.05));
}

export function makeGovernor(
  clock: Clock,
  /** `interval`: milliseconds between requests of a principal that are kept from the beginning. */
  limits: { readonly left: () => number; readonly interval?: number },
): Governor {
  const { interval: least = 0 } = limits;
  const paces = new Map<PrincipalName, Pace>();
  let waited = 0;
  const paceOf = (principal: PrincipalName): Pace => {
    const known = paces.get(principal);
    if (known !== undefined) return known;
    const made: Pace = {
      queue: [],
      served: false,
      restUntil: 0,
      nextAt: 0,
      lately: [],
      interval: least,
      tooFast: 0,
      safe: Number.POSITIVE_INFINITY,
      total: 0,
      limit: 0,
      sent: 0,
      since: clock.monotonic(),
      slowedAt: 0,
      calm: 0,
      patience: calmNear,
    };
    paces.set(principal, made);
    return made;
  };
  const count = (pace: Pace, requests: number): void => {
    pace.nextAt = Math.max(clock.monotonic(), pace.nextAt) + pace.interval * requests;
    pace.sent += requests;
    pace.total += requests;
    pace.calm += requests;
    if (pace.interval > 0) for (let each = 0; each < requests; each += 1) pace.lately.push(clock.monotonic());
    while (clock.monotonic() - (pace.lately[0] ?? 0) > latelyMs && pace.lately.length > 0)
      pace.lately.shift();
    const near = pace.interval * 0.9 < pace.tooFast * margin;
    if (pace.calm > (near ? pace.patience : calmFar)) {
      pace.interval = Math.max(least, pace.interval * 0.9);
      pace.calm = 0;
    }
  };
  const due = (pace: Pace): number => Math.max(pace.nextAt, pace.restUntil) - clock.monotonic();
  const serve = async (pace: Pace, signal: AbortSignal | undefined): Promise<void> => {
    pace.served = true;
    while (pace.queue.length > 0) {
      const wait = due(pace);
      if (signal?.aborted === true || wait > limits.left()) {
        for (const waiter of pace.queue.splice(0)) waiter.release(false);
        break;
      }
      if (wait > 0) {
        await clock.sleep(wait, signal);
        continue;
      }
      const most = Math.max(...pace.queue.map(({ ahead }) => ahead));
      const at = pace.queue.findIndex(({ ahead }) => ahead === most);
      const [next] = pace.queue.splice(at, 1);
      if (next === undefined) break;
      count(pace, next.requests);
      waited += clock.monotonic() - next.since;
      next.release(true);
    }
    pace.served = false;
  };
  return {
    async admit({ principal, requests = 1, ahead = 0, rest = (work) => work() }, signal) {
      const pace = paceOf(principal);
      if (signal?.aborted === true) return false;
      if (pace.queue.length === 0 && due(pace) <= 0) {
        count(pace, requests);
        return true;
      }
      return rest(
        () =>
          new Promise<boolean>((release) => {
            pace.queue.push({ requests, ahead, since: clock.monotonic(), release });
            if (!pace.served) void serve(pace, signal);
          }),
        ahead > 0 ? 'pace before a wait' : 'pace',
      );
    },
    throttled(principal, wait, startedAt) {
      const pace = paceOf(principal);
      const now = clock.monotonic();
      // Requests in flight when the first one was throttled, or sent during the rest, belong to the same event.
      const known = startedAt < Math.max(pace.slowedAt, pace.restUntil);
      pace.restUntil = Math.max(pace.restUntil, now + wait);
      pace.nextAt = 0;
      if (known) return;
      const first = pace.interval === 0;
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
      if (pace.interval > 0) pace.limit = Math.min(pace.limit === 0 ? slowest : pace.limit, pace.interval);
      pace.tooFast = Math.max(pace.interval, mean, first ? 0 : observed);
      if (first && observed > 0) pace.safe = observed * margin;
      else if (pace.interval > pace.safe * 0.99) pace.safe = Number.POSITIVE_INFINITY;
      const back = pace.interval * (pace.calm < soon ? farBack : backOff);
      pace.interval = Math.min(
        Math.max(least, slowest),
        Math.max(
          least,
          first ? fastest : Math.min(back, pace.safe),
          Math.min(mean * margin, pace.safe),
          observed * margin,
        ),
      );
      pace.lately = [];
      pace.sent = 0;
      pace.slowedAt = now;
      pace.since = now + wait;
      pace.calm = 0;
    },
    waited: () => waited,
    least: () => Math.max(0, ...[...paces.values()].map(({ total, limit }) => total * limit)),
  };
}
