import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Exchange, NoResponse } from '../model/exchange.ts';
import type { Step, Wave } from '../model/scenario.ts';
import type { WireOutcome } from '../model/wire.ts';
import { firstOf, stageOf, unheededLanding } from '../testing/stages.ts';
import { attempt } from './attempt.ts';

const lost = (reason: NoResponse['reason']): WireOutcome => ({
  answer: undefined,
  noAnswer: { reason, detail: reason, partial: undefined },
  connection: 1,
  startedAt: 1,
  sentAt: 1,
  endedAt: 2,
});
const found: WireOutcome = {
  answer: { status: 200, headers: [], body: '{}', bodyBytes: 2, truncated: false },
  noAnswer: undefined,
  connection: 2,
  startedAt: 3,
  sentAt: 3,
  endedAt: 4,
};
const read: Step = {
  id: 'read',
  operation: 'listCases',
  as: 'full',
  role: 'test',
  key: { use: 'none' },
  body: { use: 'none' },
  deviations: [],
};
const command: Step = {
  ...read,
  operation: 'createCase',
  key: { use: 'named', name: 'key' },
  body: { use: 'named', name: 'body' },
};

/** Sends one step to a service with the given responses, in sequence. */
async function sent(step: Step, outcomes: readonly WireOutcome[]): Promise<Exchange | undefined> {
  const left = [...outcomes];
  const stage = stageOf(contract, {
    wire: { send: async () => left.shift() ?? found, sendTogether: async () => [] },
  });
  const trace = await attempt(
    stage,
    firstOf({
      title: 't',
      bodies: { body: { value: { subject: 'x' }, marker: undefined } },
      waves: [{ steps: [step] }],
    }),
  );
  return trace.exchanges[0];
}

test.each(['reset', 'closed'] as const)('a read that is lost once (%s) is sent again', async (reason) => {
  const exchange = await sent(read, [lost(reason), found]);
  expect(exchange?.answer?.status).toBe(200);
  expect(exchange?.earlier).toMatchObject([{ answer: undefined, noAnswer: { reason }, waited: 0 }]);
});

test.each<readonly [string, Step, readonly WireOutcome[], number]>([
  ['a read that is lost twice', read, [lost('reset'), lost('reset'), found], 1],
  ['a read that comes to no end', read, [lost('timeout'), found], 0],
  ['a read on a connection of its own', { ...read, transport: 'fresh' }, [lost('reset'), found], 0],
  ['a command', command, [lost('reset'), found], 0],
])('%s has no response', async (_, step, outcomes, earlier) => {
  const exchange = await sent(step, outcomes);
  expect(exchange?.answer).toBeUndefined();
  expect(exchange?.earlier).toHaveLength(earlier);
});

test('a token that is cut to that of another principal is changed otherwise', async () => {
  let authorization: string | undefined;
  const stage = stageOf(contract, {
    tokens: new Map([
      ['full', 'token-10'],
      ['peer', 'token-1'],
    ]),
    wire: {
      send: async ({ headers }) => {
        authorization = headers.find(([name]) => name === 'Authorization')?.[1];
        return found;
      },
      sendTogether: async () => [],
    },
  });
  const step: Step = { ...read, token: 'truncated', deviations: [{ kind: 'credential', how: 'mutated' }] };
  await attempt(stage, firstOf({ title: 't', bodies: {}, waves: [{ steps: [step] }] }));
  expect(authorization).toBe('Bearer xtoken-10');
});

test('a step of an operation that is given up is not sent, and says why', async () => {
  let sends = 0;
  const stage = stageOf(contract, {
    vain: {
      note: () => false,
      reason: (operation) => ({ text: `${operation} returned nothing but 429`, was: 'throttled' }),
    },
    wire: {
      send: async () => {
        sends += 1;
        return found;
      },
      sendTogether: async () => [],
    },
  });
  const { ended, exchanges } = await attempt(
    stage,
    firstOf({ title: 't', bodies: {}, waves: [{ steps: [read] }] }),
  );
  expect([sends, ended]).toEqual([0, 'complete']);
  expect(exchanges[0]?.noAnswer).toMatchObject({
    reason: 'harness',
    detail: 'not sent: listCases returned nothing but 429',
  });
});

