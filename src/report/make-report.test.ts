import { describe, expect, test } from 'vitest';
import type { Clause } from '../model/clause.ts';
import type { Cell } from '../model/verdict.ts';
import {
  answer,
  cell,
  clause,
  contractOf,
  createCase,
  exchange,
  footer,
  header,
  listCases,
  step,
  trace,
  violated,
} from '../testing/literal-run.ts';
import { renderHtml } from './html/html.tsx';
import { makeReportBuilder, type ReportFacts, runId } from './make-report.ts';
import { markdown } from './markdown.ts';
import type { Report } from './report.ts';

const evidence = { file: 'evidence.jsonl', bytes: 9, lines: 3, sha256: 'a', footer: 'b', problems: [] };

const facts = (given: Partial<ReportFacts> = {}): ReportFacts => ({
  header: header(),
  footer: footer(),
  judgedBy: { name: 'assay', version: '0.2.0' },
  verdict: {
    outcome: 'conformant',
    partial: false,
    certifiable: true,
    shortfalls: [],
    exitCode: 0,
    exitCodeOtherwise: 0,
  },
  cells: [],
  clauses: [clause()],
  contract: contractOf(createCase, listCases),
  openPoints: [],
  evidence,
  ...given,
});

const reportOf = (given: Partial<ReportFacts> = {}): Report => makeReportBuilder().report(facts(given));

test('a report, its page and its summary name who ran it, and on what approved scope', async () => {
  const { target } = header();
  const report = reportOf({
    header: header({ ranBy: 'release <pipeline>', target: { ...target, approvedScope: 'order 7 & more' } }),
  });
  expect(report).toMatchObject({
    run: { ranBy: 'release <pipeline>' },
    subject: { asserted: { approvedScope: 'order 7 & more' } },
  });
  const page = renderHtml(report, []);
  expect(page).toContain('release &lt;pipeline>');
  expect(page).toContain('order 7 &amp; more');
  const summary = await markdown.render({ report, evidence: '', signers: [] });
  expect(summary).toContain('**Approved scope** (asserted): order 7');
  expect(summary).toContain('**Run by** (asserted): release');
});

test('a report repeats what the log says of the run', () => {
  expect(reportOf()).toMatchObject({
    format: 'assay-report/4',
    run: {
      id: '2026-01-31T10-00-00-000Z-012345',
      startedAt: '2026-01-31T10:00:00.000Z',
      endedAt: '2026-01-31T10:01:01.600Z',
      elapsedMs: 61_600,
      ended: 'complete',
      exchanges: 0,
      traces: 0,
    },
    subject: {
      asserted: {
        vendor: 'Example',
        product: 'Sample',
        version: '2.0',
        baseUrl: 'http://127.0.0.1:1/api',
        environment: 'test',
      },
      observed: [],
    },
    baseline: {
      harness: { name: 'assay', version: '0.1.0' },
      judgedBy: { name: 'assay', version: '0.2.0' },
      contract: {
        file: 'contract.yaml',
        title: 'Governed Command API',
        version: '1.27.0',
        digest: 'c'.repeat(64),
      },
      configuration: { file: 'harness.config.yaml', digest: 'f'.repeat(64) },
      suites: { digest: 's'.repeat(64), names: ['duplicate-keys'] },
      declaration: { G1: 'replay' },
      seed: 7,
      budget: 'standard',
      environment: { node: 'v20.19.0', platform: 'linux' },
    },
    limits: {
      partial: false,
      budget: { name: 'standard', maxRequests: 60_000, maxSeconds: 1800, requests: 0, seconds: 62 },
      open: [],
    },
    redaction: {
      removals: [{ secret: 'full', form: 'bearer', count: 2 }],
      digests: [{ principal: 'full', digest: 'abcdef' }],
    },
    clauses: [
      {
        code: 'IDM-6',
        level: 'stated',
        text: 'Another request under a used key is a conflict.',
        source: { where: 'POST /cases, rule 4', quote: 'the result is `409`' },
      },
    ],
    evidence,
  });
});

test('a log without a footer is that of an interrupted run, and so is a damaged one', () => {
  const report = reportOf({ footer: undefined });
  expect(report.run).toMatchObject({ endedAt: undefined, elapsedMs: 0, ended: 'interrupted' });
  expect(report.redaction.removals).toEqual([]);
  expect(reportOf({ footer: footer({ end: 'budget' }) }).run.ended).toBe('budget');
  const damaged = { ...evidence, problems: [{ line: 2, problem: 'torn' }] };
  expect(reportOf({ evidence: damaged }).run.ended).toBe('interrupted');
});

