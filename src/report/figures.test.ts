import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trace as literal } from '../clauses/cases/trace.ts';
import type { Exchange, Trace } from '../model/exchange.ts';
import { answer, exchange, step } from '../testing/literal-run.ts';
import { makeFigures, makeHistogram } from './figures.ts';
import { makePace } from './throttling.ts';

const stepOf = step({ id: 'burst' });

const trace = (exchanges: readonly Exchange[]): Trace =>
  literal([], { id: 't1', suite: 'throttling', probe: 'burst', exchanges });

describe('latencies', () => {
  test('quantiles are exact to 5 %, and counts to the last one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.06, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 300 }),
        (values) => {
          const histogram = makeHistogram();
          for (const value of values) histogram.add(value);
          const summary = histogram.summary();
          const sorted = [...values].sort((one, other) => one - other);
          const exact = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
          for (const [found, share] of [
            [summary.p50, 0.5],
            [summary.p90, 0.9],
            [summary.p99, 0.99],
          ] as const) {
            expect(found).toBeGreaterThanOrEqual(exact(share) * 0.95 - 0.01);
            expect(found).toBeLessThanOrEqual(exact(share) * 1.05 + 0.01);
          }
          expect(summary.buckets.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(values.length);
          expect(summary.count).toBe(values.length);
        },
      ),
    );
  });

  test('zero and nothing at all are no trouble', () => {
    const histogram = makeHistogram();
    expect(histogram.summary()).toMatchObject({ count: 0, p50: 0, buckets: [] });
    histogram.add(0);
    expect(histogram.summary()).toMatchObject({ count: 1, min: 0, max: 0, p99: 0 });
  });
});

test('figures count each status, each missing answer and each earlier try', () => {
  const figures = makeFigures();
  figures.see(exchange({}));
  figures.see(
    exchange({
      answer: undefined,
      noAnswer: { reason: 'timeout', detail: '', partial: undefined },
      earlier: [
        { answer: answer(429), noAnswer: undefined, startedAt: 0, endedAt: 4, waited: 1000 },
        {
          answer: undefined,
          noAnswer: { reason: 'reset', detail: '', partial: undefined },
          startedAt: 0,
          endedAt: 4,
          waited: 1000,
        },
      ],
    }),
  );
  expect(figures.finish(['createCase', 'closeCase'])).toEqual([
    expect.objectContaining({
      operation: 'createCase',
      requests: 4,
      statuses: { '201': 1, '429': 1 },
      noAnswers: { reset: 1, timeout: 1 },
      latency: expect.objectContaining({ count: 2, min: 4, max: 10 }),
    }),
    expect.objectContaining({ operation: 'closeCase', requests: 0, statuses: {}, noAnswers: {} }),
  ]);
});

describe('throttling', () => {
  const refused = answer(429, { headers: [['Retry-After', '2']] });

  test('the wait after the last 429 of a burst is set against its guidance', () => {
    const pace = makePace();
    pace.seeTrace(
      trace([
        exchange({ id: 'x1', step: 'burst', answer: refused, startedAt: 0, endedAt: 10 }),
        exchange({ id: 'x2', step: 'burst', ordinal: 1, answer: refused, startedAt: 5, endedAt: 20 }),
        exchange({ id: 'x3', step: 'honoured', startedAt: 2300, endedAt: 2310 }),
      ]),
    );
    expect(pace.finish().episodes).toEqual([
      {
        exchange: 'x2',
        operation: 'createCase',
        principal: 'full',
        at: 20,
        guidance: ['Retry-After: 2 s'],
        guidedSeconds: 2,
        waitedSeconds: 2.28,
        honoured: true,
        nextStatus: 201,
      },
    ]);
  });

  test('neither another caller nor a request during the burst is the request that waited', () => {
    const pace = makePace();
    const step = { ...stepOf, id: 'burst' };
    const during = { ...stepOf, id: 'during' };
    const waves = [{ repeat: step, during, width: 2, after: 2, max: 9, maxSeconds: 9 }];
    const of = trace([
      exchange({ id: 'x1', step: 'burst', answer: refused, startedAt: 0, endedAt: 10 }),
      exchange({ id: 'x2', step: 'during', answer: refused, startedAt: 10, endedAt: 15 }),
      exchange({ id: 'x3', step: 'burst', ordinal: 1, answer: refused, startedAt: 16, endedAt: 20 }),
      exchange({ id: 'x4', step: 'bystander', principal: 'other', startedAt: 30, endedAt: 40 }),
      exchange({ id: 'x5', step: 'honoured', startedAt: 2300, endedAt: 2310 }),
    ]);
    pace.seeTrace({ ...of, scenario: { ...of.scenario, waves } });
    expect(
      pace
        .finish()
        .episodes.map(({ exchange: id, honoured, waitedSeconds }) => [id, honoured, waitedSeconds]),
    ).toEqual([['x3', true, 2.28]]);
  });

  test('a shorter wait, no guidance, and no further request are not called honoured', () => {
    const pace = makePace();
    pace.seeTrace(
      trace([
        exchange({ id: 'x1', step: 'a', answer: refused, startedAt: 0, endedAt: 10 }),
        exchange({ id: 'x2', step: 'b', answer: answer(429), startedAt: 1000, endedAt: 1010 }),
        exchange({ id: 'x3', step: 'c', answer: refused, startedAt: 5000, endedAt: 5010 }),
      ]),
    );
    expect(
      pace
        .finish()
        .episodes.map(({ exchange: id, honoured, guidedSeconds, waitedSeconds, nextStatus }) => [
          id,
          honoured,
          guidedSeconds,
          waitedSeconds,
          nextStatus,
        ]),
    ).toEqual([
      ['x1', false, 2, 0.99, 429],
      ['x2', false, undefined, 3.99, 429],
      ['x3', false, 2, undefined, undefined],
    ]);
  });

  test('a timeline keeps all requests however long the run, in few buckets', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 10_000_000 }), { minLength: 1, maxLength: 2000 }), (times) => {
        const pace = makePace();
        for (const at of times) pace.see(exchange({ startedAt: at }));
        const { timeline, bucketMs } = pace.finish();
        expect(timeline.length).toBeLessThanOrEqual(600);
        expect(timeline.reduce((sum, bucket) => sum + bucket.succeeded, 0)).toBe(times.length);
        for (const { at } of timeline) expect(at % bucketMs).toBe(0);
        const width = (at: number): number => Math.floor(at / bucketMs) * bucketMs;
        expect(timeline.map(({ at }) => at)).toEqual(
          [...new Set(times.map(width))].sort((one, other) => one - other),
        );
      }),
    );
  });
});
