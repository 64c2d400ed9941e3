import { expect, test } from 'vitest';
import type { Step } from '../model/scenario.ts';
import type { WireOutcome } from '../model/wire.ts';
import { makeVain, type Vain } from './vain.ts';

const step = (deviations: Step['deviations'] = []): Step => ({
  ...{ id: 's', operation: 'book', as: 'full', role: 'test', deviations },
  ...{ key: { use: 'none' }, body: { use: 'none' } },
});
type Outcome = Pick<WireOutcome, 'answer' | 'noAnswer' | 'startedAt'>;
const answer = (status: number): Outcome => ({
  answer: { status, headers: [], body: '', bodyBytes: 0, truncated: false },
  noAnswer: undefined,
  startedAt: 0,
});
const silence = (startedAt: number, reason: 'timeout' | 'reset' = 'timeout'): Outcome => ({
  answer: undefined,
  noAnswer: { reason, detail: reason, partial: undefined },
  startedAt,
});
const bounds = { maxWaitMs: 20_000, timeoutMs: 10_000 };

/** One retry a second, each throttled; and what else comes in the seconds in which it does. */
function reasonAfter(
  seconds: number,
  others: Readonly<Record<number, readonly [Step, number]>> = {},
): string | undefined {
  let now = 0;
  const vain = makeVain({ monotonic: () => now, wall: () => now, sleep: async () => undefined }, bounds);
  for (let second = 0; second < seconds; second += 1) {
    now = second * 1000;
    const other = others[second];
    if (other !== undefined) vain.note(other[0], answer(other[1]));
    vain.note(step(), answer(429), now - 1000);
  }
  return vain.reason('book')?.text;
}

test('an operation that is throttled after each wait is given up when a run has waited long enough', () => {
  expect(reasonAfter(19)).toBeUndefined();
  expect(reasonAfter(21)).toBe(
    'book returned nothing but 429 for 20 s, though each guided wait was honoured',
  );
});

test('what is served meanwhile shows that waiting helps; what is wrong may be refused before any limit', () => {
  expect(reasonAfter(30, { 15: [step(), 201] })).toBeUndefined();
  expect(reasonAfter(30, { 15: [step(), 409] })).toBeUndefined();
  const absent: Step['deviations'] = [{ kind: 'credential', how: 'absent' }];
  expect(reasonAfter(30, { 15: [step(absent), 401] })).toBeDefined();
});

test('a 429 that no wait came before is none in vain', () => {
  let now = 0;
  const vain = makeVain({ monotonic: () => now, wall: () => now, sleep: async () => undefined }, bounds);
  for (; now < 60_000; now += 1000) vain.note(step(), answer(429));
  expect(vain.reason('book')).toBeUndefined();
});

/** So many rounds of four requests, each of which times out, and what else comes after one of them. */
function afterRounds(rounds: number, others: Readonly<Record<number, readonly [Step, Outcome]>> = {}): Vain {
  let now = 0;
  const vain = makeVain({ monotonic: () => now, wall: () => now, sleep: async () => undefined }, bounds);
  for (let round = 1; round <= rounds; round += 1) {
    now = round * 10_000;
    for (let request = 0; request < 4; request += 1) vain.note(step(), silence(now - 10_000));
    const other = others[round];
    if (other !== undefined) vain.note(...other);
  }
  return vain;
}

test('an operation that does not respond is given up after three rounds, so that the others are tested', () => {
  expect(afterRounds(2).reason('book')).toBeUndefined();
  expect(afterRounds(3).reason('book')).toEqual({
    was: 'silent',
    text: 'book did not respond to 9 requests in a row, within 10 s each',
  });
  expect(afterRounds(3).reason('other')).toBeUndefined();
});

test('one that responds to a valid request meanwhile is not given up', () => {
  expect(afterRounds(4, { 2: [step(), answer(201)] }).reason('book')).toBeUndefined();
  expect(afterRounds(4, { 2: [step(), answer(500)] }).reason('book')).toBeUndefined();
  const absent = step([{ kind: 'credential', how: 'absent' }]);
  expect(afterRounds(4, { 2: [absent, answer(401)] }).reason('book')).toBeDefined();
  expect(afterRounds(4, { 2: [absent, answer(201)] }).reason('book')).toBeUndefined();
});

test('requests that are cut on purpose, or whose connection breaks, do not count', () => {
  let now = 0;
  const vain = makeVain({ monotonic: () => now, wall: () => now, sleep: async () => undefined }, bounds);
  for (; now < 90_000; now += 1000) {
    vain.note({ ...step(), transport: 'cut-after-send' }, silence(now));
    vain.note(step(), silence(now, 'reset'));
  }
  expect(vain.reason('book')).toBeUndefined();
});
