import { makeThroughput } from './throughput.ts';

/** A request that was throttled, and when its caller may send again. */
export type Throttled = { readonly startedAt: number; readonly endedAt: number; readonly until: number };

/** `counted`: it waited for its turn. `crowded`: the requests in flight may be why it was throttled. */
export type Why = { readonly counted: boolean; readonly crowded: boolean };

/** Keeps one caller below the rate at which the target throttles it, which only its 429s show. */
export type Pace = {
  /** Milliseconds until so many requests may be sent together; not above zero where they may now. */
  readonly due: (together: number) => number;
  readonly count: () => void;
  /** The request that was counted last is not sent after all. */
  readonly giveBack: () => void;
  /**
   * A request that was counted at this time was refused for its credential, and no limit counted it: others get its turn.
   * Nothing is taken back before the first request of the caller is served: what throttles such a caller counts its refusals.
   */
  readonly uncount: (at: number) => void;
  /** Such a request was throttled first, so the limit counts it and all that follow. */
  readonly countRefusals: () => void;
  readonly served: (startedAt: number) => void;
  readonly slow: (of: Throttled, why: Why) => void;
  /** Whether an interval between requests is kept. */
  readonly isKept: () => boolean;
  /** The least milliseconds that the requests so far take at the limit that was met. */
  readonly least: () => number;
};

type State = {
  restUntil: number;
  nextAt: number;
  sentAt: number;
  /** Somebody waited for the next turn. */
  awaited: boolean;
  /** When requests were last sent together. */
  togetherAt: number;
  /** What is sent together waits in full for its turns: with half of them, it filled a window that the pace does not. */
  full: boolean;
  /** When the latest requests were sent, while there is an interval. */
  lately: number[];
  interval: number;
  /** The interval at the last 429; 0 before the first. */
  tooFast: number;
  /** The last interval that was calm for long; 0 where it was too fast since. */
  held: number;
  /** The last 429 came of a try to be a little faster than what was calm for long. */
  tried: boolean;
  /** The interval of the window that the first 429 showed: a shorter one may do, and this one mostly does. */
  safe: number;
  /** How long that window may have been, and how many requests it held; 0 before the first 429. */
  windowMs: number;
  window: number;
  /** When it was met. */
  windowAt: number;
  /** A pace a little faster than that window was too fast. */
  confirmed: boolean;
  /** All requests so far, the longest interval that was too fast, and the shortest that was not. */
  total: number;
  refused: number;
  kept: number;
  /** The shortest interval that a window with its rest left; infinite where none did. */
  shown: number;
  sent: number;
  /** When the last of them were sent. */
  times: number[];
  /** How many were served since the last rest, and how many between the two last rests. */
  served: number;
  servedBefore: number;
  /** A request of the caller was served. */
  known: boolean;
  /** The limit counts requests that are refused for their credential. */
  countsRefusals: boolean;
  since: number;
  slowedAt: number;
  calm: number;
  /** Since when, and since how many requests. */
  calmFrom: { readonly at: number; readonly total: number };
  /** How many requests without a 429 must pass before an interval is tried that was almost too fast. */
  patience: number;
  /** The requests of this interval since the last rest, and how long they took, pauses left out. */
  weighed: { readonly requests: number; readonly milliseconds: number };
};

/** This many requests show a rate; fewer show only that it was too fast. */
const enough = 5;
/** So many requests before the first 429 may be all that a window holds, however many are in flight: both are heeded. */
const many = 20;
/** Of so many requests it is known when they were sent. */
const mostTimes = 1024;
/** Bounds of the interval between requests once throttled, in milliseconds. */
const fastest = 2;
const slowest = 250;
/**
 * After this many requests without a 429, or a quarter of the window that was met, the interval shrinks by a tenth. Near one
 * that was too fast it shrinks by a twentieth, after many more: else it would be far below the limit when a window is full.
 * A window of few requests is soon full, so two of them are seen through: a wait costs as much as one.
 */
