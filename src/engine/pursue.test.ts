import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Violation } from '../judge.ts';
import type { Scenario } from '../model/scenario.ts';
import { planningOf } from '../testing/plans.ts';
import { stageOf } from '../testing/stages.ts';
import type { PlannedProbe } from './plan.ts';
import { runPlan } from './run.ts';

const failed: Violation = {
  clause: {
    ...{ code: 'ERR-1', level: 'derived', text: '', test: '', violation: '', fix: '' },
    source: { where: '', quote: '' },
    applies: () => true,
    judges: [],
  },
  ruling: {
    ...{ operation: 'createCase', verdict: 'violated', exchanges: ['x1'] },
    ...{ expected: '', actual: '', because: '' },
  },
  passing: true,
};

const nothing: Scenario = { title: 'sends nothing', bodies: {}, waves: [] };
const probe = (id: string): PlannedProbe => ({
  suite: 's',
  probe: { kind: 'probe', id, operation: 'createCase', clauses: ['ERR-1'], scenarios: [nothing] },
  seed: 1,
});

/** A promise, and what resolves it. */
function signal(): [Promise<void>, () => void] {
  let resolved = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    resolved = resolve;
  });
  return [promise, () => resolved()];
}

test('a 5xx that fails each time is repeated, though one that fails twice is being repeated when it appears', async () => {
  const purposes: string[] = [];
  const [again, repeated] = signal();
  const [other, appeared] = signal();
  let ids = 0;
  await runPlan({
    stage: stageOf(contract, {}),
    planning: planningOf(contract),
    plan: { probes: [probe('twice'), probe('each time')], skips: [] },
    ledger: {
      see: (trace) => {
        purposes.push(`${trace.probe}: ${trace.purpose}`);
        if (trace.probe === 'twice' && trace.purpose === 'repeat') repeated();
        return trace.probe === 'each time' || trace.attempt < 2 ? [failed] : [];
      },
      seeEffects: () => [],
      isOpen: () => false,
      skip: () => undefined,
      finish: () => [],
      failures: () => [],
    },
    nextTrace: () => {
      ids += 1;
      return `t${ids}`;
    },
    concurrency: 4,
    shrinkRequests: 0,
    recordTrace: async ({ attempt, probe: of, purpose }) => {
      const first = purpose === 'first';
      if (of === 'each time') {
        // Only once the other one has failed again.
        if (first) await again;
        else appeared();
      } else if (attempt === 2) await Promise.race([other, new Promise((resolve) => setImmediate(resolve))]);
    },
    recordEffects: () => undefined,
    onEvent: () => undefined,
    halt: () => undefined,
  });
  expect(purposes).toContain('each time: repeat');
});
