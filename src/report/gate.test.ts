import { describe, expect, test } from 'vitest';
import { cellWith, findingWith, reportWith } from '../testing/sample-report.ts';
import { compare } from './compare.ts';
import { type FailOn, gateOf, gateWords } from './gate.ts';
import type { Finding, Report, WaiverReport } from './report.ts';

const waiver = {
  clause: 'IDM-6',
  operation: 'createCase',
  owner: 'Ada',
  reason: 'fixed in 2.0',
  expires: '2027-03-31',
};

function violated(...findings: readonly Partial<Finding>[]): Report {
  const base = reportWith({
    cells: findings.map((one) => cellWith({ clause: one.clause ?? 'IDM-6', verdict: 'fail' })),
    violations: findings.map((one) =>
      findingWith({ id: `${one.clause ?? 'IDM-6'}/createCase`, operation: 'createCase', ...one }),
    ),
  });
  return {
    ...base,
    verdict: { ...base.verdict, outcome: 'violations', exitCode: 1 },
    limits: { ...base.limits, open: [] },
    waivers: [],
  };
}

const pass = (failOn: FailOn, report: Report, before?: Report): readonly [number, string] => {
  const gate = gateOf(
    report,
    { failOn, unstable: 'fail' },
    before === undefined ? undefined : compare(before, report),
  );
  return [gate.exitCode, gateWords(report, gate)];
};

describe('the gate', () => {
  const waived = violated({ clause: 'IDM-6', waiver });
  const state = (of: WaiverReport['state']): Report => ({
    ...waived,
    waivers: [{ ...waiver, state: of, findings: [] }],
  });

  test('a waived violation passes `unwaived`, and the verdict stays', () => {
    expect(pass('unwaived', waived)).toEqual([0, 'violations (gate passed: 1 waived)']);
    expect(pass('any', waived)).toEqual([1, 'violations']);
    expect(waived.verdict.outcome).toBe('violations');
  });

  test.each<[WaiverReport['state'], string]>([
    ['expired', 'the waiver of IDM-6/createCase (Ada) expired on 2027-03-31: fix the violation or renew it'],
    ['unused', 'the waiver of IDM-6/createCase (Ada) is stale: its violation is gone, so remove it'],
    [
      'unmatched',
      'the waiver of IDM-6/createCase (Ada) is unmatched: the clause applies to no such operation, so remove it',
    ],
  ])('a waiver that is %s fails by name', (of, failure) => {
    const gate = gateOf(state(of), { failOn: 'unwaived', unstable: 'fail' }, undefined);
    expect(gate.failures).toEqual([failure]);
    expect(gate.exitCode).toBe(1);
  });

  test('`stated` lets violations of derived clauses pass', () => {
    expect(pass('stated', violated({ level: 'derived' }))).toEqual([
      0,
      'violations (gate passed: 1 derived)',
    ]);
    expect(pass('stated', violated({ level: 'stated' }))[0]).toBe(1);
  });

  test('`new` lets what was violated before pass, and names what is new', () => {
    const before = violated({ clause: 'IDM-6' });
    expect(pass('new', before, before)).toEqual([0, 'violations (gate passed: 1 known)']);
    const after = violated({ clause: 'IDM-6' }, { clause: 'IDM-8' });
    expect(pass('new', after, before)).toEqual([1, 'violations (gate failed: 1 reason)']);
  });

  test('`new`: a cell that was not tested before and fails now is new', () => {
    const before = reportWith({ cells: [cellWith({ clause: 'IDM-6', verdict: 'not-tested' })] });
    expect(pass('new', violated({ clause: 'IDM-6' }), before)[0]).toBe(1);
  });

  test('`new`: lost coverage fails by name', () => {
    const before = reportWith({ cells: [cellWith({ clause: 'IDM-6', verdict: 'pass' })] });
    const after = reportWith({ cells: [cellWith({ clause: 'IDM-6', verdict: 'not-tested' })] });
    const gate = gateOf(after, { failOn: 'new', unstable: 'fail' }, compare(before, after));
    expect(gate.failures).toEqual([
      expect.stringMatching(/^IDM-6\/\w+ lost coverage: pass, now not-tested$/),
    ]);
    expect(gate.exitCode).toBeGreaterThanOrEqual(1);
  });

  test('a run that cannot be compared does not pass `new`', () => {
    const before = violated({});
    const other = {
      ...before,
      baseline: { ...before.baseline, contract: { ...before.baseline.contract, version: '9' } },
    };
    expect(pass('new', before, other)[0]).toBe(1);
    expect(pass('new', before)[0]).toBe(1);
  });

  test('codes 2 and 3 are never lowered: what was left open stays open behind accepted violations', () => {
    for (const exitCodeOtherwise of [0, 2, 3] as const)
      expect(pass('unwaived', { ...waived, verdict: { ...waived.verdict, exitCodeOtherwise } })[0]).toBe(
        exitCodeOtherwise,
      );
  });

  test('an unstable violation passes only where the policy says so', () => {
    const report = violated({ verdict: 'unstable' });
    expect(gateOf(report, { failOn: 'any', unstable: 'pass' }, undefined).exitCode).toBe(0);
    expect(gateOf(report, { failOn: 'any', unstable: 'fail' }, undefined).exitCode).toBe(1);
  });
});
