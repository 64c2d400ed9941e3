import { problem } from './answer.ts';
import type { Call, ThrottleDecisions } from './behaviour.ts';
import type { Refusal } from './message.ts';

export const throttleDecisions = {
  bucketOf: (call) =>
    call.principal === undefined ? `address ${call.request.remote}` : `principal ${call.principal.name}`,
  rate: (settings) => ({ limit: settings.rateLimit, windowMs: settings.rateWindowMs }),
  admit: (call, bucket, { limit, windowMs }) => {
    const { buckets, clock } = call.service;
    const now = clock.monotonic();
    const window = buckets.get(bucket);
    if (window === undefined || now >= window.openedAt + windowMs) {
      buckets.set(bucket, { openedAt: now, used: 1 });
      return 0;
    }
    if (window.used >= limit) return window.openedAt + windowMs - now;
    window.used += 1;
    return 0;
  },
  // Rounded up: a client that waits exactly as asked must be accepted.
  waitGuidance: (_call, waitMs) => ({
    headers: [['Retry-After', String(Math.ceil(waitMs / 1000))]],
    members: {},
  }),
  refusePace: (_call, { headers, members }) =>
    problem(429, 'The integration sends too quickly.', { headers, members }),
} satisfies ThrottleDecisions;

/** Phase: 429 where the bucket is used up. */
export async function throttle(call: Call): Promise<Refusal | undefined> {
  const { admit, bucketOf, rate, refusePace, waitGuidance } = call.service.behaviour;
  const allowed = rate(call.service.settings);
  const waitMs = await admit(call, bucketOf(call), allowed);
  return waitMs === 0 ? undefined : refusePace(call, waitGuidance(call, waitMs, allowed));
}
