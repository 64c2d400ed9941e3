import { expect, test } from 'vitest';
import { StoppedPlanning } from '../model/stopped-planning.ts';
import { usualMeans } from './means.ts';
import { planner } from './planned.ts';
import { openSession } from './session.ts';

test('a plan that is being made can be stopped', async () => {
  const session = await openSession('fixtures/contracts/extended.config.yaml', { budget: 'quick', seed: 1 });
  const stop = new AbortController();
  const plan = await planner(
    session,
    session.planning(new Map()),
    {},
    {
      signal: stop.signal,
      means: usualMeans,
    },
  );
  // What is heard only between two proposals.
  setImmediate(() => stop.abort());
  await expect(plan()).rejects.toThrow(StoppedPlanning);
});
