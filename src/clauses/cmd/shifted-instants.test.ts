import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { withCaseBody } from '../cases/case-body.ts';
import { type Line, trace } from '../cases/trace.ts';
import { shiftedInstants } from './shifted-instants.ts';

const instant: JsonObject = { type: 'string', format: 'date-time' };
const properties: JsonObject = {
  subject: { type: 'string' },
  due: instant,
  validUntil: instant,
  opens: { ...instant, description: 'Local time of the depot.' },
  legs: { type: 'array', items: { type: 'object', properties: { from: instant } } },
};

const context = withCaseBody(properties);

type Instants = readonly (readonly [string, string])[];

/** What is said of instants that were sent, and of those that a read shows. */
function rulings(
  instants: Instants,
  subject = (sent: string) => sent,
  member: (value: string) => JsonObject = (value) => ({ due: value }),
): readonly string[] {
  const fold = shiftedInstants();
  return instants.flatMap(([sent, is], index) => {
    const shown = { id: 'case_7', status: 'open', subject: subject('a case'), ...member(is) };
    const lines: readonly Line[] = [
      {
        id: 'a',
        status: 201,
        result: 'case_7',
        sent: JSON.stringify({ subject: 'a case', ...member(sent) }),
        body: shown,
      },
      {
        ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
        body: shown,
      },
    ];
    return [...fold.see(context, trace(lines, { id: `t${index}` }))].map(
      ({ verdict }) => `t${index} ${verdict}`,
    );
  });
}

const hour: Instants = [
  ['2024-01-01T00:00:00Z', '2024-01-01T01:00:00.000Z'],
  ['1975-02-09T03:41:05.123456+02:00', '1975-02-09T02:41:05.123Z'],
  ['2044-08-28T02:47:02Z', '2044-08-28T03:47:02.000Z'],
];
const unzoned: Instants = [
  ['2024-01-01T00:00:00+02:00', '2024-01-01T00:00:00Z'],
  ['2044-08-28T02:47:02Z', '2044-08-28T02:47:02Z'],
  ['1975-02-09T03:41:05.5-05:30', '1975-02-09T03:41:05Z'],
];
const summer: Instants = [
  ['2024-01-01T00:10:00Z', '2024-01-01T01:10:00Z'],
  ['2024-07-02T03:41:05Z', '2024-07-02T05:41:05Z'],
  ['2024-08-02T19:07:41Z', '2024-08-02T21:07:41Z'],
];

test('each instant is stored an hour later, or earlier', () => {
  expect(rulings(hour)).toEqual(['t1 violated', 't2 violated']);
  const earlier: Instants = [
    ['2024-01-01T00:00:00Z', '2023-12-31T23:00:00Z'],
    ['2024-01-08T03:41:05Z', '2024-01-08T02:41:05Z'],
  ];
  expect(rulings(earlier)).toEqual(['t1 violated']);
  expect(rulings(earlier, undefined, (value) => ({ legs: [{ from: value }] }))).toEqual(['t1 violated']);
});

test('each instant is stored as the local time of a place, in winter and in summer', () => {
  expect(rulings(summer)).toEqual(['t2 violated']);
});

test('each instant is stored without the offset that was sent', () => {
  expect(rulings(unzoned)).toEqual(['t2 violated']);
});

test.each<[string, Instants]>([
  ['as they were sent', hour.map(([sent]) => [sent, sent])],
  ['in UTC', [['2024-01-01T03:41:05+02:00', '2024-01-01T01:41:05.000Z'], ...unzoned]],
  [
    'in another zone',
    [
      ['2024-01-01T03:41:05Z', '2024-01-01T05:41:05+02:00'],
      ['2024-02-01T04:42:07Z', '2024-02-01T06:42:07+02:00'],
    ],
  ],
  ['an hour later, one of them twice', [hour[1], hour[1]].flatMap((each) => (each ? [each] : []))],
  ['but for one, as they were sent', [['2024-03-01T09:09:09Z', '2024-03-01T09:09:09Z'], ...hour]],
  [
    'within opening times',
    [
      ['2024-01-01T00:00:00Z', '2024-01-01T08:00:00Z'],
      ['2024-01-01T22:00:00Z', '2024-01-02T08:00:00Z'],
      ['2024-01-08T00:00:00Z', '2024-01-08T08:00:00Z'],
    ],
  ],
  [
    'at the full hour',
    [
      ['2024-01-01T09:30:00Z', '2024-01-01T10:00:00Z'],
      ['2024-01-01T12:47:02Z', '2024-01-01T13:00:00Z'],
      ['2024-01-01T13:01:02Z', '2024-01-01T14:00:00Z'],
    ],
  ],
  [
    'as midnight',
    [
      ['2024-01-01T00:00:00+02:00', '2024-01-01T00:00:00Z'],
      ['2024-01-01T05:30:00+05:30', '2024-01-01T00:00:00Z'],
      ['2024-01-03T00:00:00+02:00', '2024-01-03T00:00:00Z'],
    ],
  ],
  [
    'without a zone',
    [
      ['2024-01-01T03:41:05+02:00', '2024-01-01T03:41:05'],
      ['2024-01-02T04:42:06+02:00', '2024-01-02T04:42:06'],
    ],
  ],
  [
    'now',
    [
      ['2024-01-01T03:41:05Z', '2026-11-29T01:40:11Z'],
      ['2024-01-02T04:42:06Z', '2026-11-29T01:40:12Z'],
    ],
  ],
])('instants are stored %s: nothing is violated', (_, instants) => {
  expect(rulings(instants)).toEqual([]);
});

test('nothing is said of what may be prolonged, of local time, or where another member is not as it was sent', () => {
  for (const instants of [hour, unzoned]) {
    expect(rulings(instants, undefined, (value) => ({ validUntil: value }))).toEqual([]);
    expect(rulings(instants, undefined, (value) => ({ opens: value }))).toEqual([]);
    expect(rulings(instants, () => 'another text')).toEqual([]);
  }
});
