import { group } from 'd3-array';
import type { VNode } from 'preact';
import type { Finding, OpenGroup, Report } from '../report.ts';
import { Prose, Section, Table } from './layout.tsx';
import { VerdictBadge } from './verdicts.tsx';
import { anchor, cut, plural } from './words.ts';

const most = { violations: 10, open: 10, names: 6, words: 160 };

/** With the decision and how to verify, at most six sheets: what the page shows while its address ends with `#short`. */
export function Short({ report }: { readonly report: Report }): VNode {
  const { violations, limits, openPoints } = report;
  const points = openPoints.filter(({ state }) => state !== 'as declared' && state !== 'not observed');
  return (
    <Section
      id="short"
      title="What to know"
      lead={
        <>
          The short form: the first {most.violations} violations, and what is open.{' '}
          <a href="#decision">Show the full report</a>
        </>
      }
    >
      {violations.length === 0 ? <p>No violation was seen.</p> : <First violations={violations} />}
      {limits.open.length === 0 ? undefined : <Unverified groups={limits.open} />}
      {points.length === 0 ? undefined : (
        <p>
          Open points at which no declaration was followed:{' '}
          {points.map(({ point, state, title }) => `${point} (${title}: ${state})`).join('; ')}.
        </p>
      )}
    </Section>
  );
}

function First({ violations }: { readonly violations: readonly Finding[] }): VNode {
  const rest = violations.slice(most.violations);
  return (
    <Table
      label="First violations"
      caption={
        <>
          {plural(violations.length, 'violation')} of{' '}
          {plural(group(violations, ({ clause }) => clause).size, 'clause')}
        </>
      }
      columns={['Clause and operation', 'Verdict', 'Expected', 'Actual', 'Request IDs']}
      note={
        rest.length === 0 ? undefined : (
          <p class="more">
            <a href="#violations">{plural(rest.length, 'more violation')}</a> in the full report:{' '}
            {named(
              [...group(rest, ({ clause }) => clause)].map(([code, of]) => `${code} (${of.length})`),
              40,
            )}
          </p>
        )
      }
    >
      {violations.slice(0, most.violations).map((finding) => (
        <tr>
          <th scope="row" class="narrow">
            <a href={`#${anchor('v', finding.id)}`}>{finding.id}</a> <Prose text={finding.text} />
          </th>
          <td>
            <VerdictBadge verdict={finding.verdict} />
          </td>
          <td class="narrow">{cut(finding.expected, most.words)}</td>
          <td class="clip">{cut(finding.actual, most.words)}</td>
          <td class="narrow">{named(finding.requestIds, 2)}</td>
        </tr>
      ))}
    </Table>
  );
}

function Unverified({ groups }: { readonly groups: readonly OpenGroup[] }): VNode {
  const cells = (some: readonly OpenGroup[]): number => some.reduce((sum, one) => sum + one.cells, 0);
  const rest = groups.slice(most.open);
  return (
    <Table
      label="What is open"
      caption={<>{plural(cells(groups), 'cell')} without a verdict</>}
      columns={['Verdict', 'Clauses', { text: 'Cells', as: 'n' }, 'Why, and what would test it']}
      note={
        rest.length === 0 ? undefined : (
          <p class="more">
            <a href="#attention">{plural(rest.length, 'more reason')}</a> for {plural(cells(rest), 'cell')} in
            the full report.
          </p>
        )
      }
    >
      {groups.slice(0, most.open).map((open) => (
        <tr>
          <td>
            <VerdictBadge verdict={open.verdict} />
          </td>
          <td class="narrow">{named(open.clauses, most.names)}</td>
          <td class="n">{open.cells}</td>
          <td class="clip">
            <Prose text={cut(open.because, most.words)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function named(all: readonly string[], shown: number): string {
  const more = all.length - shown;
  return [...all.slice(0, shown), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
