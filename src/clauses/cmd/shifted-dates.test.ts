import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { withCaseBody } from '../cases/case-body.ts';
import { type Line, trace } from '../cases/trace.ts';
import { shiftedDates } from './shifted-dates.ts';

const properties: JsonObject = {
  subject: { type: 'string' },
  due: { type: 'string', format: 'date' },
  validUntil: { type: 'string', format: 'date' },
  terms: { type: 'object', properties: { until: { type: 'string', format: 'date' } } },
};

const context = withCaseBody(properties);

/** What is said of dates that were sent, and of those that a read shows. */
function rulings(
  dates: readonly (readonly [string, string])[],
  subject = (sent: string) => sent,
  member = 'due',
): readonly string[] {
  const fold = shiftedDates();
  return dates.flatMap(([sent, is], index) => {
    const shown = { id: 'case_7', status: 'open', subject: subject('a case'), [member]: is };
    const lines: readonly Line[] = [
      {
        id: 'a',
        status: 201,
        result: 'case_7',
        sent: JSON.stringify({ subject: 'a case', [member]: sent }),
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

// A Wednesday, a Thursday and a Saturday.
const before = [
  ['2026-07-01', '2026-06-30'],
  ['2026-01-01', '2025-12-31'],
  ['2026-02-14', '2026-02-13'],
] as const;

test('each date is stored as the day before', () => {
  expect(rulings(before)).toEqual(['t1 violated', 't2 violated']);
  expect(rulings(before.map(([sent, is]) => [is, sent]))).toEqual(['t1 violated', 't2 violated']);
});

test.each<[string, readonly (readonly [string, string])[]]>([
  ['as they were sent', before.map(([sent]) => [sent, sent])],
  ['but for one, as they were sent', [['2026-03-04', '2026-03-04'], ...before]],
  ['the day before, one of two a Saturday', before.slice(1)],
  ['the day before, one of them twice', [...before.slice(1), ...before.slice(1)]],
  ['both ways', [...before.slice(1, 2), ['2026-02-11', '2026-02-12'], ...before.slice(0, 1)]],
  [
    'on a day of work',
    [
      ['2026-02-14', '2026-02-13'],
      ['2026-02-21', '2026-02-20'],
      ['2026-02-28', '2026-02-27'],
    ],
  ],
  ['at the end of their month', before.map(([sent]) => [sent, `${sent.slice(0, 8)}28`])],
  ['as times', before.map(([sent, is]) => [sent, `${is}T22:00:00Z`])],
])('dates are stored %s: nothing is violated', (_, dates) => {
  expect(rulings(dates)).toEqual([]);
});

test('nothing is said where another member is not as it was sent', () => {
  expect(rulings(before, (sent) => sent.toUpperCase())).toEqual([]);
});

test('nothing is said of the end of a range, which may be its last day or the day after', () => {
  const unchanged = (sent: string): string => sent;
  expect(rulings(before, unchanged, 'validUntil')).toEqual([]);
  expect(
    rulings(
      before.map(([sent, is]) => [is, sent]),
      unchanged,
      'validUntil',
    ),
  ).toEqual([]);
});
