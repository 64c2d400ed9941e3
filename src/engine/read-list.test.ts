import { describe, expect, test } from 'vitest';
import { contract, principals } from '../clauses/cases/contract.ts';
import { type Operation, operationOf } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { planningOf } from '../testing/plans.ts';
import { stageOf } from '../testing/stages.ts';
import { type Lookups, noLookups } from './lookups.ts';
import { readList } from './read-list.ts';
import { emptySighting } from './sweep.ts';
import { newWalk, type Walk } from './walk.ts';

type Style = 'cursor' | 'page' | 'offset';
type Item = { readonly id: string; readonly text: string };

const marker = (index: number): string => `asy-${String(index).padStart(16, '0')}`;
const older = (count: number): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: `old-${index}`, text: 'of another day' }));
const ours = (count: number, from = 0): Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: `new-${from + index}`, text: marker(from + index) }));
const listOf = (style: Style, next = style === 'cursor'): Operation => ({
  ...operationOf(contract, 'listCases'),
  pagination: {
    limit: 'limit',
    cursor: 'at',
    style,
    items: '/items',
    next: next ? '/next' : undefined,
  },
});

/** Reads a list of a service that has `items`, in pages of 100, and counts the requests. */
async function read(
  style: Style,
  items: readonly Item[],
  walk: Walk,
  made: readonly Item[],
  {
    behind,
    failing = 0,
    filter,
    grow = () => [],
    onSleep = () => undefined,
  }: {
    readonly grow?: (requests: number) => readonly Item[];
    readonly filter?: {
      readonly lookups: Lookups;
      readonly passes: (item: Item, wanted: string) => boolean;
    };
    readonly failing?: number;
    /** How pages behind the last one are refused, in a list whose pages lead from one to the next. */
    readonly behind?: number;
    readonly onSleep?: () => void;
  } = {},
) {
  const traces: Trace[] = [];
  const grown: Item[] = [];
  let requests = 0;
  const list = listOf(style, behind === undefined ? undefined : true);
  const of = {
    ...contract,
    operations: contract.operations.map((one) => (one.id === list.id ? list : one)),
  };
  const stage = stageOf(of, {
    clock: { monotonic: () => 0, wall: () => 0, sleep: async () => onSleep() },
    wire: {
      send: async ({ path }) => {
        requests += 1;
        const query = new URL(path, 'http://x').searchParams;
        const wanted = query.get('text');
        const at = Number(query.get('at') ?? 0);
        const from = style === 'page' ? at * 100 : at;
        const listed = grown.length === 0 ? items : [...items, ...grown];
        const all =
          wanted === null || filter === undefined
            ? listed
            : listed.filter((item) => filter.passes(item, wanted));
        const page = all.slice(from, from + 100);
        grown.push(...grow(requests));
        const next = from + 100 >= all.length ? null : String(style === 'page' ? at + 1 : from + 100);
        const status = page.length === 0 && behind !== undefined ? behind : 200;
        const body = JSON.stringify({ items: page, next });
        return {
          answer: {
            status: requests <= failing ? 503 : status,
            headers: [],
            body,
            bodyBytes: body.length,
            truncated: false,
          },
          noAnswer: undefined,
          connection: 1,
          startedAt: 0,
          sentAt: 0,
          endedAt: 0,
        };
      },
      sendTogether: async () => [],
    },
    nextExchange: () => `x${requests}`,
  });
  const sighting = emptySighting();
  const mine = new Set(items.filter(({ id }) => id.startsWith('new')).map(({ text }) => text));
  const [reader] = principals;
  if (reader === undefined) throw new Error('the literal contract has principals');
  const { complete, unread } = await readList(
    {
      stage,
      planning: planningOf(of, { principals }),
      ledger: {
        see: () => [],
        seeEffects: () => [],
        isOpen: () => false,
        skip: () => undefined,
        finish: () => [],
        failures: () => [],
      },
      nextTrace: () => `t${traces.length}`,
      recordTrace: (trace: Trace) => void traces.push(trace),
    },
    {
      list,
      scope: undefined,
      reader,
      sighting,
      rest: (work) => work(),
      walk,
      own: {
        has: (text) => mine.has(text),
        formed: () => undefined,
      },
      expected: new Set(made.map(({ id }) => id)),
      lookups: filter?.lookups ?? noLookups,
    },
  );
  return { complete, requests, found: sighting.records.size, unread: [...(unread ?? [])], traces };
}

const styles = ['cursor', 'page', 'offset'] as const;
const million = older(1_000_000);

