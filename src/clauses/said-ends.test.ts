import { expect, test } from 'vitest';
import type { Operation } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { makeContext } from '../oracle/context.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import { contract, principals } from './cases/contract.ts';
import { made, read } from './cases/list-lines.ts';
import { type Line, record, trace } from './cases/trace.ts';
import { clauseOf } from './catalogue.ts';

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
