import { expect, test } from 'vitest';
import { busy } from '../testing/busy-report.ts';
import { type Causal, causesOf, causeWords } from './causes.ts';
import { renderHtml } from './html/html.tsx';
import { markdown } from './markdown.ts';
import { terminalReport } from './terminal.ts';

type Role = Causal['exchanges'][number]['role'];

const finding = (id: string, exchanges: readonly (readonly [string, Role])[]): Causal => ({
  id,
  operation: id.split('/')[1] ?? '',
  scenario: `situation of ${id}`,
  exchanges: exchanges.map(([exchange, role]) => ({ id: exchange, role })),
});

const ids = (findings: readonly Causal[]): readonly (readonly string[])[] =>
  causesOf(findings).map((cause) => cause.findings.map(({ id }) => id));

test('findings that rest on one request have one cause, and the largest group comes first', () => {
  const findings = [
    finding('CMD-1/createCase', [['x9', 'test']]),
    finding('AUT-3/createCase', [['x1', 'test']]),
    finding('AUT-11/createCase', [
      ['x1', 'test'],
      ['x2', 'control'],
    ]),
    finding('PRE-1/createCase', [['x1', 'test']]),
  ];
  expect(ids(findings)).toEqual([
    ['AUT-3/createCase', 'AUT-11/createCase', 'PRE-1/createCase'],
    ['CMD-1/createCase'],
  ]);
  expect(causeWords(findings)).toBe('4 findings, probably 2 causes');
});

test('a shared control, setup or read is no common cause', () => {
  const findings = (['control', 'setup', 'readback'] as const).map((role, index) =>
    finding(`VAL-${index}/createCase`, [
      ['x1', role],
      [`x${index + 5}`, 'test'],
    ]),
  );
  expect(causeWords(findings)).toBeUndefined();
});

test('a finding that shares requests with two groups joins them', () => {
  const findings = [
    finding('IDM-1/createCase', [['x1', 'test']]),
    finding('IDM-2/createCase', [['x2', 'test']]),
    finding('IDM-3/createCase', [
      ['x1', 'test'],
      ['x2', 'test'],
    ]),
  ];
  expect(ids(findings)).toEqual([['IDM-1/createCase', 'IDM-2/createCase', 'IDM-3/createCase']]);
  expect(causeWords(findings)).toBe('3 findings, probably 1 cause');
});

test('findings without a request under test, and none at all, are each their own', () => {
  expect(causeWords([finding('A-1/x', []), finding('A-2/x', [])])).toBeUndefined();
  expect(causeWords([])).toBeUndefined();
});

test('terminal, page and summary say it, and begin with the cause that explains most', async () => {
  const [one, two] = busy.violations;
  if (one === undefined || two === undefined) throw new Error('the busy report has two violations');
  const alone = { ...two, id: 'CMD-1/create_case', clause: 'CMD-1', exchanges: [] };
  const shared = { ...two, id: 'IDM-9/create_case', operation: one.operation, exchanges: one.exchanges };
  const report = { ...busy, violations: [alone, one, shared] };
  const same = (text: string): string => text;
  const paint = { red: same, green: same, yellow: same, bold: same, dim: same, cyan: same };
  const terminal = terminalReport(report, paint, 'reports/x');
  expect(terminal).toContain(`3 findings, probably 2 causes\n  ${one.id}, IDM-9/create_case: `);
  expect(terminal).toContain(`1. ${one.clause}`);
  expect(terminal).toContain(`next: assay explain ${one.clause}`);
  expect(renderHtml(report)).toContain('3 findings, probably 2 causes');
  expect(await markdown.render({ report, evidence: '', signers: [] })).toContain(
    '3 findings, probably 2 causes.',
  );
});
