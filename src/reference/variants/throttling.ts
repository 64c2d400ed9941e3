import type { Call, GuidanceParts } from '../behaviour.ts';
import { headerValues } from '../message.ts';
import { moved } from '../phases.ts';
import type { SeededVariant } from './variant.ts';

const header = (name: string, value: string): GuidanceParts => ({ headers: [[name, value]], members: {} });

const seconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000);

const wallSeconds = (call: Call, waitMs: number): number =>
  Math.ceil((call.service.clock.wall() + waitMs) / 1000);

/** Legal carriers of wait guidance, and places of the limiter. */
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
    describes: 'Wait guidance is RateLimit with t.',
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
    describes: 'Wait guidance is X-RateLimit-Reset, an epoch in seconds.',
    change: {
      waitGuidance: (call, waitMs) => header('X-RateLimit-Reset', String(wallSeconds(call, waitMs))),
    },
  },
  {
    id: 'W28f',
    group: 'guidance',
    describes: 'Wait guidance is X-RateLimit-Reset, an epoch in milliseconds.',
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
    describes: 'The limiter stands before authentication, and counts by token.',
    change: {
      order: moved(['throttle'], 'authenticate'),
      bucketOf: (call) => headerValues(call.request, 'Authorization').join() || 'nobody',
    },
  },
];
