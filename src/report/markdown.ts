import { stopWords } from '../model/stop.ts';
import { cut } from '../model/text.ts';
import { visible } from '../model/visible.ts';
import { causeWords } from './causes.ts';
import { codesInShort } from './codes.ts';
import type { Format, Rendering } from './format.ts';
import { formatList } from './format-list.ts';
import { gateWords } from './gate.ts';
import { operationsInShort } from './open.ts';
import { repeatWords } from './repeats.ts';
import type { Comparison, Finding, Report } from './report.ts';
import { stopsOf } from './stops.ts';
import { uncovered } from './uncovered.ts';

/** A summary for a pull request or the page of a CI job (GitHub Flavored Markdown). */
export const markdown: Format = {
  ...formatList.markdown,
  render: summary,
};

/** A summary is read on one page; the rest is in report.json. */
const mostShown = 25;

function summary({ report, signers, comparison, gate }: Rendering): string {
  const { verdict, counts, run, baseline, subject, scope, evidence } = report;
  const icon = verdict.outcome === 'conformant' ? '✅' : verdict.outcome === 'violations' ? '❌' : '⚠️';
  const gaps = verdict.outcome === 'conformant' ? uncovered(report) : undefined;
  const stopped = stopsInShort(report);
  const waived = report.violations.filter(({ waiver }) => waiver !== undefined).length;
  const of = scope.governedOperations === undefined ? '' : ` of ${scope.governedOperations}`;
  const asserted = [subject.asserted.vendor, subject.asserted.product, subject.asserted.version]
    .filter((part) => part !== undefined)
    .join(' ');
  const lines = [
    `## ${icon} Assay: ${gateWords(report, gate)}${gaps === undefined ? '' : `; ${gaps.words}`}`,
    '',
    '| pass | fail | unstable | inconclusive | not tested | not applicable |',
    '|---:|---:|---:|---:|---:|---:|',
    `| ${counts.pass} | ${counts.fail} | ${counts.unstable} | ${counts.inconclusive} | ${counts['not-tested']} | ${counts['not-applicable']} |`,
    '',
    `- **Target**: ${escaped(asserted === '' ? subject.asserted.baseUrl : `${asserted}, ${subject.asserted.baseUrl}`)} (${subject.asserted.environment})`,
    ...(subject.asserted.approvedScope === undefined
      ? []
      : [`- **Approved scope** (asserted): ${escaped(subject.asserted.approvedScope)}`]),
    ...(run.ranBy === undefined ? [] : [`- **Run by** (asserted): ${escaped(run.ranBy)}`]),
    `- **Contract**: ${escaped(baseline.contract.title)} ${escaped(baseline.contract.version)}, ${scope.operations.length}${of} governed operations`,
    `- **Run**: ${code(run.id)}, ${run.exchanges} requests in ${(run.elapsedMs / 1000).toFixed(1)} s, budget ${baseline.budget}, seed ${baseline.seed}${run.ended === 'complete' ? '' : `, **ended early: ${run.cause?.what ?? run.ended}**`}`,
    `- **Certifiable**: ${verdict.certifiable ? 'yes' : `no (${escaped(verdict.shortfalls.join('; '))})`}`,
    `- **Evidence**: ${code(evidence.file)}, SHA-256 ${code(evidence.sha256)}`,
    ...(signers.length > 0
      ? [
          `- **Signed** with ${signers.length === 1 ? 'key' : 'keys'} ${signers.map((id) => code(id.slice(0, 16))).join(' ')}`,
        ]
      : []),
    ...(stopped === undefined
      ? []
      : [`- **The target stopped responding** (not part of the verdict): ${stopped}`]),
    ...(gaps === undefined ? [] : [`- **Exit 0 does not cover** ${gaps.words} (${gaps.codes})`]),
    ...evidence.problems.map(
      ({ line, problem }) => `- **Evidence is damaged**: line ${line}: ${escaped(problem)}`,
    ),
    ...(gate === undefined || gate.passed
      ? []
      : gate.failures.slice(0, mostShown).map((failure) => `- **Gate failed**: ${escaped(failure)}`)),
    ...(waived > 0 ? [`- **Waived**: ${waived} of ${report.violations.length} violations`] : []),
    '',
  ];
  const causes = causeWords(report.violations);
  if (report.violations.length > 0) {
    lines.push(
      '### Violations',
      '',
      ...(causes === undefined ? [] : [`${causes}.`, '']),
      '| finding | verdict | expected | actual | request IDs |',
      '|---|---|---|---|---|',
    );
    for (const one of report.violations.slice(0, mostShown)) lines.push(row(one));
    if (report.violations.length > mostShown)
      lines.push('', `${report.violations.length - mostShown} more in report.json.`);
    lines.push('');
    for (const one of report.violations.slice(0, mostShown)) lines.push(...details(one), '');
  }
  for (const [title, found] of [
    ['Advisories', report.advisories.map((one) => `${code(one.id)} ${escaped(one.text)}`)],
    [
      'Not verified',
      report.limits.open.map(
        (group) =>
          `**${group.verdict}** ${code(codesInShort(group.clauses))} on ${operationsInShort(group.operations, report.scope.operations.length, code)}: ${escaped(group.because)}`,
      ),
    ],
    [
      comparison === undefined ? 'Changes' : `Changes since ${escaped(comparison.before.id)}`,
      comparison === undefined ? [] : changesOf(comparison),
    ],
    [
      'Waivers',
      report.waivers.map(
        (waiver) =>
          `${code(waiver.clause)} ${waiver.operation === undefined ? 'on every operation' : code(waiver.operation)}, ${waiver.state === 'expired' ? '**expired, without effect**' : waiver.state}, until ${waiver.expires}, ${escaped(waiver.owner)}: ${escaped(waiver.reason)}${waiver.link === undefined ? '' : ` ${escaped(waiver.link)}`}`,
      ),
    ],
  ] as const)
    if (found.length > 0) {
      lines.push(`### ${title}`, '', ...found.slice(0, mostShown).map((line) => `- ${line}`));
      if (found.length > mostShown) lines.push(`- and ${found.length - mostShown} more`);
      lines.push('');
    }
  return `${lines.join('\n').trimEnd()}\n`;
}

