import { expect, test } from 'vitest';
import { makePlan } from '../engine/plan.ts';
import { extendedContract } from '../testing/contracts.ts';
import { planningOf } from '../testing/plans.ts';
import { defineSuite } from './define.ts';
import { probesOf } from './suite.ts';

const contract = await extendedContract();

test('a narrow run asks a suite for its own operations alone', () => {
  const asked: string[] = [];
  const suite = defineSuite({
    name: 'asked',
    title: 't',
    for: 'commands',
    clauses: [],
    *propose({ operation }) {
      asked.push(operation.id);
      yield probesOf(operation)('one', ['CMD-1'], []);
    },
  });
  const planning = planningOf(contract);
  const narrow = makePlan([suite], planning, 1, { suites: undefined, operations: ['createCase'] });
  expect(asked).toEqual(['createCase']);
  expect(narrow.probes.map(({ probe }) => probe.operation)).toEqual(['createCase']);
  const whole = makePlan([suite], planning, 1, { suites: undefined, operations: undefined });
  expect(whole.probes.filter(({ probe }) => probe.operation === 'createCase')).toEqual(narrow.probes);
});

test('a suite that is asked about one operation proposes for no other', () => {
  const suite = defineSuite({
    name: 'stray',
    title: 't',
    for: ({ id }) => id === 'createCase',
    clauses: [],
    *propose(_scene, planning) {
      for (const operation of planning.contract.operations) yield probesOf(operation)('one', ['CMD-1'], []);
    },
  });
  const propose = (): unknown => [...suite.propose(planningOf(contract))];
  expect(propose).toThrow(
    /suite stray: it was asked for proposals on createCase, and proposes something on /,
  );
});
