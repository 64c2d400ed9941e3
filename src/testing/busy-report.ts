import type { OpenPoint } from '../model/open-point.ts';
import type { Report } from '../report/report.ts';
import { cellWith, excerptWith, findingWith, reportWith } from './sample-report.ts';

const waiver = {
  clause: 'IDM-7',
  operation: 'create_case',
  owner: 'Ada',
  reason: 'fixed in 2.0',
  expires: '2026-06-30',
};

const point = (given: Partial<OpenPoint>): OpenPoint => ({
  point: 'G1',
  title: 'answer to a finished duplicate',
  quote: 'not shown',
  readings: [],
  always: '',
  byDefault: '',
  clauses: ['IDM-20'],
  declared: undefined,
  observed: [],
  state: 'not observed',
  notes: [],
  ...given,
});

const observed = (
  text: string,
  count: number,
  requestIds: readonly string[],
  exchanges: readonly string[] = [],
) => ({
  text,
  count,
  exchanges,
  requestIds,
});

const base = reportWith({});
const operation = { method: 'POST', kind: 'command', digest: 'd' } as const;
const cell = (clause: string, verdict: Parameters<typeof cellWith>[0]['verdict'], because = '') => ({
  ...cellWith({ clause, verdict }),
  operation: 'create_case',
  because,
});

/** A report in which something of everything happened. */
export const busy: Report = {
  ...base,
  verdict: {
    outcome: 'violations',
    partial: true,
    certifiable: false,
    shortfalls: ['only a part', 'a waiver'],
    exitCode: 1,
    exitCodeOtherwise: 3,
  },
  run: { ...base.run, ended: 'budget', elapsedMs: 61_600, exchanges: 12 },
  subject: { ...base.subject, asserted: { ...base.subject.asserted, vendor: 'Example & Sons' } },
  scope: {
    governedOperations: 293,
    operations: [
      { ...operation, id: 'create_case', path: '/cases' },
      { ...operation, id: 'close_case', path: '/cases/{caseId}/close' },
    ],
  },
  counts: { pass: 1, fail: 2, unstable: 1, inconclusive: 1, 'not-tested': 2, 'not-applicable': 1 },
  clauses: [
    ...base.clauses,
    {
      code: 'IDM-7',
      level: 'derived',
      text: 'One effect.',
      source: { where: 'Limits, rule 2', quote: 'deduplicated' },
    },
    {
      code: 'RID-5',
      level: 'advisory',
      text: 'Ids differ.',
      source: { where: 'Errors', quote: 'of every attempt' },
    },
  ],
  cells: [
    { ...cell('RID-1', 'pass'), idsOnly: true, advisories: [{ text: 'an odd <case>', count: 2 }] },
    cell('IDM-6', 'fail', 'The key was bound to another request.'),
    cell('IDM-7', 'unstable', 'Two effects.'),
    cell('IDM-8', 'fail', 'Nothing shows it.'),
    cell('IDM-9', 'inconclusive', 'The control failed.'),
    cell('IDM-10', 'not-tested', 'Name a second principal.'),
    { ...cell('IDM-11', 'not-tested', 'Name a second principal.'), operation: 'close_case' },
    cell('VER-1', 'not-applicable', 'It has no version.'),
    { ...cellWith({ clause: 'RID-5', verdict: 'fail', level: 'advisory' }), operation: 'create_case' },
    { ...cellWith({ clause: 'ADV-1', verdict: 'not-tested', level: 'advisory' }), operation: 'create_case' },
  ],
  violations: [
    findingWith({
      id: 'IDM-6/create_case',
      operation: 'create_case',
      exchanges: [
        excerptWith({ operation: 'create_case', status: 409 }),
        excerptWith({
          id: 'x2',
          operation: 'gone',
          time: '2026-01-31T10:00:02.000Z',
          request: 'POST /cases?a=b c',
          status: undefined,
          noAnswer: 'reset: by the peer',
          requestIds: [],
          requestBody: undefined,
          requestHeaders: [
            ['A', '1'],
            ['B', '2'],
            ['A', '3'],
          ],
        }),
      ],
    }),
    findingWith({
      id: 'IDM-7/create_case',
      clause: 'IDM-7',
      operation: 'create_case',
      level: 'derived',
      verdict: 'unstable',
      text: 'One effect.',
      actual: 'two records | <b>',
      requestIds: [],
      repeats: { violated: 0, of: 0 },
      exchanges: [],
      waiver,
    }),
  ],
  advisories: [
    findingWith({
      id: 'RID-5/create_case',
      clause: 'RID-5',
      operation: 'create_case',
      level: 'advisory',
      text: 'Ids differ.',
    }),
  ],
  waivers: [
    { ...waiver, state: 'in effect', findings: ['IDM-7/create_case'] },
    { ...waiver, clause: 'OLD-1', operation: undefined, owner: 'B_b', state: 'expired', findings: [] },
  ],
  limits: {
    ...base.limits,
    open: [
      {
        verdict: 'inconclusive',
        because: 'The control failed.',
        clauses: ['IDM-9'],
        operations: ['create_case'],
        cells: 1,
      },
      {
        verdict: 'not-tested',
        because: 'Name a second principal.',
        clauses: ['IDM-10', 'IDM-11'],
        operations: ['create_case', 'close_case'],
        cells: 2,
      },
    ],
  },
  openPoints: [
    point({
      declared: 'replay',
      state: 'as declared',
      observed: [observed('replay', 3, ['req_1'], ['x1'])],
    }),
    point({
      point: 'G2',
      title: 'class of a missing key',
      state: 'mixed',
      observed: [observed('422', 2, [], ['x2']), observed('400', 1, [])],
      notes: ['said twice'],
    }),
    point({
      point: 'G6',
      title: 'carrier of the version',
      declared: { in: 'header' },
      state: 'not observed',
    }),
    point({
      point: 'G11',
      title: '403 or 422',
      declared: 'strict',
      state: 'contradicts the declaration',
      observed: ['a', 'b', 'c', 'd', 'e'].map((text) => observed(text.repeat(80), 1, [])),
      clauses: [],
    }),
    point({
      point: 'G13',
      state: 'observed',
      title: 'lifetime',
      observed: [observed('x'.repeat(70), 1, [])],
    }),
    point({ point: 'G14' }),
    point({ point: 'G15' }),
  ],
  evidence: { ...base.evidence, problems: [{ line: 7, problem: 'there is no footer' }] },
};
