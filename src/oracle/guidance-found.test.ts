import { describe, expect, it } from 'vitest';
import { guidanceOf } from './guidance.ts';

const noon = Date.UTC(2026, 0, 15, 12, 0, 0);
const date = ['Date', 'Thu, 15 Jan 2026 12:00:00 GMT'] as const;
type Headers = readonly (readonly [string, string])[];
const read = (headers: Headers, body: unknown = '', receivedAt = noon) =>
  guidanceOf({ headers, body: typeof body === 'string' ? body : JSON.stringify(body) }, receivedAt);

describe('what it says', () => {
  const epoch = noon / 1000;
  const wrong = 'has the shape of a time since 1970, where seconds to wait are due';
  /** `source: seconds (kind) advisory or rejected`, of each piece in turn. */
  const found = (headers: Headers, body?: unknown) =>
    read(headers, body).found.map(
      ({ source, seconds, kind, advisory, rejected }) =>
        `${source}: ${seconds} (${kind})${advisory === undefined ? '' : ` + ${advisory}`}${rejected === undefined ? '' : ` - ${rejected}`}`,
    );
  it.each<readonly [string, Headers, unknown, readonly string[]]>([
    [
      'every carrier, in turn',
      [
        date,
        ['X-Rate-Limit-Reset', '6'],
        ['X-RateLimit-Reset', '5'],
        ['RateLimit-Reset', '4'],
        ['RateLimit', '"a";r=0;t=3'],
        ['Retry-After', 'Thu, 15 Jan 2026 12:00:02 GMT'],
        ['Retry-After', '1'],
      ],
      { error: { details: [{}, { retryDelay: '7s' }] } },
      [
        'Retry-After (date): 2 (date)',
        'Retry-After: 1 (delta)',
        'RateLimit: 3 (delta)',
        'RateLimit-Reset: 4 (delta)',
        'X-RateLimit-Reset: 5 (delta)',
        'X-Rate-Limit-Reset: 6 (delta)',
        'body /error/details/1/retryDelay: 7 (delta)',
      ],
    ],
    ['a day to the second', [['Retry-After', '86400']], '', ['Retry-After: 86400 (delta)']],
    [
      'a second more',
      [['Retry-After', '86401']],
      '',
      ['Retry-After: 86401 (delta) + Retry-After is more than 24 hours (86401 s)'],
    ],
    [
      'a fraction more',
      [],
      { retryAfter: 86400.6 },
      ['body /retryAfter: 86400.6 (delta) + body /retryAfter is more than 24 hours (86401 s)'],
    ],
    [
      'a decimal that is nothing',
      [['Retry-After', '0.0']],
      '',
      [
        'Retry-After: 0 (delta) + Retry-After is 0.0: it must be whole seconds; Retry-After is 0: a request at once must be accepted',
      ],
    ],
    [
      'the last number of seconds before a time',
      [['Retry-After', '999999999']],
      '',
      ['Retry-After: 999999999 (delta) + Retry-After is more than 24 hours (999999999 s)'],
    ],
    [
      'the first time',
      [['Retry-After', '1000000000']],
      '',
      [`Retry-After: 1000000000 (delta) - 1000000000 ${wrong}`],
    ],
    [
      'the last time',
      [['Retry-After', '9999999999']],
      '',
      [`Retry-After: 9999999999 (delta) - 9999999999 ${wrong}`],
    ],
    [
      'the first number after it',
      [['Retry-After', '10000000000']],
      '',
      ['Retry-After: 10000000000 (delta) + Retry-After is more than 24 hours (10000000000 s)'],
    ],
    [
      'more than can be waited',
      [['Retry-After', '10000000001']],
      '',
      ['Retry-After: 0 (delta) - is more than 300 years'],
    ],
    [
      'nearly a time in milliseconds',
      [['Retry-After', '999999999999']],
      '',
      ['Retry-After: 0 (delta) - is more than 300 years'],
    ],
    [
      'the first time in milliseconds',
      [['Retry-After', '1000000000000']],
      '',
      [`Retry-After: 1000000000000 (delta) - 1000000000000 ${wrong}`],
    ],
    [
      'the last time in milliseconds',
      [['Retry-After', '9999999999999']],
      '',
      [`Retry-After: 9999999999999 (delta) - 9999999999999 ${wrong}`],
    ],
    [
      'more than a time in milliseconds',
      [['Retry-After', '10000000000000']],
      '',
      ['Retry-After: 0 (delta) - is more than 300 years'],
    ],
    [
      'a long word is cut',
      [['Retry-After', 'x'.repeat(50)]],
      '',
      [`Retry-After: 0 (delta) - '${'x'.repeat(40)}' is neither whole seconds nor an HTTP-date`],
    ],
    [
      'a unit',
      [['Retry-After', '5s']],
      '',
      ["Retry-After: 0 (delta) - '5s' is neither whole seconds nor an HTTP-date"],
    ],
    [
      'a sign',
      [['Retry-After', '+5']],
      '',
      ["Retry-After: 0 (delta) - '+5' is neither whole seconds nor an HTTP-date"],
    ],
    [
      'no digits after the point',
      [['Retry-After', '5.']],
      '',
      ["Retry-After: 0 (delta) - '5.' is neither whole seconds nor an HTTP-date"],
    ],
    [
      'no digits before it',
      [['Retry-After', '.5']],
      '',
      ["Retry-After: 0 (delta) - '.5' is neither whole seconds nor an HTTP-date"],
    ],
    [
      'two points',
      [['Retry-After', '1.2.3']],
      '',
      ["Retry-After: 0 (delta) - '1.2.3' is neither whole seconds nor an HTTP-date"],
    ],
    [
      'digits of two places',
      [['Retry-After', '10.25']],
      '',
      ['Retry-After: 11 (delta) + Retry-After is 10.25: it must be whole seconds'],
    ],
    ['a negative number', [['Retry-After', '-10.25']], '', ['Retry-After: -10 (delta) - is negative']],
    [
      'a date in the past',
      [date, ['Retry-After', 'Thu, 15 Jan 2026 11:59:59 GMT']],
      '',
      ['Retry-After (date): -1 (date) - lies in the past'],
    ],
    ['a decimal in RateLimit', [['RateLimit', '"a";t=2.5']], '', ['RateLimit: 3 (delta)']],
    ['RateLimit with reset for t', [['RateLimit', '"a";r=0;reset=4']], '', ['RateLimit: 4 (delta)']],
    [
      'no policy is spent',
      [['RateLimit', '"a";r=1;t=4, "b";r=2;t=5']],
      '',
      ['RateLimit: 4 (delta)', 'RateLimit: 5 (delta)'],
    ],
    ['a policy without a time', [['RateLimit', '"a";r=0, "b";r=1;t=5']], '', ['RateLimit: 5 (delta)']],
    ['RateLimit of no form, t first', [['RateLimit', 'T=6; Limit=9']], '', ['RateLimit: 6 (delta)']],
    ['RateLimit of no form, blanks', [['RateLimit', 'Limit=9 reset = 7']], '', ['RateLimit: 7 (delta)']],
    [
      'RateLimit of no form, after a comma',
      [['RateLimit', 'Limit=9,t=12,x=1']],
      '',
      ['RateLimit: 12 (delta)'],
    ],
    [
      'RateLimit of no form, no number',
      [['RateLimit', 'Limit=9; Reset=soon']],
      '',
      ["RateLimit: 0 (delta) - 'soon' is not a number of seconds"],
    ],
    ['RateLimit of no form, without a time', [['RateLimit', 'Limit=9; Part=5; Preset=4']], '', []],
    ['RateLimit-Reset with a decimal', [['RateLimit-Reset', '1.5']], '', ['RateLimit-Reset: 2 (delta)']],
    [
      'RateLimit-Reset with a word',
      [['RateLimit-Reset', 'soon']],
      '',
      ["RateLimit-Reset: 0 (delta) - 'soon' is not a number"],
    ],
    // slowapi, httplimit, rate-limiter-flexible, Jira and rack-attack write these.
    [
      'a date of mail',
      [date, ['Retry-After', 'Thu, 15 Jan 2026 12:00:30 -0000']],
      '',
      [
        "Retry-After (date): 30 (date) + Retry-After is 'Thu, 15 Jan 2026 12:00:30 -0000': it must be an HTTP-date",
      ],
    ],
    [
      'a date of mail in another zone',
      [date, ['X-RateLimit-Reset', 'Thu, 15 Jan 2026 13:30:30 +0130']],
      '',
      ['X-RateLimit-Reset: 30 (date)'],
    ],
    [
      'a date in UTC',
      [date, ['X-RateLimit-Reset', 'Thu, 15 Jan 2026 12:00:30 UTC']],
      '',
      ['X-RateLimit-Reset: 30 (date)'],
    ],
    [
      'a date that JavaScript prints',
      [date, ['X-RateLimit-Reset', 'Thu Jan 15 2026 07:00:30 GMT-0500 (Eastern Standard Time)']],
      '',
      ['X-RateLimit-Reset: 30 (date)'],
    ],
    [
      'an instant without seconds',
      [date, ['X-RateLimit-Reset', '2026-01-15T12:05Z']],
      '',
      ['X-RateLimit-Reset: 300 (date)'],
    ],
    [
      'an instant that Go prints',
      [date, ['X-RateLimit-Reset', '2026-01-15 12:00:30.5 +0000 UTC']],
      '',
      ['X-RateLimit-Reset: 30.5 (date)'],
    ],
    [
      'a time since 1970 in RateLimit-Reset',
      [date, ['RateLimit-Reset', String(epoch + 30)]],
      '',
      ['RateLimit-Reset: 30 (epoch) + RateLimit-Reset is a time since 1970, where the drafts have seconds'],
    ],
    [
      'a date of no day',
      [date, ['X-RateLimit-Reset', 'Thu, 45 Jan 2026 12:00:30 +0000']],
      '',
      ["X-RateLimit-Reset: 0 (delta) - 'Thu, 45 Jan 2026 12:00:30 +0000' is not a number"],
    ],
    [
      'a week',
      [['X-RateLimit-Reset', '604800']],
      '',
      ['X-RateLimit-Reset: 604800 (delta) + X-RateLimit-Reset is more than 24 hours (604800 s)'],
    ],
    [
      'more than a week',
      [['X-RateLimit-Reset', '604801']],
      '',
      [
        "X-RateLimit-Reset: 0 (delta) - '604801' is neither seconds to wait (up to 7 days) nor a time since 1970",
      ],
    ],
    ['a reset with a decimal', [['X-RateLimit-Reset', '1.5']], '', ['X-RateLimit-Reset: 2 (delta)']],
    ['a negative reset', [['X-RateLimit-Reset', '-1']], '', ['X-RateLimit-Reset: -1 (delta) - is negative']],
    [
      'a reset that is a word',
      [['X-RateLimit-Reset', 'soon']],
      '',
      ["X-RateLimit-Reset: 0 (delta) - 'soon' is not a number"],
    ],
    [
      'a reset beyond numbers',
      [['X-RateLimit-Reset', '9'.repeat(400)]],
      '',
      ['X-RateLimit-Reset: 0 (delta) - is not a finite number'],
    ],
    [
      'a reset at a time',
      [date, ['X-RateLimit-Reset', `${epoch + 5}.5`]],
      '',
      ['X-RateLimit-Reset: 5.5 (epoch)'],
    ],
    [
      'a reset in the second that has just passed',
      [date, ['X-RateLimit-Reset', `${epoch - 1}.5`]],
      '',
      ['X-RateLimit-Reset: 0 (epoch) + X-RateLimit-Reset is 0: a request at once must be accepted'],
    ],
    [
      'a reset two seconds ago',
      [date, ['X-RateLimit-Reset', `${epoch - 2}`]],
      '',
      ['X-RateLimit-Reset: -2 (epoch) - lies in the past'],
    ],
    [
      'members of a body at any depth',
      [],
      [{ a: [{ 'retry-after': 2 }] }],
      ['body /0/a/0/retry-after: 2 (delta)'],
    ],
    [
      'every name for seconds',
      [],
      { retryAfter: 1, Retry_After_Seconds: '2', retryAfterS: 3, 'retry-after-in-seconds': '4.5' },
      [
        'body /retryAfter: 1 (delta)',
        'body /Retry_After_Seconds: 2 (delta)',
        'body /retryAfterS: 3 (delta)',
        'body /retry-after-in-seconds: 4.5 (delta)',
      ],
    ],
    [
      'every name for milliseconds',
      [],
      { retryAfterMs: 1000, retry_after_milliseconds: '2000', retryAfterInMs: 3500 },
      [
        'body /retryAfterMs: 1 (delta)',
        'body /retry_after_milliseconds: 2 (delta)',
        'body /retryAfterInMs: 3.5 (delta)',
      ],
    ],
    [
      'a time where milliseconds are due',
      [],
      { retryAfterMs: noon },
      [`body /retryAfterMs: ${noon} (delta) - ${noon} ${wrong}`],
    ],
    ['negative milliseconds', [], { retryAfterMs: -5 }, ['body /retryAfterMs: -0.005 (delta) - is negative']],
    [
      'a date in the body',
      [date],
      { retryAfter: 'Thu, 15 Jan 2026 12:00:09 GMT' },
      ['body /retryAfter (date): 9 (date)'],
    ],
    ['a delay in milliseconds', [], { retryDelay: '1500ms' }, ['body /retryDelay: 1.5 (delta)']],
    ['a delay with decimals', [], { retry_delay: '12.25s' }, ['body /retry_delay: 12.25 (delta)']],
    [
      'delays of no form',
      [],
      [
        { retryDelay: '5' },
        { retryDelay: '5 s' },
        { retryDelay: 'in 5s' },
        { retryDelay: '5sec' },
        { retryDelay: 5 },
        { retryDelay: '.5s' },
      ],
      [
        'body /0/retryDelay: 5 (delta)',
        'body /1/retryDelay: 5 (delta)',
        'body /3/retryDelay: 5 (delta)',
        'body /4/retryDelay: 5 (delta)',
      ],
    ],
    [
      'a delay that is an object',
      [],
      { retryDelay: { retryAfter: 5 } },
      ['body /retryDelay/retryAfter: 5 (delta)'],
    ],
    [
      'words under a name for seconds',
      [],
      [{ retryAfter: '5s' }, { retryAfter: '1e3' }, { retryAfter: true }],
      ['body /0/retryAfter: 5 (delta)'],
    ],
    [
      'names that only begin alike',
      [],
      { retryAfterAll: 5, doRetryAfter: 5 },
      ['body /retryAfterAll: 5 (delta)', 'body /doRetryAfter: 5 (delta)'],
    ],
  ])('%s', (_, headers, body, pieces) => {
    expect(found(headers, body)).toEqual(pieces);
  });

  it('is looked for no deeper than sixty', () => {
    const nested = (depth: number): unknown => (depth === 0 ? { retryAfter: 5 } : [nested(depth - 1)]);
    expect(read([], nested(60)).wait).toBe(5);
    expect(read([], nested(61)).wait).toBeUndefined();
    const members = (depth: number): unknown => (depth === 0 ? { retryAfter: 5 } : { a: members(depth - 1) });
    expect(read([], members(60)).wait).toBe(5);
    expect(read([], members(61)).wait).toBeUndefined();
  });

  it('a Date that is none gives way to the time of receipt', () => {
    expect(
      read([
        ['Date', 'now'],
        ['Retry-After', 'Thu, 15 Jan 2026 12:00:07 GMT'],
      ]).wait,
    ).toBe(7);
    expect(
      read(
        [
          ['date', ' Thu, 15 Jan 2026 12:00:00 GMT '],
          ['Retry-After', 'Thu, 15 Jan 2026 12:00:07 GMT'],
        ],
        '',
        noon + 5000,
      ).wait,
    ).toBe(7);
  });

  it('is exact to a second where a usable date is among it', () => {
    const past = ['Retry-After', 'Thu, 15 Jan 2026 11:00:00 GMT'] as const;
    expect(read([date, past, ['RateLimit-Reset', '5']])).toMatchObject({ wait: 5, dated: false });
    expect(
      read([date, ['Retry-After', 'Thu, 15 Jan 2026 12:00:01 GMT'], ['RateLimit-Reset', '5']]),
    ).toMatchObject({
      wait: 5,
      dated: true,
      disagree: true,
    });
  });

  it('may differ by a second', () => {
    const differing = (more: number) => read([['Retry-After', '2']], { retryAfter: 2 + more }).disagree;
    expect([0, 1, 1.01, -1, -1.01].map(differing)).toEqual([false, false, true, false, true]);
  });
});
