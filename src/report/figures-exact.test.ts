import { describe, expect, test } from 'vitest';
import { answer, exchange, step, trace } from '../testing/literal-run.ts';
import { makeFigures, makeHistogram, rounded } from './figures.ts';
import { makePace } from './throttling.ts';

describe('latencies', () => {
  test('a few, exactly', () => {
    const histogram = makeHistogram();
    for (const value of [1, 2, 3, 100, -5]) histogram.add(value);
    expect(histogram.summary()).toEqual({
      count: 5,
      min: 0,
      mean: 21.2,
      p50: 1.96,
      p90: 97.65,
      p99: 97.65,
      max: 100,
      buckets: [
        { from: 0, to: 0.07, count: 1 },
        { from: 0.72, to: 1.06, count: 1 },
        { from: 1.55, to: 2.26, count: 1 },
        { from: 2.26, to: 3.31, count: 1 },
        { from: 69.95, to: 102.42, count: 1 },
      ],
    });
  });

  test('one alone is all of its quantiles', () => {
    const histogram = makeHistogram();
    histogram.add(7);
    expect(histogram.summary()).toMatchObject({ count: 1, min: 7, mean: 7, p50: 7, p90: 7, p99: 7, max: 7 });
  });

  test('are measured from the sending, or from the start where it was not seen', () => {
    const figures = makeFigures();
    figures.see(exchange({ startedAt: 0, sentAt: 4, endedAt: 10 }));
    figures.see(exchange({ startedAt: 0, sentAt: undefined, endedAt: 10 }));
    figures.see(exchange({ answer: undefined, endedAt: 900 }));
    const [found] = figures.finish(['createCase']);
    expect(found).toMatchObject({
      requests: 3,
      statuses: { '201': 2 },
      noAnswers: {},
      latency: { count: 2, min: 6, max: 10 },
    });
  });

  test('statuses are in their order', () => {
    const figures = makeFigures();
    for (const status of [429, 201, 500, 201]) figures.see(exchange({ answer: answer(status) }));
    expect(JSON.stringify(figures.finish(['createCase'])[0]?.statuses)).toBe('{"201":2,"429":1,"500":1}');
  });

  test('rounded', () => {
    expect([rounded(1.234), rounded(1.235), rounded(-0.001)]).toEqual([1.23, 1.24, -0]);
  });
});

describe('the timeline', () => {
  const at = (startedAt: number, status: number | undefined) =>
    exchange({ startedAt, answer: status === undefined ? undefined : answer(status) });

  test('shows what became of each request, earlier ones of a step among them', () => {
    const pace = makePace();
    for (const [time, status] of [
      [0, 200],
      [99, 299],
      [100, 300],
      [100, 199],
      [150, 429],
      [199, undefined],
      [1_000, 201],
      [-5, 201],
    ] as const)
      pace.see(at(time, status));
    pace.see({
      ...at(1_010, 201),
      earlier: [{ answer: answer(429), noAnswer: undefined, startedAt: 1_005, endedAt: 1_006, waited: 1 }],
    });
    const none = { succeeded: 0, throttled: 0, otherFailures: 0, noAnswer: 0 };
    expect(pace.finish()).toEqual({
      bucketMs: 100,
      timeline: [
        { ...none, at: 0, requests: 3, succeeded: 3 },
        { ...none, at: 100, requests: 4, throttled: 1, otherFailures: 2, noAnswer: 1 },
        { ...none, at: 1_000, requests: 3, succeeded: 2, throttled: 1 },
      ],
      throttled: 2,
      episodes: [],
    });
  });

  test('doubles the width of its buckets, and adds up what they hold', () => {
    const pace = makePace();
    for (const [time, status] of [
      [0, 201],
      [100, 429],
      [200, 500],
      [300, undefined],
      [59_999, 201],
    ] as const)
      pace.see(at(time, status));
    expect(pace.finish().bucketMs).toBe(100);
    pace.see(at(60_000, 201));
    const none = { succeeded: 0, throttled: 0, otherFailures: 0, noAnswer: 0 };
    expect(pace.finish()).toMatchObject({
      bucketMs: 200,
      timeline: [
        { ...none, at: 0, requests: 2, succeeded: 1, throttled: 1 },
        { ...none, at: 200, requests: 2, otherFailures: 1, noAnswer: 1 },
        { ...none, at: 59_800, requests: 1, succeeded: 1 },
        { ...none, at: 60_000, requests: 1, succeeded: 1 },
      ],
      throttled: 1,
    });
    pace.see(at(480_000, 201));
    expect(pace.finish().bucketMs).toBe(1_600);
  });
});

