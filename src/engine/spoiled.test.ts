import { expect, test } from 'vitest';
import { type Line, negative, type Part, trace } from '../clauses/cases/trace.ts';
import type { Deviation, Step } from '../model/scenario.ts';
import { hindrances, isSpoiled } from './spoiled.ts';

const spoiled = (parts: readonly Part[], violations: readonly unknown[] = []): boolean =>
  isSpoiled({ trace: trace(parts), violations });
const lacking: Deviation = { kind: 'permission', how: 'none' };
const line = (id: string, status: number | undefined, ...deviations: readonly Deviation[]): Line => ({
  id,
  status,
  deviations,
});

test('a scenario that met a 5xx or lost a response is tried again, unless that was meant', () => {
  expect(spoiled(negative(lacking, 403))).toBe(false);
  expect(spoiled(negative(lacking, 502))).toBe(true);
  expect(spoiled([...negative(lacking, 403).slice(0, 1), line('control', 502)])).toBe(true);
  expect(spoiled([line('made', undefined)])).toBe(true);
  expect(spoiled([line('made', 500)], ['a violation'])).toBe(false);
  expect(spoiled([line('made', 500, { kind: 'fault', how: 'before-commit' })])).toBe(false);
  expect(spoiled([line('held', 502, { kind: 'fault', how: 'slow' })])).toBe(true);
  expect(spoiled([line('made', undefined, { kind: 'lost-response' })])).toBe(false);
  expect(spoiled([line('made', 503, { kind: 'pace' })])).toBe(false);
});

test('of throttled requests only those that were sent together spoil a scenario', () => {
  expect(spoiled([line('made', 429)])).toBe(false);
  expect(spoiled([[line('one', 429), line('two', 201)]])).toBe(true);
});

test('a key like another one is tried again where an earlier try may have occupied it', () => {
  const near = (status: number, more: Partial<Line> = {}): readonly Part[] => [
    line('first', 201),
    {
      ...line('second', status, { kind: 'key', how: 'odd' }),
      key: { use: 'near', name: 'first', edit: { kind: 'quoted' } },
      role: 'test',
      ...more,
    },
  ];
  expect(spoiled(near(409, { earlier: [429] }))).toBe(true);
  expect(spoiled(near(409))).toBe(false);
  expect(spoiled(near(422, { earlier: [429] }))).toBe(false);
  expect(spoiled(near(409, { earlier: [429], key: 'first' }))).toBe(false);
});

test('a limit on requests in flight hinders the same number each time', () => {
  const met = (...parts: readonly Part[]): string => hindrances(trace(parts));
  expect(met([line('one', 429), line('two', 201)])).toBe(met([line('one', 201), line('two', 429)]));
  expect(met([line('one', 429), line('two', 429)])).not.toBe(met([line('one', 201), line('two', 429)]));
  expect(met(line('one', 502), line('two', 201))).not.toBe(met(line('one', 201), line('two', 502)));
});

test('a page behind the last one, to which no response leads, spoils nothing', () => {
  const paged = (query: Step['query'], reason: 'harness' | 'reset'): boolean => {
    const walk = trace([line('page-0', 200), { ...line('page-1', undefined), asks: query ?? [] }]);
    const exchanges = walk.exchanges.map((exchange) =>
      exchange.answer === undefined
        ? { ...exchange, noAnswer: { reason, detail: '', partial: undefined } }
        : exchange,
    );
    return isSpoiled({ trace: { ...walk, exchanges }, violations: [] });
  };
  const behind = { step: 'page-0', at: '/next', cursor: 'cursor' } as const;
  expect(paged([['cursor', behind]], 'harness')).toBe(false);
  expect(paged([['cursor', behind]], 'reset')).toBe(true);
  expect(paged([['cursor', 'c']], 'harness')).toBe(true);
});
