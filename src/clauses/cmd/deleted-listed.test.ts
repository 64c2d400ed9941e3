import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { deletedListed } from './deleted-listed.ts';

const operations = contract.operations.map((each) =>
  each.id === 'wipeCase' ? { ...each, effect: { read: 'getCase', list: 'listCases', id: '/id' } } : each,
);
const context = makeContext({
  contract: { ...contract, operations },
  declared: parsedDeclaration({ G15: { seconds: 1 } }),
  principals,
  proven: new Set(['full']),
});

const record: JsonObject = { id: 'case_7', status: 'open', subject: 's' };

type Parts = {
  readonly deletion?: Partial<Line>;
  readonly after?: number;
  readonly later?: readonly Line[];
  readonly item?: JsonObject;
  /** When the first page is read, and when the one that shows the item; alike where there is but one. */
  readonly pages?: readonly [number, number];
  readonly suite?: string;
};

/** What is said of a deletion after its trace and one with pages of a list. */
function verdicts(parts: Parts = {}): readonly string[] {
  const {
    after = 404,
    deletion = {},
    item = record,
    pages = [5000, 5000],
    suite = 'reads',
    later = [],
  } = parts;
  const read = (id: 'before' | 'after', status: number, at: number): Line => ({
    ...{ id, observes: id, operation: 'getCase', on: 'made', role: 'readback', status, at },
    body: status === 200 ? record : {},
  });
  const deleted = trace([
    { id: 'made', role: 'setup', status: 201, result: 'case_7', at: 10 },
    read('before', 200, 20),
    { id: 'wipe', operation: 'wipeCase', on: 'made', role: 'test', status: 204, at: 30, ...deletion },
    read('after', after, 40),
    ...later,
  ]);
  const page = (id: string, at: number, items: readonly JsonObject[], query?: string): Line => ({
    ...{ id, at, operation: 'listCases', role: 'readback', status: 200 },
    ...{ body: { items: [...items], nextCursor: null } },
    ...(query === undefined ? {} : { query }),
  });
  const [first, last] = pages;
  const list = trace(
    first === last
      ? [page('one', first, [item])]
      : [page('one', first, []), page('two', last, [item], 'cursor=c2')],
    { id: 'u', suite },
  );
  const fold = deletedListed();
  return [deleted, list].flatMap((each) =>
    [...fold.see(context, each)].map(({ operation, verdict }) => `${verdict} ${operation}`),
  );
}

test.each(['reads', 'sweep'])('no list of the run shows what was deleted before (%s)', (suite) => {
  expect(verdicts({ suite })).toEqual(['violated wipeCase']);
  expect(verdicts({ suite, pages: [5000, 6000] })).toEqual(['violated wipeCase']);
  expect(verdicts({ suite, item: { ...record, id: 'case_8' } })).toEqual([]);
});

test('a list may say that a record is deleted, or be one of before', () => {
  expect(verdicts({ item: { ...record, status: 'deleted' } })).toEqual([]);
  expect(verdicts({ item: { ...record, deletedAt: '2027-01-01' } })).toEqual([]);
  expect(verdicts({ item: { id: 'case_7' } })).toEqual([]);
  // The settling time is not over, or the cursor is of a list that was begun before.
  expect(verdicts({ pages: [900, 900] })).toEqual([]);
  expect(verdicts({ pages: [20, 6000] })).toEqual([]);
});

test('a record that may be there is not looked for', () => {
  expect(verdicts({ after: 200 })).toEqual([]);
  expect(verdicts({ deletion: { status: 202 } })).toEqual([]);
  expect(verdicts({ deletion: { status: 409 } })).toEqual([]);
  const restore: Line = { id: 'again', operation: 'closeCase', on: 'made', status: 200, body: {}, at: 50 };
  expect(verdicts({ later: [restore] })).toEqual([]);
});
