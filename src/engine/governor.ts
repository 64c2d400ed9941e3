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

type Pace = { nextAt: number; interval: number; sent: number; since: number; slowedAt: number; calm: number };

/** Share of the rate at which a 429 came that is kept to afterwards. */
const keep = 0.8;
/** So many requests tell a rate; fewer tell only that it was too fast. */
const enough = 10;
/** Bounds of the interval between requests once throttled, in milliseconds. */
const fastest = 2;
const slowest = 250;
/** After so many requests without a 429 the interval shrinks by a tenth. */
const calmAfter = 100;

export function makeGovernor(clock: Clock, limits: { readonly left: () => number }): Governor {
  const paces = new Map<PrincipalName, Pace>();
  let waited = 0;
  const paceOf = (principal: PrincipalName): Pace => {
    const known = paces.get(principal);
    if (known !== undefined) return known;
    const made = { nextAt: 0, interval: 0, sent: 0, since: clock.monotonic(), slowedAt: 0, calm: 0 };
    paces.set(principal, made);
    return made;
  };
  return {
    async admit(principal, signal) {
      const pace = paceOf(principal);
      const now = clock.monotonic();
      const at = Math.max(now, pace.nextAt);
      pace.nextAt = at + pace.interval;
      pace.sent += 1;
      pace.calm += 1;
      if (pace.calm > calmAfter) {
        pace.interval *= 0.9;
        pace.calm = 0;
      }
      if (at <= now) return true;
      if (at - now > limits.left()) return false;
      waited += at - now;
      await clock.sleep(at - now, signal);
      return signal?.aborted !== true;
    },
    throttled(principal, wait, startedAt) {
      const pace = paceOf(principal);
      const now = clock.monotonic();
      pace.nextAt = Math.max(pace.nextAt, now + wait);
      // Requests that were in flight when the first one was throttled tell of the same event.
      if (startedAt < pace.slowedAt) return;
      const observed = pace.sent < enough ? pace.interval * 2 : (now + wait - pace.since) / pace.sent / keep;
      pace.interval = Math.min(slowest, Math.max(pace.interval, observed, fastest));
      pace.sent = 0;
      pace.slowedAt = now;
      pace.since = now + wait;
      pace.calm = 0;
    },
    waited: () => waited,
  };
}
