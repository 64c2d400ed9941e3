import { expect, test } from 'vitest';
import type { Operation } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { made, read } from '../cases/list-lines.ts';
import { type Line, record, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

/** Its pages say whether more follow, and the ID of the last item is the cursor. */
const operations = contract.operations.map(
  (one): Operation =>
    one.id === 'listCases' && one.pagination !== undefined
      ? { ...one, pagination: { ...one.pagination, next: '/items/-1/id' } }
      : one,
);

function said(lines: readonly Line[], seconds = 0): readonly string[] {
  const context = makeContext({
    contract: { ...contract, operations },
    declared: parsedDeclaration({ G15: { seconds } }),
    principals,
    proven: new Set(['full']),
  });
  return (clauseOf('RDS-4')?.judges ?? []).flatMap((judge) =>
    judge.over === 'run'
      ? []
      : [...judge.rule(context, trace(lines))].flatMap(({ because, verdict }) =>
          verdict === 'violated' ? because : [],
        ),
  );
}

const page = (index: number, ids: readonly string[], more: Json, cursor = '', rest: Partial<Line> = {}) =>
  read(
    `page-${index}`,
    { items: ids.map((id) => record(`case_${id}`)), has_more: more },
    { observes: 'page', query: `limit=2${cursor === '' ? '' : `&cursor=case_${cursor}`}`, ...rest },
  );
const abc = [made('a'), made('b'), made('c')];
const violation = 'A page says that the list ends, but a record of the list follows its last item.';

test('a page that says it is the last, with a record behind it, is violated', () => {
  expect(
    said([...abc, page(0, ['a', 'b'], false), page(1, ['c'], false, 'b'), page(2, [], false, 'c')]),
  ).toEqual([violation]);
});

test.each<[string, readonly Line[], number?]>([
  ['it says that more follow', [...abc, page(0, ['a', 'b'], true), page(1, ['c'], false, 'b')]],
  ['nothing follows', [made('a'), made('b'), page(0, ['a', 'b'], false), page(1, [], false, 'b')]],
  [
    'a record of others follows',
    [made('a'), made('b'), page(0, ['a', 'b'], false), page(1, ['x'], false, 'b')],
  ],
  ['the list may show the record late', [...abc, page(0, ['a', 'b'], false), page(1, ['c'], false, 'b')], 5],
  [
    'the record was made meanwhile',
    [made('a'), made('b'), page(0, ['a', 'b'], false), made('c'), page(1, ['c'], false, 'b')],
  ],
  [
    'the other page has another filter',
    [
      ...abc,
      page(0, ['a', 'b'], false),
      page(1, ['c'], false, 'b', { query: 'limit=2&cursor=case_b&status=open' }),
    ],
  ],
])('no violation where %s', (_, lines, seconds) => {
  expect(said(lines, seconds).filter((one) => one === violation)).toEqual([]);
});

const counted = (
  at: number,
  ids: readonly string[],
  flags: { readonly [name: string]: Json },
  rest: Partial<Line> = {},
) =>
  read(
    `at-${at}`,
    { items: ids.map((id) => record(`case_${id}`)), ...flags },
    { operation: 'listNotes', observes: 'page', query: `limit=2${at === 0 ? '' : `&offset=${at}`}`, ...rest },
  );
const note = (id: string, more: Partial<Line> = {}): Line => made(id, { operation: 'createNote', ...more });
const notes = [note('a'), note('b'), note('c')];
const flagged = 'A page says that none follows, but the next one shows a record of the list.';

test.each<[string, { readonly [name: string]: Json }]>([
  ['hasMore', { hasMore: false }],
  ['has_next_page', { meta: { has_next_page: false } }],
  ['last', { last: true, first: true }],
])('a page of a counted list that says by %s that it is the last is violated', (_, flags) => {
  expect(said([...notes, counted(0, ['a', 'b'], flags), counted(2, ['c'], flags)])).toEqual([flagged]);
});

test('so is one after a page that showed the record, though the list may show it late', () => {
  const whole = counted(0, ['a', 'b', 'c'], {}, { id: 'whole', query: 'limit=50' });
  const pages = [counted(0, ['a', 'b'], { hasMore: false }), counted(2, ['c'], { hasMore: false })];
  expect(said([...notes, whole, ...pages], 5).filter((one) => one === flagged)).toEqual([flagged]);
});

test.each<[string, readonly Line[], number?]>([
  [
    'it says that more follow',
    [...notes, counted(0, ['a', 'b'], { hasMore: true }), counted(2, ['c'], { hasMore: false })],
  ],
  [
    'one of two flags says so',
    [...notes, counted(0, ['a', 'b'], { hasMore: false, last: false }), counted(2, ['c'], {})],
  ],
  ['it has no flag', [...notes, counted(0, ['a', 'b'], { total: 2, last: 'b' }), counted(2, ['c'], {})]],
  [
    'the next page repeats records',
    [note('a'), note('b'), counted(0, ['a', 'b'], { hasMore: false }), counted(1, ['b'], {})],
  ],
  [
    'the next page shows a record of others',
    [note('a'), note('b'), counted(0, ['a', 'b'], { hasMore: false }), counted(2, ['x'], {})],
  ],
  [
    'the record was made meanwhile',
    [note('a'), note('b'), counted(0, ['a', 'b'], { hasMore: false }), note('c'), counted(2, ['c'], {})],
  ],
  [
    'the list may show the record late',
    [...notes, counted(0, ['a', 'b'], { hasMore: false }), counted(2, ['c'], {})],
    5,
  ],
  [
    'the next page is of other records',
    [
      ...notes,
      counted(0, ['a', 'b'], { hasMore: false }),
      counted(2, ['c'], {}, { query: 'limit=2&offset=2&status=shut' }),
    ],
  ],
])('no violation of a counted list where %s', (_, lines, seconds) => {
  expect(said(lines, seconds).filter((one) => one === flagged)).toEqual([]);
});
