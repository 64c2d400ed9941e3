import vm from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { matcherOf } from './matching.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const hard = `${'a'.repeat(40)}!`;

test('a pattern that takes too long is in doubt, each time', () => {
  let doubts = 0;
  const matches = matcherOf('^(a+)+$', () => {
    doubts += 1;
  });
  expect([matches(hard), matches(hard), matches(`b${hard}`), matches('a'.repeat(40))]).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(doubts).toBe(2);
});

test('after three texts on which it took too long it is tried no more', () => {
  let doubts = 0;
  const matches = matcherOf('(a+)+$', () => {
    doubts += 1;
  });
  for (const more of ['', 'x', 'y', 'z', 'w']) matches(`${hard}${more}`);
  expect(doubts).toBe(5);
});

test('what is known in time is in no doubt', () => {
  const matches = matcherOf('^[a-z]+$', () => {
    throw new Error('there is no doubt');
  });
  expect([matches('abc'), matches('a1'), matches('a'.repeat(100_000))]).toEqual([true, false, true]);
});

test('what a busy machine interrupted is tried again, and is in no doubt', () => {
  let doubts = 0;
  const matches = matcherOf('^(a+)+$', () => {
    doubts += 1;
  });
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 3000, system: 1000 });
  for (const text of ['ab', 'abb', 'abbb', 'abbbb']) {
    vi.spyOn(vm.Script.prototype, 'runInContext').mockImplementationOnce(() => {
      throw new Error('Script execution timed out after 100ms');
    });
    expect(matches(text)).toBe(false);
  }
  expect(doubts).toBe(0);
});
