import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { trace } from '../clauses/cases/trace.ts';
import { pollPause, waitOf } from './waits.ts';

const stage = { contract, settleMs: 5000, maxWaitMs: 90_000, guidance: undefined };
const after = (status: number, headers: readonly (readonly [string, string])[] = []): number =>
  waitOf(
    { guidance: 'burst' },
    trace([{ id: 'burst', status, headers: [...headers] }]).exchanges.map((exchange) => ({
      ...exchange,
      ordinal: 1,
    })),
    stage,
  );

test('nothing waits for a burst that was never refused', () => {
  expect(after(201)).toBe(0);
});

test('a 429 is waited for as guided, else ever longer', () => {
  expect(after(429, [['Retry-After', '2']])).toBe(2250);
  const again = (count: number, status = 429): number =>
    waitOf(
      { guidance: 'again-0' },
      trace(Array.from({ length: count }, (_, index) => ({ id: `again-${index}`, status }))).exchanges,
      stage,
    );
  expect([after(429), again(1), again(2)]).toEqual([1000, 2000, 4000]);
  expect([again(1, 503), again(2, 403)]).toEqual([2000, 4000]);
});

test('what refuses a burst with another status may be throttling as well, even a success that is not declared', () => {
  expect(after(503)).toBe(1000);
  expect(after(200)).toBe(1000);
});

test.each([5, 20])('%d reads of a poll last the settling time, the first ones close together', (max) => {
  const pauses = Array.from({ length: max - 1 }, (_, ordinal) => pollPause(ordinal, max, 5000));
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThanOrEqual(4999.9);
  expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
  expect(pauses[0]).toBeLessThanOrEqual(500);
});
