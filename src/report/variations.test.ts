import { describe, expect, test } from 'vitest';
import { cellWith, excerptWith, findingWith, reportWith } from '../testing/sample-report.ts';
import { earl } from './earl.ts';
import type { Format } from './format.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { CellChange, Report } from './report.ts';
import { sarif } from './sarif.ts';
import { terminalReport } from './terminal.ts';

const base = reportWith({});
const render = async (format: Format, report: Report, signers: readonly string[] = []): Promise<string> =>
  format.render({ report, evidence: '', signers });
const same = (text: string): string => text;
const none = { red: same, green: same, yellow: same, bold: same, dim: same, cyan: same };
const terminal = (report: Report): string => terminalReport(report, none, undefined);
const many = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `operation${index}`);

describe('Markdown', () => {
  test.each<[Partial<Report>, string]>([
    [{ verdict: { ...base.verdict, outcome: 'not fully verified' } }, '## ⚠️ Assay: not fully verified'],
    [
      { scope: { ...base.scope, governedOperations: undefined } },
      '- **Contract**: Governed Command API 1.27.0, 1 governed operations',
    ],
    [
      {
        subject: {
          ...base.subject,
          asserted: { ...base.subject.asserted, product: undefined, version: undefined },
        },
      },
      '- **Target**: http:<!-- -->//127.0.0.1:1 (test)',
    ],
    [{ run: { ...base.run, ended: 'interrupted' } }, 'seed 1, **ended early: interrupted**'],
    [
      { verdict: { ...base.verdict, certifiable: false, shortfalls: ['a_b', 'c'] } },
      '- **Certifiable**: no (a\\_b; c)',
    ],
    [
      {
        baseline: { ...base.baseline, contract: { ...base.baseline.contract, title: 'A*B', version: '1_2' } },
      },
      '- **Contract**: A\\*B 1\\_2, 1 of',
    ],
    [{ run: { ...base.run, id: 'a`b' } }, '- **Run**: `` a`b ``,'],
    [{ run: { ...base.run, id: 'a``b|c\nd' } }, '- **Run**: ``` a``b\\|c d ```,'],
  ])('%#: %s', async (given, expected) => {
    expect(await render(markdown, { ...base, ...given })).toContain(expected);
  });

  test('has no section of what is not there, and no line without words', async () => {
    const text = await render(markdown, base);
    expect(text).not.toMatch(/###|Waived|Signed|damaged|ended early|PARTIAL/);
    expect(text.endsWith('`\n')).toBe(true);
  });

  test('an operation ID is in a summary line as it is', async () => {
    const finding = findingWith({ id: 'IDM-6/create_case', text: 'a & b < c_d\n`e`', curl: [] });
    expect(await render(markdown, { ...base, violations: [finding] })).toContain(
      '<details><summary>IDM-6/create_case: a &amp; b &lt; c_d `e`</summary>\n',
    );
  });

  test('a finding that was not repeated is not said to be', async () => {
    const once = await render(markdown, {
      ...base,
      violations: [findingWith({ repeats: { violated: 0, of: 0 } })],
    });
    expect(once).not.toContain('Seen again');
    const thrice = await render(markdown, {
      ...base,
      violations: [findingWith({ repeats: { violated: 2, of: 3 } })],
    });
    expect(thrice).toContain('The key was bound to another request. It was reproduced in 2 of 3 repeats.\n');
  });

  test('long answers and many request IDs are cut', async () => {
    const finding = findingWith({ actual: 'a'.repeat(200), requestIds: ['1', '2', '3', '4', '5'] });
    expect(await render(markdown, { ...base, violations: [finding] })).toContain(
      `| ${'a'.repeat(160)}... | \`1\` \`2\` \`3\` \`4\` |`,
    );
    const fits = findingWith({ actual: 'a'.repeat(160) });
    expect(await render(markdown, { ...base, violations: [fits] })).toContain(`| ${'a'.repeat(160)} |`);
  });

  test('more than 25 of anything are counted', async () => {
    const advisories = Array.from({ length: 27 }, (_, index) => findingWith({ id: `RID-${index}/a` }));
    const text = await render(markdown, { ...base, advisories });
    expect(text.match(/^- `RID/gm)).toHaveLength(25);
    expect(text).toContain('- and 2 more\n');
    expect(await render(markdown, { ...base, advisories: advisories.slice(0, 25) })).not.toContain('more');
    const violations = advisories.slice(0, 26);
    expect(await render(markdown, { ...base, violations })).toContain('\n1 more in report.json.\n');
    expect(await render(markdown, { ...base, violations: violations.slice(0, 25) })).not.toContain(
      'more stand',
    );
  });

  test('operations are named, and more than twelve counted', async () => {
    const open = (operations: readonly string[]): Report => ({
      ...base,
      limits: {
        ...base.limits,
        open: [{ verdict: 'not-tested', because: 'x', clauses: ['A-1'], operations, cells: 1 }],
      },
    });
    expect(await render(markdown, open(many(3)))).toContain(
      '- **not-tested** `A-1` on `operation0`, `operation1`, `operation2`: x\n',
    );
    expect(await render(markdown, open(many(15)))).toContain('`operation11` and 3 more (report.json): x\n');
  });

  test('what changed since another run is shown where the two can be compared', async () => {
    const summary = { id: 'run_1', startedAt: '', outcome: 'conformant', evidence: '' } as const;
    const change = (
      kind: CellChange['kind'],
      before: CellChange['before'],
      after: CellChange['after'],
    ): CellChange => ({
      cell: 'A-1/a',
      clause: 'A-1',
      level: 'stated',
      operation: 'a',
      kind,
      before,
      after,
      because: '',
    });
    const changes = [
      change('regression', 'pass', 'fail'),
      change('coverage lost', 'pass', undefined),
      change('newly covered', undefined, 'pass'),
      change('other', 'not-tested', 'inconclusive'),
      change('not comparable', 'pass', 'fail'),
    ];
    const printed = async (obstacles: readonly string[]): Promise<string> => {
      const comparison = { before: summary, after: summary, obstacles, changes, unchanged: 0 };
      const text = await markdown.render({ report: base, evidence: '', signers: [], comparison });
      return text.slice(text.indexOf('### '));
    };
    const first = [
      '### Changes since run\\_1',
      '',
      '- **regression** `A-1/a`: pass, now fail',
      '- **coverage lost** `A-1/a`: pass, now absent',
      '- **newly covered** `A-1/a`: absent, now pass',
    ];
    expect(await printed([])).toBe([...first, '- **not comparable** `A-1/a`: pass, now fail', ''].join('\n'));
    expect(await printed(['another_contract'])).toBe(
      [...first.slice(0, 2), '- another\\_contract', ...first.slice(2), ''].join('\n'),
    );
  });
});

describe('JUnit', () => {
  test('what the report has of an operation that is out of scope is no case', async () => {
    const cells = [{ ...cellWith({ clause: 'A-1', verdict: 'fail' }), operation: 'gone' }];
    expect(await render(junit, { ...base, cells })).toContain('tests="3" failures="0"');
  });

  test('an interrupted run, and one that tested nothing, say so', async () => {
    const text = await render(junit, {
      ...base,
      run: { ...base.run, ended: 'interrupted' },
      verdict: { ...base.verdict, shortfalls: ['a', 'b'], exitCodeOtherwise: 3 },
    });
    expect(text).toContain('message="The run was interrupted."');
    expect(text).toContain('message="Not fully verified: a; b"');
    const violated = { ...base.verdict, outcome: 'violations', exitCode: 1 } as const;
    expect(await render(junit, { ...base, verdict: violated })).not.toContain('<error');
  });

  test('a service that sent no request IDs reads so', async () => {
    const cells = [cellWith({ clause: 'IDM-6', verdict: 'fail' })];
    const text = await render(junit, { ...base, cells, violations: [findingWith({ requestIds: [] })] });
    expect(text).toContain('request IDs: none was sent\n');
  });

  test('control characters of the contract stay out of names', async () => {
    const cells = [{ ...cellWith({ clause: 'A-1', verdict: 'pass' }), operation: 'a\u0001' }];
    const contract = { ...base.baseline.contract, title: 'T\u0000' };
    const operation = { id: 'a\u0001', method: 'GET', path: '/', kind: 'read', digest: '' } as const;
    const text = await render(junit, {
      ...base,
      cells,
      baseline: { ...base.baseline, contract },
      scope: { operations: [operation], governedOperations: 1 },
    });
    expect(text).toContain('name="Assay T\uFFFD 1.27.0"');
    expect(text).toContain('<testsuite name="a\uFFFD"');
    expect(text).toContain('classname="assay.a\uFFFD.A"');
  });
});

describe('SARIF', () => {
  const run = async (report: Report) => JSON.parse(await render(sarif, report)).runs[0];

  test('paths are those of URIs, and an unknown product is a target', async () => {
    const found = await run({
      ...base,
      run: { ...base.run, endedAt: undefined },
      subject: { ...base.subject, asserted: { ...base.subject.asserted, product: undefined } },
      baseline: { ...base.baseline, contract: { ...base.baseline.contract, file: 'my api/v1 #.yaml' } },
    });
    expect(found.artifacts[0].location.uri).toBe('my%20api/v1%20%23.yaml');
    expect(found.automationDetails.id).toMatch(/^assay\/target\//);
    expect(found.invocations[0]).not.toHaveProperty('endTimeUtc');
  });

  test('a finding of an unknown clause and operation still has a place', async () => {
    const exchange = excerptWith({ responseBody: undefined });
    const found = await run({
      ...base,
      violations: [findingWith({ clause: 'OLD-1', operation: 'gone', exchanges: [exchange] })],
    });
    expect(found.results[0]).toMatchObject({
      ruleIndex: -1,
      locations: [{ logicalLocations: [{ name: 'gone', fullyQualifiedName: 'gone' }] }],
      webResponse: { statusCode: 201 },
    });
    expect(found.results[0].webResponse).not.toHaveProperty('body');
    expect(found.results[0]).not.toHaveProperty('suppressions');
  });
});

describe('EARL', () => {
  test('what is not known is left out, and a name that no URN takes is escaped', async () => {
    const cells = [{ ...cellWith({ clause: 'IDM-6', verdict: 'pass' }), operation: 'a b' }];
    const graph = JSON.parse(
      await render(earl, {
        ...base,
        cells,
        run: { ...base.run, endedAt: undefined },
        subject: {
          ...base.subject,
          asserted: { ...base.subject.asserted, product: undefined, version: undefined },
        },
      }),
    )['@graph'];
    expect(graph[1]).toMatchObject({ title: 'http://127.0.0.1:1' });
    expect(graph[1]).not.toHaveProperty('hasVersion');
    expect(graph.at(-1)).toMatchObject({
      subject: 'urn:assay:run:2026-01-31T10-00-00-000Z-abc123:subject:operation:a%20b',
      result: { outcome: 'earl:passed', date: '2026-01-31T10:00:00.000Z' },
    });
  });
});

describe('the terminal', () => {
  test.each<[string, Report, string | RegExp]>([
    [
      'a scope of an unknown whole',
      { ...base, scope: { ...base.scope, governedOperations: undefined } },
      '  contract 1.27.0, 1 governed operations',
    ],
    [
      'long answers cut',
      { ...base, violations: [findingWith({ actual: 'a'.repeat(300) })] },
      `   actual       ${'a'.repeat(220)}...\n`,
    ],
    [
      'answers that fit',
      { ...base, violations: [findingWith({ actual: 'a'.repeat(220) })] },
      `   actual       ${'a'.repeat(220)}\n`,
    ],
    [
      'exchanges where there are no IDs',
      {
        ...base,
        violations: [
          findingWith({ requestIds: [], exchanges: [excerptWith({}), excerptWith({ id: 'x2' })] }),
        ],
      },
      '   request IDs  none was sent; exchanges x1, x2, 2026-01-31T10:00:01.000Z\n',
    ],
    [
      'advisories cut',
      { ...base, advisories: [findingWith({ actual: 'a'.repeat(99) })] },
      ` Got ${'a'.repeat(90)}...\n`,
    ],
    [
      'operations by name up to three',
      {
        ...base,
        cells: many(3).map((operation) => ({
          ...cellWith({ clause: 'A-1', verdict: 'not-tested' }),
          operation,
        })),
      },
      '  A-1 operation0, operation1, operation2\n',
    ],
    [
      'operations by name',
      {
        ...base,
        cells: many(4).map((operation) => ({
          ...cellWith({ clause: 'A-1', verdict: 'not-tested' }),
          operation,
        })),
      },
      '  A-1 operation0, operation1, operation2, operation3\n',
    ],
    [
      'a waiver that is unused',
      {
        ...base,
        waivers: [
          {
            clause: 'A-1',
            operation: 'a',
            owner: 'Ada',
            reason: 'r',
            expires: '2027-01-01',
            state: 'unused',
            findings: [],
          },
        ],
      },
      '  A-1 a: unused, until 2027-01-01; Ada: r\n',
    ],
  ])('shows %s', (_, report, expected) => {
    expect(terminal(report)).toContain(expected);
  });

  test('colours the verdict', () => {
    const coloured = (outcome: Report['verdict']['outcome']): string =>
      terminalReport(
        { ...base, verdict: { ...base.verdict, outcome } },
        { ...none, red: () => 'RED', green: () => 'GREEN', yellow: () => 'YELLOW' },
        undefined,
      ).split('\n')[1] ?? '';
    expect(coloured('conformant')).toMatch(/^GREEN/);
    expect(coloured('violations')).toMatch(/^RED/);
    expect(coloured('not fully verified')).toMatch(/^YELLOW/);
  });

  test('a class of advisory clauses alone is left out, one operation is not counted', () => {
    const text = terminal({
      ...base,
      cells: [
        cellWith({ clause: 'ADV-1', verdict: 'pass', level: 'advisory' }),
        cellWith({ clause: 'A-1', verdict: 'unstable' }),
        cellWith({ clause: 'AB-1', verdict: 'pass' }),
      ],
    });
    expect(text).not.toContain('ADV');
    expect(text).not.toContain('over 1 operations');
    expect(text).toContain(
      '  A              .    .    1    .          .   .\n  AB             1    .    .    .          .   .\n',
    );
  });
});
