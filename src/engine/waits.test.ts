import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { trace } from '../clauses/cases/trace.ts';
import type { Wave } from '../model/scenario.ts';
import { aheadAt, forcedWait, pollPause, waitOf } from './waits.ts';

const at = (now: number) => ({
  ...{ contract, settleMs: 5000, maxWaitMs: 90_000, guidance: undefined },
  clock: { monotonic: () => now, wall: () => now, sleep: async () => undefined },
});
const stage = at(0);
const after = (status: number, headers: readonly (readonly [string, string])[] = []): number =>
  waitOf(
    { wait: { guidance: 'burst' } },
    {
      exchanges: trace([{ id: 'burst', status, headers: [...headers] }]).exchanges.map((exchange) => ({
        ...exchange,
        ordinal: 1,
      })),
    },
    stage,
  );

/** The wait after the last of so many refusals, each of which followed a wait. */
const again = (count: number, status = 429, ...served: readonly number[]): number =>
  waitOf(
    { wait: { guidance: `again-${count - 1}` } },
    trace([
      ...served.map((one) => ({ id: 'served', status: one })),
      ...Array.from({ length: count }, (_, index) => ({ id: `again-${index}`, status })),
    ]),
    stage,
  );

test('nothing waits for a burst that was never refused', () => {
  expect(after(201)).toBe(0);
});

test('a 429 is waited for as guided, else ever longer', () => {
  expect(after(429, [['Retry-After', '2']])).toBe(2250);
  expect([after(429), again(2), again(3)]).toEqual([1000, 2000, 4000]);
});

test('other refusals are waited for ever longer only where a request was served before', () => {
  expect([again(2, 503, 201), again(3, 403, 201)]).toEqual([2000, 4000]);
  expect([again(1, 422), again(3, 422)]).toEqual([1000, 1000]);
});

test('what was refused together counts as one refusal, and the wait after it begins with each response', () => {
  const together = trace([
    { id: 'served', status: 201 },
    [
      { id: 'burst', status: 429, at: 100, took: 40 },
      { id: 'traced', status: 429, at: 100, took: 50 },
      { id: 'anonymous', status: 429, at: 110, took: 20 },
    ],
  ]);
  const afterBurst = (now: number): number => waitOf({ wait: { guidance: 'burst' } }, together, at(now));
  expect([afterBurst(140), afterBurst(640), afterBurst(5000)]).toEqual([1000, 500, 0]);
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

const command = { id: 'command', status: 201, at: 1000, took: 100 };

test('reads settle since the last command of the scenario, or the last hook; without any, from now on', () => {
  const { exchanges } = trace([command, { id: 'read', operation: 'listCases', status: 200, at: 4000 }]);
  const settle = (now: number, hookedAt?: number): number =>
    waitOf({ wait: 'settle' }, { exchanges, hookedAt }, at(now));
  expect([settle(1100), settle(4000), settle(7100), settle(7100, 4000)]).toEqual([5000, 2100, 0, 1900]);
  expect(waitOf({ wait: 'settle' }, { exchanges: exchanges.slice(1) }, at(4000))).toBe(5000);
});

test('where it is known when others last wrote what is read first, that counts until a command is sent', () => {
  const { exchanges } = trace([{ id: 'read', operation: 'listCases', status: 200, at: 4000 }, command]);
  const settle = (sent: number, now: number): number =>
    waitOf({ wait: 'settle' }, { exchanges: exchanges.slice(0, sent), writtenAt: 500 }, at(now));
  expect([settle(0, 1000), settle(1, 4000), settle(1, 6000), settle(2, 1100)]).toEqual([4500, 1500, 0, 5000]);
});

test('a wait since a step counts what was sent meanwhile', () => {
  const aged = (since: string, now: number): number =>
    waitOf({ wait: 6000, since }, trace([command]), at(now));
  expect([aged('command', 1100), aged('command', 5000), aged('command', 9000), aged('other', 9000)]).toEqual([
    6000, 2100, 0, 6000,
  ]);
});

test('the waits of a scenario overlap where they count from one command', () => {
  const step = trace([command]).scenario.waves;
  const read = trace([{ id: 'read', operation: 'listCases', status: 200 }]).scenario.waves;
  const aged = { wait: 6000, since: 'command' } as const;
  const forced = (...waves: readonly Wave[]): number => forcedWait(waves, stage);
  expect(forced(...step, aged, { wait: 'settle' }, ...read, { wait: 'settle' })).toBe(6000);
  expect(forced(...step, { wait: 'settle' }, ...read, aged)).toBe(6000);
  expect(forced(...step, { wait: 'settle' }, ...step, { wait: 'settle' })).toBe(10_000);
  expect(forced(...read, { wait: 'settle' }, { wait: 1000 })).toBe(6000);
  const settled = [{ wait: 'settle' }, ...read, ...step, { wait: 'settle' }] as const;
  expect([forcedWait(settled, stage), forcedWait(settled, stage, true)]).toEqual([10_000, 5000]);
});

test('a wait that has begun lets others go before what is sent meanwhile, where there is time for it', () => {
  const step = trace([command]).scenario.waves;
  const read = trace([{ id: 'read', operation: 'listCases', status: 200 }]).scenario.waves;
  const aged = { wait: 6000, since: 'command' } as const;
  const ahead = (...waves: readonly Wave[]): readonly number[] =>
    waves.map((_, index) => aheadAt(waves, index, stage));
  expect(ahead(...step, ...read, aged, ...read)).toEqual([6000, -1, 0, 0]);
  const many = Array.from({ length: 40 }, () => read).flat();
  expect(ahead(...step, ...many, aged)).toEqual([6000, ...many.map(() => 0), 0]);
  const chain = [...step, ...many, aged];
  for (const fast of [{ firstMs: 10 }, { usualMs: () => 10, firstMs: 100 }])
    expect(chain.map((_, index) => aheadAt(chain, index, { ...stage, ...fast }))).toEqual([
      ...[6000, ...many.map(() => -1)],
      0,
    ]);
  expect(ahead(...step, ...read, aged, ...step, { wait: 'settle' }, ...read)).toEqual([
    11_000, -1, 5000, 5000, 0, 0,
  ]);
});
