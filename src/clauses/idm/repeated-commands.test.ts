import { expect, test } from 'vitest';
import { duplicateCases } from '../cases/duplicates.ts';
import { heldCountCases } from '../cases/held-counts.ts';
import { contextOf, judged, stated } from '../cases/judged.ts';
import { queuedCountCases } from '../cases/queued-counts.ts';
import { raceCases } from '../cases/races.ts';
import { again, first, thrice } from '../cases/repeats.ts';
import { singleEffectCases } from '../cases/single-effects.ts';
import { shown, trace } from '../cases/trace.ts';
import { clauseOf } from '../catalogue.ts';

test.each([...singleEffectCases, ...duplicateCases, ...raceCases, ...heldCountCases, ...queuedCountCases])(
  '$clause $kind: $when',
  (one) => {
    const { because, outcome } = judged(one);
    expect(outcome, because).toEqual(stated(one));
    expect(because).toMatchSnapshot();
  },
);

test.each([
  [[], 'no effect seen'],
  [['case_1'], '1 record: case_1'],
  [['case_1', 'case_2'], '2 records: case_1, case_2'],
])('records are counted and named: %j', (records, actual) => {
  const one = trace([first, again(201)], { effects: shown('t', { body: records }) });
  const rulings = clauseOf('IDM-4')?.judges.flatMap((judge) =>
    judge.over === 'effects' ? [...judge.rule(contextOf(), one)] : [],
  );
  expect(rulings?.map((ruling) => 'actual' in ruling && ruling.actual)).toEqual([actual]);
});

test('the answers of a race are counted by their status', () => {
  const one = trace([[first, again(409), thrice(201)]]);
  const rulings = clauseOf('IDM-8')?.judges.flatMap((judge) =>
    judge.over === 'trace' ? [...judge.rule(contextOf(), one)] : [],
  );
  expect(rulings?.map((ruling) => 'actual' in ruling && ruling.actual)).toEqual(['2 x 201, 1 x 409']);
});
