import { findingId } from './finding.ts';
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
  const suites = suitesOf(report);
  const all = suites.flatMap((suite) => suite.cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({
      name: `Assay ${report.baseline.contract.title} ${report.baseline.contract.version}`,
      time: seconds(report.run.elapsedMs),
      tests: String(all.length),
      failures: String(countOf(all, 'failure')),
      errors: String(countOf(all, 'error')),
    })}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite${attributes({
        name: suite.name,
        tests: String(suite.cases.length),
        failures: String(countOf(suite.cases, 'failure')),
        errors: String(countOf(suite.cases, 'error')),
        skipped: String(countOf(suite.cases, 'skipped')),
        time: seconds(suite.time),
        timestamp: report.run.startedAt.slice(0, 19),
      })}>`,
      ...suite.cases.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function caseLines({ classname, name, result }: TestCase): readonly string[] {
  const start = `    <testcase${attributes({ name, classname, time: '0' })}`;
  if (result.kind === 'passed') return [`${start}/>`];
  const { kind, text } = result;
  const said = kind === 'skipped' ? '' : attributes({ type: result.type, message: result.message });
  return [`${start}>`, `      <${kind}${said}>${escaped(text, inText)}</${kind}>`, '    </testcase>'];
}

function attributes(given: Readonly<Record<string, string>>): string {
  return Object.entries(given)
    .map(([name, value]) => ` ${name}="${escaped(value, inAttribute)}"`)
    .join('');
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

const inText = /[&<>\r]/g;
/** A parser would read line breaks of an attribute as blanks. */
const inAttribute = /[&<>"\t\n\r]/g;

function escaped(text: string, where: RegExp): string {
  return printable(text).replaceAll(where, (one) => references[one] ?? `&#${one.charCodeAt(0)};`);
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
        result: resultOf(cell, findings.get(findingId(cell))),
      })),
    })),
  ];
}

/** What CI must not take for green: a run that did not end, or that left open what must be tested. */
function runCases({ run, evidence, verdict }: Report): readonly TestCase[] {
  const [problem] = evidence.problems;
  const cases: readonly (readonly [name: string, passed: boolean, message: string])[] = [
    [
      'the run is complete',
      run.ended === 'complete',
      run.ended === 'budget'
        ? 'The budget was spent before the run was complete.'
        : 'The run was interrupted.',
    ],
    [
      'the evidence is intact',
      problem === undefined,
      `${evidence.file}:${problem?.line}: ${problem?.problem}`,
    ],
    [
      'the run is fully verified',
      verdict.exitCodeOtherwise === 0,
      `Not fully verified: ${verdict.shortfalls.join('; ')}`,
    ],
  ];
  return cases.map(([name, passed, message]) => ({
    name,
    classname: 'assay.run',
    result: passed ? { kind: 'passed' } : { kind: 'error', type: 'harness', message, text: message },
  }));
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
