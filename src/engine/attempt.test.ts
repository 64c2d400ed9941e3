import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Wave } from '../model/scenario.ts';
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
