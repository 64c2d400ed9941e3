import { expect, test } from 'vitest';
import type { HeaderLine } from '../evidence/log.ts';
import { nothingOfTheKind } from '../model/unreached.ts';
import type { Cell } from '../model/verdict.ts';
import { cellWith } from '../testing/sample-report.ts';
import { withReasons } from './unreached.ts';

const cells = (['one', 'two'] as const).flatMap((operation) =>
  (['A-1', 'A-2'] as const).map(
    (clause): Cell => ({
      ...cellWith({ clause, verdict: 'not-tested' }),
      operation,
      because: nothingOfTheKind,
      example: undefined,
    }),
  ),
);

const reasons = (header: Partial<HeaderLine>, ended = 'complete', missingShards: readonly string[] = []) =>
  withReasons(cells, { partial: header.narrowing !== undefined, ...header } as HeaderLine, {
    ended,
    missingShards,
  }).map(({ because }) =>
    because.startsWith('The run was narrowed')
      ? 'narrowed'
      : because === nothingOfTheKind
        ? 'unseen'
        : because,
  );

test.each([
  ['all was sent', {}, ['unseen', 'unseen', 'unseen', 'unseen']],
  [
    'operations were selected',
    { narrowing: ['--operation one'], operations: ['one'] },
    ['unseen', 'unseen', 'narrowed', 'narrowed'],
  ],
  [
    'a clause was selected',
    { narrowing: ['--clause A-1'], clauses: ['A-1'] },
    ['unseen', 'narrowed', 'unseen', 'narrowed'],
  ],
  [
    'a suite was selected: nothing says what the others would have tested',
    { narrowing: ['--suite s', '--operation one'], operations: ['one'] },
    ['narrowed', 'narrowed', 'narrowed', 'narrowed'],
  ],
  [
    'an older log does not say what was selected',
    { narrowing: ['--path /x'] },
    ['narrowed', 'narrowed', 'narrowed', 'narrowed'],
  ],
  [
    'one finding was cut out',
    { partial: true, excerpt: { of: '', finding: 'A-1/one' } },
    ['narrowed', 'narrowed', 'narrowed', 'narrowed'],
  ],
] as const)('one reason where %s', (_, header, expected) => {
  expect(reasons(header)).toEqual(expected);
});

test('a run that ended early, and a missing shard, are reasons of their own', () => {
  const selected = { narrowing: ['--operation one'], operations: ['one'] };
  const early = 'The run ended early, before it was tested.';
  expect(reasons(selected, 'budget')).toEqual([early, early, 'narrowed', 'narrowed']);
  expect(reasons({}, 'complete', ['2/3'])[0]).toBe('A shard is missing that may have tested it (2/3).');
  const [known] = withReasons(
    [{ ...cells[0], because: 'no hook' } as Cell],
    { partial: false } as HeaderLine,
    { ended: 'budget', missingShards: [] },
  );
  expect(known?.because).toBe('no hook');
});

test('an operation that could not be called lacks one thing everywhere', () => {
  const [first, ...rest] = cells;
  if (first === undefined) throw new Error('there is no cell');
  const link = 'Let an OpenAPI link say which command makes it.';
  const said = (others: readonly Cell[]): readonly string[] =>
    withReasons([{ ...first, because: link }, ...others], { partial: false } as HeaderLine, {
      ended: 'complete',
      missingShards: [],
    }).map(({ because }) => because);
  expect(said(rest)).toEqual([link, link, nothingOfTheKind, nothingOfTheKind]);
  const held: Cell = { ...first, verdict: 'pass', because: '' };
  expect(said([...rest, held])[1]).toBe(nothingOfTheKind);
});

test('where nothing was throttled, what is said of a 429 has the same reason', () => {
  const [first] = cells;
  if (first === undefined) throw new Error('there is no cell');
  const limit = 'The limit was not reached: declare it.';
  const of = (clause: string, because = nothingOfTheKind, operation = 'one'): Cell => ({
    ...{ ...first, clause, because, operation },
  });
  const held: Cell = { ...of('AUT-1'), verdict: 'pass', because: '' };
  const said = [
    held,
    of('THR-1', limit),
    of('THR-4'),
    of('IDM-14'),
    of('RDS-1'),
    of('THR-4', undefined, 'two'),
  ];
  expect(
    withReasons(said, { partial: false } as HeaderLine, { ended: 'complete', missingShards: [] })
      .slice(2)
      .map(({ because }) => because),
  ).toEqual([limit, limit, nothingOfTheKind, nothingOfTheKind]);
});