const farStep = 0.9;
const nearStep = 0.95;
const calmFar = 10;
const calmWindow = 25;
const fewInWindow = 30;
const calmNear = 600;
/** No pace is kept for longer than this without a try, or four times as long if its window is confirmed, or a try has failed. */
const calmMs = 30_000;
/** Distance kept from a measured interval that was too fast; a failed try is undone with a little extra. */
const margin = 1.1;
/** Where a wait costs no more than a few requests, less is kept. */
const slowMs = 50;
const slowMargin = 1.05;
/** Two windows held as many, so only the clock may differ. */
const exactMargin = 1.02;
/** A pace refused so near to that of a window confirms it. */
const nearWindow = 0.85;
const backOff = 1.12;
/** If it fails again this soon, the limit is not near. */
const soon = 200;
const farBack = 1.25;
/** If it fails at once, it is far away. */
const atOnce = 3;
/** A limit that took so many at once does not look at the time between two of them. */
const catchesUp = 10;
/** So late a timer of a busy machine fires; who comes later did not wait for it. */
const mostLateMs = 20;
/** How far back requests show a window that they filled. */
const latelyMs = 1000;
/** Who sent nothing for longer had nothing to send. */
const pauseMs = 1000;
/** Guidance comes in whole seconds, so a wait of one second, margin included, says little about the rate. */
const short = 1300;

/** The wait as guided, without the margin with which it is honoured. */
export function guided(wait: number): number {
  return Math.max(0, Math.min(wait - 250, wait / 1.05));
}

