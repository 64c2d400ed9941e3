import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guidanceOf, honouredWait } from './guidance.ts';

const noon = Date.UTC(2026, 0, 15, 12, 0, 0);
const date = ['Date', 'Thu, 15 Jan 2026 12:00:00 GMT'] as const;
type Headers = readonly (readonly [string, string])[];
const read = (headers: Headers, body: unknown = '', receivedAt = noon) =>
  guidanceOf({ headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, receivedAt);

describe('usable wait guidance', () => {
  it.each<readonly [string, Headers, unknown, number]>([
    ['Retry-After in seconds', [['Retry-After', '5']], '', 5],
    ['Retry-After with blanks, in another case', [['retry-after', ' 5 ']], '', 5],
    ['Retry-After as a date', [date, ['Retry-After', 'Thu, 15 Jan 2026 12:00:07 GMT']], '', 7],
    ['Retry-After as an RFC 850 date', [date, ['Retry-After', 'Thursday, 15-Jan-26 12:00:07 GMT']], '', 7],
    ['Retry-After as asctime', [date, ['Retry-After', 'Thu Jan 15 12:00:07 2026']], '', 7],
    ['a date without Date', [['Retry-After', 'Thu, 15 Jan 2026 12:00:07 GMT']], '', 7],
    ['RateLimit, draft 11', [['RateLimit', '"default";r=0;t=5']], '', 5],
    ['RateLimit as express-rate-limit writes it', [['RateLimit', '"200-in-2sec"; r=0; t=2']], '', 2],
    ['RateLimit with a byte sequence', [['RateLimit', '"default";pk=:dD05OQ==:;r=0;t=5']], '', 5],
    ['the spent one of two policies', [['RateLimit', '"burst";r=0;t=2, "daily";r=900;t=3600']], '', 2],
    [
      'policies on two lines',
      [
        ['RateLimit', '"burst";r=3;t=2'],
        ['RateLimit', '"daily";r=0;t=60'],
      ],
      '',
      60,
    ],
    ['policies without what remains', [['RateLimit', '"burst";t=2, "daily";t=9']], '', 9],
    ['a policy whose name looks like a time', [['RateLimit', '"a;t=99";r=0;t=5']], '', 5],
    ['RateLimit, draft 7', [['RateLimit', 'limit=100, remaining=0, reset=5']], '', 5],
    ['RateLimit, no structured field', [['RateLimit', 'Limit=100; Remaining=0; Reset=5']], '', 5],
    ['RateLimit-Reset', [['RateLimit-Reset', '5']], '', 5],
    ['RateLimit-Reset in epoch seconds', [date, ['RateLimit-Reset', String(noon / 1000 + 5)]], '', 5],
    ['X-RateLimit-Reset as a delta', [['x-ratelimit-reset', '5']], '', 5],
    ['X-RateLimit-Reset in epoch seconds', [date, ['X-RateLimit-Reset', String(noon / 1000 + 5)]], '', 5],
    ['X-Rate-Limit-Reset in epoch milliseconds', [date, ['X-Rate-Limit-Reset', String(noon + 5000)]], '', 5],
    ['an epoch that has just passed', [date, ['X-RateLimit-Reset', String(noon / 1000 - 1)]], '', 0],
    ['retryAfterMs in the body', [], { error: { retryAfterMs: 1500 } }, 1.5],
    ['retry_after_ms as text', [], { retry_after_ms: '1500' }, 1.5],
    ['retry_after in the body', [], { retry_after: 0.65 }, 0.65],
    ['retryAfterSeconds in a list', [], { errors: [{ meta: { retryAfterSeconds: 3 } }] }, 3],
    ['google.rpc.RetryInfo', [], { error: { details: [{ '@type': 'x', retryDelay: '3.5s' }] } }, 3.5],
  ])('%s', (_, headers, body, seconds) => {
    const { found, wait } = read(headers, body);
    expect(found.filter((one) => one.rejected !== undefined)).toEqual([]);
    expect(wait).toBeCloseTo(seconds, 6);
  });

  it("prefers the answer's own Date to the clock of the harness", () => {
    const headers: Headers = [date, ['Retry-After', 'Thu, 15 Jan 2026 12:00:07 GMT']];
    expect(read(headers, '', noon + 3_600_000)).toMatchObject({ wait: 7, dated: true });
  });

  it('rounds a decimal up, with an advisory', () => {
    expect(read([['Retry-After', '1.49']]).found).toEqual([
      {
        source: 'Retry-After',
        seconds: 2,
        kind: 'delta',
        advisory: 'Retry-After is 1.49: it must be whole seconds',
      },
    ]);
  });

  it('notes a wait of more than a day, and none', () => {
    expect(read([['Retry-After', '90000']])).toMatchObject({
      wait: 90_000,
      found: [{ advisory: 'Retry-After is more than 24 hours (90000 s)' }],
    });
    expect(read([['Retry-After', '0']])).toMatchObject({
      wait: 0,
      found: [{ advisory: 'Retry-After is 0: a request at once must be accepted' }],
    });
  });

  it('takes the largest where several disagree, and says so', () => {
    expect(
      read([
        ['Retry-After', '2'],
        ['X-RateLimit-Reset', '9'],
      ]),
    ).toMatchObject({ wait: 9, disagree: true });
    expect(
      read([
        ['Retry-After', '2'],
        ['X-RateLimit-Reset', '3'],
      ]),
    ).toMatchObject({ wait: 3, disagree: false });
  });
});

describe('guidance that cannot be honoured', () => {
  it.each<readonly [string, Headers, unknown, string]>([
    ['an epoch in Retry-After', [['Retry-After', '1768478405']], '', 'has the shape of a time since 1970'],
    [
      'an epoch in milliseconds',
      [['Retry-After', '1768478405000']],
      '',
      'has the shape of a time since 1970',
    ],
    ['a word', [['Retry-After', 'soon']], '', "'soon' is neither whole seconds nor an HTTP-date"],
    ['NaN', [['Retry-After', 'NaN']], '', "'NaN' is neither"],
    ['Infinity', [['Retry-After', 'Infinity']], '', "'Infinity' is neither"],
    ['an exponent', [['Retry-After', '1e3']], '', "'1e3' is neither"],
    ['nothing', [['Retry-After', '']], '', "'' is neither"],
    ['more digits than a number has', [['Retry-After', '9'.repeat(400)]], '', 'is not a finite number'],
    ['a number beyond all waiting', [], { retryAfter: 1e305 }, 'is more than 300 years'],
    ['a negative number', [['Retry-After', '-5']], '', 'is negative'],
    ['a negative decimal', [['Retry-After', '-5.5']], '', 'is negative'],
    ['a date in the past', [date, ['Retry-After', 'Thu, 15 Jan 2026 11:59:00 GMT']], '', 'lies in the past'],
    ['a date that is none', [date, ['Retry-After', 'Thu, 15 Foo 2026 12:00:07 GMT']], '', 'is neither whole'],
    ['a negative t', [['RateLimit', '"default";r=0;t=-5']], '', 'is negative'],
    [
      'a t that is no number',
      [['RateLimit', '"default";r=0;t=soon']],
      '',
      "'soon' is not a number of seconds",
    ],
    ['an epoch long past', [date, ['X-RateLimit-Reset', '1600000000']], '', 'lies in the past'],
    ['milliseconds long past', [date, ['X-RateLimit-Reset', '1600000000000']], '', 'lies in the past'],
    [
      'neither delta nor epoch',
      [['X-RateLimit-Reset', '900000']],
      '',
      'neither seconds to wait (up to 7 days)',
    ],
    ['an epoch in the body', [], { retryAfter: 1768478405 }, 'has the shape of a time since 1970'],
    ['a negative delay in the body', [], { retryDelay: '-1s' }, 'is negative'],
  ])('%s', (_, headers, body, rejected) => {
    const result = read(headers, body);
    expect(result.wait).toBeUndefined();
    expect(result.found).toHaveLength(1);
    expect(result.found[0]?.rejected).toContain(rejected);
  });

  it('leaves what else is usable', () => {
    expect(
      read([
        ['Retry-After', 'soon'],
        ['RateLimit-Reset', '4'],
      ]),
    ).toMatchObject({ wait: 4, disagree: false });
  });
});

describe('no guidance', () => {
  it.each<readonly [string, Headers, unknown]>([
    ['bare', [], 'Too many requests, please try again later.'],
    [
      'limits alone',
      [
        ['RateLimit', '"default";r=0'],
        ['RateLimit-Policy', '"default";q=5;w=10'],
      ],
      '',
    ],
    ['a field that says nothing', [], { retry_after: null, retryAfterMs: 'later' }],
  ])('%s', (_, headers, body) => {
    expect(read(headers, body)).toMatchObject({ found: [], doubts: [], wait: undefined });
  });
});

describe('honouring it', () => {
  it.each([
    [1, false, 1250],
    [10, false, 10_500],
    [0, false, 250],
    [1.5, false, 1750],
    [5, false, 5250],
    [6, false, 6300],
    [1.2345, false, 1485],
    [0.1, true, 1350],
    [7, true, 8350],
  ])('%d s, dated %s: %d ms', (wait, dated, milliseconds) => {
    expect(honouredWait({ wait, dated })).toBe(milliseconds);
  });

  it('waits for nothing where there is no guidance', () => {
    expect(honouredWait({ wait: undefined, dated: false })).toBe(0);
  });
});

describe('any answer', () => {
  const names = [
    'Retry-After',
    'RateLimit',
    'RateLimit-Reset',
    'X-RateLimit-Reset',
    'X-Rate-Limit-Reset',
    'Date',
  ];
  const value = fc.oneof(
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
    fc.integer().map(String),
    fc.double().map(String),
    fc.date({ noInvalidDate: true }).map((each) => each.toUTCString()),
    fc.stringMatching(/^[a-z"?:@%();,=\d. -]{0,30}$/),
  );
  const member = fc.oneof(fc.double(), fc.string(), value);
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({ retryAfter: member, retryAfterMs: member, retryDelay: member })
      .map((each) => JSON.stringify(each)),
  );

  it('gives a finite wait of at least nothing, or none', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...names), value)), body, (headers, text) => {
        const result = guidanceOf({ headers, body: text }, noon);
        if (result.wait !== undefined) {
          expect(Number.isFinite(result.wait)).toBe(true);
          expect(result.wait).toBeGreaterThanOrEqual(0);
          expect(Number.isFinite(honouredWait(result))).toBe(true);
        }
        expect(result.wait === undefined).toBe(
          result.found.every((one) => one.rejected !== undefined || one.unitless === true),
        );
        for (const one of result.found) expect(Number.isFinite(one.seconds)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it('nested beyond all measure is read', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(read([], deep).found).toEqual([]);
  });
});