describe.each(styles)('a list read by %s', (style) => {
  test('of a few pages is read to its end, wherever a record is', async () => {
    const made = ours(150);
    const { complete, found } = await read(
      style,
      [...made.slice(0, 50), ...older(600), ...made.slice(50)],
      newWalk(),
      made.slice(0, 50),
    );
    expect({ complete, found }).toEqual({ complete: true, found: 150 });
  });

  test('with a million older records behind the new ones is read at its beginning alone', async () => {
    const made = ours(150);
    const walk = newWalk();
    const first = await read(style, [...made, ...million], walk, made);
    expect(first).toMatchObject({ complete: true, found: 150 });
    expect(first.requests).toBeLessThanOrEqual(10);
    const more = [...ours(20, 150), ...made];
    const second = await read(style, [...more, ...million], walk, more);
    expect(second).toMatchObject({ complete: true, found: 170 });
    expect(second.requests).toBeLessThanOrEqual(4);
  });
});

test.each(['page', 'offset'] as const)(
  'a million older records before the new ones are passed over where pages are numbered (%s)',
  async (style) => {
    const made = ours(150);
    const walk = newWalk();
    const first = await read(style, [...million, ...made], walk, made);
    expect(first).toMatchObject({ complete: true, found: 150 });
    expect(first.requests).toBeLessThanOrEqual(50);
    const more = ours(20, 150);
    const second = await read(style, [...million, ...made, ...more], walk, more);
    expect(second.complete).toBe(true);
    expect(second.requests).toBeLessThanOrEqual(4);
  },
);

test.each([
  ['page', 404],
  ['offset', 416],
  ['page', 422],
  ['offset', 400],
] as const)(
  'a long list by %s ends where pages are refused with %i, though each leads to the next',
  async (style, status) => {
    const made = ours(130);
    const items = [...older(50_000), ...made];
    const { complete, found } = await read(style, items, newWalk(), made, { behind: status });
    expect([complete, found]).toEqual([true, made.length]);
  },
);

describe.each(['page', 'offset'] as const)('a list by %s that lacks a record', (style) => {
  const made = ours(150);

  test('because a deletion moved it over the border of two pages is walked again', async () => {
    const items = [...older(60), ...made];
    const { complete, found } = await read(style, items, newWalk(), made, {
      grow: (requests) => {
        if (requests === 1) items.shift();
        return [];
      },
    });
    expect({ complete, found }).toEqual({ complete: true, found: 150 });
  });

  test('that is in no walk is read to its end three times', async () => {
    const [lost, ...there] = made;
    if (lost === undefined) throw new Error('150 were made');
    const { complete, found, requests } = await read(style, [...older(60), ...there], newWalk(), made);
    expect({ complete, found, requests }).toEqual({ complete: true, found: 149, requests: 12 });
  });

  test('that hides a record at the border of two pages is walked again when all replicas know of the deletion', async () => {
    const [hidden, ...there] = made;
    if (hidden === undefined) throw new Error('150 were made');
    const items = [...older(60), ...there];
    const settled = (): void => void items.push(hidden);
    const { complete, found } = await read(style, items, newWalk(), made, { onSleep: settled });
    expect({ complete, found }).toEqual({ complete: true, found: 150 });
  });
});

test.each(styles)(
  'a list by %s that shows the same page again and again is soon left alone',
  async (style) => {
    const made = ours(40);
    const page = [...made, ...older(60)];
    const items = Array.from({ length: 500 }, () => page).flat();
    const { complete, requests } = await read(style, items, newWalk(), made);
    expect(complete).toBe(false);
    expect(requests).toBe(4);
  },
);

test('a list whose pages overlap far is soon left alone, one whose pages share a few records is not', async () => {
  const all = [...older(900), ...ours(100)];
  const inSteps = (of: number): readonly Item[] =>
    Array.from({ length: Math.floor(900 / of) + 1 }, (_, page) =>
      all.slice(page * of, page * of + 100),
    ).flat();
  const far = await read('cursor', inSteps(2), newWalk(), ours(100));
  expect(far).toMatchObject({ complete: false, requests: 7 });
  const near = await read('cursor', inSteps(90), newWalk(), ours(100));
  expect(near).toMatchObject({ complete: true, found: 100 });
});

test('where only a cursor leads on, a list is read once, up to a budget, and then from where that ended', async () => {
  const made = ours(30);
  const walk = newWalk();
  const long = [...older(60_000), ...made];
  const first = await read('cursor', long, walk, made);
  expect(first).toMatchObject({ complete: false, found: 0 });
  const all = [...older(20_000), ...made];
  const fresh = newWalk();
  expect(await read('cursor', all, fresh, made)).toMatchObject({ complete: true, found: 30 });
  const more = ours(20, 30);
  const second = await read('cursor', [...all, ...more], fresh, more);
  expect(second.complete).toBe(true);
  expect(second.requests).toBeLessThanOrEqual(2);
});

