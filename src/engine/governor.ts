import type { Clock } from '../model/clock.ts';
import type { PrincipalName } from '../model/principal.ts';

/** Keeps every suite but the throttling one under the throttle: it learns from each 429 and slows down. */
export type Governor = {
  /** Waits until the principal may send; resolves false where the wait would exceed what is left. */
  readonly admit: (principal: PrincipalName, signal?: AbortSignal) => Promise<boolean>;
  /** Tells that the principal was throttled and must rest for so many milliseconds. */
  readonly throttled: (principal: PrincipalName, wait: number) => void;
  /** Milliseconds spent waiting so far. */
  readonly waited: () => number;
};

type Pace = { nextAt: number; interval: number; sent: number; since: number; calm: number };

/** Share of the rate at which a 429 came that is kept to afterwards. */
const keep = 0.8;
/** After so many requests without a 429 the interval shrinks by a tenth. */
const calmAfter = 100;

export function makeGovernor(clock: Clock, limits: { readonly maxWaitMs: number }): Governor {
  const paces = new Map<PrincipalName, Pace>();
  let waited = 0;
  const paceOf = (principal: PrincipalName): Pace => {
    const known = paces.get(principal);
    if (known !== undefined) return known;
    const made = { nextAt: 0, interval: 0, sent: 0, since: clock.monotonic(), calm: 0 };
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
      if (waited + (at - now) > limits.maxWaitMs) return false;
      waited += at - now;
      await clock.sleep(at - now, signal);
      return signal?.aborted !== true;
    },
    throttled(principal, wait) {
      const pace = paceOf(principal);
      const now = clock.monotonic();
      // Several requests in flight may be throttled together: they tell of one event.
      if (now + wait <= pace.nextAt) return;
      const seconds = now + wait - pace.since;
      pace.interval = Math.max(pace.interval, seconds / Math.max(1, pace.sent) / keep);
      pace.nextAt = now + wait;
      pace.sent = 0;
      pace.since = now + wait;
      pace.calm = 0;
    },
    waited: () => waited,
  };
}