test('the run is named by its start and its nonce', () => {
  expect(runId({ startedAt: '2026-02-03T04:05:06.789Z', nonce: 'abcdef0123' })).toBe(
    '2026-02-03T04-05-06-789Z-abcdef',
  );
});

test('what was sent is counted, by operation and over time', () => {
  const builder = makeReportBuilder();
  const one = exchange({ id: 'x1' });
  const two = exchange({ id: 'x2', answer: answer(429), startedAt: 20, endedAt: 30 });
  builder.see(one);
  builder.see(two);
  builder.seeTrace(trace([{ steps: [step({})] }], [one, two]));
  const report = builder.report(facts());
  expect(report.run).toMatchObject({ exchanges: 2, traces: 1 });
  expect(report.limits.budget.requests).toBe(2);
  expect(report.operations.map(({ operation, requests }) => [operation, requests])).toEqual([
    ['createCase', 2],
    ['listCases', 0],
  ]);
  expect(report.throttling).toMatchObject({ throttled: 1, episodes: [{ exchange: 'x2' }] });
  expect(report.throttling.timeline).toMatchObject([{ requests: 2, succeeded: 1, throttled: 1 }]);
});

describe('what the responses say about the implementation', () => {
  const observed = (answers: readonly (readonly (readonly [string, string])[] | undefined)[]) => {
    const builder = makeReportBuilder();
    for (const headers of answers)
      builder.see(exchange({ answer: headers === undefined ? undefined : answer(200, { headers }) }));
    return builder.report(facts()).subject.observed;
  };

  test('is counted by name and value, the most frequent first', () => {
    const service = ['Server', 'one'] as const;
    expect(
      observed([
        [['server', 'two']],
        [service, ['X-Powered-By', 'p']],
        [service, ['Date', 'today']],
        undefined,
      ]),
    ).toEqual([
      { header: 'server', value: 'one', count: 2 },
      { header: 'server', value: 'two', count: 1 },
      { header: 'x-powered-by', value: 'p', count: 1 },
    ]);
  });

  test.each([
    'server',
    'x-powered-by',
    'via',
    'api-version',
    'x-api-version',
    'x-service-version',
    'x-version',
    'x-contract-version',
  ])('is in %s', (name) => {
    expect(observed([[[name, 'v']]])).toEqual([{ header: name, value: 'v', count: 1 }]);
  });

  test('is cut after 200 characters and 20 values', () => {
    expect(observed([[['server', 's'.repeat(300)]]])[0]?.value).toHaveLength(200);
    const many = Array.from({ length: 30 }, (_, index) => [['server', `v${index % 25}`]] as const);
    const found = observed(many);
    expect(found).toHaveLength(20);
    expect(found.filter(({ count }) => count === 2).map(({ value }) => value)).toEqual([
      'v0',
      'v1',
      'v2',
      'v3',
      'v4',
    ]);
  });
});

describe('the clock of the implementation', () => {
  const skew = (...dates: readonly (string | undefined)[]): number | undefined => {
    const builder = makeReportBuilder();
    for (const date of dates)
      builder.see(
        exchange({
          time: '2026-11-21T10:00:00.000Z',
          startedAt: 1000,
          endedAt: 1300,
          answer: answer(200, { headers: date === undefined ? [] : [['Date', date]] }),
        }),
      );
    return builder.report(facts()).subject.clockSkewSeconds;
  };

  test.each<[number | undefined, readonly (string | undefined)[]]>([
    [0, ['Sat, 21 Nov 2026 10:00:00 GMT']],
    [-1, ['Sat, 21 Nov 2026 09:59:59 GMT']],
    [90, ['Sat, 21 Nov 2026 10:01:30 GMT', 'Sat, 21 Nov 2026 10:00:00 GMT']],
    [-3600, [undefined, 'today', 'Sat, 21 Nov 2026 09:00:00 GMT']],
    [undefined, [undefined, 'today']],
  ])('is %s s ahead', (ahead, dates) => expect(skew(...dates)).toBe(ahead));
});

