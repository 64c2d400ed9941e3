import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import type { Step, Wave } from '../model/scenario.ts';
import { claimOf, orderedUnits } from './order.ts';
import type { PlannedProbe } from './plan.ts';

function probe(
  id: string,
  clauses: readonly string[],
  waits: readonly Wave[] = [],
  scenarios = 1,
): PlannedProbe {
  const scenario = { title: id, bodies: {}, waves: waits };
  return {
    suite: 'suite',
    seed: 1,
    probe: {
      kind: 'probe',
      id,
      operation: 'createCase',
      clauses,
      scenarios: Array.from({ length: scenarios }, () => scenario),
    },
  };
}

function stepOf(id: string, deviations: Step['deviations'] = []): Step {
  return {
    ...{ id, operation: 'createCase', as: 'full', role: 'test', deviations },
    ...{ key: { use: 'none' }, body: { use: 'none' } },
  };
}

test('what waits longest goes first, then what aims at a clause for the first time, and nothing is lost', () => {
  const units = orderedUnits(
    [
      probe('one', ['A-1'], [], 3),
      probe('same', ['A-1']),
      probe('slow', ['A-1'], [{ wait: 6000 }]),
      probe('two', ['A-2']),
      probe('slower', ['A-3'], [{ wait: 'settle' }, { wait: 'settle' }]),
      probe('three', ['A-3']),
    ],
    { contract, settleMs: 5000 },
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

test('of the first scenarios, the one that aims at most new clauses for each request goes first', () => {
  const step = stepOf('s');
  const requests = (count: number): readonly Wave[] => [
    { repeat: step, width: 1, after: 0, max: count, maxSeconds: 1 },
  ];
  const units = orderedUnits(
    [
      probe('long', ['A-1', 'A-2', 'A-3'], requests(60)),
      probe('pair', ['A-1', 'A-4'], requests(2)),
      probe('rich', ['A-4', 'A-5', 'A-6'], requests(2)),
      probe('single', ['A-7'], requests(2)),
    ],
    { contract, settleMs: 5000 },
  );
  expect(units.map(({ planned }) => planned.probe.id)).toEqual(['rich', 'pair', 'single', 'long']);
});

test('what reads a list page by page comes before the others, while the list is short', () => {
  const page: Step = { ...stepOf('page'), operation: 'listCases', observes: 'page' };
  const units = orderedUnits(
    [
      probe('first', ['A-1']),
      probe('plain', ['A-1']),
      probe('pages', ['A-1'], [{ steps: [page] }]),
      probe('slow', ['A-1'], [{ wait: 9000 }]),
      probe('later-pages', ['A-1'], [{ wait: 'settle' }, { steps: [page] }]),
    ],
    { contract, settleMs: 5000 },
  );
  expect(units.map(({ planned }) => planned.probe.id)).toEqual([
    'slow',
    'first',
    'later-pages',
    'pages',
    'plain',
  ]);
});

test('what sends many requests one after another begins early, as it ends late at a slow target', () => {
  const send: Wave = { steps: [stepOf('s')] };
  const chain = (count: number): readonly Wave[] => Array.from({ length: count }, () => send);
  const units = orderedUnits(
    [
      probe('first', ['A-1'], chain(1)),
      probe('short', ['A-1'], chain(9)),
      probe('chain', ['A-1'], chain(20)),
      probe('longest', ['A-1'], chain(40)),
    ],
    { contract, settleMs: 5000 },
  );
  expect(units.map(({ planned }) => planned.probe.id)).toEqual(['first', 'longest', 'short', 'chain']);
});

test('of each kind known to show faults the shortest comes first, and what shows most for each request before others', () => {
  const requests = (count: number): readonly Wave[] =>
    Array.from({ length: count }, (_, index) => ({ steps: [stepOf(`s${index}`)] }));
  const known = (suite: string, id: string, count: number): PlannedProbe => ({
    ...probe(id, ['A-1'], requests(count)),
    suite,
  });
  const units = orderedUnits(
    [
      probe('first', ['A-1'], requests(1)),
      known('credentials', 'malformed', 16),
      known('missing-keys', 'empty/long', 3),
      known('missing-keys', 'empty/short', 2),
      known('wrong-permissions', 'exact-holder', 2),
    ],
    { contract, settleMs: 5000 },
  );
  expect(units.map(({ planned }) => planned.probe.id)).toEqual([
    'exact-holder',
    'empty/short',
    'malformed',
    'first',
    'empty/long',
  ]);
});

test('a scenario keeps a request in flight where it has the hook hold one, within a condition as well', () => {
  const held: Wave = { hook: 'slow', input: {}, as: 'slowed' };
  const within: Wave = { when: { step: 's', was: 'accepted' }, waves: [held] };
  const isLasting = (waves: readonly Wave[]): boolean =>
    claimOf(contract, { title: '', bodies: {}, waves: [{ steps: [stepOf('s')] }, ...waves] }).lasting ===
    true;
  expect([isLasting([]), isLasting([{ wait: 1000 }]), isLasting([held]), isLasting([within])]).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
