import { expect, test } from 'vitest';
import { type Operation, operationOf } from '../../model/contract.ts';
import type { JsonPointer, JsonSchema } from '../../model/json.ts';
import { contract } from '../cases/contract.ts';
import { contextOf, judged, stated } from '../cases/judged.ts';
import { listCases } from '../cases/lists.ts';
import { record, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';
import { fromStart } from '../judging/listing.ts';

test.each(listCases)('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test.each([
  [{ body: 'a case' }, 'the body is not JSON'],
  [{ body: [] }, 'the body '],
  [{ body: { id: 'case_1' } }, '/status '],
])('RDS-1 says what departs, and where: %j', (line, words) => {
  const trace = [{ id: 'a', operation: 'getCase', status: 200, ...line }];
  expect(judged({ clause: 'RDS-1', kind: 'violates', when: '', trace }).because).toContain(
    `violated: ${words}`,
  );
});

const paged = (style: 'page' | 'offset', schema: JsonSchema, next?: JsonPointer): Operation => {
  const list = operationOf(contract, 'listNotes');
  const pagination = { limit: 'limit', cursor: 'at', style, items: '/items', next };
  return { ...list, pagination, queryFields: [{ name: 'at', required: false, schema, filters: undefined }] };
};
const open = { type: 'integer' };
const from = (style: 'page' | 'offset', schema: JsonSchema, ...ids: readonly (readonly string[])[]) => {
  const { doubt, ids: found, pages } = fromStart(paged(style, schema), [...ids.keys()], ids);
  return { ids: found, pages, isKnown: doubt === undefined };
};

test.each<[string, ReturnType<typeof from>, ReturnType<typeof from>]>([
  [
    'page 1 is the first page again',
    from('page', open, ['a', 'b'], ['a', 'b'], ['c'], []),
    { ids: [['a', 'b'], ['c'], []], pages: [1, 2, 3], isKnown: true },
  ],
  [
    'page 1 is the second page',
    from('page', open, ['a', 'b'], ['c'], []),
    { ids: [['a', 'b'], ['c'], []], pages: [0, 1, 2], isKnown: true },
  ],
  [
    'page 1 is neither',
    from('page', open, ['a', 'b'], ['b', 'c'], []),
    { ids: [['a', 'b'], ['b', 'c'], []], pages: [0, 1, 2], isKnown: false },
  ],
  [
    'all pages overlap',
    from('page', open, ['a', 'b'], ['b', 'c'], ['c', 'd'], []),
    { ids: [['a', 'b'], ['b', 'c'], ['c', 'd'], []], pages: [0, 1, 2, 3], isKnown: true },
  ],
  [
    'the contract says which page is the first',
    from('page', { ...open, minimum: 1 }, ['a'], ['a'], []),
    { ids: [['a'], ['a'], []], pages: [0, 1, 2], isKnown: true },
  ],
  [
    'items count from 1, as three pages show',
    from('offset', open, ['a', 'b'], ['b', 'c'], ['d'], []),
    { ids: [['a'], ['b', 'c'], ['d'], []], pages: [0, 1, 2, 3], isKnown: true },
  ],
  [
    'each offset is one too small',
    from('offset', open, ['a', 'b'], ['b', 'c'], ['c', 'd'], []),
    { ids: [['a', 'b'], ['b', 'c'], ['c', 'd'], []], pages: [0, 1, 2, 3], isKnown: true },
  ],
  [
    'items may count from 1, or offsets may be too small',
    from('offset', open, ['a', 'b'], ['b', 'c'], []),
    { ids: [['a', 'b'], ['b', 'c'], []], pages: [0, 1, 2], isKnown: false },
  ],
])('where the second page begins: %s', (_, found, expected) => expect(found).toEqual(expected));

test('a page that names the next one leads to it, however pages are counted', () => {
  const ids = [['a', 'b'], ['a', 'b'], ['c']];
  expect(fromStart(paged('page', open, '/next'), [0, 1, 2], ids)).toEqual({ pages: [0, 1, 2], ids });
});

test('a page whose address forgot the filter is compared with what the first page was asked for', () => {
  const read = (id: string, query: string, status: string): Parameters<typeof trace>[0][number] => ({
    id,
    operation: 'listCases',
    role: 'test',
    status: 200,
    query,
    body: { items: [record('case_1', { status })], nextCursor: null },
  });
  const walk = (query: string, status: string): readonly string[] => {
    const sent = trace([
      { id: 'made', status: 201, body: record('case_2', { status: 'closed' }) },
      read('first', 'status=open', 'open'),
      read('second', query, status),
    ]);
    const followed = { step: 'first', followed: 'status', address: 'link', otherwise: 'open' } as const;
    const waves = sent.scenario.waves.map((wave) =>
      'steps' in wave
        ? {
            steps: wave.steps.map((step) =>
              step.id === 'second' ? { ...step, query: [['status', followed] as const] } : step,
            ),
          }
        : wave,
    );
    const one = { ...sent, scenario: { ...sent.scenario, waves } };
    const judges = clauseOf('RDS-3')?.judges ?? [];
    return judges
      .flatMap((judge) =>
        judge.over === 'trace' ? [...judge.rule(contextOf({ G15: { seconds: 0 } }), one)] : [],
      )
      .map(({ verdict }) => verdict);
  };
  expect(walk('cursor=x', 'open')).toEqual(['holds', 'holds']);
  expect(walk('cursor=x', 'closed')).toEqual(['holds', 'violated']);
});
