import { problem } from '../answer.ts';
import type { GuidanceParts, Settings } from '../behaviour.ts';
import { conforming } from '../conforming.ts';
import { commit } from '../execute.ts';
import type { SeededFault } from './fault.ts';

const retryAfter = (value: string): GuidanceParts => ({ headers: [['Retry-After', value]], members: {} });

/** Only the integration that means to be too fast is limited, so that the fault shows in its responses alone. */
export const hastyAlone: SeededFault['change'] = {
  admit: (call, bucket, rate) =>
    call.principal?.use === 'throttling' ? conforming.admit(call, bucket, rate) : 0,
};

const window = (rateWindowMs: number): Partial<Settings> => ({ rateLimit: 40, rateWindowMs });

const hastyFaults: readonly SeededFault[] = [
  {
    id: 'T01',
    describes: 'A 429 has no guidance.',
    breaks: 'THR-2',
    also: 'THR-4',
    change: { waitGuidance: () => ({ headers: [], members: {} }) },
  },
  {
    id: 'T02',
    describes: 'Retry-After is a Unix timestamp.',
    breaks: 'THR-3',
    also: 'THR-2 THR-4',
    change: {
      waitGuidance: (call, waitMs) =>
        retryAfter(String(Math.ceil((call.service.clock.wall() + waitMs) / 1000))),
    },
  },
  {
    id: 'T03',
    describes: 'Retry-After is a word.',
    breaks: 'THR-3',
    also: 'THR-2 THR-4',
    change: { waitGuidance: () => retryAfter('soon') },
  },
  {
    id: 'T05',
    describes: 'Retry-After is a date in the past.',
    breaks: 'THR-3',
    also: 'THR-2 THR-4',
    change: {
      waitGuidance: (call) => retryAfter(new Date(call.service.clock.wall() - 60_000).toUTCString()),
    },
  },
  {
    id: 'T06',
    describes: 'The wait is rounded down.',
    breaks: 'THR-4',
    also: 'THR-3',
    change: {
      waitGuidance: (_, waitMs) => retryAfter(String(Math.max(1, Math.floor(waitMs / 1000) - 1))),
    },
    settings: window(4800),
  },
  {
    id: 'T08',
    describes: 'Retry-After is always 1, but the window is much longer.',
    breaks: 'THR-4',
    also: 'IDM-14',
    change: { waitGuidance: () => retryAfter('1') },
    settings: window(30_000),
  },
  {
    id: 'T60',
    describes: 'The guided wait is one second too short.',
    breaks: 'THR-4',
    change: {
      waitGuidance: (_, waitMs) => retryAfter(String(Math.max(1, Math.ceil(waitMs / 1000) - 1))),
      // Each refused request is one too many, and lengthens the window.
      admit: async (call, bucket, rate) => {
        if (call.principal?.use !== 'throttling') return 0;
        const { buckets, clock } = call.service;
        const before = buckets.get(bucket);
        const wait = await conforming.admit(call, bucket, rate);
        if (wait > 0 && before !== undefined)
          buckets.set(bucket, { openedAt: clock.monotonic(), used: rate.limit });
        return wait === 0 ? 0 : rate.windowMs;
      },
    },
    settings: window(2900),
  },
  {
    id: 'T10',
    describes: 'Throttling is reported as 403.',
    breaks: 'THR-6',
    change: { refusePace: () => problem(403, 'You are banned.') },
  },
  {
    id: 'T11',
    describes: 'Throttling is reported as 503.',
    breaks: 'THR-6',
    change: { refusePace: () => problem(503, 'Too busy.') },
  },
  {
    id: 'T12',
    describes: 'Throttling is reported as 200 with an error in the body.',
    breaks: 'THR-6',
    also: 'CMD-1 CMD-2 CMD-3 CMD-4 CMD-6 ERR-1',
    change: {
      refusePace: () => ({
        kind: 'answer',
        status: 200,
        headers: [['Content-Type', 'application/json']],
        body: JSON.stringify({ error: 'too many requests' }),
      }),
    },
  },
  {
    id: 'T13',
    describes: 'A 429 is sent after the record is written.',
    breaks: 'THR-5',
    also: 'IDM-4 IDM-14',
    change: {
      refusePace: (call, guidance) => {
        if (call.operation.kind === 'command') commit(call);
        return conforming.refusePace(call, guidance);
      },
    },
  },
];

export const throttlingFaults: readonly SeededFault[] = [
  ...hastyFaults.map((fault) => ({
    settings: window(1500),
    ...fault,
    change: { ...hastyAlone, ...fault.change },
  })),
  {
    id: 'T14',
    describes: 'All integrations share one rate limit.',
    breaks: 'THR-7',
    change: { bucketOf: () => 'everybody' },
    settings: { rateLimit: 60, rateWindowMs: 2500 },
  },
  {
    id: 'T16',
    describes: 'Nothing is throttled, although a limit is declared.',
    breaks: 'THR-1',
    change: { admit: () => 0 },
    declares: { G8: { requests: 50, perSeconds: 5 } },
  },
];
