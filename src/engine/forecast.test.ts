import { expect, test } from 'vitest';
import { contract, principals } from '../clauses/cases/contract.ts';
import type { Step, Wave } from '../model/scenario.ts';
import { planningOf } from '../testing/plans.ts';
import { makeForecast } from './forecast.ts';
import type { PlannedProbe } from './plan.ts';

const planning = planningOf(contract, { principals });
const step = (operation: string): Step => ({
  id: 'step',
  operation,
  as: 'full',
  role: 'control',
  key: { use: 'none' },
  body: { use: 'none' },
  deviations: [],
});
const probe = (operation: string, scenarios: readonly (readonly Wave[])[], burst = false): PlannedProbe => ({
  suite: 'suite',
  seed: 1,
  probe: {
    kind: 'probe',
    id: 'probe',
    operation,
    clauses: [],
    scenarios: scenarios.map((waves) => ({ title: 't', bodies: {}, waves })),
    ...(burst ? { alone: { limit: 'full' } } : {}),
  },
});
const times = (count: number, operation: string): readonly (readonly Wave[])[] =>
  Array.from({ length: count }, () => [{ steps: [step(operation)] }]);

test('the rest goes on as the requests so far, and the run takes a fifth longer than its plan', () => {
  const reads = probe('listCases', times(100, 'listCases'));
  const forecast = makeForecast(planning, [reads], 5000);
  expect(forecast.outlook(0, 0, false)).toEqual({ done: 0, of: 100, leftMs: 0 });
  forecast.ended(reads);
  expect(forecast.outlook(10, 1000, false)).toEqual({ done: 1, of: 100, leftMs: expect.closeTo(11_000) });
  expect(forecast.outlook(200, 20_000, false)).toEqual({ done: 1, of: 100, leftMs: 0 });
});

test('what was created is looked for after the settling time, half of which passes next to the last requests', () => {
  const commands = probe('createCase', times(100, 'createCase'));
  const forecast = makeForecast(planning, [commands], 5000);
  expect(forecast.outlook(10, 1000, false).leftMs).toBeCloseTo(13_500);
});

test('a chain of waits takes its time, however fast the requests are', () => {
  const patient = probe('listCases', [[{ wait: 8000 }, { steps: [step('listCases')] }]]);
  expect(makeForecast(planning, [patient], 5000).outlook(1, 1000, false).leftMs).toBe(7000);
});

test('without a limit bursts take the time of the first one, at a limit that of their requests', () => {
  const reads = probe('listCases', times(100, 'listCases'));
  const bursts = probe(
    'listCases',
    [1, 2, 3, 4].map(() => [{ repeat: step('listCases'), width: 4, after: 2, max: 100, maxSeconds: 9 }]),
    true,
  );
  const forecast = makeForecast(planning, [reads, bursts], 5000);
  const reading = (120 - 10) * 100;
  expect(forecast.outlook(10, 1000, true)).toEqual({
    done: 0,
    of: 500,
    leftMs: expect.closeTo(reading + 200 * 100),
  });
  expect(forecast.outlook(10, 1000, false).leftMs).toBeCloseTo(reading);
  forecast.burst(30, 700);
  forecast.ended(bursts);
  const leftMs = expect.closeTo(reading + 3 * 700);
  expect(forecast.outlook(40, 1700, false)).toEqual({ done: 100, of: 500, leftMs });
  expect(forecast.outlook(40, 4000, true).leftMs).toBeCloseTo((110 + 3 * 30) * 100);
});

test('what an earlier segment has done is neither sent again nor counted as its rate', () => {
  const reads = probe('listCases', times(100, 'listCases'));
  const forecast = makeForecast(planning, [reads], 5000);
  for (let index = 0; index < 60; index += 1) forecast.ended(reads, 'earlier');
  expect(forecast.outlook(10, 1000, false)).toEqual({ done: 60, of: 100, leftMs: expect.closeTo(4800) });
});

test('what has ended sends no more, even where it sent less than planned', () => {
  const reads = probe('listCases', times(100, 'listCases'));
  const forecast = makeForecast(planning, [reads], 5000);
  for (let index = 0; index < 95; index += 1) forecast.ended(reads);
  expect(forecast.outlook(80, 8000, false).leftMs).toBeCloseTo(5 * 1.2 * 100);
  for (let index = 0; index < 5; index += 1) forecast.ended(reads);
  expect(forecast.outlook(85, 8500, false).leftMs).toBe(0);
});

test('a run that became faster goes on as in its second half, and one that pauses as before', () => {
  const reads = probe('listCases', times(1000, 'listCases'));
  const forecast = makeForecast(planning, [reads], 5000);
  forecast.outlook(10, 1000, false);
  forecast.outlook(20, 2000, false);
  expect(forecast.outlook(220, 4000, false).leftMs).toBeCloseTo((1200 - 220) * 10);
  expect(forecast.outlook(220, 10_000, false).leftMs).toBeCloseTo(((1200 - 220) / 220) * 10_000);
});

test('callers with limits of their own take as long as the one that sends most, whatever the others send', () => {
  const ofPeer: PlannedProbe = {
    ...probe('listCases', []),
    probe: {
      ...probe('listCases', []).probe,
      scenarios: times(100, 'listCases').map((waves) => ({
        ...{ title: 't', bodies: {} },
        waves: waves.map((wave) =>
          'steps' in wave ? { steps: wave.steps.map((one) => ({ ...one, as: 'peer' })) } : wave,
        ),
      })),
    },
  };
  const forecast = makeForecast(planning, [probe('listCases', times(400, 'listCases')), ofPeer], 5000);
  const spentBy = (name: string): number => (name === 'full' ? 20 : 0);
  // 400 and a twentieth more, 20 of which took two seconds.
  expect(forecast.outlook(20, 2000, true, spentBy).leftMs).toBeCloseTo(40_000);
  expect(makeForecast(planning, [ofPeer], 5000).outlook(20, 2000, true, spentBy).leftMs).toBeCloseTo(10_000);
});
