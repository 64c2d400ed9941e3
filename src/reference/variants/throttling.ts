import type { Call, GuidanceParts, ThrottleDecisions } from '../behaviour.ts';
import { headerValues } from '../message.ts';
import { moved } from '../phases.ts';
import type { SeededVariant } from './variant.ts';

const header = (name: string, value: string): GuidanceParts => ({ headers: [[name, value]], members: {} });

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

const wallSeconds = (call: Call, waitMs: number): number =>
  Math.ceil((call.service.clock.wall() + waitMs) / 1000);

/** Holds each request for a while, and refuses one where so many are in flight. */
const inFlight =
  (most: number): ThrottleDecisions['admit'] =>
  async (call, bucket) => {
    const { clock, closing, notes } = call.service;
    const under = (): number => Number(notes.get(bucket) ?? 0);
    if (under() >= most) return 1;
    notes.set(bucket, under() + 1);
    call.releases.push(() => notes.set(bucket, under() - 1));
    await clock.sleep(20, closing);
    return 0;
  };

export const throttlingVariants: readonly SeededVariant[] = [
  {
    id: 'W28b',
    group: 'guidance',
    describes: 'Wait guidance is an HTTP-date.',
    change: {
      waitGuidance: (call, waitMs) =>
        header('Retry-After', new Date(wallSeconds(call, waitMs) * 1000).toUTCString()),
    },
  },
  {
    id: 'W28c',
    group: 'guidance',
    describes: 'Wait guidance is t in RateLimit.',
    change: { waitGuidance: (_, waitMs) => header('RateLimit', `"default";r=0;t=${seconds(waitMs)}`) },
  },
  {
    id: 'W28d',
    group: 'guidance',
    describes: 'Wait guidance is RateLimit-Reset in seconds.',
    change: { waitGuidance: (_, waitMs) => header('RateLimit-Reset', String(seconds(waitMs))) },
  },
  {
    id: 'W28e',
    group: 'guidance',
    describes: 'Wait guidance is X-RateLimit-Reset, a Unix timestamp in seconds.',
    change: {
      waitGuidance: (call, waitMs) => header('X-RateLimit-Reset', String(wallSeconds(call, waitMs))),
    },
  },
  {
    id: 'W28f',
    group: 'guidance',
    describes: 'Wait guidance is X-RateLimit-Reset, a Unix timestamp in milliseconds.',
    change: {
      waitGuidance: (call, waitMs) =>
        header('X-RateLimit-Reset', String(Math.ceil(call.service.clock.wall() + waitMs))),
    },
  },
  {
    id: 'W28g',
    group: 'guidance',
    describes: 'Wait guidance is retryAfterMs in the body.',
    change: {
      waitGuidance: (_, waitMs) => ({ headers: [], members: { retryAfterMs: Math.ceil(waitMs) } }),
    },
  },
  {
    id: 'W29',
    group: 'limiter',
    describes: 'The limiter runs before authentication and counts per token.',
    change: {
      order: moved(['throttle'], 'authenticate'),
      bucketOf: (call) => headerValues(call.request, 'Authorization').join() || 'nobody',
    },
  },
  {
    id: 'W29b',
    group: 'limiter',
    alone: true,
    describes: 'Each caller may have two requests in flight.',
    change: { admit: inFlight(2) },
  },
  {
    id: 'W29c',
    group: 'limiter',
    alone: true,
    describes: 'All callers together may have one request in flight; the guided wait is 0.',
    change: {
      admit: inFlight(1),
      bucketOf: () => 'everybody',
      waitGuidance: () => header('Retry-After', '0'),
    },
  },
  {
    id: 'W29d',
    group: 'limiter',
    alone: true,
    describes: 'Two workers serve all requests, and four more requests may wait.',
    change: {
      admit: async (call) => {
        const { clock, closing, locks } = call.service;
        const waitMs = await inFlight(6)(call, 'queue', { limit: 0, windowMs: 0 });
        if (waitMs > 0) return waitMs;
        call.releases.push(await locks.acquire(`worker ${call.ordinal % 2}`));
        await clock.sleep(10, closing);
        return 0;
      },
    },
  },
  {
    id: 'W29e',
    group: 'limiter',
    alone: true,
    describes: 'Each caller may send one request every 25 milliseconds.',
    change: {},
    settings: { rateLimit: 1, rateWindowMs: 25 },
  },
];
