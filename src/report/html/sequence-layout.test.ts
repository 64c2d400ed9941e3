import { expect, test } from 'vitest';
import { excerptWith } from '../../testing/sample-report.ts';
import { keyLetters, layOut } from './sequence-layout.ts';

test('requests and responses are in the order of time, each at its caller', () => {
  const { messages, callers } = layOut([
    excerptWith({ id: 'x1', principal: 'full', startedAt: 1000, endedAt: 1020 }),
    excerptWith({ id: 'x2', principal: 'peer', startedAt: 1005, endedAt: 1010 }),
  ]);
  expect(callers.map(({ name }) => name)).toEqual(['full', 'peer']);
  expect(messages.map(({ index, kind, at }) => [index, kind, at])).toEqual([
    [0, 'request', 0],
    [1, 'request', 5],
    [1, 'answer', 10],
    [0, 'answer', 20],
  ]);
  const heights = messages.map(({ y }) => y);
  expect(heights).toEqual([...heights].sort((one, other) => one - other));
  expect(messages[1]?.x).toBe(callers[1]?.x);
});

test('what happens at the same time stands side by side, and a free place is taken again', () => {
  const { busy } = layOut([
    excerptWith({ startedAt: 0, endedAt: 10 }),
    excerptWith({ startedAt: 1, endedAt: 2 }),
    excerptWith({ startedAt: 3, endedAt: 4 }),
  ]);
  expect(new Set(busy.map(({ x }) => x)).size).toBe(2);
  expect(busy[0]?.x).toBe(busy[1]?.x);
});

test('a long wait is shown, and takes no more room than a short one', () => {
  const after = (wait: number) =>
    layOut([
      excerptWith({ startedAt: 0, endedAt: 1 }),
      excerptWith({ startedAt: 1 + wait, endedAt: 2 + wait }),
    ]);
  expect(after(100).pauses).toEqual([]);
  expect(after(61_000).pauses.map(({ text }) => text)).toEqual(['1 min 1 s later']);
  expect(after(61_000).height - after(300).height).toBeLessThan(20);
});

test('no response is an end of its own', () => {
  const { messages } = layOut([excerptWith({ status: undefined, noAnswer: 'timeout: 10 s' })]);
  expect(messages.map(({ kind }) => kind)).toEqual(['request', 'no response']);
});

test('equal keys have one letter', () => {
  const key = (value: string) => excerptWith({ requestHeaders: [['idempotency-key', value]] });
  expect([...keyLetters([key('k1'), key('k2'), key('k1'), excerptWith({ requestHeaders: [] })])]).toEqual([
    ['k1', 'A'],
    ['k2', 'B'],
  ]);
});
