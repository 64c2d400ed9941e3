import type { VNode } from 'preact';
import type { Format } from '../format.ts';
import { formatList } from '../format-list.ts';
import type { Comparison, Report } from '../report.ts';
import { Attention } from './attention.tsx';
import { Changes } from './changes.tsx';
import { Decision } from './decision.tsx';
import { Figures } from './figures.tsx';
import { Violations } from './findings.tsx';
import { Legend } from './legend.tsx';
import { Matrix } from './matrix.tsx';
import { OpenPoints } from './open-points.tsx';
import { type Entry, pageText } from './page.tsx';
import { BaselineSection, RedactionSection, SubjectSection } from './provenance.tsx';
import { Advisories, Limits, Verifying, Waivers } from './remarks.tsx';
import { Sentences } from './sentences.tsx';
import { Short } from './short.tsx';
import { Throttling } from './throttling.tsx';
import { lookOfOutcome } from './verdicts.tsx';
import { moment } from './words.ts';

/** The report for people: one self-contained page. */
export const html: Format = {
  ...formatList.html,
  render: ({ report, signers, comparison }) => renderHtml(report, signers, comparison),
};

/** The page of a report. `signers` are ids of keys. Whatever came from the target is escaped. */
export function renderHtml(
  report: Report,
  signers: readonly string[] = [],
  comparison: Comparison | undefined = undefined,
): string {
  return pageText({
    title: `${lookOfOutcome(report.verdict.outcome).label}: ${nameOf(report)}, Assay report`,
    contents: contentsOf(report, comparison),
    head: <Head report={report} />,
    body: (
      <>
        <Decision report={report} signers={signers} />
        <Short report={report} />
        <Attention report={report} />
        <Violations report={report} />
        <Changes comparison={comparison} />
        <SubjectSection report={report} />
        <BaselineSection report={report} />
        <OpenPoints points={report.openPoints} />
        <Matrix report={report} />
        <Sentences sentences={report.specification} />
        <Advisories report={report} />
        <Throttling report={report} />
        <Figures report={report} />
        <Waivers waivers={report.waivers} />
        <Limits report={report} />
        <RedactionSection report={report} />
        <Verifying report={report} signers={signers} />
        <Legend />
      </>
    ),
    foot: (
      <p>
        {`${report.baseline.judgedBy.name} ${report.baseline.judgedBy.version}, run ${report.run.id}. Derived from ${report.evidence.file}, SHA-256 ${report.evidence.sha256}.`}
      </p>
    ),
  });
}

function nameOf({ subject: { asserted } }: Pick<Report, 'subject'>): string {
  const name = [asserted.product, asserted.version].filter((part) => part !== undefined).join(' ');
  return name === '' ? (asserted.vendor ?? asserted.baseUrl) : name;
}

function Head({ report }: { readonly report: Report }): VNode {
  const { asserted } = report.subject;
  return (
    <>
      <p class="brand">
        <b>Assay</b> Conformance report, {report.baseline.contract.title} {report.baseline.contract.version}
      </p>
      <h1>{nameOf(report)}</h1>
      <p class="where">
        {asserted.vendor === undefined ? '' : `${asserted.vendor} · `}
        {asserted.baseUrl} · {asserted.environment} · <time>{moment(report.run.startedAt)}</time>
      </p>
      <p class="forms">
        <a href="#short">Short form for print</a>
      </p>
    </>
  );
}

function contentsOf(report: Report, comparison: Comparison | undefined): readonly Entry[] {
  const { violations, limits, advisories, waivers, openPoints } = report;
  return [
    { id: 'decision', title: 'Decision' },
    { id: 'attention', title: 'Needs attention', count: violations.length + limits.open.length },
    { id: 'violations', title: 'Violations', count: violations.length },
    { id: 'changes', title: 'Change', count: comparison?.changes.length },
    { id: 'subject', title: 'Target' },
    { id: 'baseline', title: 'Baseline' },
    { id: 'open-points', title: 'Open points', count: openPoints.length },
    { id: 'matrix', title: 'Matrix' },
    ...(report.specification === undefined ? [] : [{ id: 'specification', title: 'Specification' }]),
    { id: 'advisories', title: 'Advisories', count: advisories.length },
    { id: 'throttling', title: 'Throttling', count: report.throttling.throttled },
    { id: 'figures', title: 'Latencies' },
    { id: 'waivers', title: 'Waivers', count: waivers.length },
    { id: 'limits', title: 'Limits' },
    { id: 'redaction', title: 'Redaction' },
    { id: 'verify', title: 'How to verify' },
    { id: 'legend', title: 'Terms' },
  ];
}
