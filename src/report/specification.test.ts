import { expect, test } from 'vitest';
import type { Verdict } from '../model/verdict.ts';
import { sentenceReports } from './specification.ts';

const cell = (clause: string, verdict: Verdict, level: 'stated' | 'advisory' = 'stated') => ({
  clause,
  verdict,
  level,
});

test('a sentence is as good as the worst cell of its clauses', () => {
  const cells = [
    cell('A-1', 'pass'),
    cell('A-1', 'fail'),
    cell('A-2', 'pass'),
    cell('A-2', 'not-applicable'),
    cell('A-3', 'not-tested'),
    cell('A-4', 'not-applicable'),
    cell('A-5', 'fail', 'advisory'),
  ];
  const verdictOf = (...clauses: readonly string[]): Verdict | undefined =>
    sentenceReports([{ where: 'Errors, 1', quote: 'x', clauses }], cells)[0]?.verdict;
  expect(verdictOf('A-1', 'A-2')).toBe('fail');
  expect(verdictOf('A-2', 'A-3')).toBe('not-tested');
  expect(verdictOf('A-2', 'A-4', 'A-5')).toBe('pass');
  expect(verdictOf('A-4')).toBe('not-applicable');
  expect(verdictOf('A-5')).toBeUndefined();
  expect(
    sentenceReports([{ where: 'w', quote: 'q', clauses: [], because: 'It binds the client.' }], cells),
  ).toEqual([{ where: 'w', quote: 'q', clauses: [], because: 'It binds the client.' }]);
});
