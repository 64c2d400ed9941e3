import { expect, test } from 'vitest';
import { changeLines } from './change-lines.ts';
import type { CellChange, Comparison } from './report.ts';

const plain = (text: string): string => text;
const paint = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, cyan: plain };
const change = (
  cell: string,
  kind: CellChange['kind'],
  before: CellChange['before'],
  after: CellChange['after'],
  because = '',
): CellChange => ({
  cell,
  clause: cell.split('/')[0] ?? '',
  operation: cell.split('/')[1] ?? '',
  level: 'stated',
  kind,
  before,
  after,
  because,
});
const lines = (changes: readonly CellChange[], obstacles: readonly string[] = []): string => {
  const run = { id: 'run-1', startedAt: '', outcome: 'conformant', evidence: '' } as const;
  const comparison: Comparison = { before: run, after: run, changes, obstacles, unchanged: 3 };
  return changeLines(comparison, paint).join('\n');
};

test('what is new, fixed and no longer tested is said by name', () => {
  expect(
    lines([
      change('IDM-6/a', 'regression', 'pass', 'fail', 'two records'),
      change('IDM-7/a', 'newly covered', 'not-tested', 'fail', 'two records'),
      change('RID-1/a', 'fixed', 'fail', 'pass'),
      change('RID-2/a', 'coverage lost', 'pass', 'not-tested', 'no hook'),
      change('RID-3/a', 'coverage lost', 'pass', 'not-tested', 'no hook'),
      change('RID-4/a', 'newly covered', 'not-tested', 'pass'),
      { ...change('RID-9/a', 'regression', 'pass', 'fail'), level: 'advisory' },
    ]),
  ).toBe(`Since run-1: 2 new, 1 fixed, 2 lost coverage
  new  IDM-6/a (was pass, now fail)
  new  IDM-7/a (was not-tested, now fail)
  fixed  RID-1/a (was fail, now pass)
  lost coverage  RID-2/a, RID-3/a: no hook`);
});

test('runs without a difference, and runs of different contracts', () => {
  expect(lines([])).toBe('Since run-1: nothing new, nothing fixed');
  expect(lines([], ['another contract: a, then b'])).toBe(
    'Since run-1: the runs cannot be compared\n  another contract: a, then b',
  );
});