test('new records in between, or one that is missing, make no end of a long list', async () => {
  const made = ours(10);
  const [lost, ...there] = made;
  const scattered = [...there.slice(0, 4), ...older(2000), ...there.slice(4), ...older(60_000)];
  expect((await read('cursor', scattered, newWalk(), there)).complete).toBe(false);
  if (lost === undefined) throw new Error('ten were made');
  expect((await read('cursor', [...there, ...older(60_000)], newWalk(), [lost, ...there])).complete).toBe(
    false,
  );
});

describe.each(['page', 'offset'] as const)('a list by %s that others add to while it is read', (style) => {
  test('is read to where it ended', async () => {
    const made = ours(30);
    const items = [...older(761), ...made];
    const others = (requests: number): readonly Item[] =>
      older(4).map(({ text }, index) => ({ id: `late-${requests}-${index}`, text }));
    const { complete, found, requests } = await read(style, items, newWalk(), made, { grow: others });
    expect({ complete, found }).toEqual({ complete: true, found: 30 });
    expect(requests).toBeLessThanOrEqual(12);
  });

  test('is not followed for ever after a record that is missing', async () => {
    const [lost, ...there] = ours(10);
    if (lost === undefined) throw new Error('ten were made');
    const others = (requests: number): readonly Item[] => [{ id: `late-${requests}`, text: 'late' }];
    const { complete, requests } = await read(style, there, newWalk(), [lost, ...there], { grow: others });
    expect(requests).toBeLessThanOrEqual(60);
    if (style === 'offset') expect(complete).toBe(false);
  });
});

describe('a filter of a long list that only a cursor leads through', () => {
  const all = [...older(90_000), ...ours(30)];
  const made = ours(20);
  const [, twice = made[0]] = made;
  const lookups: Lookups = {
    fields: ['text'],
    lookups: ours(40).map(({ text }, index) => ({ marker: text, text, made: index < 20 })),
    elsewhere: new Set([marker(50)]),
  };
  const asked = (passes: (item: Item, wanted: string) => boolean, items: readonly Item[] = all) =>
    read('cursor', items, newWalk(), made, { filter: { lookups, passes } });

  test('that searches within texts shows all records of the run at once', async () => {
    const seen = await asked(({ text }, wanted) => text.includes(wanted));
    expect(seen).toMatchObject({ complete: true, found: 30, unread: [marker(50)] });
    expect(seen.requests).toBeLessThanOrEqual(12);
  });

  test('that compares whole texts is asked for each of them, and shows a record that is there twice', async () => {
    if (twice === undefined) throw new Error('twenty were made');
    const seen = await asked(({ text }, wanted) => text === wanted, [...all, { ...twice, id: 'twin' }]);
    expect(seen).toMatchObject({ complete: true, found: 30, unread: [marker(50)] });
    expect(seen.requests).toBeLessThanOrEqual(60);
  });

  test.each([
    ['ignores what it is asked for', () => true],
    ['finds nothing', () => false],
    ['finds other records too', ({ text }: Item, wanted: string) => text === wanted || text.includes('day')],
    ['hides one of them', ({ id, text }: Item, wanted: string) => id !== 'new-7' && text.includes(wanted)],
  ])('that %s proves nothing', async (_, passes) => {
    expect(await asked(passes)).toMatchObject({ complete: false });
  });
});

test.each([
  [1, true, ['first', 'repeat']],
  [9, false, ['first', 'repeat', 'repeat', 'repeat']],
] as const)('after %i failures a page is read to its end: %s', async (failing, complete, purposes) => {
  const made = ours(2);
  const seen = await read('cursor', made, newWalk(), made, { failing });
  expect(seen.complete).toBe(complete);
  expect(seen.traces.map(({ purpose }) => purpose)).toEqual(purposes);
  expect(seen.traces.slice(1).map(({ repeats }) => repeats)).toEqual(purposes.slice(1).map(() => 't0'));
});

test('a list that failed through all repeats is read once more, and patiently again where it has recovered', async () => {
  const made = ours(2);
  const walk = newWalk();
  const requests = async (failing: number): Promise<number> =>
    (await read('cursor', made, walk, made, { failing })).traces.length;
  expect([await requests(9), await requests(9), await requests(0), await requests(9)]).toEqual([4, 1, 1, 4]);
});