describe('the scope', () => {
  test('lists the operations of the contract, each with a digest of what it says', () => {
    const { scope } = reportOf();
    expect(scope).toMatchObject({
      governedOperations: 293,
      operations: [
        { id: 'createCase', method: 'POST', path: '/cases', kind: 'command' },
        { id: 'listCases', method: 'GET', path: '/cases', kind: 'read' },
      ],
    });
    const digest = (operation: typeof createCase): string | undefined =>
      reportOf({ contract: contractOf(operation) }).scope.operations[0]?.digest;
    const { id, path, ...rest } = createCase;
    expect(digest(createCase)).toMatch(/^[0-9a-f]{64}$/);
    expect(digest({ ...rest, path, id })).toBe(digest(createCase));
    expect(digest({ ...createCase, permissions: [] })).not.toBe(digest(createCase));
  });
});

describe('the cells', () => {
  const cells: readonly Cell[] = [
    cell({ verdict: 'pass' }),
    cell({ clause: 'IDM-7', verdict: 'not-tested', because: 'no second principal' }),
    cell({ clause: 'IDM-8', verdict: 'not-tested', because: 'no second principal', operation: 'listCases' }),
    cell({ clause: 'IDM-8', verdict: 'not-tested', because: 'no second principal' }),
    cell({ clause: 'IDM-9', verdict: 'not-tested', because: 'no budget' }),
    cell({ clause: 'IDM-9', verdict: 'inconclusive', because: 'no budget' }),
    cell({ clause: 'RID-5', level: 'advisory', verdict: 'not-tested', because: 'no budget' }),
    cell({ clause: 'RID-6', level: 'advisory', verdict: 'pass' }),
    cell({ clause: 'RID-7', verdict: 'not-applicable' }),
  ];

  test('are counted without advisory ones', () => {
    expect(reportOf({ cells }).counts).toEqual({
      pass: 1,
      fail: 0,
      unstable: 0,
      inconclusive: 1,
      'not-tested': 4,
      'not-applicable': 1,
    });
  });

  test('without a verdict are grouped by what they lack', () => {
    expect(reportOf({ cells }).limits.open).toEqual([
      {
        verdict: 'not-tested',
        because: 'no second principal',
        clauses: ['IDM-7', 'IDM-8'],
        operations: ['createCase'],
        cells: 2,
      },
      {
        verdict: 'not-tested',
        because: 'no second principal',
        clauses: ['IDM-8'],
        operations: ['listCases'],
        cells: 1,
      },
      {
        verdict: 'not-tested',
        because: 'no budget',
        clauses: ['IDM-9'],
        operations: ['createCase'],
        cells: 1,
      },
      {
        verdict: 'inconclusive',
        because: 'no budget',
        clauses: ['IDM-9'],
        operations: ['createCase'],
        cells: 1,
      },
    ]);
  });

  test('are in the report without their traces', () => {
    const example = violated(trace([{ steps: [step({})] }], [exchange({})]), ['x1']);
    const { cells: shown } = reportOf({ cells: [cell({ example })] });
    expect(shown).toEqual([expect.objectContaining({ clause: 'IDM-6', verdict: 'fail' })]);
    expect(shown[0]).not.toHaveProperty('example');
  });
});

test('violations and advisories stand apart, each with its waiver', () => {
  const example = violated(trace([{ steps: [step({})] }], [exchange({})]), ['x1']);
  const clauses: readonly Clause[] = [clause(), clause({ code: 'RID-5', level: 'advisory' })];
  const cells = [
    cell({ example }),
    cell({ example, clause: 'RID-5', level: 'advisory' }),
    cell({ example, clause: 'OLD-1' }),
  ];
  const waiver = {
    clause: 'IDM-6',
    operation: undefined,
    owner: 'Ada',
    reason: 'soon',
    expires: '2026-01-31',
  };
  const report = reportOf({ cells, clauses, header: header({ waivers: [waiver] }) });
  expect(report.violations.map(({ id, waiver: overlay }) => [id, overlay])).toEqual([
    ['IDM-6/createCase', waiver],
  ]);
  expect(report.violations[0]?.reproduce).toContain(
    '--config harness.config.yaml --base-url http://127.0.0.1:1/api --seed 7 --budget standard',
  );
  expect(report.advisories.map(({ id }) => id)).toEqual(['RID-5/createCase']);
  expect(report.waivers).toEqual([{ ...waiver, state: 'in effect', findings: ['IDM-6/createCase'] }]);
  const expired = reportOf({
    cells,
    clauses,
    header: header({ waivers: [{ ...waiver, expires: '2026-01-30' }] }),
  });
  expect(expired.violations[0]?.waiver).toBeUndefined();
  expect(expired.waivers[0]?.state).toBe('expired');
});
