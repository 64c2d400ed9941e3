import { expect, test } from 'vitest';
import type { HttpResponse } from '../model/exchange.ts';
import type { Step } from '../model/scenario.ts';
import { makeVain } from './vain.ts';

const step = (deviations: Step['deviations'] = []): Step => ({
  ...{ id: 's', operation: 'book', as: 'full', role: 'test', deviations },
  ...{ key: { use: 'none' }, body: { use: 'none' } },
});
const answer = (status: number): HttpResponse => ({
  status,
  headers: [],
  body: '',
  bodyBytes: 0,
  truncated: false,
});

/** One retry a second, each throttled; and what else comes in the seconds in which it does. */
function reasonAfter(
  seconds: number,
  others: Readonly<Record<number, readonly [Step, number]>> = {},
): string | undefined {
  let now = 0;
  const vain = makeVain({ monotonic: () => now, wall: () => now, sleep: async () => undefined }, 20_000);
  for (let second = 0; second < seconds; second += 1) {
    now = second * 1000;
    const other = others[second];
    if (other !== undefined) vain.note(other[0], answer(other[1]));
    vain.note(step(), answer(429), now - 1000);
  }
  return vain.reason('book');
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
  const vain = makeVain({ monotonic: () => now, wall: () => now, sleep: async () => undefined }, 20_000);
  for (; now < 60_000; now += 1000) vain.note(step(), answer(429));
  expect(vain.reason('book')).toBeUndefined();
});
