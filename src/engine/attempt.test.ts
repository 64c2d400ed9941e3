import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Json } from '../model/json.ts';
import type { Observes, Step, Wave } from '../model/scenario.ts';
import { firstOf, stageOf } from '../testing/stages.ts';
import { attempt } from './attempt.ts';
import type { Rest } from './lanes.ts';
import type { Stage } from './stage.ts';

/** Runs waves of hooks; `at` ends the run while the hook of that name works. */
async function hooked(waves: readonly Wave[], at: string) {
  const stop = new AbortController();
  const called: string[] = [];
  const stage = stageOf(contract, {
    hook: async (name) => {
      called.push(name);
      if (name === at) stop.abort();
      return { ok: true, output: null, detail: '' };
    },
    signal: stop.signal,
  });
  const trace = await attempt(stage, firstOf({ title: 't', bodies: {}, waves }));
  return { called, ended: trace.ended };
}

const waves: readonly Wave[] = ['slow', 'revoke', 'between', 'restore'].map((hook) => ({
  hook,
  as: hook,
  input: {},
}));

test('a permission that was withdrawn is given back when the run ends', async () => {
  expect(await hooked(waves, 'revoke')).toEqual({
    called: ['slow', 'revoke', 'restore'],
    ended: 'interrupted',
  });
});

test('nothing is given back that was not withdrawn', async () => {
  expect((await hooked(waves, 'slow')).called).toEqual(['slow']);
});

/** A target that settles in a second and returns these bodies in turn; time passes only in waits. */
function replying(bodies: readonly Json[], more: Partial<Stage> = {}): Stage {
  const at = { now: 0 };
  const left = [...bodies];
  return stageOf(contract, {
    clock: {
      monotonic: () => at.now,
      wall: () => 0,
      sleep: async (milliseconds) => {
        at.now += milliseconds;
      },
    },
    settleMs: 1000,
    wire: {
      sendTogether: async () => [],
      send: async () => ({
        answer: {
          ...{ status: 200, headers: [], bodyBytes: 13, truncated: false },
          body: JSON.stringify(left.shift() ?? null),
        },
        ...{ noAnswer: undefined, connection: 1, startedAt: at.now, sentAt: at.now, endedAt: at.now },
      }),
    },
    ...more,
  });
}

test('a version that was used up during a poll has its settling time too', async () => {
  const versions = new Map([['/cases/case_1 1', 900]]);
  const stage = replying(
    ['1', '1', '2'].map((version) => ({ version })),
    { usedVersions: versions },
  );
  const read: Step = {
    ...{ id: 'read', operation: 'getCase', as: 'full', role: 'setup', deviations: [] },
    ...{ key: { use: 'none' }, body: { use: 'none' }, target: { caseId: { literal: 'case_1' } } },
  };
  const trace = await attempt(
    stage,
    firstOf({ title: 't', bodies: {}, waves: [{ poll: read, until: 'found', max: 2 }] }),
  );
  expect(trace.exchanges.map(({ sentAt }) => sentAt)).toEqual([0, 1000, 1900]);
  expect([...versions.keys()]).toEqual(['/cases/case_1 1']);
});

/** Sends reads of a list that shows these items in turn: a large page, two parts, and a large page. */
async function compared(pages: readonly (readonly string[])[], settled: readonly number[] = []) {
  const read = (id: string, observes: Observes): Wave => ({
    steps: [
      {
        ...{ id, operation: 'listCases', as: 'full', role: 'test', deviations: [] },
        ...{ key: { use: 'none' }, body: { use: 'none' }, observes },
      },
    ],
  });
  const stage = replying(pages.map((ids) => ({ items: ids.map((id) => ({ id })) })));
  const [since] = settled;
  const rest: Rest = Object.assign(
    <Result>(work: () => Promise<Result>) => work(),
    since === undefined ? {} : { quieten: async () => ({ since }) },
  );
  const waves: readonly Wave[] = [
    { wait: 'quiet' },
    read('whole-0', 'whole-page'),
    read('half-0', 'part-of-page'),
    read('half-1', 'part-of-page'),
    read('whole-1', 'whole-page'),
    { when: { step: 'whole-1', was: 'contradicted' }, waves: [read('half-2', 'part-of-page')] },
  ];
  const trace = await attempt(stage, firstOf({ title: 't', bodies: {}, waves }), rest);
  return { steps: trace.exchanges.map(({ step }) => step).join(' '), begun: trace.exchanges[0]?.sentAt };
}

test.each<[string, readonly (readonly string[])[], boolean]>([
  ['all items in order', [['a', 'b', 'c'], ['a', 'b'], ['c'], ['a', 'b', 'c']], false],
  ['more items than the large pages', [['a', 'b'], ['a', 'b'], ['c'], ['a', 'b']], false],
  ['an item fewer', [['a', 'b', 'c'], ['a', 'b'], [], ['a', 'b', 'c']], true],
  [
    'an item twice',
    [
      ['a', 'b', 'c'],
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'b', 'c'],
    ],
    true,
  ],
  ['what only the first large page shows', [['a', 'b', 'c'], ['a', 'b'], ['c'], ['new', 'a', 'b']], true],
])('parts of a list that show %s are read again: %s', async (_, pages, again) => {
  expect((await compared(pages)).steps.endsWith('half-2')).toBe(again);
});

