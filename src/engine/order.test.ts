import { expect, test } from 'vitest';
import type { Wave } from '../model/scenario.ts';
import { orderedUnits } from './order.ts';
import type { PlannedProbe } from './plan.ts';

function probe(id: string, clauses: readonly string[], waits: readonly Wave[] = [], cases = 1): PlannedProbe {
  const scenario = { title: id, bodies: {}, waves: waits };
  return {
    suite: 'suite',
    seed: 1,
    probe: {
      kind: 'probe',
      id,
      operation: 'createCase',
      clauses,
      cases: Array.from({ length: cases }, () => scenario),
    },
  };
}

test('what aims at a clause for the first time comes early, what waits long in between, and nothing is lost', () => {
  const units = orderedUnits(
    [
      probe('one', ['A-1'], [], 3),
      probe('same', ['A-1']),
      probe('slow', ['A-1'], [{ wait: 6000 }]),
      probe('two', ['A-2']),
      probe('slower', ['A-3'], [{ wait: 'settle' }, { wait: 'settle' }]),
      probe('three', ['A-3']),
    ],
    5000,
  );
  expect(units.map(({ planned }) => planned.probe.id)).toEqual([
    'slower',
    'one',
    'two',
    'three',
    'slow',
    'one',
    'one',
    'same',
  ]);
});
