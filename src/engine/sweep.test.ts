import { describe, expect, test } from 'vitest';
import { contract, principals } from '../clauses/cases/contract.ts';
import { type Line, trace } from '../clauses/cases/trace.ts';
import { type Contract, operationOf, type Pagination } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Json, JsonSchema } from '../model/json.ts';
import { listOfMade } from '../model/listed.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { planningOf } from '../testing/plans.ts';
import { type OwnMarkers, ownMarkers } from './bind.ts';
import {
  effectReadsOf,
  effectsOfTrace,
  emptySighting,
  isSeen,
  lastWriteOf,
  madeBy,
  note,
  placeName,
  readPage,
} from './sweep.ts';

const planning = (people = principals): Planning => planningOf(contract, { principals: people });

/** The literal contract, whose commands return their ID at another place. */
const idAt = (id: string): Contract => ({
  ...contract,
  operations: contract.operations.map((operation) =>
    operation.effect === undefined ? operation : { ...operation, effect: { ...operation.effect, id } },
  ),
});

const list = operationOf(contract, 'listCases');
function page(of: Contract, items: readonly Json[], own?: OwnMarkers): ReturnType<typeof readPage> {
  const [exchange] = trace([
    { id: 'sweep', operation: 'listCases', status: 200, body: { items, nextCursor: null } },
  ]).exchanges;
  if (exchange === undefined) throw new Error('a line makes an exchange');
  return readPage(of, list, exchange satisfies Exchange, { pages: 0, items: 0 }, own);
}
const marked = 'asy-0123456789abcdef';

describe('a page', () => {
  test('shows IDs by marker, and the IDs of records without one', () => {
    expect(page(contract, [{ id: 'a', text: `x ${marked}` }, { id: 'b' }, { text: marked }, 5])).toEqual({
      entries: [
        { id: 'a', markers: [marked] },
        { id: 'b', markers: [] },
        { id: undefined, markers: [marked] },
        { id: undefined, markers: [] },
      ],
      records: new Map([[marked, ['a']]]),
      heads: expect.any(Map),
      unmarked: ['listCases b'],
      nameless: [marked, 'listCases'],
      items: 4,
      next: { kind: 'none' },
    });
  });

  test('shows records whose texts were stored in another case', () => {
    const text = marked.toUpperCase();
    expect(page(contract, [{ id: 'a', text }])?.records).toEqual(new Map([[marked, ['a']]]));
  });

  test('reads ids where the results of commands have them, and numbers as text', () => {
    const items = [{ caseNo: 17, text: marked }, { caseNo: 18 }, { id: 'c' }];
    expect(page(idAt('/data/caseNo'), items)).toMatchObject({
      records: new Map([[marked, ['17']]]),
      unmarked: ['listCases 18', 'listCases c'],
    });
  });

  test('reads ids within an item, as results have them, and never that of what a record is about', () => {
    const items = [{ metadata: { name: 'a' }, name: 'Ann', text: marked }, { metadata: { name: 'b' } }];
    expect(page(idAt('/metadata/name'), items)).toMatchObject({
      records: new Map([[marked, ['a']]]),
      unmarked: ['listCases b'],
      nameless: [],
    });
    expect(page(idAt('/data/id'), [{ id: 'c', data: { id: 'd' } }, { data: { id: 'e' } }])).toMatchObject({
      unmarked: ['listCases c', 'listCases e'],
    });
  });

  test('reads ids within the one member of an item that is as a result is, by its schema', () => {
    const made = { type: 'object', properties: { id: { type: 'string' }, subject: { type: 'string' } } };
    const entry = { properties: { resource: made, author: { properties: { id: { type: 'string' } } } } };
    const schemas = { listCases: { properties: { items: { items: entry } } }, createCase: made };
    const bundled = {
      ...contract,
      operations: contract.operations.map((operation) => ({
        ...operation,
        success: {
          ...operation.success,
          schema: schemas[operation.id === 'listCases' ? 'listCases' : 'createCase'],
        },
      })),
    };
    const items = [{ resource: { id: 'a' }, author: { id: 'x' } }, { author: { id: 'x' } }];
    expect(page(bundled, items)).toMatchObject({ unmarked: ['listCases a'] });
    expect(page(contract, items)).toMatchObject({ unmarked: [] });
  });

  test('reads ids at the end of addresses, where results have them, or where an item has no other', () => {
    const self = (href: string): Json => ({ _links: { self: { href } } });
    expect(page(idAt('/_links/self/href'), [self('https://x.example/cases/a'), self('b')])).toMatchObject({
      unmarked: ['listCases a', 'listCases b'],
    });
    const items = [self('/v2/cases/a'), { url: 'https://x.example/cases/b' }, self('/teams/c'), { url: 'd' }];
    expect(page(contract, items)).toMatchObject({
      unmarked: ['listCases a', 'listCases b'],
      entries: [{ id: 'a' }, { id: 'b' }, { id: undefined }, { id: undefined }],
    });
  });

  test('reads numbers with more digits than JSON.parse keeps', () => {
    const [exchange] = trace([
      {
        id: 'sweep',
        operation: 'listCases',
        status: 200,
        body: `{"items":[{"id":9007199254740993,"subject":"${marked}"},{"id":9007199254740992}],"nextCursor":9007199254740995}`,
      },
    ]).exchanges;
    if (exchange === undefined) throw new Error('a line makes an exchange');
    expect(readPage(contract, list, exchange, { pages: 0, items: 0 })).toMatchObject({
      records: new Map([[marked, ['9007199254740993']]]),
      unmarked: ['listCases 9007199254740992'],
      next: { kind: 'at', cursor: '9007199254740995' },
    });
  });
});

