import { createCB } from 'xmlbuilder2';
import type { Format } from './format.ts';
import { formatList } from './format-list.ts';
import { repeatWords } from './repeats.ts';
import type { CellReport, Finding, Report } from './report.ts';

/** JUnit XML: a suite for each operation, a case for each stated or derived clause. */
export const junit: Format = {
  ...formatList.junit,
  render: ({ report }) => junitXml(report),
};

type TestResult =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly text: string }
  | {
      readonly kind: 'error' | 'failure';
      readonly type: string;
      readonly message: string;
      readonly text: string;
    };
type TestCase = { readonly name: string; readonly classname: string; readonly result: TestResult };
type Suite = { readonly name: string; readonly time: number; readonly cases: readonly TestCase[] };

function junitXml(report: Report): string {
  const parts: string[] = [];
  const xml = createCB({
    data: (part: string) => void parts.push(part),
    prettyPrint: true,
  });
  const suites = suitesOf(report);
  const all = suites.flatMap((suite) => suite.cases);
  xml.dec({ version: '1.0', encoding: 'UTF-8' });
  xml.ele('testsuites', {
    name: printable(`Assay ${report.baseline.contract.title} ${report.baseline.contract.version}`),
    time: seconds(report.run.elapsedMs),
    tests: String(all.length),
    failures: String(countOf(all, 'failure')),
    errors: String(countOf(all, 'error')),
  });
  for (const suite of suites) {
    xml.ele('testsuite', {
      name: printable(suite.name),
      tests: String(suite.cases.length),
      failures: String(countOf(suite.cases, 'failure')),
      errors: String(countOf(suite.cases, 'error')),
      skipped: String(countOf(suite.cases, 'skipped')),
      time: seconds(suite.time),
      timestamp: report.run.startedAt.slice(0, 19),
    });
    for (const each of suite.cases) {
      xml.ele('testcase', { name: printable(each.name), classname: printable(each.classname), time: '0' });
      const { result } = each;
      if (result.kind === 'skipped') xml.ele('skipped').txt(printable(result.text)).up();
      else if (result.kind !== 'passed')
        xml
          .ele(result.kind, { type: result.type, message: printable(result.message) })
          .txt(printable(result.text))
          .up();
      xml.up();
    }
    xml.up();
  }
  xml.up().end();
  return `${parts.join('')}\n`;
}

/** XML 1.0 has no place for control characters and halves of surrogate pairs, not even escaped (2.2). */
function printable(text: string): string {
  return text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
}

function suitesOf(report: Report): readonly Suite[] {
  const texts = new Map(report.clauses.map((clause) => [clause.code, clause.text]));
  const findings = new Map(report.violations.map((finding) => [finding.id, finding]));
  const groups = new Map<string, CellReport[]>(report.scope.operations.map(({ id }) => [id, []]));
  for (const cell of report.cells) if (cell.level !== 'advisory') groups.get(cell.operation)?.push(cell);
  return [
    { name: 'run', time: report.run.elapsedMs, cases: runCases(report) },
    ...[...groups].map(([operation, cells]) => ({
      name: operation,
      time: 0,
      cases: cells.map((cell) => ({
        name: `${cell.clause} ${texts.get(cell.clause) ?? ''}`.trim(),
        classname: `assay.${operation}.${cell.clause.split('-')[0] ?? ''}`,
        result: resultOf(cell, findings.get(`${cell.clause}/${cell.operation}`)),
      })),
    })),
  ];
}

/** What CI must not take for green: a run that did not end, or that left open what must be tested. */
function runCases({ run, evidence, verdict }: Report): readonly TestCase[] {
  const classname = 'assay.run';
  const error = (message: string): TestResult => ({ kind: 'error', type: 'harness', message, text: message });
  const [problem] = evidence.problems;
  return [
    {
      name: 'the run is complete',
      classname,
      result:
        run.ended === 'complete'
          ? { kind: 'passed' }
          : error(
              run.ended === 'budget'
                ? 'The budget was spent before the run was complete.'
                : 'The run was interrupted.',
            ),
    },
    {
      name: 'the evidence is intact',
      classname,
      result:
        problem === undefined
          ? { kind: 'passed' }
          : error(`${evidence.file}:${problem.line}: ${problem.problem}`),
    },
    {
      name: 'the run is fully verified',
      classname,
      result:
        verdict.exitCodeOtherwise === 0
          ? { kind: 'passed' }
          : error(`Not fully verified: ${verdict.shortfalls.join('; ')}`),
    },
  ];
}

function resultOf(cell: CellReport, finding: Finding | undefined): TestResult {
  switch (cell.verdict) {
    case 'pass':
      return { kind: 'passed' };
    case 'not-tested':
      return { kind: 'skipped', text: `not tested: ${cell.because}` };
    case 'not-applicable':
      return { kind: 'skipped', text: `not applicable: ${cell.because}` };
    case 'inconclusive':
      return { kind: 'error', type: 'inconclusive', message: cell.because, text: cell.because };
    default:
  }
  if (finding === undefined)
    return { kind: 'failure', type: cell.clause, message: cell.because, text: cell.because };
  if (finding.waiver !== undefined) {
    const { owner, expires, link, reason } = finding.waiver;
    return {
      kind: 'skipped',
      text: `${cell.verdict}, waived by ${owner} until ${expires}: ${reason}${link === undefined ? '' : ` (${link})`}. Got ${finding.actual}`,
    };
  }
  return { kind: 'failure', type: cell.clause, message: finding.actual, text: detail(finding) };
}

function detail(finding: Finding): string {
  return [
    `"${finding.source.quote}" (${finding.source.where})`,
    `expected: ${finding.expected}`,
    `actual: ${finding.actual}`,
    `because: ${finding.because}`,
    `request IDs: ${finding.requestIds.join(', ') || 'none was sent'}`,
    `repeats: ${repeatWords(finding)}`,
    `situation: ${finding.scenario} (${finding.suite}/${finding.probe})`,
    `again: ${finding.reproduce}`,
    `fix: ${finding.fix}`,
    '',
    ...finding.curl,
  ].join('\n');
}

function countOf(cases: readonly TestCase[], kind: TestResult['kind']): number {
  return cases.filter(({ result }) => result.kind === kind).length;
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3);
}
