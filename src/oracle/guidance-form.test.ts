import { describe, expect, it } from 'vitest';
import { guidanceOf } from './guidance.ts';
import { dateTime, timeValue } from './instant.ts';

const noon = Date.UTC(2026, 0, 15, 12, 0, 0);
type Headers = readonly (readonly [string, string])[];
type Body = string | object;
const read = (headers: Headers, body: Body = '', declared?: Parameters<typeof guidanceOf>[2]) =>
  guidanceOf({ headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, noon, declared);
const header = (name: string, value: string): [Headers] => [[[name, value]]];
const member = (body: Body): [Headers, Body] => [[], body];
type Row = readonly [readonly [Headers, Body?], number | undefined];

/** Seconds to wait; undefined where nothing gives the unit. */
const recognised: readonly Row[] = [
  [header('X-Rate-Limit-Retry-After-Seconds', '7'), 7],
  [header('retry-after-ms', '1500'), 1.5],
  [header('X-Retry-After', '7'), undefined],
  [header('x-retry-in', '7s'), 7],
  [header('RateLimit-Reset-After', '7'), undefined],
  [header('X-RateLimit-Reset-After', '1.2'), undefined],
  [header('x-ratelimit-after', '7'), undefined],
  [header('x-ratelimit-reset-ms', '900'), 0.9],
  [header('anthropic-ratelimit-requests-reset', '2026-01-15T12:00:09Z'), 9],
  [header('X-Rate-Limit-Reset-Time', '2026-01-15T13:00:09+01:00'), 9],
  [header('X-RateLimit-Reset', '2026-01-15T12:00:09Z'), 9],
  [header('X-RateLimit-Reset', 'Thu, 15 Jan 2026 12:00:09 GMT'), 9],
  [header('X-RateLimit-Reset', '6m0s'), 360],
  [header('X-Wait-Seconds', '30'), 30],
  [header('X-Wait-Until', String(noon / 1000 + 4)), 4],
  [header('X-Backoff', 'PT2.5S'), 2.5],
  [header('X-Back-Off-Ms', '250'), 0.25],
  [header('Cool-Down', '00:00:30'), 30],
  [header('X-Cooldown-Seconds', '30'), 30],
  [header('X-Available-At', String(noon + 3000)), 3],
  [header('X-Quota-Refill-In', '20 seconds'), 20],
  [header('X-Bucket-Refill-Seconds', '4'), 4],
  [member({ retryAt: '2026-01-15T12:00:09Z' }), 9],
  [member({ retryAt: '2026-01-15T12:00:09.500Z' }), 9.5],
  [member({ retry_at: noon / 1000 + 9 }), 9],
  [member({ error: { retryIn: '1m30s' } }), 90],
  [member({ retryInMs: 1500 }), 1.5],
  [member({ retry_in_millis: 1500 }), 1.5],
  [member({ retryAfterMinutes: 2 }), 120],
  [member({ wait: 30 }), undefined],
  [member({ wait_seconds: '30' }), 30],
  [member({ waitTimeMs: 300 }), 0.3],
  [member({ data: [{ reset: '2026-01-15T12:01:00Z' }] }), 60],
  [member({ rateLimit: { limit: 100, remaining: 0, reset: 30 } }), undefined],
  [member({ rateLimit: { limit: 100, remaining: 0, resetsAt: noon + 30_000 } }), 30],
  [member({ retry: { after: 5, unit: 'none' } }), undefined],
  [member({ retry: { afterSeconds: 5 } }), 5],
  [member({ retry: { delay: '5s' } }), 5],
  [member({ retryAfter: { value: 30, unit: 'seconds' } }), 30],
  [member({ retryAfter: '5s' }), 5],
  [member({ retryAfter: 'PT5S' }), 5],
  [member({ retryAfter: '5 seconds' }), 5],
  [member({ backoff: 'PT1M' }), 60],
  [member({ cooldown: 12.5 }), undefined],
  [member({ availableIn: '12 s' }), 12],
  [member({ availableAt: '2026-01-15T12:00:12Z' }), 12],
  [member({ nextRefillAt: '2026-01-15T12:00:12Z' }), 12],
  [member([{ extensions: { 'retry-in': '3 sec' } }]), 3],
];

/** May be guidance or not: never a pass, never an accusation. */
const doubtful: readonly (readonly [Headers, Body?])[] = [
  member('Too many requests. Try again in 30 seconds.'),
  member('Slow down: wait 1.5s'),
  member({ message: 'Expected available in 29 seconds.' }),
  member({ detail: 'Request was throttled. Expected available in 1 second.' }),
  member({
    title: 'Too Many Requests',
    detail: 'API calls quota exceeded! maximum admitted 2 per Second; wait 3 s',
  }),
  member({ error: 'Bitte versuchen Sie es in 30 Sekunden erneut.' }),
  member({ error: 'Vuelva a intentarlo en 30 segundos' }),
  member({ error: 'Повторите через 30 секунд' }),
  member({ error: '请在30秒后重试' }),
  member({ error: 'Try again in a minute.' }),
  member({ message: 'Blocked until 2026-01-15T12:00:30Z, please come back then.' }),
  member({ message: 'Please come back at 12:30 UTC' }),
  member('<html><body><p>Retry in 5 minutes</p></body></html>'),
  member({ delay: 30 }),
  member({ delaySeconds: 30 }),
  member({ tryAgainIn: 30 }),
  member({ blockedUntil: '2026-01-15T12:00:30Z' }),
  member({ throttledFor: '30s' }),
  member({ nextRequestAt: '2026-01-15T12:00:30Z' }),
  member({ expires: '2026-01-15T12:00:30Z' }),
  member({ available: 0 }),
  member({ retryAt: '2026-01-15T11:00:00Z' }),
  header('X-Blocked-Until', '2026-01-15T12:00:30Z'),
  header('X-Retry', 'again in 30 seconds'),
  member({ retryIn: -5 }),
];

/** No guidance at all. */
const none: readonly (readonly [Headers, Body?])[] = [
  [[]],
  member('Too many requests, please try again later.'),
  member({ title: 'Too Many Requests', status: 429, timestamp: '2026-01-15T12:00:00.000Z', path: '/cases' }),
  member({ message: 'Rate limit exceeded: 100 requests per 60 seconds' }),
  member({ message: 'Rate limit exceeded: 10 requests/second' }),
  member({ limit: 100, remaining: 0, used: 100 }),
  member({ retry: true, retryable: true }),
  member({ retryCount: 3 }),
  member({ retry: { attempts: 3 } }),
  member({ maxRetries: 3 }),
  member({ retryAfter: null }),
  member({ retryAfter: [] }),
  member({ retryAfter: 'later' }),
  member({ resetToken: 5 }),
  member({ lastReset: '2026-01-15T11:59:00Z' }),
  member({ unavailable: 1 }),
  member({ presets: 5 }),
  member({ code: 30, requestId: 'req_30' }),
  header('Date', 'Thu, 15 Jan 2026 12:00:00 GMT'),
  header('Expires', 'Thu, 15 Jan 2026 12:10:00 GMT'),
  header('Age', '30'),
  header('Cache-Control', 'max-age=30'),
  header('Keep-Alive', 'timeout=5'),
  header('Strict-Transport-Security', 'max-age=30'),
  header('X-RateLimit-Limit', '30'),
  header('X-RateLimit-Remaining', '0'),
  header('X-RateLimit-Used', '30'),
  header('RateLimit-Policy', '"a";q=30;w=60'),
  header('X-Retry-Limit', '30'),
  header('X-Retry-Policy', '30s'),
  header('X-Wait-Used', '30'),
  header('X-Reset-Remaining', '30'),
  header('Server-Timing', 'total;dur=12.3'),
  header('Set-Cookie', 'a=b; Expires=Thu, 15 Jan 2026 12:10:00 GMT; Max-Age=600'),
  header('Alt-Svc', 'h3=":443"; ma=86400'),
  header('X-Request-Id', 'req_30'),
];

describe('guidance under a name that is not known', () => {
  it.each(recognised)('%j', ([headers, body], wait) => {
    const result = read(headers, body);
    expect(result.found).not.toEqual([]);
    expect(result.found.filter(({ rejected }) => rejected !== undefined)).toEqual([]);
    if (wait === undefined) expect(result.wait).toBeUndefined();
    else expect(result.wait).toBeCloseTo(wait, 6);
  });

  it.each(doubtful.map((row) => [row] as const))('%j is doubtful', ([headers, body]) => {
    const result = read(headers, body);
    expect(result.found).toEqual([]);
    expect(result.doubts).not.toEqual([]);
    expect(result.wait).toBeUndefined();
  });

  it.each(none.map((row) => [row] as const))('%j is none', ([headers, body]) => {
    expect(read(headers, body)).toEqual({
      found: [],
      doubts: [],
      wait: undefined,
      disagree: false,
      dated: false,
    });
  });

  it('is honoured once the vendor declares it', () => {
    const declared = (name: string, unit: 'seconds' | 'milliseconds' | 'minutes') => ({ name, unit });
    expect(read([['X-Pause', '500']], '', declared('x-pause', 'milliseconds')).wait).toBe(0.5);
    expect(read([['X-Retry-After', '7']], '', declared('X-Retry-After', 'seconds')).wait).toBe(7);
    expect(read([], { a: { pause: 2 } }, declared('pause', 'minutes')).wait).toBe(120);
    expect(read([], { pause: '2s' }, declared('pause', 'minutes')).wait).toBe(2);
    expect(read([], { pause: 'soon' }, declared('pause', 'seconds'))).toMatchObject({
      wait: undefined,
      found: [{ source: 'body /pause', rejected: expect.stringContaining('is not a time') }],
    });
    expect(read([], { other: 2 }, declared('pause', 'seconds')).found).toEqual([]);
  });

  it('is not found twice', () => {
    expect(read([['Retry-After', '5']], { retryAfter: 5 }).found.map(({ source }) => source)).toEqual([
      'Retry-After',
      'body /retryAfter',
    ]);
  });
});

describe('times', () => {
  it.each([
    ['2026-01-15T12:00:00Z', noon, true],
    ['2026-01-15t12:00:00z', noon, true],
    ['2026-01-15 12:00:00 UTC', noon, true],
    ['2026-01-15T13:30:00+01:30', noon, true],
    ['2026-01-15T11:00:00-0100', noon, true],
    ['2026-01-15T12:00:00.25Z', noon + 250, true],
    ['2026-01-15T12:00:00', noon, false],
  ])('%s', (text, at, zoned) => {
    expect(dateTime(text)).toEqual({ at, zoned });
  });

  it.each(['2026-02-30T12:00:00Z', '2026-13-01T12:00:00Z', '2026-01-15', '2026-01-15T24:00:00Z', ''])(
    '%j is no date-time',
    (text) => {
      expect(dateTime(text)).toBeUndefined();
    },
  );

  it.each(['', 'soon', '5 apples', 'P', 'PT', '1:2', 'NaN', '5 s x', '--5', '1h-5m'])(
    '%j is no time',
    (text) => {
      expect(timeValue(text, noon / 1000)).toBeUndefined();
    },
  );
});