describe('the page behind a page', () => {
  const behind = (
    rule: Partial<Pagination>,
    before: { readonly pages: number; readonly items: number },
    items: readonly Json[] | null | undefined,
    headers: Line['headers'] = [],
    schema?: JsonSchema,
    status = 200,
  ): unknown => {
    const [exchange] = trace([
      { id: 'sweep', operation: 'listCases', status, body: items === undefined ? {} : { items }, headers },
    ]).exchanges;
    const usual = {
      limit: 'limit',
      cursor: 'after',
      style: 'cursor',
      items: '/items',
      next: undefined,
    } as const;
    const queryFields = [{ name: 'after', required: false, schema: schema ?? true, filters: undefined }];
    const paged = { ...list, queryFields, pagination: { ...usual, ...rule } };
    if (exchange === undefined) throw new Error('a line makes an exchange');
    return readPage(contract, paged, exchange, before)?.next;
  };
  const two = [{ id: 'a' }, { id: 'b' }];

  test('is counted from what was read, however much the service puts on a page', () => {
    expect(behind({ style: 'offset' }, { pages: 2, items: 30 }, two)).toEqual({ kind: 'at', cursor: '32' });
    expect(behind({ style: 'offset' }, { pages: 2, items: 30 }, two, [], { default: 1 })).toEqual({
      kind: 'at',
      cursor: '33',
    });
    expect(behind({ style: 'page' }, { pages: 2, items: 30 }, two, [], { minimum: 1 })).toEqual({
      kind: 'at',
      cursor: '4',
    });
    expect(behind({ style: 'offset' }, { pages: 2, items: 30 }, [])).toEqual({ kind: 'none' });
    expect(behind({ style: 'page' }, { pages: 2, items: 30 }, [])).toEqual({ kind: 'none' });
  });

  test('is none where a later page has no list; the first one may have it elsewhere, unless it is null', () => {
    const none = { kind: 'none' };
    expect(behind({ style: 'offset' }, { pages: 2, items: 30 }, undefined)).toEqual(none);
    expect(behind({ style: 'offset' }, { pages: 0, items: 0 }, null)).toEqual(none);
    expect(behind({ style: 'offset' }, { pages: 0, items: 0 }, undefined)).toBeUndefined();
  });

  test('is none behind a numbered page that is not there', () => {
    const none = { kind: 'none' };
    expect(behind({ style: 'page' }, { pages: 2, items: 30 }, [], [], undefined, 404)).toEqual(none);
    expect(behind({ style: 'offset' }, { pages: 2, items: 30 }, [], [], undefined, 416)).toEqual(none);
    expect(behind({ style: 'page' }, { pages: 0, items: 0 }, [], [], undefined, 404)).toBeUndefined();
    expect(behind({ style: 'cursor' }, { pages: 2, items: 30 }, [], [], undefined, 404)).toBeUndefined();
  });

  test('follows the first number that the document gives, and is page 1 where it gives none', () => {
    const second = (schema?: JsonSchema): unknown =>
      behind({ style: 'page' }, { pages: 0, items: 0 }, two, [], schema);
    expect(second({ type: 'integer', minimum: 0 })).toEqual({ kind: 'at', cursor: '1' });
    expect(second({ type: 'integer', minimum: 0, default: 1 })).toEqual({ kind: 'at', cursor: '2' });
    expect(second({ type: 'integer' })).toEqual({ kind: 'at', cursor: '1' });
    expect(second()).toEqual({ kind: 'at', cursor: '1' });
  });

  test('is given by a Link; one that cannot be followed leaves the list half read', () => {
    const link = (value: string): unknown =>
      behind({ style: 'link' }, { pages: 0, items: 0 }, two, [['Link', value]]);
    expect(link('</cases?after=b>; rel="next"')).toEqual({ kind: 'at', cursor: 'b' });
    expect(link('</cases?page=2>; rel="next"')).toEqual({ kind: 'unknown' });
    expect(behind({ style: 'link' }, { pages: 0, items: 0 }, two)).toEqual({ kind: 'none' });
  });
});