function stopsInShort(report: Report): string | undefined {
  const listed = stopsOf(report);
  if (listed === undefined) return undefined;
  return [
    ...listed.stops.map(
      (stop) => `${code(stop.operation)} (${code(stop.exchange)}, ${code(stop.request)}): ${stopWords(stop)}`,
    ),
    ...(listed.others === undefined ? [] : [escaped(listed.others)]),
  ].join('; ');
}

function changesOf({ obstacles, changes }: Comparison): readonly string[] {
  return [
    ...obstacles.map(escaped),
    ...changes
      .filter(({ kind }) => kind !== 'other' && (obstacles.length === 0 || kind !== 'not comparable'))
      .map(
        ({ kind, cell, before, after }) =>
          `**${kind}** ${code(cell)}: ${before ?? 'absent'}, now ${after ?? 'absent'}`,
      ),
  ];
}

function row(finding: Finding): string {
  const verdict = finding.waiver === undefined ? finding.verdict : `${finding.verdict}, waived`;
  return `| ${code(finding.id)} | ${verdict} | ${escaped(finding.expected)} | ${escaped(cut(finding.actual, 160))} | ${finding.requestIds.slice(0, 4).map(code).join(' ')} |`;
}

function details(finding: Finding): readonly string[] {
  const fence = '`'.repeat(Math.max(3, ...longestRuns(finding.curl.join('\n')).map((run) => run + 1)));
  return [
    `<details><summary>${plainHtml(finding.id)}: ${plainHtml(finding.text)}</summary>`,
    '',
    `> ${escaped(finding.source.quote)} (${escaped(finding.source.where)})`,
    '',
    `${escaped(finding.because)} It was ${repeatWords(finding)}.`,
    '',
    `${fence}sh`,
    ...finding.curl.map(visible),
    fence,
    '',
    `Run again: ${code(finding.reproduce)}`,
    '',
    `Fix: ${escaped(finding.fix)}`,
    '',
    '</details>',
  ];
}

function longestRuns(text: string): readonly number[] {
  return [...text.matchAll(/`+/g)].map(([run]) => run.length);
}

/** Text that Markdown and HTML leave as it is, on one line. */
function escaped(text: string): string {
  return (
    plainHtml(text)
      .replaceAll(/[\\`*_{}[\]|~!]/g, '\\$&')
      // A comment within ends what a page would take for a mention, an issue or an address.
      .replaceAll(/[@#]|:(?=\/\/)|\bwww(?=\.)/gi, '$&<!-- -->')
  );
}

/** Text for a line that begins with a tag: Markdown reads nothing there, backslashes neither (GFM 4.6). */
function plainHtml(text: string): string {
  return visible(text.replaceAll(/[\r\n\t\v\f\u2028\u2029]+/g, ' '))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}

function code(text: string): string {
  const plain = visible(text.replaceAll(/[\r\n]+/g, ' ')).replaceAll('|', '\\|');
  const fence = '`'.repeat(Math.max(0, ...longestRuns(plain)) + 1);
  return plain.includes('`') ? `${fence} ${plain} ${fence}` : `${fence}${plain}${fence}`;
}
