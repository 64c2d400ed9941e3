import { group } from 'd3-array';
import type { VNode } from 'preact';
import { stopWords } from '../../model/stop.ts';
import type { Finding, OpenGroup, Report } from '../report.ts';
import { stopsOf } from '../stops.ts';
import { Listed, Prose, Section, Table } from './layout.tsx';
import { Icon, VerdictBadge } from './verdicts.tsx';
import { anchor, cut, number, plural } from './words.ts';

const mostGroups = 60;

/** Everything that is not pass, on one page: a row for each clause and for each thing that was missing. */
export function Attention({ report }: { readonly report: Report }): VNode {
  const { violations, limits, run, evidence } = report;
  const byClause = [...group(violations, ({ clause }) => clause).values()];
  return (
    <Section
      id="attention"
      title="Needs attention"
      lead="One row for each violated clause. Then the cells without a verdict, and what would test them."
    >
      {run.ended === 'complete' && evidence.problems.length === 0 ? undefined : <Early report={report} />}
      {byClause.length === 0 && limits.open.length === 0 && report.run.stops === undefined ? (
        <p class="alert good">
          <Icon name="tick" />
          <span>{`Nothing. Every ${report.verdict.partial ? 'selected' : 'applicable'} cell passes.`}</span>
        </p>
      ) : undefined}
      {byClause.length === 0 ? undefined : <Violated groups={byClause} />}
      <Stopped report={report} />
      {limits.open.length === 0 ? undefined : <Open groups={limits.open} />}
    </Section>
  );
}

function Early({ report: { run, evidence } }: { readonly report: Report }): VNode {
  return (
    <div class="alert bad">
      <Icon name="cross" />
      <div>
        {run.ended === 'complete' ? undefined : (
          <p>
            The run did not reach its end (
            {run.cause?.what ??
              (run.ended === 'budget'
                ? 'its budget was spent'
                : 'it was interrupted, or its log has no footer')}
            ). What it did not reach is not tested.
          </p>
        )}
        {run.cause?.before === undefined ? undefined : (
          <details>
            <summary>The last requests before</summary>
            <ol>
              {run.cause.before.map((line) => (
                <li>{line}</li>
              ))}
            </ol>
          </details>
        )}
        {evidence.problems.length === 0 ? undefined : (
          <p>
            The evidence is damaged: {plural(evidence.problems.length, 'problem')}, the first in line{' '}
            {evidence.problems[0]?.line}: {evidence.problems[0]?.problem}. No verdict of this page can be
            relied on.
          </p>
        )}
      </div>
    </div>
  );
}

/** After which requests the target stops responding: no violation, and no part of the verdict. */
function Stopped({ report }: { readonly report: Report }): VNode | undefined {
  const listed = stopsOf(report);
  if (listed === undefined) return undefined;
  return (
    <Table
      label="The target stopped responding"
      caption="The target stopped responding (not part of the verdict)"
      columns={['Operation', 'How often', 'Request', 'Situation']}
    >
      {listed.stops.map((stop) => (
        <tr>
          <th scope="row" class="narrow">
            {stop.operation}
          </th>
          <td class="narrow">{stopWords(stop)}</td>
          <td class="clip">
            <code>{cut(stop.request, 160)}</code> <span class="muted">({stop.exchange})</span>
          </td>
          <td class="narrow">
            {stop.scenario} <span class="muted">{`(${stop.suite}/${stop.probe})`}</span>
          </td>
        </tr>
      ))}
      {listed.others === undefined ? undefined : (
        <tr>
          <td colspan={4}>{listed.others}</td>
        </tr>
      )}
    </Table>
  );
}

function Violated({ groups }: { readonly groups: readonly (readonly Finding[])[] }): VNode {
  return (
    <Table
      label="Violated clauses"
      caption="Violations"
      columns={['Clause', 'Verdict', 'Operations', 'Expected', 'Actual']}
    >
      {groups.map((findings) => (
        <ViolatedRow findings={findings} />
      ))}
    </Table>
  );
}

function ViolatedRow({ findings }: { readonly findings: readonly Finding[] }): VNode | undefined {
  const [first] = findings;
  if (first === undefined) return undefined;
  const worst = findings.some(({ verdict }) => verdict === 'fail') ? 'fail' : 'unstable';
  const waived = findings.filter(({ waiver }) => waiver !== undefined).length;
  return (
    <tr>
      <th scope="row" class="narrow">
        <a href={`#${anchor('c', first.clause)}`}>{first.clause}</a> <Prose text={first.text} />
      </th>
      <td>
        <VerdictBadge
          verdict={worst}
          note={waived === 0 ? undefined : waived === findings.length ? 'waived' : `${waived} waived`}
        />
      </td>
      <td class="narrow">
        <Listed
          items={findings.map((finding) => <a href={`#${anchor('v', finding.id)}`}>{finding.operation}</a>)}
        />
      </td>
      <td class="narrow">{first.expected}</td>
      <td class="clip">
        {cut(first.actual, 100)}
        {findings.length > 1 ? <span class="muted">{` (${first.operation})`}</span> : undefined}
      </td>
    </tr>
  );
}

function Open({ groups }: { readonly groups: readonly OpenGroup[] }): VNode {
  return (
    <Table
      label="Cells without a verdict"
      caption="Without a verdict"
      columns={[
        'Verdict',
        'Clauses',
        'Operations',
        { text: 'Cells', as: 'n' },
        'Why, and what would test it',
      ]}
      note={
        groups.length > mostGroups ? (
          <p class="more">{`${plural(groups.length - mostGroups, 'more reason')} in report.json under limits.open.`}</p>
        ) : undefined
      }
    >
      {groups.slice(0, mostGroups).map((open) => (
        <tr>
          <td>
            <VerdictBadge verdict={open.verdict} />
          </td>
          <td class="narrow">
            <Listed items={open.clauses.map((code) => <a href={`#${anchor('m', code)}`}>{code}</a>)} />
          </td>
          <td class="narrow">
            <Listed items={open.operations} shown={3} />
          </td>
          <td class="n">{number(open.cells)}</td>
          <td class="clip">
            <Prose text={open.because} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
