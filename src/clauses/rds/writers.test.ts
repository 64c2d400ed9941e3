import { expect, test } from 'vitest';
import { makeWriters } from './writers.ts';

test('a marker that two scopes have written is of neither', () => {
  const writers = makeWriters();
  writers.note('asy-1', 'a');
  expect(writers.of('asy-1')).toBe('a');
  writers.note('asy-1', 'b');
  expect([writers.has('asy-1'), writers.of('asy-1')]).toEqual([true, undefined]);
});

test('the oldest markers are forgotten, and no more than needed', () => {
  const writers = makeWriters(2);
  for (const marker of ['asy-1', 'asy-2', 'asy-2', 'asy-3']) writers.note(marker, 'a');
  expect(['asy-1', 'asy-2', 'asy-3'].map(writers.has)).toEqual([false, true, true]);
});