test('a record is known by a marker of any form that the run has bound, wherever it is', () => {
  const own = ownMarkers(undefined);
  for (const marker of ['AB12CD34EF', '471122334455', '7b0e3c52-5c30-4a0b-9d0c-0d7b2a1f4e11'])
    own.add(marker, marker);
  const items = [
    { id: 'a', sku: 'ab12cd34ef' },
    { id: 'b', lines: [{ amount: 471122334455 }] },
    { id: 'c', amount: '471122334455.00' },
    { id: 'd', link: '/accounts/7B0E3C52-5C30-4A0B-9D0C-0D7B2A1F4E11/x' },
    { id: 'e', sku: 'AB12CD34EF9', amount: 4711223344550, other: '7b0e3c52-5c30-4a0b-9d0c-0d7b2a1f4e12' },
  ];
  const entries = page(contract, items, own)?.entries.map(({ markers }) => markers);
  expect(entries).toEqual([
    ['AB12CD34EF'],
    ['471122334455'],
    ['471122334455'],
    ['7b0e3c52-5c30-4a0b-9d0c-0d7b2a1f4e11'],
    [],
  ]);
});

test('a record that was there before has a short number by chance', () => {
  const own = ownMarkers(undefined);
  const sighting = emptySighting();
  const see = (): void => {
    const found = page(contract, [{ id: 'old', amount: 712345678 }], own);
    if (found !== undefined) note(sighting, found, 'x1', 'listCases');
  };
  see();
  own.add('712345678', 't1 body');
  see();
  expect(sighting.records.get('712345678')).toBeUndefined();
});

