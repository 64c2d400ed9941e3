import { expect, test } from 'vitest';
import { cellWith, reportWith } from '../testing/sample-report.ts';
import { differences } from './differences.ts';
import type { Report } from './report.ts';

const cells = [
  cellWith({ clause: 'IDM-6', verdict: 'fail' }),
  cellWith({ clause: 'IDM-7', verdict: 'pass' }),
];
const report = reportWith({ cells });

test('a report that says what its evidence says has none', () => {
  expect(differences(report, reportWith({ cells }))).toEqual([]);
  const read: Report = JSON.parse(JSON.stringify(report));
  expect(differences(read, report)).toEqual([]);
});

test('another verdict comes first, and the rest of the cells is left out', () => {
  const found: Report = {
    ...reportWith({ cells: [cellWith({ clause: 'IDM-6', verdict: 'pass' }), ...cells.slice(1)] }),
    verdict: { ...report.verdict, exitCode: 1 },
  };
  expect(differences(found, report)).toEqual([
    { at: '/cells/0', problem: "IDM-6/createCase is 'pass' in the report, and 'fail' by the evidence" },
    { at: '/verdict/exitCode', problem: '1 in the report, 0 by the evidence' },
  ]);
});

test('cells too many and too few are named', () => {
  const one = reportWith({ cells: cells.slice(0, 1) });
  expect(differences(one, report)).toEqual([
    { at: '/cells', problem: "IDM-7/createCase is missing from the report; by the evidence it is 'pass'" },
  ]);
  expect(differences(report, one)).toEqual([
    { at: '/cells/1', problem: 'the report has a cell IDM-7/createCase, and the evidence has none' },
  ]);
});

test('a cell whose words alone differ is shown by its member', () => {
  const other = reportWith({
    cells: [{ ...cells[0], because: 'x' }, cells[1]].map((cell) => ({
      ...cellWith({ clause: 'IDM-6', verdict: 'fail' }),
      ...cell,
    })),
  });
  expect(differences(other, report)).toEqual([
    { at: '/cells/0/because', problem: '"x" in the report, "" by the evidence' },
  ]);
});

test('members that are missing, new, longer or of another kind are named', () => {
  const found: Report = {
    ...report,
    run: { ...report.run, endedAt: undefined },
    scope: { ...report.scope, governedOperations: 4 },
    baseline: {
      ...report.baseline,
      selfTest: 'abc',
      suites: { ...report.baseline.suites, names: ['a', 'b'] },
    },
  };
  expect(differences(found, report)).toEqual([
    { at: '/run/endedAt', problem: 'nothing in the report, "2026-01-31T10:01:00.000Z" by the evidence' },
    { at: '/baseline/suites/names', problem: '["a","b"] in the report, ["missing-keys"] by the evidence' },
    { at: '/baseline/selfTest', problem: '"abc" in the report, nothing by the evidence' },
    { at: '/scope/governedOperations', problem: '4 in the report, 293 by the evidence' },
  ]);
});

test('long values are cut', () => {
  const found: Report = { ...report, run: { ...report.run, id: 'a'.repeat(99) } };
  expect(differences(found, report)[0]?.problem).toBe(
    `"${'a'.repeat(59)}... in the report, "2026-01-31T10-00-00-000Z-abc123" by the evidence`,
  );
  const fits: Report = { ...report, run: { ...report.run, id: 'a'.repeat(58) } };
  expect(differences(fits, report)[0]?.problem).toContain(`"${'a'.repeat(58)}" in the report`);
});

test('the version that judged is a part of the report like any other', () => {
  const found: Report = {
    ...report,
    baseline: { ...report.baseline, judgedBy: { name: 'assay', version: '9.0.0' } },
  };
  expect(differences(found, report)).toEqual([
    { at: '/baseline/judgedBy/version', problem: expect.stringMatching(/^"9\.0\.0" in the report/) },
  ]);
});

test('fifty are shown at most', () => {
  const many = Array.from({ length: 80 }, (_, index) =>
    cellWith({ clause: `IDM-${index}`, verdict: 'pass' }),
  );
  expect(differences(reportWith({ cells: many }), reportWith({}))).toHaveLength(50);
});
