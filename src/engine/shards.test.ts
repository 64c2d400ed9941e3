import { expect, test } from 'vitest';
import type { Step } from '../model/scenario.ts';
import { operation } from '../selftest/shapes/document.ts';
import type { Probe } from '../suite-kit/suite.ts';
import { contractOf } from '../testing/contracts.ts';
import { planningOf } from '../testing/plans.ts';
import { requestsOfProbe } from './estimate.ts';
import type { Plan, PlannedProbe } from './plan.ts';
import { partsOf } from './shards.ts';

const contract = await contractOf(
  operation('POST /scenarios', 'createCase'),
  operation('PUT /limits', 'setLimits'),
);
const planning = planningOf(contract, { principals: [] });

const step = (operation: string, more: Partial<Step> = {}): Step => ({
  id: 's',
  operation,
  as: 'full',
  role: 'test',
  key: { use: 'none' },
  body: { use: 'none' },
  deviations: [],
  ...more,
});

function probe(id: string, steps: readonly Step[], more: Partial<Probe> = {}): PlannedProbe {
  const operation = steps[0]?.operation ?? 'createCase';
  const waves = steps.map((each) => ({ steps: [each] as const }));
  const scenarios = [{ title: id, bodies: {}, waves }];
  return {
    suite: 'suite',
    seed: 1,
    probe: { kind: 'probe', id, operation, clauses: [], scenarios, ...more },
  };
}

const times = (count: number): readonly Step[] => Array.from({ length: count }, () => step('createCase'));
const plain = [9, 1, 5, 3, 3, 8, 2, 2, 7, 4].map((count, index) => probe(`p${index}`, times(count)));
const plan = (probes: readonly PlannedProbe[]): Plan => ({ probes, skips: [] });
const names = (probes: readonly PlannedProbe[]): readonly string[] => probes.map((one) => one.probe.id);

test.each([1, 2, 3, 7, 20])('%i shards hold each probe once, evenly, in the order of the plan', (count) => {
  const { last, shards } = partsOf(plan(plain), planning, count);
  expect(last).toEqual([]);
  expect(shards).toHaveLength(count);
  expect(shards.flatMap(names).toSorted()).toEqual(names(plain).toSorted());
  const order = names(plain);
  for (const each of shards)
    expect(names(each)).toEqual(
      names(each).toSorted((one, other) => order.indexOf(one) - order.indexOf(other)),
    );
  const loads = shards.map((each) => each.reduce((sum, one) => sum + requestsOfProbe(one) + 1, 0));
  // No more apart than the dearest probe costs.
  expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(10);
  expect(partsOf(plan(plain), planning, count).shards.map(names)).toEqual(shards.map(names));
});

test('what needs quiet, and records that a probe must have for itself, are left to the last', () => {
  const quiet = probe('quiet', times(1), { alone: true });
  const revokes = probe('revokes', times(1), { alone: { principal: 'full' } });
  const reads = probe('reads', [step('setLimits'), step('setLimits', { role: 'readback' })]);
  const writes = probe('writes', [step('setLimits')]);
  const given = { target: { id: { literal: 'vendor-1' } } };
  const shared = probe('shared', [step('createCase', given)]);
  const { last, shards } = partsOf(plan([quiet, reads, ...plain, writes, shared, revokes]), planning, 2);
  expect(names(last)).toEqual(['quiet', 'reads', 'writes', 'revokes']);
  expect(shards.flatMap(names)).toContain('shared');
});
