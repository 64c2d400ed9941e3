import type { Landing } from '../engine/governor.ts';
import type { AttemptOf, Stage } from '../engine/stage.ts';
import { openedGate } from '../evidence/gate.ts';
import type { Contract } from '../model/contract.ts';
import type { Scenario } from '../model/scenario.ts';

/** Nothing comes of how the requests were taken. */
export const unheededLanding: Landing = Object.assign(() => undefined, {
  sent: () => undefined,
  ended: () => undefined,
});

/** What attempts share: time stands still, everything is admitted, and hooks work; nothing is sent where `more` has no wire. */
export function stageOf(contract: Contract, more: Partial<Stage>): Stage {
  return {
    contract,
    wire: {
      send: () => Promise.reject(new Error('nothing is sent here')),
      sendTogether: () => Promise.reject(new Error('nothing is sent here')),
    },
    clock: { monotonic: () => 0, wall: () => 0, sleep: async () => undefined },
    governor: {
      ...{ admit: async () => unheededLanding, atOnce: ({ length }) => length },
      ...{ forget: () => undefined, least: () => 0, areShared: () => false },
    },
    spending: { spend: () => true, spent: () => 0, spentBy: () => 0, over: () => false, left: () => 9 },
    redaction: openedGate,
    tokens: new Map([['full', 'a-token-of-the-test']]),
    basePath: '',
    extraHeaders: [],
    nonce: 'n',
    settleMs: 0,
    guidance: undefined,
    retries: 3,
    maxWaitMs: 0,
    hook: async () => ({ ok: true, output: null, detail: '' }),
    nextExchange: () => 'x1',
    record: () => undefined,
    signal: new AbortController().signal,
    ...more,
  };
}

/** The first attempt of a scenario. */
export function firstOf(scenario: Scenario): AttemptOf {
  return {
    ...{ id: 't1', suite: 's', probe: 'p', scenarioIndex: 0, attempt: 0, seed: 1, path: undefined },
    ...{ purpose: 'first', repeats: undefined, scenario },
  };
}
