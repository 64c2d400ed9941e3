import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { openedGate } from '../evidence/gate.ts';
import type { Wave } from '../model/scenario.ts';
import { attempt } from './attempt.ts';
import type { Stage } from './stage.ts';

/** Runs waves of hooks; `at` ends the run while the hook of that name works. */
async function hooked(waves: readonly Wave[], at: string) {
  const stop = new AbortController();
  const called: string[] = [];
  const stage: Stage = {
    contract,
    wire: {
      send: () => Promise.reject(new Error('nothing is sent here')),
      sendTogether: () => Promise.reject(new Error('nothing is sent here')),
    },
    clock: { monotonic: () => 0, wall: () => 0, sleep: async () => undefined },
    governor: { admit: async () => true, throttled: () => undefined, waited: () => 0, least: () => 0 },
    spending: { spend: () => true, spent: () => 0, over: () => false, left: () => 9 },
    redaction: openedGate,
    tokens: new Map(),
    basePath: '',
    extraHeaders: [],
    nonce: 'n',
    settleMs: 0,
    guidance: undefined,
    retries: 3,
    maxWaitMs: 0,
    hook: async (name) => {
      called.push(name);
      if (name === at) stop.abort();
      return { ok: true, output: null, detail: '' };
    },
    nextExchange: () => 'x1',
    record: () => undefined,
    signal: stop.signal,
  };
  const trace = await attempt(stage, {
    id: 't1',
    suite: 's',
    probe: 'p',
    scenarioIndex: 0,
    attempt: 0,
    seed: 1,
    path: undefined,
    purpose: 'first',
    repeats: undefined,
    scenario: { title: 't', bodies: {}, waves },
  });
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
