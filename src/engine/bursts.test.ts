import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Step } from '../model/scenario.ts';
import type { WireRequest } from '../model/wire.ts';
import { firstOf, stageOf } from '../testing/stages.ts';
import { attempt } from './attempt.ts';

const read = (id: string, as: string, role: Step['role']): Step => ({
  ...{ id, operation: 'listCases', as, role },
  ...{ key: { use: 'none' }, body: { use: 'none' }, deviations: [{ kind: 'pace' }] },
});

/** What is sent once others may use the target again, if ever; each token has a limit, which others may share. */
async function sentNarrowed(limitOf: (token: string) => readonly [name: string, most: number]) {
  const used = new Map<string, number>();
  const sent: string[] = [];
  let narrowed: number | undefined;
  const send = async ({ headers }: WireRequest) => {
    const token = headers.find(([name]) => name === 'Authorization')?.[1] ?? '';
    const [name, most] = limitOf(token);
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    sent.push(token);
    const status = count > most ? 429 : 200;
    return {
      answer: { status, headers: [], body: '{}', bodyBytes: 2, truncated: false },
      ...{ noAnswer: undefined, connection: 1, startedAt: 0, sentAt: 0, endedAt: 0 },
    };
  };
  const stage = stageOf(contract, {
    wire: { send, sendTogether: (requests) => Promise.all(requests.map(send)) },
    tokens: new Map([
      ['hasty', 'token-of-hasty'],
      ['full', 'token-of-full'],
    ]),
  });
  const burst = {
    repeat: read('burst', 'hasty', 'test'),
    alongside: ['one', 'two', 'three'].map((id) => read(id, 'full', 'readback')),
    ...{ width: 4, after: 6, max: 40, maxSeconds: 9 },
  };
  const rest = Object.assign(<Result>(work: () => Promise<Result>) => work(), {
    narrow: () => {
      narrowed = sent.length;
    },
  });
  const waves = [burst, { steps: [read('honoured', 'hasty', 'control')] }];
  await attempt(stage, firstOf({ title: 't', bodies: {}, waves }), rest);
  return narrowed === undefined ? undefined : sent.slice(narrowed);
}

test('others use the target again once a burst shows that the limit is its own', async () => {
  expect(await sentNarrowed((token) => [token, 10])).toEqual(['Bearer token-of-hasty']);
});

test('the target stays quiet where callers share the limit', async () => {
  expect(await sentNarrowed(() => ['all', 10])).toBeUndefined();
});

/**
 * How many requests of a burst were in flight at most, at a target that takes so long and serves so many; `busy`: for each
 * other one in flight, a request takes so much longer.
 */
async function widthOf(latency: number, served: number, busy = 0, usualMs?: number): Promise<number> {
  let inFlight = 0;
  let most = 0;
  let seen = 0;
  let now = 0;
  const send = async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    seen += 1;
    const status = seen > served ? 429 : 200;
    const startedAt = now;
    await new Promise((resolve) => setImmediate(resolve));
    now = startedAt + latency + busy * inFlight;
    inFlight -= 1;
    return {
      answer: { status, headers: [], body: '{}', bodyBytes: 2, truncated: false },
      ...{ noAnswer: undefined, connection: 1, startedAt, sentAt: startedAt, endedAt: now },
    };
  };
  const stage = stageOf(contract, {
    wire: { send, sendTogether: (requests) => Promise.all(requests.map(send)) },
    tokens: new Map([['hasty', 'token-of-hasty']]),
    usualMs: () => usualMs,
  });
  const burst = {
    ...{ repeat: read('burst', 'hasty', 'test'), width: 4, after: 6, max: 300, maxSeconds: 9 },
  };
  await attempt(stage, firstOf({ title: 't', bodies: {}, waves: [burst] }));
  return most;
}

test('a burst grows at a slow target that refuses nothing, and neither at a fast one nor at a busy one', async () => {
  expect([await widthOf(500, 1000), await widthOf(5, 1000), await widthOf(500, 0)]).toEqual([96, 4, 4]);
  expect(await widthOf(0, 1000, 100)).toBeLessThan(12);
});

test('a burst at a target that is known to be slow begins with as many requests a second as at a faster one', async () => {
  const refusing = (usualMs: number): Promise<number> => widthOf(usualMs, 0, 0, usualMs);
  expect([await refusing(20), await refusing(200), await refusing(500), await refusing(5000)]).toEqual([
    4, 16, 40, 96,
  ]);
});

/** Which steps are sent, and what they get, where requests of one key get these statuses in turn. */
async function sentFor(statuses: readonly number[], until?: 'throttled') {
  const left = [...statuses];
  const send = async () => ({
    answer: { status: left.shift() ?? 200, headers: [], body: '{}', bodyBytes: 2, truncated: false },
    ...{ noAnswer: undefined, connection: 1, startedAt: 0, sentAt: 0, endedAt: 0 },
  });
  const stage = stageOf(contract, {
    wire: { send, sendTogether: (requests) => Promise.all(requests.map(send)) },
  });
  const step = (id: string, deviations: Step['deviations']): Step => ({
    ...read(id, 'full', 'test'),
    deviations,
  });
  const burst = {
    ...{ repeat: step('burst', [{ kind: 'pace' }]), during: step('during', [{ kind: 'pace' }]) },
    ...{ width: 1, after: 0, max: 4, maxSeconds: 9 },
    ...(until === undefined ? {} : { until }),
  } as const;
  const unlimited = {
    when: { step: 'during', was: 'unlimited' },
    waves: [{ steps: [step('next', [])] }],
  } as const;
  const trace = await attempt(stage, firstOf({ title: 't', bodies: {}, waves: [burst, unlimited] }));
  return trace.exchanges.map((exchange) => `${exchange.step} ${exchange.answer?.status}`);
}

test('a refusal that is no 429 does not end a burst that is to be throttled', async () => {
  expect(await sentFor([409, 429, 429])).toEqual(['burst 409', 'during 429']);
  expect(await sentFor([409, 429, 429], 'throttled')).toEqual(['burst 409', 'burst 429', 'during 429']);
  expect(await sentFor([409, 503, 429], 'throttled')).toEqual(['burst 409', 'burst 503', 'during 429']);
});

test('what follows a burst without a limit comes also where nothing was sent during it', async () => {
  const accepted = ['burst 200', 'burst 200', 'burst 200', 'burst 200'];
  expect(await sentFor([])).toEqual([...accepted, 'next 200']);
  expect(await sentFor([429])).toEqual(['burst 429', 'during 200', 'next 200']);
  expect(await sentFor([429, 409])).toEqual(['burst 429', 'during 409']);
});
