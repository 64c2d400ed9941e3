import { expect, test } from 'vitest';
import { clauseOf } from './catalogue.ts';
import { sentAt, throttlingCases } from './literal/throttling.ts';
import { contextOf, judged, stated, trace } from './literal/trace.ts';
import { waitGuidanceCases } from './literal/wait-guidance.ts';

test.each([...throttlingCases, ...waitGuidanceCases])('$clause $kind: $when', (one) => {
  const { because, outcome } = judged(one);
  expect(outcome, because).toEqual(stated(one));
});

test('requests of a burst are counted, and the seconds from the first to the last answer', () => {
  const one = trace(sentAt(200, 900, 400));
  const rulings = clauseOf('THR-1')?.judges.flatMap((judge) =>
    judge.over === 'trace' ? [...judge.rule(contextOf(), one)] : [],
  );
  expect(rulings?.map((ruling) => ruling.actual)).toEqual(['3 requests in 0.7 s, none throttled']);
});
