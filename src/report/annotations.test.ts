import { expect, test } from 'vitest';
import { findingWith, reportWith } from '../testing/sample-report.ts';
import { annotations, codeQuality } from './annotations.ts';
import type { Report } from './report.ts';

const base = reportWith({});
const report: Report = {
  ...base,
  baseline: { ...base.baseline, contract: { ...base.baseline.contract, file: '/work/repo/api, v1.yaml' } },
  scope: {
    ...base.scope,
    operations: [
      {
        id: 'createCase',
        method: 'POST',
        path: '/cases',
        kind: 'command',
        digest: '0'.repeat(64),
        position: { line: 12, column: 5 },
      },
    ],
  },
  violations: [
    findingWith({
      id: 'IDM-6/createCase',
      operation: 'createCase',
      expected: '409',
      actual: '100% 201\r\n::error::forged',
      requestIds: ['req_1'],
    }),
  ],
};

test('an annotation is one line at the operation, escaped as GitHub asks', () => {
  const [line = ''] = annotations(report, '/work/repo');
  expect(line).toMatch(/^::error file=api%2C v1\.yaml,line=12,col=5,title=IDM-6\/createCase::/);
  expect(line).toContain('%0AActual 100%25 201%0D%0A::error::forged%0A');
  expect(line).toContain('%0ARequest IDs: req_1%0AFix: ');
  expect(line).not.toMatch(/[\r\n]/);
});

test('the code quality report has what GitLab asks for', () => {
  expect(codeQuality(report)).toEqual([
    {
      description: expect.stringContaining('Expected 409'),
      check_name: 'IDM-6',
      fingerprint: 'IDM-6/createCase',
      severity: expect.stringMatching(/^(critical|major)$/),
      location: { path: '/work/repo/api, v1.yaml', lines: { begin: 12 } },
    },
  ]);
});
