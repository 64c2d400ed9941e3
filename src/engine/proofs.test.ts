import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { principal } from '../testing/plans.ts';
import { stageOf } from '../testing/stages.ts';
import type { Rest } from './lanes.ts';
import { makeProofs } from './proofs.ts';

/** How the principals fare each time that they are tried: those that are not named succeed. */
function tried(
  statuses: Readonly<Record<string, readonly number[]>> = {},
  signal = new AbortController().signal,
) {
  const log: string[] = [];
  const proofs = makeProofs(
    {
      principals: ['one', 'two', 'three'].map((name) => principal(name)),
      usesOf: ({ name }) => [{ record: name, alone: true }],
      prove: async (who) => {
        const status = statuses[who.name]?.[log.filter((name) => name === who.name).length] ?? 200;
        log.push(who.name);
        const answer = { status, headers: [], body: '', bodyBytes: 0, truncated: false };
        return { succeeded: status === 200, results: [{ got: { answer } }] };
      },
    },
    stageOf(contract, { signal }),
  );
  return { log, proofs };
}

/** A lane as it is where nothing has to wait. */
const lane: Rest = Object.assign(<Result>(work: () => Promise<Result>) => work(), { reserves: () => false });

test('each principal is tried once, before its first use', async () => {
  const { log, proofs } = tried();
  await Promise.all([proofs.of(['one', 'one', 'known before'], lane), proofs.of(['one'], lane)]);
  expect(log).toEqual(['one']);
  await proofs.of(['one', 'two', 'three'], lane);
  expect(log).toEqual(['one', 'two', 'three']);
});

test('who waits until another scenario has tried its principal gives up its lane meanwhile', async () => {
  const { log, proofs } = tried();
  let rests = 0;
  const resting: Rest = (work) => {
    rests += 1;
    return work();
  };
  await Promise.all([proofs.of(['one'], lane), proofs.of(['one'], resting)]);
  expect({ log, rests }).toEqual({ log: ['one'], rests: 1 });
});

test('who keeps others from a lane tries its principal again, and waits for nobody', async () => {
  const { log, proofs } = tried();
  const alone: Rest = Object.assign(<Result>(work: () => Promise<Result>) => work(), {
    reserves: () => true,
  });
  await Promise.all([proofs.of(['one'], lane), proofs.of(['one'], alone)]);
  expect(log).toEqual(['one', 'one']);
});

test('who met a target that was too busy is tried again, and who was refused is not', async () => {
  const { log, proofs } = tried({ one: [503], two: [401], three: [429, 429] });
  await proofs.of(['one', 'two', 'three'], lane);
  expect(log.sort()).toEqual(['one', 'one', 'three', 'three', 'two']);
});

test('nobody is tried again once the run is over', async () => {
  const { log, proofs } = tried({ one: [503] }, AbortSignal.abort());
  await proofs.of(['one'], lane);
  expect(log).toEqual(['one']);
});

test('a proof that is still to come needs its records', async () => {
  const { proofs } = tried();
  await proofs.of(['one'], lane);
  expect(proofs.uses(['one', 'two', 'known before'])).toEqual([{ record: 'two', alone: true }]);
});
