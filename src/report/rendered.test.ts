import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { busy } from '../testing/busy-report.ts';
import { cellWith, reportWith } from '../testing/sample-report.ts';
import { earl } from './earl.ts';
import { junit } from './junit.ts';

import { markdown } from './markdown.ts';
import type { Report } from './report.ts';
import { sarif } from './sarif.ts';
import { supportRequest } from './support.ts';
import { terminalReport } from './terminal.ts';

const mark = (letter: string) => (text: string) => `<${letter}>${text}</${letter}>`;
const paint = {
  red: mark('r'),
  green: mark('g'),
  yellow: mark('y'),
  bold: mark('b'),
  dim: mark('d'),
  cyan: mark('c'),
};

const plain = reportWith({ cells: [cellWith({ clause: 'IDM-6', verdict: 'pass' })] });
const signers = ['0123456789abcdef0123', 'ff'];

/** The documents next to this test are as readers see them. */
test.each<[string, (report: Report) => string | Promise<string>]>([
  ['junit.xml', (report) => junit.render({ report, evidence: '', signers: [] })],
  [
    'md',
    (report) =>
      markdown.render({ report, evidence: '', signers: report === plain ? signers.slice(0, 1) : signers }),
  ],
  ['sarif', (report) => sarif.render({ report, evidence: '', signers: [] })],
  ['earl', (report) => earl.render({ report, evidence: '', signers: [] })],
  ['terminal.txt', (report) => terminalReport(report, paint, report === plain ? undefined : 'reports/x')],
])('a busy and a plain report as %s', async (name, render) => {
  const folder = new URL('./literal/rendered/', import.meta.url);
  for (const [which, report] of [
    ['busy', busy],
    ['plain', plain],
  ] as const)
    expect(await render(report)).toBe(await readFile(new URL(`${which}.${name}`, folder), 'utf8'));
});

test('what support is asked names no body, no header and no query', () => {
  const [one, other] = busy.violations.map((finding) => supportRequest(busy, finding).split('\n'));
  expect(one).toEqual([
    'Support request: Another request under a used key is a conflict.',
    '',
    'Contract version: 1.27.0 (Governed Command API)',
    'Environment:      test',
    'Operation:        POST /cases (create_case)',
    'Timestamp:        2026-01-31T10:00:01.000Z',
    'Correlation ID:   req_1, req_2',
    'Clause:           IDM-6, "the result is `409`" (POST /cases, rule 4)',
    'Finding:          IDM-6/create_case of run 2026-01-31T10-00-00-000Z-abc123, reproduced in 3 of 3 repeats',
    '',
    'Requests, in the order in which they were sent:',
    '  1. 2026-01-31T10:00:01.000Z  POST /cases  returned 409  req_1',
    '  2. 2026-01-31T10:00:02.000Z  gone  no response  no X-Request-Id',
    '',
  ]);
  expect(other?.slice(5, 9)).toEqual([
    'Timestamp:        2026-01-31T10:00:00.000Z',
    'Correlation ID:   the service sent no X-Request-Id',
    'Clause:           IDM-7, "the result is `409`" (POST /cases, rule 4)',
    'Finding:          IDM-7/create_case of run 2026-01-31T10-00-00-000Z-abc123, seen, not repeated',
  ]);
});
