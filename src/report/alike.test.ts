import { expect, test } from 'vitest';
import { alikeGroups, differenceInShort } from './alike.ts';
import type { OpenGroup } from './report.ts';

const group = (
  clauses: string,
  operation: string,
  because: string,
  more: Partial<OpenGroup> = {},
): OpenGroup => ({
  ...{ verdict: 'not-tested', because, clauses: clauses.split(' '), operations: [operation], cells: 1 },
  ...more,
});
const without = (name: string): OpenGroup =>
  group('PRM-2', `make${name}`, `Give a valid principal without ${name}.create.`);

test('reasons that differ in a permission are one, and say what differs', () => {
  const groups = ['a', 'b', 'c'].map(without);
  const [found, ...others] = alikeGroups(groups);
  expect(others).toEqual([]);
  expect(found).toEqual({
    clauses: ['PRM-2'],
    operations: ['makea', 'makeb', 'makec'],
    because: 'Give a valid principal without ...',
    differs: ['a', 'b', 'c'].map((name) => ({ words: `${name}.create`, operations: [`make${name}`] })),
  });
});

test('a line names twelve of them at most', () => {
  const names = Array.from({ length: 293 }, (_, index) => `r${index}`);
  const [found] = alikeGroups(names.map(without));
  expect(found === undefined ? '' : differenceInShort(found, 293)).toMatch(
    /^r0\.create \(maker0\), (?:.+, ){10}r11\.create \(maker11\) and 281 more \(report\.json\)$/,
  );
});

test.each<[string, readonly OpenGroup[]]>([
  ['of other clauses', [without('a'), { ...without('b'), clauses: ['PRM-4'] }]],
  ['of another verdict', [without('a'), { ...without('b'), verdict: 'inconclusive' }]],
  ['of another cause', [without('a'), group('PRM-2', 'b', 'Configure the hook revoke or restore.')]],
  ['of another length', [without('a'), group('PRM-2', 'b', 'Give a principal without b.')]],
])('reasons stay apart: %s', (_, groups) => {
  expect(alikeGroups(groups)).toEqual(
    groups.map(({ because, clauses, operations }) => ({ because, clauses, operations, differs: [] })),
  );
});

test('what stands behind a permission stays', () => {
  const groups = ['a', 'b'].map((name) =>
    group('PRM-5', name, `Give one that holds ${name}: of another scope.`),
  );
  expect(alikeGroups(groups).map(({ because }) => because)).toEqual([
    'Give one that holds ...: of another scope.',
  ]);
});

test('words that differ next to each other are one gap, and a bracket closes behind it', () => {
  const groups = ['one', 'two'].map((name) =>
    group('PRM-1', name, `Give a valid principal that holds ${name}.read (for GET /${name}).`),
  );
  const [found] = alikeGroups(groups);
  expect(found?.because).toBe('Give a valid principal that holds ... (for GET ...)');
  expect(found?.differs.map(({ words }) => words)).toEqual(['one.read /one', 'two.read /two']);
});

test('an operation that lacks the same as another is counted with it', () => {
  const groups = [{ ...without('a'), operations: ['one', 'two'] }, without('b')];
  const [found] = alikeGroups(groups);
  expect(found?.operations).toEqual(['one', 'two', 'makeb']);
  expect(found === undefined ? '' : differenceInShort(found, 3)).toBe(
    'a.create (2 operations), b.create (makeb)',
  );
});

test('an operation that the words name is not named again', () => {
  const of = (words: string, operations: readonly string[]) =>
    differenceInShort({ clauses: [], operations, because: '', differs: [{ words, operations }] }, 293);
  expect(of('operations.closeCase.targets', ['closeCase'])).toBe('operations.closeCase.targets');
  expect(of('GET closeCase', ['closeCase'])).toBe('GET closeCase');
  expect(of('operations.closeCases.targets', ['closeCase'])).toBe(
    'operations.closeCases.targets (closeCase)',
  );
  expect(of('closeCase', ['closeCase', 'openCase'])).toBe('closeCase (2 operations)');
});
