import { expect, test } from 'vitest';
import type { Trace } from '../../model/exchange.ts';
import { contextOf } from '../cases/judged.ts';
import { type Line, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';
import { refusedCursors } from './refused-cursors.ts';

const list = { operation: 'listCases', role: 'test', observes: 'page' } as const;
const next = { step: 'page-0', at: '/nextCursor', cursor: 'cursor' } as const;

/** Two pages one after the other. */
function pages(second: Partial<Line>, first: Partial<Line> = {}): Trace {
  return trace([
    {
      ...{ ...list, id: 'page-0', status: 200, asks: [['limit', '1']] },
      ...{ body: { items: [{ id: 'case_1' }], nextCursor: 'c1' }, ...first },
    },
    {
      ...list,
      id: 'page-1',
      status: 422,
      asks: [
        ['limit', '1'],
        ['cursor', next],
      ],
      ...second,
    },
  ]);
}

function verdicts(...traces: readonly Trace[]): readonly string[] {
  const fold = refusedCursors();
  return traces.flatMap((one) => [...fold.see(contextOf({}), one)].map(({ verdict }) => verdict));
}

test('a list that refuses each cursor of its own is never read to its end', () => {
  expect(verdicts(pages({}), pages({}), pages({}))).toEqual(['violated']);
  expect(verdicts(pages({}), pages({ status: 404 }), pages({ status: 400 }))).toEqual(['violated']);
});

test.each<[string, readonly Trace[]]>([
  ['fewer were refused', [pages({}), pages({})]],
  ['one was accepted before', [pages({ status: 200 }), pages({}), pages({}), pages({})]],
  ['one was accepted meanwhile', [pages({}), pages({}), pages({ status: 200 }), pages({})]],
  [
    'it was throttled, or had no permission',
    [pages({ status: 429 }), pages({ status: 403 }), pages({ status: 401 })],
  ],
  ['it failed', [pages({ status: 500 }), pages({ status: 503 }), pages({ status: 500 })]],
  ['another caller asks', Array.from({ length: 3 }, () => pages({ as: 'peer' }))],
  [
    'the query is another one',
    Array.from({ length: 3 }, () =>
      pages({
        asks: [
          ['limit', '2'],
          ['cursor', next],
        ],
      }),
    ),
  ],
  [
    'a filter is asked for as well',
    Array.from({ length: 3 }, () => {
      const filter = ['status', 'open'] as const;
      return pages({ asks: [filter, ['cursor', next]] }, { asks: [filter] });
    }),
  ],
  [
    'the cursor is made up',
    Array.from({ length: 3 }, () =>
      pages({
        asks: [
          ['limit', '1'],
          ['cursor', 'x'],
        ],
      }),
    ),
  ],
  [
    'something else is wrong',
    Array.from({ length: 3 }, () => pages({ deviations: [{ kind: 'permission', how: 'none' }] })),
  ],
  ['the first page was refused too', Array.from({ length: 3 }, () => pages({}, { status: 422 }))],
])('nothing follows where %s', (_, traces) => {
  expect(verdicts(...traces)).toEqual([]);
});

test('RDS-4 is judged so', () => {
  const starts = clauseOf('RDS-4')?.judges.flatMap((judge) => (judge.over === 'run' ? [judge.start] : []));
  expect(starts).toEqual([refusedCursors]);
});