describe('the effects of a trace', () => {
  const of = (lines: readonly Line[], items: readonly Json[], people = principals) => {
    const one = trace(lines);
    const sighting = emptySighting();
    const found = page(contract, items);
    if (found === undefined) throw new Error('the page can be read');
    note(sighting, found, 'x9', 'listCases');
    const { byMarker, foreign, listed } = effectsOfTrace(planning(people), one, {
      ...sighting,
      complete: true,
      last: 'x9',
    });
    return { byMarker, listed, ...(foreign === undefined ? {} : { foreign }) };
  };
  const made: Line = { id: 'made', status: 201, result: 'case_1' };

  test('a record that the list does not show at all', () => {
    const { byMarker, listed } = of([made], []);
    expect(Object.values(byMarker)).toEqual([[]]);
    expect(listed).toBeUndefined();
  });

  test('a record that the list shows without its marker is listed, and nothing is counted', () => {
    expect(of([made], [{ id: 'case_1' }])).toEqual({ byMarker: {}, listed: ['case_1'] });
    expect(Object.values(of([{ ...made, status: 422 }], [{ id: 'case_1' }]).byMarker)).toEqual([[]]);
  });

  test('what is made along with a record has its text behind words of its own, and does not count', () => {
    const named = (...subjects: readonly string[]): unknown => {
      const sighting = emptySighting();
      const found = page(
        contract,
        subjects.map((subject, index) => ({ id: `case_${index + 1}`, subject })),
      );
      if (found !== undefined) note(sighting, found, 'x9', 'listCases');
      const own = { ...trace([made]), bound: { keys: {}, markers: { body: marked } } };
      return effectsOfTrace(planning(), own, { ...sighting, complete: true, last: 'x9' }).byMarker[marked];
    };
    expect(named(`A ${marked}`, `Trash of A ${marked}`)).toEqual(['case_1']);
    expect(named(`A ${marked}`, `A ${marked}`)).toEqual(['case_1', 'case_2']);
    expect(named(`A ${marked}`, `a ${marked} (2)`)).toEqual(['case_1', 'case_2']);
    expect(named(`No. 1 A ${marked}`, `No. 2 A ${marked}`)).toEqual(['case_1', 'case_2']);
  });

  test('a result may name a record that another trace has made', () => {
    const other = 'asy-0123456789abcdef';
    expect(of([made], [{ id: 'case_1', subject: other }]).foreign).toEqual(['case_1']);
    const at = [{ id: 'case_1', exchange: 'x9', list: 'listCases' }];
    const both = new Map([other, 'asy-t-body'].map((marker) => [marker, at]));
    const bearers = new Map([['listCases case_1', [...both.keys()]]]);
    const shown = { records: both, bearers, unmarked: new Set<string>(), complete: true, last: 'x9' };
    expect(effectsOfTrace(planning(), trace([made]), shown).foreign).toBeUndefined();
    expect(of([made], [{ id: 'case_2', subject: other }]).foreign).toBeUndefined();
    expect(of([{ ...made, status: 422 }], [{ id: 'case_1', subject: other }]).foreign).toBeUndefined();
  });

  test('a record that the list shows without an ID is not taken for missing', () => {
    const sighting = emptySighting();
    const found = page(contract, [{ number: 7, subject: marked }]);
    if (found === undefined) throw new Error('the page can be read');
    note(sighting, found, 'x9', 'listCases');
    expect([...sighting.nameless]).toEqual([marked]);
    const seen = (nameless: readonly string[]): unknown =>
      effectsOfTrace(planning(), trace([made]), {
        ...{
          records: new Map(),
          bearers: new Map(),
          unmarked: new Set<string>(),
          nameless: new Set(nameless),
        },
        ...{ complete: true, last: 'x9' },
      }).byMarker;
    expect(seen([])).toEqual({ 'asy-t-body': [] });
    expect(seen(['asy-t-body'])).toEqual({});
    expect(Object.values(of([made], [{ number: 7 }]).byMarker)).toEqual([]);
  });

  test('what is made within a record is looked for in the list of its collection, and counted there alone', () => {
    const one = trace([
      { id: 'made', status: 201, result: 'case_1', name: 'case' },
      { id: 'task', status: 201, operation: 'addTask', on: 'made', name: 'task' },
    ]);
    expect(effectReadsOf(planning(), one).map(({ list: shown }) => shown.id)).toEqual([
      'listCases',
      'listTasks',
    ]);
    const at = (id: string, listed: string) => ({ id, exchange: 'x9', list: listed });
    const records = new Map([
      ['asy-t-case', [at('case_1', 'listCases')]],
      ['asy-t-task', [at('case_1', 'listCases'), at('task_1', 'listTasks')]],
    ]);
    const shown = { ...emptySighting(), records, complete: true, last: 'x9' };
    expect(effectsOfTrace(planning(), one, shown).byMarker).toEqual({
      'asy-t-case': ['case_1'],
      'asy-t-task': ['task_1'],
    });
    const blind = planning([]);
    expect(effectsOfTrace(blind, one, { ...shown, records: new Map() }).byMarker).toEqual({});
  });

  test('nothing is counted in a scope whose list nobody may read', () => {
    const nobody = principals.map((one) => ({ ...one, permissions: ['case.create'] }));
    expect(of([made], [], nobody)).toEqual({ byMarker: {}, listed: undefined });
  });
});

