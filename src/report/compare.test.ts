import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../model/verdict.ts';
import { cellWith, reportWith } from '../testing/sample-report.ts';
import { compare, isLess, isWorse } from './compare.ts';

const verdicts: readonly Verdict[] = [
  'pass',
  'fail',
  'unstable',
  'inconclusive',
  'not-tested',
  'not-applicable',
];

test.each<[Verdict | undefined, Verdict | undefined, string, boolean, boolean]>([
  ['pass', 'fail', 'regression', true, false],
  ['pass', 'unstable', 'regression', true, false],
  ['fail', 'pass', 'fixed', false, false],
  ['unstable', 'pass', 'fixed', false, false],
  ['not-tested', 'pass', 'newly covered', false, false],
  ['inconclusive', 'pass', 'newly covered', false, false],
  ['not-applicable', 'pass', 'newly covered', false, false],
  [undefined, 'pass', 'newly covered', false, false],
  ['not-tested', 'fail', 'newly covered', true, false],
  ['pass', 'not-tested', 'coverage lost', false, true],
  ['pass', 'inconclusive', 'coverage lost', false, true],
  ['fail', 'not-tested', 'coverage lost', false, true],
  ['pass', undefined, 'coverage lost', false, true],
  ['fail', 'unstable', 'other', false, false],
  ['not-tested', 'inconclusive', 'other', false, false],
])('%s, then %s, is %s', (before, after, kind, worse, less) => {
  const cells = (verdict: Verdict | undefined) =>
    verdict === undefined ? [] : [cellWith({ clause: 'IDM-6', verdict })];
  const comparison = compare(reportWith({ cells: cells(before) }), reportWith({ cells: cells(after) }));
  expect(comparison.changes).toEqual([
    expect.objectContaining({ cell: 'IDM-6/createCase', kind, before, after }),
  ]);
  expect(isWorse(comparison)).toBe(worse);
  expect(isLess(comparison)).toBe(less);
});

test('advisory clauses stop no gate', () => {
  const cells = (verdict: Verdict) => [cellWith({ clause: 'RID-5', level: 'advisory', verdict })];
  const comparison = compare(reportWith({ cells: cells('pass') }), reportWith({ cells: cells('fail') }));
  expect(comparison.changes).toHaveLength(1);
  expect([isWorse(comparison), isLess(comparison)]).toEqual([false, false]);
});

describe('not comparable', () => {
  const pass = [cellWith({ clause: 'IDM-6', verdict: 'pass' })];
  const fail = [cellWith({ clause: 'IDM-6', verdict: 'fail' })];

  test('another contract', () => {
    const comparison = compare(
      reportWith({ cells: pass }),
      reportWith({ cells: fail, contract: { version: '1.28.0' } }),
    );
    expect(comparison.obstacles).toEqual([
      'another contract: Governed Command API 1.27.0, then Governed Command API 1.28.0',
    ]);
    expect(comparison.changes.map(({ kind }) => kind)).toEqual(['not comparable']);
    expect([isWorse(comparison), isLess(comparison)]).toEqual([false, true]);
  });

  test('another profile', () => {
    const comparison = compare(
      reportWith({ cells: pass, declaration: { G1: 'replay' } }),
      reportWith({ cells: fail, declaration: { G11: 'lenient' } }),
    );
    expect(comparison.obstacles).toEqual([
      'other declarations: G1 was declared as "replay", then as nothing',
      'other declarations: G11 was declared as nothing, then as "lenient"',
    ]);
  });

  test('an operation of which the contract says something else', () => {
    const comparison = compare(
      reportWith({ cells: pass, operationDigest: 'a'.repeat(64) }),
      reportWith({ cells: fail, operationDigest: 'b'.repeat(64) }),
    );
    expect(comparison.obstacles).toEqual([]);
    expect(comparison.changes).toEqual([
      expect.objectContaining({
        kind: 'not comparable',
        because: 'the contract says something else of createCase',
      }),
    ]);
    expect([isWorse(comparison), isLess(comparison)]).toEqual([false, true]);
  });
});

test('a run compared with itself has not changed; turned round, regressions are fixed and coverage is lost', () => {
  const turned: Readonly<Record<string, readonly string[]>> = {
    regression: ['fixed'],
    fixed: ['regression'],
    'newly covered': ['coverage lost'],
    'coverage lost': ['newly covered'],
    other: ['other'],
  };
  const run = fc
    .array(fc.constantFrom(...verdicts), { minLength: 5, maxLength: 5 })
    .map((each) =>
      reportWith({ cells: each.map((verdict, index) => cellWith({ clause: `IDM-${index}`, verdict })) }),
    );
  fc.assert(
    fc.property(run, run, (one, other) => {
      expect(compare(one, one).changes).toEqual([]);
      const there = compare(one, other).changes.map(({ cell, kind }) => [cell, kind]);
      const back = new Map(compare(other, one).changes.map(({ cell, kind }) => [cell, kind]));
      for (const [cell, kind] of there) expect(turned[kind ?? '']).toContain(back.get(cell ?? ''));
    }),
  );
});

test('a comparison counts what is unchanged, names both runs, and says why', () => {
  const of = (id: string, verdicts: Readonly<Record<string, Verdict>>) => {
    const report = reportWith({
      cells: Object.entries(verdicts).map(([clause, verdict]) => ({
        ...cellWith({ clause, verdict }),
        because: `${verdict} in ${id}`,
      })),
    });
    return { ...report, run: { ...report.run, id } };
  };
  const [before, after] = [
    of('one', { A: 'pass', B: 'pass', C: 'fail', D: 'pass' }),
    of('two', { A: 'pass', B: 'fail', C: 'fail' }),
  ];
  const comparison = compare(before, after);
  expect(comparison).toMatchObject({
    before: {
      id: 'one',
      startedAt: '2026-01-31T10:00:00.000Z',
      outcome: 'conformant',
      evidence: '0'.repeat(64),
    },
    after: { id: 'two' },
    obstacles: [],
    unchanged: 2,
  });
  expect(comparison.changes.map(({ cell, because }) => [cell, because])).toEqual([
    ['B/createCase', 'fail in two'],
    ['D/createCase', 'the later run has no createCase'],
  ]);
});

test('one change of several makes a run worse, or less', () => {
  const of = (one: Verdict, other: Verdict, level: 'stated' | 'advisory' = 'stated') =>
    reportWith({
      cells: [cellWith({ clause: 'A', verdict: one }), cellWith({ clause: 'B', verdict: other, level })],
    });
  const worse = compare(of('fail', 'pass'), of('pass', 'fail'));
  expect([isWorse(worse), isLess(worse)]).toEqual([true, false]);
  const less = compare(of('fail', 'pass'), of('pass', 'not-tested'));
  expect([isWorse(less), isLess(less)]).toEqual([false, true]);
  const advisory = compare(of('fail', 'pass', 'advisory'), of('pass', 'not-tested', 'advisory'));
  expect([isWorse(advisory), isLess(advisory)]).toEqual([false, false]);
  const other = compare(of('pass', 'pass'), {
    ...of('pass', 'pass'),
    baseline: { ...of('pass', 'pass').baseline, declaration: { G1: 'replay' } },
  });
  expect([isWorse(other), isLess(other), other.changes]).toEqual([false, true, []]);
});