/** `least`: milliseconds between requests that are kept from the beginning. */
export function makePace(now: () => number, least: number): Pace {
  const pace: State = {
    restUntil: 0,
    nextAt: 0,
    awaited: false,
    sentAt: Number.NEGATIVE_INFINITY,
    togetherAt: Number.NEGATIVE_INFINITY,
    full: false,
    lately: [],
    interval: least,
    tooFast: 0,
    held: 0,
    tried: false,
    safe: Number.POSITIVE_INFINITY,
    windowMs: 0,
    window: 0,
    windowAt: 0,
    confirmed: false,
    total: 0,
    refused: 0,
    kept: Number.POSITIVE_INFINITY,
    shown: Number.POSITIVE_INFINITY,
    sent: 0,
    times: [],
    served: 0,
    servedBefore: 0,
    known: false,
    countsRefusals: false,
    since: now(),
    slowedAt: 0,
    calm: 0,
    calmFrom: { at: now(), total: 0 },
    patience: calmNear,
    weighed: { requests: 0, milliseconds: 0 },
  };
  const throughput = makeThroughput();
  /** Notes what came through at this interval until now, and the rest that it brought. */
  const weigh = (rest: number): void => {
    throughput.note(pace.interval, pace.weighed.requests, pace.weighed.milliseconds);
    if (rest > 0) throughput.rested(rest, pace.window);
    pace.weighed = { requests: 0, milliseconds: 0 };
  };
  const bounded = (interval: number): number => Math.min(Math.max(least, slowest), Math.max(least, interval));
  const calmAgain = (): void => {
    pace.calm = 0;
    pace.calmFrom = { at: now(), total: pace.total };
  };
  const count = (): void => {
    // A timer that fires late delays one request, not all that follow, where a limit allows for more than one at once.
    const late = pace.awaited && pace.window >= catchesUp ? mostLateMs : 0;
    pace.awaited = false;
    pace.nextAt = Math.max(now() - late, pace.nextAt) + pace.interval;
    if (pace.sentAt === now()) pace.togetherAt = now();
    const { requests, milliseconds } = pace.weighed;
    const apart = pace.sent === 0 ? 0 : Math.min(now() - pace.sentAt, Math.max(pauseMs, 2 * pace.interval));
    pace.weighed = { requests: requests + 1, milliseconds: milliseconds + apart };
    pace.sentAt = now();
    pace.sent += 1;
    pace.times.push(now());
    if (pace.times.length > mostTimes) pace.times.shift();
    pace.total += 1;
    // Nothing was throttled: there is no pace to keep, and none to win back.
    if (pace.interval === 0) return;
    pace.lately.push(now());
    while (now() - (pace.lately[0] ?? 0) > latelyMs && pace.lately.length > 0) pace.lately.shift();
    // A pace that is not kept up says nothing of the limit.
    const span = Math.min(latelyMs, now() - pace.since);
    const kept = pace.lately.filter((at) => now() - at <= span).length * pace.interval;
    if (kept >= span * 0.6) pace.calm += 1;
    const nearest = pace.tooFast * (pace.tooFast > slowMs ? slowMargin : margin);
    const near = pace.interval <= nearest * 1.01;
    const shows = pace.window < fewInWindow ? pace.window * 2 : pace.window / 4;
    const far = Math.min(calmWindow, Math.max(calmFar, shows));
    const longest = (pace.confirmed || pace.tried ? 4 : 1) * calmMs;
    if (pace.calm > (near ? Math.min(pace.patience, longest / pace.interval) : far)) {
      if (near) pace.held = pace.interval;
      // A pace shows a limit once it has filled a window; for a moment any pace does.
      const { at, total } = pace.calmFrom;
      if (now() - at >= Math.max(latelyMs, Math.min(pace.windowMs, calmMs)))
        pace.kept = Math.min(pace.kept, (now() - at) / (pace.total - total));
      weigh(0);
      pace.interval = Math.max(least, pace.interval * (near ? nearStep : farStep), near ? 0 : nearest);
      calmAgain();
      // It was not too fast for this target, whatever was met.
      if (pace.interval < pace.tooFast * 0.9) pace.tooFast = 0;
    }
  };
  /**
   * What is sent together also waits as long as it would in turn, so that the window before it holds no more. Half as long
   * does where the window is large, until that was too soon.
   */
  const due = (together: number): number => {
    const turns = pace.full || pace.window < fewInWindow ? together : Math.ceil(together / 2);
    const apart =
      together === 1 && pace.window >= catchesUp ? pace.nextAt : pace.sentAt + turns * pace.interval;
    const wait = Math.max(pace.nextAt, apart, pace.restUntil) - now();
    // What is sent together comes later than the next turn on purpose.
    pace.awaited = together === 1 && (pace.awaited || wait > 0);
    return wait;
  };
  /**
   * The interval of the window that ends with a rest: of what was sent up to the 429 since the last rest, or since a pause
   * that is longer than the rest.
   */
  const shown = (at: number, rest: number): number => {
    const times = pace.times.filter((time) => time <= at);
    const pause = times.findLastIndex(
      (time, index) => time - (times[index - 1] ?? time) > Math.max(pauseMs, rest),
    );
    const from = pause < 0 ? pace.since : (times[pause] ?? at);
    const count = pause < 0 ? pace.sent - (pace.times.length - times.length) : times.length - pause;
    return count < enough ? 0 : (at - from + rest) / count;
  };
  /** What came before the rest and the rest itself make a window, which holds so many requests. */
  const slower = (at: number, wait: number, same: boolean): void => {
    const first = pace.interval === 0;
    const observed = first || wait > short ? shown(at, guided(wait)) : 0;
    const distant = observed * (same ? exactMargin : margin);
    // While the pace rises, the limit is passed before a window is full: the last second had it on both sides.
    const [from] = pace.lately;
    const mean =
      from !== undefined && pace.lately.length >= enough && wait <= short
        ? (at - from) / pace.lately.length
        : 0;
    // As fast as last time: the limit is here, so it is tried less often.
    if (pace.tooFast > 0 && pace.interval < pace.tooFast * margin) pace.patience *= 4;
    pace.refused = Math.max(pace.refused, pace.interval);
    // Guidance may be a second too long, and others may have used up the window.
    if (wait > short && observed > 0) pace.shown = Math.min(pace.shown, observed - 1000 / pace.sent);
    pace.tooFast = Math.max(pace.interval, mean, first ? 0 : observed);
    if (pace.interval < pace.safe && pace.interval > pace.safe * nearWindow) {
      pace.confirmed = true;
      pace.patience *= 4;
      pace.tooFast = Math.max(pace.tooFast, pace.safe / slowMargin);
      pace.refused = Math.max(pace.refused, pace.safe / slowMargin);
      pace.kept = Number.POSITIVE_INFINITY;
    }
    if (first && observed > 0) {
      pace.safe = distant;
      pace.window = pace.sent;
      pace.windowMs = observed * pace.sent;
      pace.windowAt = at;
    } else if (pace.interval > pace.safe * 0.99) pace.safe = Number.POSITIVE_INFINITY;
    // What was calm for long is known better than what the last second had.
    const { held, interval: tried } = pace;
    const back =
      held > pace.interval
        ? held
        : Math.max(
            pace.interval * (pace.sent < enough ? atOnce : pace.calm < soon ? farBack : backOff),
            // It ends within the window that the first 429 showed: the limit is about between the two.
            pace.sent < pace.window * 1.5 && pace.safe < Number.POSITIVE_INFINITY
              ? Math.sqrt(pace.interval * pace.safe)
              : 0,
          );
    pace.interval = bounded(
      Math.max(
        first ? fastest : Math.min(back, pace.safe),
        back === held ? 0 : Math.min(mean * margin, pace.safe),
        distant,
      ),
    );
    // What was calm for long is not too fast all at once: something else filled the window.
    if (held > 0 && tried >= held * 0.99) {
      pace.interval = Math.min(pace.interval, bounded(held * slowMargin));
      pace.held = 0;
    }
    pace.tried = held > tried;
    pace.interval = bounded(throughput.worthwhile(pace.interval));
  };
  const slow = ({ startedAt, endedAt: at, until }: Throttled, { counted, crowded }: Why): void => {
    const wait = until - at;
    // Requests in flight when the first one was throttled, or sent during the rest, belong to the same event.
    const known = startedAt < Math.max(pace.slowedAt, pace.restUntil);
    pace.restUntil = Math.max(pace.restUntil, until);
    pace.nextAt = pace.restUntil;
    if (known) {
      // It was not among those that the window held.
      if (counted && pace.slowedAt === pace.windowAt && pace.window > many) {
        pace.window -= 1;
        pace.safe = (pace.windowMs / pace.window) * margin;
        pace.interval = bounded(pace.safe);
      }
      return;
    }
    weigh(wait);
    // As many were served as before the last rest: a window holds so many, however many are in flight.
    const { served, servedBefore } = pace;
    const same = servedBefore >= enough && served <= servedBefore && servedBefore <= pace.sent;
    if (same && crowded) pace.sent = servedBefore;
    // Fewer in flight may be enough; if not, the next window shows the rate.
    if (same || !crowded || pace.window >= many || (pace.slowedAt === 0 && pace.sent >= many)) {
      // The pace of a confirmed window held for another one: what was sent late filled this one.
      pace.confirmed &&= pace.interval >= pace.safe && pace.calm > pace.window;
      if (pace.confirmed)
        pace.interval = bounded(Math.min(pace.interval * exactMargin, pace.safe * slowMargin));
      // The pace was calm for long and not too fast before, so what was sent together came too soon.
      else if (
        !pace.full &&
        pace.calm >= soon &&
        pace.interval >= pace.tooFast &&
        at - pace.togetherAt <= latelyMs
      )
        pace.full = true;
      else slower(at, wait, same);
      calmAgain();
    }
    pace.servedBefore = served;
    pace.served = 0;
    pace.slowedAt = at;
    pace.since = until;
    pace.sent = 0;
    pace.times = [];
    pace.lately = [];
  };
  return {
    due,
    count,
    giveBack: () => {
      pace.sent -= 1;
      pace.times.pop();
      pace.total -= 1;
      pace.lately.pop();
    },
    uncount: (at) => {
      if (!pace.known || pace.countsRefusals) return;
      pace.total -= 1;
      for (const times of [pace.times, pace.lately]) {
        const index = times.lastIndexOf(at);
        if (index >= 0) times.splice(index, 1);
      }
      if (at < pace.since) return;
      pace.sent -= 1;
      pace.calm = Math.max(0, pace.calm - 1);
      pace.nextAt -= pace.interval;
    },
    countRefusals: () => {
      pace.countsRefusals = true;
    },
    slow,
    served: (startedAt) => {
      pace.known = true;
      if (startedAt < pace.slowedAt) pace.servedBefore += 1;
      else pace.served += 1;
    },
    isKept: () => pace.interval > 0,
    // What the first window held came without a wait.
    least: () => {
      const refused = Number.isFinite(pace.shown) ? Math.max(pace.refused, pace.shown) : pace.refused;
      return (pace.total - pace.window) * Math.min(refused, pace.kept);
    },
  };
}
