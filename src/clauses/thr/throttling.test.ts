import { expect, test } from 'vitest';
import { contextOf, judged, stated } from '../cases/judged.ts';
import { sentAt, throttlingCases } from '../cases/throttling.ts';
import { trace } from '../cases/trace.ts';
import { waitGuidanceCases } from '../cases/wait-guidance.ts';
import { clauseOf } from '../catalogue.ts';

test.each([...throttlingCases, ...waitGuidanceCases])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
  expect(because).toMatchSnapshot();
});

test('requests of a burst are counted, and the seconds from the first to the last answer', () => {
  const one = trace(sentAt(200, 900, 400));
  const rulings = clauseOf('THR-1')?.judges.flatMap((judge) =>
    judge.over === 'trace' ? [...judge.rule(contextOf(), one)] : [],
  );
  expect(rulings?.map((ruling) => ruling.because)).toEqual([
    expect.stringContaining('(3 requests in 0.7 s, none throttled)'),
  ]);
});
