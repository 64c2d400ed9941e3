import { expect, test } from 'vitest';
import { untouched } from '../clauses/cases/scripted.ts';
import type { CellReport } from './report.ts';
import { uncovered } from './uncovered.ts';

const { example: _, ...blank } = untouched;
const cell = (verdict: CellReport['verdict'], more: Partial<CellReport> = {}): CellReport => ({
  ...blank,
  level: 'derived',
  verdict,
  because: '',
  ...more,
});
const verdict = {
  outcome: 'conformant',
  partial: false,
  certifiable: false,
  shortfalls: [],
  exitCode: 0,
  exitCodeOtherwise: 0,
} as const;

test('derived cells without a verdict are counted, and their clauses named', () => {
  const cells = [
    cell('pass'),
    cell('inconclusive', { clause: 'IDM-9' }),
    cell('not-tested', { clause: 'STV-2' }),
    cell('not-tested', { clause: 'STV-2', operation: 'other' }),
    cell('not-tested', { level: 'advisory' }),
    cell('not-applicable'),
  ];
  expect(uncovered({ cells, verdict })).toEqual({
    words: 'derived cells without a verdict: 1 inconclusive, 2 not tested',
    codes: 'IDM-9, STV-2',
  });
  expect(uncovered({ cells: [cell('pass')], verdict })).toBeUndefined();
});

test('what a narrowed run did not select is no gap of it', () => {
  const partial = { ...verdict, partial: true };
  const needs = [{ kind: 'hook', remedy: 'Configure it.' }] as const;
  expect(uncovered({ cells: [cell('not-tested')], verdict: partial })).toBeUndefined();
  expect(uncovered({ cells: [cell('not-tested', { needs })], verdict: partial })?.words).toContain(
    '1 not tested',
  );
});