describe('what became of a 429', () => {
  const refused = answer(429, { headers: [['Retry-After', '1']] });

  test('that was tried again: its own wait, and the next status', () => {
    const pace = makePace();
    const tried = (
      status: number | undefined,
      endedAt: number,
      waited: number,
      headers = refused.headers,
    ) => ({
      answer: status === undefined ? undefined : answer(status, { headers }),
      noAnswer: undefined,
      startedAt: endedAt - 5,
      endedAt,
      waited,
    });
    const earlier = [
      tried(429, 10, 1_100),
      tried(undefined, 1_200, 50),
      tried(429, 1_300.128, 999.6, [['Retry-After', 'soon']]),
    ];
    pace.seeTrace(trace([], [exchange({ id: 'x1', earlier, startedAt: 2_400, endedAt: 2_410 })]));
    expect(pace.finish().episodes).toEqual([
      {
        exchange: 'x1',
        operation: 'createCase',
        principal: 'full',
        at: 10,
        guidance: ['Retry-After: 1 s'],
        guidedSeconds: 1,
        waitedSeconds: 1.1,
        honoured: true,
        nextStatus: undefined,
      },
      expect.objectContaining({
        at: 1_300.13,
        guidedSeconds: undefined,
        waitedSeconds: 1,
        honoured: false,
        nextStatus: 201,
      }),
    ]);
    expect(pace.finish().episodes[1]?.guidance[0]).toMatch(/^Retry-After: not usable, it /);
  });

  test('that was honoured to the millisecond, and one that was not', () => {
    const waited = (ms: number): boolean | undefined => {
      const pace = makePace();
      pace.seeTrace(
        trace(
          [],
          [
            exchange({ id: 'x1', step: 'a', answer: refused, startedAt: 0, endedAt: 10 }),
            exchange({ id: 'x2', step: 'b', startedAt: 10 + ms, endedAt: 2_000 }),
          ],
        ),
      );
      return pace.finish().episodes[0]?.honoured;
    };
    expect([waited(999), waited(1_000)]).toEqual([false, true]);
  });

  test('during the burst of a wave within a condition', () => {
    const repeat = step({ id: 'burst' });
    const waves = [
      {
        when: { step: 'x', was: 'refused' } as const,
        waves: [{ repeat, during: step({ id: 'during' }), width: 1, after: 1, max: 9, maxSeconds: 9 }],
      },
      { wait: 5 },
    ];
    const pace = makePace();
    pace.seeTrace(
      trace(waves, [
        exchange({ id: 'x1', step: 'burst', answer: refused, startedAt: 0, endedAt: 10 }),
        exchange({ id: 'x2', step: 'during', startedAt: 20, endedAt: 30 }),
        exchange({ id: 'x3', step: 'after', startedAt: 1_500, endedAt: 1_510 }),
      ]),
    );
    expect(pace.finish().episodes.map(({ waitedSeconds }) => waitedSeconds)).toEqual([1.49]);
  });

  test('is in the order of time, and 200 of them are kept', () => {
    const pace = makePace();
    const one = (id: string, endedAt: number) =>
      exchange({ id, step: id, answer: refused, startedAt: endedAt, endedAt });
    pace.seeTrace(trace([], [one('x2', 50)]));
    pace.seeTrace(trace([], [one('x1', 20)]));
    expect(pace.finish().episodes.map(({ exchange: id }) => id)).toEqual(['x1', 'x2']);
    for (let index = 0; index < 300; index++)
      pace.seeTrace(trace([], [one('a', 100 + index), one('b', 100 + index)]));
    expect(pace.finish().episodes).toHaveLength(200);
  });
});
