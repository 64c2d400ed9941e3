import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Ledger, Violation } from '../judge.ts';
import type { Scenario, Step } from '../model/scenario.ts';
import type { WireOutcome } from '../model/wire.ts';
import { eventClock } from '../testing/event-clock.ts';
import { planningOf } from '../testing/plans.ts';
import { stageOf } from '../testing/stages.ts';
import type { PlannedProbe } from './plan.ts';
import { batch } from './rounds.ts';
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

const seesNothing: Ledger = {
  see: () => [],
  seeEffects: () => [],
  isOpen: () => false,
  skip: () => undefined,
  finish: () => [],
  failures: () => [],
};

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
      ...seesNothing,
      see: (trace) => {
        purposes.push(`${trace.probe}: ${trace.purpose}`);
        if (trace.probe === 'twice' && trace.purpose === 'repeat') repeated();
        return trace.probe === 'each time' || trace.attempt < 2 ? [failed] : [];
      },
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

test.each([
  { open: 0, repeats: 3 },
  { open: 1, repeats: 4 },
  { open: 4, repeats: 5 },
])('of the repeats of a 5xx, $open show nothing: there are $repeats', async ({ open, repeats }) => {
  let made = 0;
  const [isOpen, purposes]: [boolean[], string[]] = [[], []];
  await runPlan({
    stage: stageOf(contract, {}),
    planning: planningOf(contract, { budget: 'quick' }),
    plan: { probes: [probe('one')], skips: [] },
    ledger: {
      ...seesNothing,
      see: ({ attempt, purpose }) => {
        purposes.push(purpose);
        isOpen.push(purpose === 'repeat' && attempt <= open);
        return isOpen.at(-1) === true ? [] : [failed];
      },
      isOpen: () => isOpen.at(-1) === true,
    },
    nextTrace: () => {
      made += 1;
      return `t${made}`;
    },
    concurrency: 1,
    shrinkRequests: 0,
    recordTrace: async () => undefined,
    recordEffects: () => undefined,
    onEvent: () => undefined,
    halt: () => undefined,
  });
  expect(purposes.filter((purpose) => purpose === 'repeat')).toHaveLength(repeats);
});

test('a run waits for the repeats of what its last sweep on the way violated', async () => {
  const step: Step = {
    ...{ id: 'make', operation: 'createCase', as: 'all', role: 'setup', deviations: [] },
    ...{ key: { use: 'none' }, body: { use: 'none' } },
  };
  // Only a list shows what it would make, and nothing is sent.
  const unsent: Scenario = {
    ...nothing,
    waves: [{ when: { step: 'never', was: 'accepted' }, waves: [{ steps: [step] }] }],
  };
  const many = {
    ...probe('many'),
    probe: { ...probe('many').probe, scenarios: Array(batch + 9).fill(unsent) },
  };
  const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  let begun = 0;
  let recorded = 0;
  await runPlan({
    stage: stageOf(contract, {
      spending: { spend: () => false, spent: () => 0, spentBy: () => 0, over: () => false, left: () => 0 },
    }),
    planning: planningOf(contract),
    plan: { probes: [many], skips: [] },
    ledger: {
      ...seesNothing,
      seeEffects: () => [{ ...failed, passing: false }],
    },
    nextTrace: () => {
      begun += 1;
      return `t${begun}`;
    },
    concurrency: 8,
    shrinkRequests: 0,
    recordTrace: async ({ purpose }) => {
      if (purpose === 'repeat') await new Promise((resolve) => setTimeout(resolve, 20));
      recorded += 1;
    },
    recordEffects: later,
    onEvent: () => undefined,
    halt: () => undefined,
  });
  expect(begun).toBeGreaterThan(batch + 9);
  expect(recorded).toBe(begun);
});

test('of few lanes at the beginning, one that is taken for long holds up the others no longer than 2 s', async () => {
  const clock = eventClock();
  const [over, end] = signal();
  const startedAt: number[] = [];
  const send = async (): Promise<WireOutcome> => {
    startedAt.push(clock.monotonic());
    if (startedAt.length === 2) end();
    await over;
    const answer = { status: 200, headers: [], body: '[]', bodyBytes: 2, truncated: false };
    return { answer, noAnswer: undefined, connection: 1, startedAt: 0, sentAt: 0, endedAt: 0 };
  };
  const step: Step = {
    ...{ id: 'make', operation: 'createCase', as: 'full', role: 'test', deviations: [] },
    ...{ key: { use: 'none' }, body: { use: 'none' } },
  };
  const scenario: Scenario = { title: 'sends one command', bodies: {}, waves: [{ steps: [step] }] };
  const sending = (id: string, code: string): PlannedProbe => ({
    ...probe(id),
    probe: { ...probe(id).probe, clauses: [code], scenarios: [scenario] },
  });
  const run = runPlan({
    stage: stageOf(contract, { clock, wire: { send, sendTogether: () => Promise.all([]) } }),
    planning: planningOf(contract),
    plan: { probes: [sending('one', 'ERR-1'), sending('other', 'RID-1')], skips: [] },
    ledger: seesNothing,
    nextTrace: () => 't1',
    concurrency: 8,
    firstMs: 1,
    shrinkRequests: 0,
    recordTrace: () => undefined,
    recordEffects: () => undefined,
    onEvent: () => undefined,
    halt: () => undefined,
  });
  await clock.until(run);
  expect(startedAt).toEqual([0, 2000]);
});
