import { expect, test } from 'vitest';
import { narrowedReason } from '../model/unreached.ts';
import { cellWith } from '../testing/sample-report.ts';
import { openGroups, operationsInShort } from './open.ts';

const open = (clause: string, operation: string, because: string) => ({
  ...cellWith({ clause, verdict: 'not-tested' }),
  operation,
  because,
});

test('a group is true for each of its pairs, and names each open cell once', () => {
  const cells = [
    open('A-1', 'one', 'no hook'),
    open('A-2', 'one', 'no hook'),
    open('A-1', 'two', 'no hook'),
    open('A-1', 'three', 'no hook'),
    open('A-2', 'three', 'no hook'),
    open('A-2', 'two', 'no caller'),
    { ...cellWith({ clause: 'A-3', verdict: 'pass' }), operation: 'two' },
  ];
  const groups = openGroups(cells);
  expect(
    groups.map(({ because, clauses, operations }) => [because, clauses.join(), operations.join()]),
  ).toEqual([
    ['no hook', 'A-1,A-2', 'one,three'],
    ['no hook', 'A-1', 'two'],
    ['no caller', 'A-2', 'two'],
  ]);
  const pairs = groups.flatMap(({ clauses, operations }) =>
    clauses.flatMap((clause) => operations.map((operation) => `${clause}/${operation}`)),
  );
  const expected = cells
    .filter(({ verdict }) => verdict !== 'pass')
    .map((one) => `${one.clause}/${one.operation}`);
  expect(pairs.toSorted()).toEqual(expected.toSorted());
  expect(groups.reduce((sum, group) => sum + group.cells, 0)).toBe(expected.length);
});

test('what was filtered out is not listed', () => {
  const filtered = narrowedReason(['--operation one']);
  expect(filtered).toBe('The run was narrowed with --operation one.');
  expect(openGroups([open('A-1', 'two', filtered)])).toEqual([]);
});

test('operations are named', () => {
  const names = Array.from({ length: 20 }, (_, index) => `o${index}`);
  expect(operationsInShort(names, 20)).toBe('every operation (20)');
  expect(operationsInShort(['a'], 1)).toBe('a');
  expect(operationsInShort(names.slice(0, 13), 20)).toContain('o12');
  expect(operationsInShort(names.slice(0, 15), 20)).toMatch(/^o0, .*, o11 and 3 more \(report\.json\)$/);
});
