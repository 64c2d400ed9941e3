import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Step, Wave } from '../model/scenario.ts';
import { firstOf, stageOf } from '../testing/stages.ts';
import { attempt } from './attempt.ts';

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

test('a version that was used up during a poll has its settling time too', async () => {
  const at = { now: 0 };
  const shows = [1, 1, 2];
  const versions = new Map([['/cases/case_1 1', 900]]);
  const stage = stageOf(contract, {
    clock: {
      monotonic: () => at.now,
      wall: () => 0,
      sleep: async (milliseconds) => {
        at.now += milliseconds;
      },
    },
    settleMs: 1000,
    usedVersions: versions,
    wire: {
      sendTogether: async () => [],
      send: async () => ({
        answer: {
          ...{ status: 200, headers: [], bodyBytes: 13, truncated: false },
          body: JSON.stringify({ version: String(shows.shift()) }),
        },
        ...{ noAnswer: undefined, connection: 1, startedAt: at.now, sentAt: at.now, endedAt: at.now },
      }),
    },
  });
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
