import { expect, test } from 'vitest';
import { makeThroughput } from './throughput.ts';

test('an interval stays where nothing faster is known', () => {
  const throughput = makeThroughput();
  expect(throughput.worthwhile(200)).toBe(200);
  throughput.note(250, 100, 25_000);
  expect(throughput.worthwhile(200)).toBe(200);
});

test('a slower pace is of no use where more came through at a faster one, rests included', () => {
  const throughput = makeThroughput();
  throughput.note(10, 100, 3000);
  expect(throughput.worthwhile(38)).toBe(38);
  expect(throughput.worthwhile(40)).toBe(10);
});

test('of paces at which about as much came through, the slowest is kept', () => {
  const throughput = makeThroughput();
  throughput.note(2, 100, 10_000);
  throughput.note(100, 100, 11_000);
  expect(throughput.worthwhile(200)).toBe(100);
});

test('few requests show nothing, and neither do those without an interval', () => {
  const throughput = makeThroughput();
  throughput.note(10, 19, 190);
  throughput.note(0, 1000, 1000);
  expect(throughput.worthwhile(200)).toBe(200);
});

test('what came through lately counts more', () => {
  const throughput = makeThroughput();
  throughput.note(10, 100, 1000);
  expect(throughput.worthwhile(60)).toBe(10);
  for (let rests = 0; rests < 10; rests += 1) throughput.note(10, 100, 10_000);
  expect(throughput.worthwhile(60)).toBe(60);
});

test('a rest counts for the paces that filled the window before it, not for the last one alone', () => {
  const throughput = makeThroughput();
  throughput.note(20, 100, 2000);
  throughput.note(10, 30, 300);
  throughput.note(5, 30, 150);
  // 60 requests of a window: each of the two paces has half of the rest, and neither lets through what 20 ms do.
  throughput.rested(1200, 60);
  expect(throughput.worthwhile(40)).toBe(20);
  // The rest is paid for: the next one is for what comes after it.
  throughput.note(10, 1000, 10_000);
  throughput.rested(0, 60);
  expect(throughput.worthwhile(40)).toBe(10);
});