test('a quiet target is settled so long after it became quiet', async () => {
  expect((await compared([['a']], [0])).begun).toBe(1000);
  expect((await compared([['a']], [-600])).begun).toBe(400);
  expect((await compared([['a']], [-2000])).begun).toBe(0);
});

test('what was queued is read for longer than a write that was done, and only then', async () => {
  const making = (status: number, shownAfter: number): Stage => {
    let now = 0;
    const clock: Stage['clock'] = {
      ...{ monotonic: () => now, wall: () => 0 },
      sleep: async (milliseconds) => {
        now += milliseconds;
      },
    };
    const replied = (made: boolean) => ({
      answer: {
        ...{ status: made ? status : now < shownAfter ? 404 : 200, headers: [] },
        ...{ body: '{"id":"case_1"}', bodyBytes: 15, truncated: false },
      },
      ...{ noAnswer: undefined, connection: 1, startedAt: now, sentAt: now, endedAt: now },
    });
    const send: Stage['wire']['send'] = async ({ method }) => replied(method === 'POST');
    return stageOf(contract, { clock, settleMs: 0, wire: { send, sendTogether: async () => [] } });
  };
  const common = {
    as: 'full',
    role: 'setup',
    key: { use: 'none' },
    body: { use: 'none' },
    deviations: [],
  } as const;
  const make: Step = { ...common, id: 'make', operation: 'createCase' };
  const read: Step = {
    ...{ ...common, id: 'make-done', operation: 'getCase' },
    target: { caseId: { step: 'make', at: '/id' } },
  };
  const readsOf = async (status: number, shownAfter: number): Promise<readonly (number | undefined)[]> => {
    const waves: readonly Wave[] = [
      { steps: [make] },
      { poll: read, until: 'found', max: 8, queuedBy: 'make' },
    ];
    const trace = await attempt(making(status, shownAfter), firstOf({ title: 't', bodies: {}, waves }));
    return trace.exchanges.slice(1).map(({ answer }) => answer?.status);
  };
  expect(await readsOf(202, 1000)).toEqual([404, 404, 404, 404, 200]);
  expect(await readsOf(202, 0)).toEqual([200]);
  expect(await readsOf(202, 60_000)).toHaveLength(8);
  expect(await readsOf(201, 1000)).toEqual([]);
});

test.each<[string, readonly number[], readonly string[]]>([
  ['none was', [], ['first', 'one', 'two']],
  ['too few were', [100], ['first', 'one', 'two']],
  ['enough were before it', [-1, -2], ['first', 'one', 'two']],
  ['enough were', [100, 200], ['first']],
])('commands that only come between are sent unless enough were accepted: %s', async (_, times, sent) => {
  const command = (id: string): Step => ({
    ...{ id, operation: 'createCase', as: 'full', role: 'setup', deviations: [] },
    ...{ key: { use: 'named', name: id }, body: { use: 'none' } },
  });
  const unless = { accepted: 2, since: 'first' };
  const stage = replying([{ id: 'case_1' }], {
    acceptedCommands: new Map([['createCase full', [...times]]]),
  });
  const waves: readonly Wave[] = [
    { steps: [command('first')] },
    ...['one', 'two'].map((id): Wave => ({ steps: [command(id)], unless })),
  ];
  const trace = await attempt(stage, firstOf({ title: 't', bodies: {}, waves }));
  expect(trace.exchanges.map(({ step }) => step)).toEqual(sent);
});

test.each<[string, readonly (readonly string[])[], readonly string[]]>([
  ['shows items', [['a'], ['a', 'b']], ['page', 'page']],
  ['never shows one', [[], []], ['page', 'page']],
  ['fills', [[], ['a']], ['page', 'page']],
  ['empties', [['a'], []], ['page', 'page', 'after']],
])('what follows an emptied list is sent only where the list %s', async (_, pages, sent) => {
  const read = (id: string): Step => ({
    ...{ id, operation: 'listCases', as: 'full', role: 'test', deviations: [] },
    ...{ key: { use: 'none' }, body: { use: 'none' } },
  });
  const stage = replying(pages.map((ids) => ({ items: ids.map((id) => ({ id })) })));
  const waves: readonly Wave[] = [
    { steps: [read('page')] },
    { steps: [read('page')] },
    { when: { step: 'page', was: 'emptied' }, waves: [{ steps: [read('after')] }] },
  ];
  const trace = await attempt(stage, firstOf({ title: 't', bodies: {}, waves }));
  expect(trace.exchanges.map(({ step }) => step)).toEqual(sent);
});