test('a list that cannot be read leaves the effects of those alone in doubt who write to it', () => {
  const own = trace([{ id: 'made', status: 201, result: 'case_1' }]);
  const places = effectReadsOf(planning(), own).map(placeName);
  expect(places).toHaveLength(1);
  const walks = (place: string, complete: boolean, unread?: string): Parameters<typeof isSeen>[2] =>
    new Map([
      ['listCases elsewhere', { complete: false }],
      [place, { complete, unread: new Set(unread === undefined ? [] : [unread]) }],
    ]);
  const [place = ''] = places;
  const [marker] = Object.values(own.bound.markers);
  expect(isSeen(planning(), own, walks(place, true))).toBe(true);
  expect(isSeen(planning(), own, walks(place, false))).toBe(false);
  expect(isSeen(planning(), own, walks(place, true, marker))).toBe(false);
  expect(isSeen(planning(), own, new Map())).toBe(false);
});

test('what a trace made is expected in its list, but for what it deleted, or made elsewhere for that', () => {
  const idsOf = (...lines: readonly Line[]): readonly string[] =>
    madeBy(planning(), trace(lines)).map(({ id }) => id);
  const made = (id: string, result: string): Line => ({ id, status: 201, result, name: id });
  const gone = (status: number): Line => ({
    id: 'gone',
    operation: 'wipeCase',
    on: 'made',
    status,
    body: {},
  });
  const all = [made('elder', 'case_1'), made('made', 'case_2'), made('twin', 'case_3')];
  expect(idsOf(...all)).toEqual(['case_1', 'case_2', 'case_3']);
  expect(idsOf(...all, gone(409))).toEqual(['case_1', 'case_2', 'case_3']);
  expect(idsOf(...all, gone(204))).toEqual(['case_1', 'case_3']);
  const given: Line = { id: 'gone', operation: 'wipeCase', given: 'case_9', status: 204, body: {} };
  expect(idsOf(...all, given)).toEqual([]);
});

test('a sweep waits for the last command that a list shows, and not for what came after it', () => {
  const exchanges = [
    { id: 'made', status: 201, at: 1000, took: 100 },
    { id: 'closed', operation: 'closeCase', on: 'made', status: 200, at: 7000 },
    { id: 'read', operation: 'listCases', status: 200, at: 9000 },
  ];
  expect(lastWriteOf(planning(), trace(exchanges))).toBe(1100);
  expect(lastWriteOf(planning([]), trace(exchanges))).toBe(0);
});

test.each([
  ['that its declared read is of', 'addStep', 'listTasks'],
  ['and none, where another command makes what the read is of', 'createCase', undefined],
])('a command on a target has the list %s', (_, operation, expected) => {
  const getTask = {
    ...operationOf(contract, 'getCase'),
    id: 'getTask',
    path: '/tasks/{taskId}',
    pathFields: [{ name: 'taskId', schema: true, source: { operation, at: '/id' } }],
  };
  const operations = [...contract.operations, getTask].map((one) =>
    one.id === 'addStep' ? { ...one, effect: { read: 'getTask', list: 'listTasks', id: '/id' } } : one,
  );
  const tasks = { ...contract, operations };
  expect(listOfMade(tasks, operationOf(tasks, 'addStep'))?.id).toBe(expected);
});