test.each([
  [201, ['read', 'accepted']],
  [422, ['read', 'refused']],
  [500, ['read', 'refused', 'failed']],
])('what follows a %i depends on what it was', async (status, expected) => {
  const stage = stageOf(contract, {
    wire: {
      send: async () => ({
        ...found,
        answer: { ...found.answer, status } as NonNullable<WireOutcome['answer']>,
      }),
      sendTogether: async () => [],
    },
  });
  const then = (was: 'accepted' | 'refused' | 'failed'): Wave => ({
    when: { step: 'read', was },
    waves: [{ steps: [{ ...read, id: was }] }],
  });
  const waves = [{ steps: [read] }, then('accepted'), then('refused'), then('failed')];
  const trace = await attempt(stage, firstOf({ title: 't', bodies: {}, waves }));
  expect([...new Set(trace.exchanges.map(({ step }) => step))]).toEqual(expected);
});

test('what cannot be sent for want of an earlier response is not waited for, to be sent again', async () => {
  const slept: number[] = [];
  const stage = stageOf(contract, {
    wire: { send: async () => found, sendTogether: async () => [] },
    clock: {
      monotonic: () => 0,
      wall: () => 0,
      sleep: async (milliseconds) => void slept.push(milliseconds),
    },
  });
  const target = { caseId: { step: 'never', at: '/id' } };
  const one: Step = { ...read, id: 'one', operation: 'getCase', target };
  const again: Wave = {
    when: { step: 'one', was: 'refused' },
    waves: [{ wait: 1000 }, { steps: [{ ...one, id: 'again' }] }],
  };
  const trace = await attempt(stage, firstOf({ title: 't', bodies: {}, waves: [{ steps: [one] }, again] }));
  expect(trace.exchanges.map(({ noAnswer, step }) => [step, noAnswer?.reason])).toEqual([['one', 'harness']]);
  expect(slept).toEqual([]);
});

test.each([
  ['setup', ['one', 'two', 'three']],
  ['test', ['one two three']],
] as const)('steps of one wave whose role is %s', async (role, expected) => {
  const turns: string[] = [];
  const admitted: number[] = [];
  let inFlight = 0;
  let most = 0;
  const sending = async (): Promise<WireOutcome> => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise((resolve) => setImmediate(resolve));
    inFlight -= 1;
    return found;
  };
  const names = ['one', 'two', 'three'] as const;
  const stage = stageOf(contract, {
    governor: {
      ...stageOf(contract, {}).governor,
      admit: async ({ senders }) => {
        const from = admitted.reduce((sum, count) => sum + count, 0);
        turns.push(names.slice(from, from + senders.length).join(' '));
        admitted.push(senders.length);
        return unheededLanding;
      },
    },
    wire: { send: sending, sendTogether: (requests) => Promise.all(requests.map(sending)) },
  });
  const steps = names.map((id): Step => ({ ...read, id, role }));
  const trace = await attempt(stage, firstOf({ title: 't', bodies: {}, waves: [{ steps }] }));
  expect(turns).toEqual(expected);
  expect(most).toBe(3);
  expect(trace.exchanges.map(({ step }) => step)).toEqual(names);
});

test('a step that only prepares is sent again after a 429, once the others of its wave are sent', async () => {
  const throttled: WireOutcome = {
    ...found,
    answer: { status: 429, headers: [['Retry-After', '1']], body: '{}', bodyBytes: 2, truncated: false },
  };
  const outcomes = [throttled, found, found];
  const stage = stageOf(contract, {
    retries: 3,
    maxWaitMs: 60_000,
    wire: { send: async () => outcomes.shift() ?? found, sendTogether: async () => [] },
  });
  const steps = ['one', 'two'].map((id): Step => ({ ...read, id, role: 'setup' }));
  const trace = await attempt(stage, firstOf({ title: 't', bodies: {}, waves: [{ steps }] }));
  expect(trace.exchanges.map(({ step, answer, earlier }) => [step, answer?.status, earlier.length])).toEqual([
    ['two', 200, 0],
    ['one', 200, 1],
  ]);
});
