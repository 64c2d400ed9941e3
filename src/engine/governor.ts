import type { Clock } from '../model/clock.ts';
import type { PrincipalName } from '../model/principal.ts';

/** Keeps every suite but the throttling one under the throttle: it learns from each 429 and slows down. */
export type Governor = {
  /** Waits until the principal may send; resolves false where the wait would exceed the milliseconds that are left. */
  readonly admit: (principal: PrincipalName, signal?: AbortSignal) => Promise<boolean>;
  /** Tells that a request, sent at `startedAt`, was throttled, and that the principal must rest for so many milliseconds. */
  readonly throttled: (principal: PrincipalName, wait: number, startedAt: number) => void;
  /** Milliseconds spent waiting so far. */
  readonly waited: () => number;
};

type Pace = {
  /** Nobody sends before. */
  restUntil: number;
  /** The next free place in the row of requests. */
  nextAt: number;
  interval: number;
  /** The interval at which a 429 came last; 0 while none did. */
  tooFast: number;
  sent: number;
  since: number;
  slowedAt: number;
  calm: number;
};

/** Share of the rate at which a 429 came that is kept to afterwards. */
const keep = 0.8;
/** So many requests tell a rate; fewer tell only that it was too fast. */
const enough = 10;
/** Bounds of the interval between requests once throttled, in milliseconds. */
const fastest = 2;
const slowest = 250;
/** After so many requests without a 429 the interval shrinks by a tenth: soon, until it comes near one that was too fast. */
const calmAfter = { far: 20, near: 200 };
/** Waits are told in whole seconds: one this short, in milliseconds, says little of the rate. */
const short = 1000;

export function makeGovernor(clock: Clock, limits: { readonly left: () => number }): Governor {
  const paces = new Map<PrincipalName, Pace>();
  let waited = 0;
  const paceOf = (principal: PrincipalName): Pace => {
    const known = paces.get(principal);
    if (known !== undefined) return known;
    const made: Pace = {
      restUntil: 0,
      nextAt: 0,
      interval: 0,
      tooFast: 0,
      sent: 0,
      since: clock.monotonic(),
      slowedAt: 0,
      calm: 0,
    };
    paces.set(principal, made);
    return made;
  };
  return {
    async admit(principal, signal) {
      const pace = paceOf(principal);
      for (;;) {
        const now = clock.monotonic();
        const at = Math.max(now, pace.nextAt, pace.restUntil);
        pace.nextAt = at + pace.interval;
        if (at - now > limits.left()) return false;
        if (at > now) {
          waited += at - now;
          await clock.sleep(at - now, signal);
          if (signal?.aborted === true) return false;
          // Others were throttled meanwhile: their rest is everybody's.
          if (pace.restUntil > clock.monotonic()) continue;
        }
        pace.sent += 1;
        pace.calm += 1;
        const near = pace.interval * keep * 0.9 <= pace.tooFast;
        if (pace.calm > (near ? calmAfter.near : calmAfter.far)) {
          pace.interval *= 0.9;
          pace.calm = 0;
        }
        return true;
      }
    },
    throttled(principal, wait, startedAt) {
      const pace = paceOf(principal);
      const now = clock.monotonic();
      pace.restUntil = Math.max(pace.restUntil, now + wait);
      pace.nextAt = 0;
      // Requests that were in flight when the first one was throttled tell of the same event.
      if (startedAt < pace.slowedAt) return;
      const rested = wait > short ? wait : 0;
      const told = pace.sent >= enough && (pace.interval === 0 || rested > 0);
      const observed = told ? (now + rested - pace.since) / pace.sent : 0;
      pace.tooFast = pace.interval;
      pace.interval = Math.min(slowest, Math.max(pace.interval, observed, fastest) / keep);
      pace.sent = 0;
      pace.slowedAt = now;
      pace.since = now + wait;
      pace.calm = 0;
    },
    waited: () => waited,
  };
}
