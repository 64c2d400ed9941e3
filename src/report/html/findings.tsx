import { group } from 'd3-array';
import type { VNode } from 'preact';
import { causesOf, causeWords } from '../causes.ts';
import { repeatWords } from '../repeats.ts';
import type { Excerpt, Finding, Report } from '../report.ts';
import { Exchange } from './exchange.tsx';
import { Commands, Fact, Facts, Listed, Prose, Section, Table } from './layout.tsx';
import { Sequence } from './sequence.tsx';
import { VerdictBadge } from './verdicts.tsx';
import { anchor, cut, plural } from './words.ts';

/** So many findings of one clause, and of all clauses, are shown with their whole history; the others as a row. */
const most = { ofClause: 4, inAll: 120, open: 3, causes: 20, named: 12 };

export function Violations({ report }: { readonly report: Report }): VNode {
  const { violations } = report;
  return (
    <Section
      id="violations"
      title="Violations"
      lead={
        violations.length === 0
          ? 'None was found.'
          : 'For each: what the contract says, expected, actual, and how to reproduce it.'
      }
    >
      {violations.length === 0 ? undefined : <div class="folds" data-folds="" />}
      <Causes findings={violations} />
      <Findings findings={violations} />
    </Section>
  );
}

/** Which findings probably have one cause: most readers fix the first, and look again. */
function Causes({ findings }: { readonly findings: readonly Finding[] }): VNode | undefined {
  const words = causeWords(findings);
  if (words === undefined) return undefined;
  const causes = causesOf(findings);
  return (
    <div class="causes">
      <p>
        <b>{words}</b>: findings on one line rest on the same requests. The line that explains most comes
        first.
      </p>
      <ol>
        {causes.slice(0, most.causes).map((cause) => (
          <li>
            {cause.findings.slice(0, most.named).map(({ id }, index) => (
              <>
                {index === 0 ? '' : ', '}
                <a href={`#${anchor('v', id)}`}>{id}</a>
              </>
            ))}
            {cause.findings.length > most.named ? ` and ${cause.findings.length - most.named} more` : ''}:{' '}
            {cause.scenario}
          </li>
        ))}
      </ol>
      {causes.length > most.causes ? <p>{causes.length - most.causes} more in report.json.</p> : undefined}
    </div>
  );
}

export function Findings({
  findings,
  folded = false,
}: {
  readonly findings: readonly Finding[];
  readonly folded?: boolean;
}): VNode {
  const clauses = [...group(findings, ({ clause }) => clause).values()];
  let spent = 0;
  return (
    <>
      {clauses.map((ofClause) => {
        const whole = Math.max(0, Math.min(most.ofClause, most.inAll - spent));
        const first = spent;
        spent += Math.min(whole, ofClause.length);
        return <Clause findings={ofClause} whole={whole} first={folded ? most.open : first} />;
      })}
    </>
  );
}

function Clause({
  findings,
  whole,
  first,
}: {
  readonly findings: readonly Finding[];
  readonly whole: number;
  readonly first: number;
}): VNode | undefined {
  const [one] = findings;
  if (one === undefined) return undefined;
  const rest = findings.slice(whole);
  return (
    <div class="clause" id={anchor('c', one.clause)}>
      <h3>
        <code>{one.clause}</code>{' '}
        <span>
          <Prose text={one.text} />
        </span>
      </h3>
      <blockquote>
        <p>
          <Prose text={one.source.quote} />
        </p>
        <footer>
          {one.source.where}; {one.level}
        </footer>
      </blockquote>
      {findings.slice(0, whole).map((finding, index) => (
        <Whole finding={finding} open={first + index < most.open} />
      ))}
      {rest.length === 0 ? undefined : <Rows findings={rest} all={findings.length} />}
    </div>
  );
}

function Whole({ finding, open }: { readonly finding: Finding; readonly open: boolean }): VNode {
  const id = anchor('v', finding.id);
  const { control } = finding;
  return (
    <article class="finding" id={id} aria-labelledby={`${id}-title`}>
      <details open={open}>
        <summary>
          <h4 id={`${id}-title`}>{finding.id}</h4>
          <VerdictBadge
            verdict={finding.verdict}
            advisory={finding.level === 'advisory'}
            note={finding.waiver === undefined ? undefined : 'waived'}
          />
          <span class="tail">{repeatWords(finding)}</span>
        </summary>
        <div class="inside">
          <div class="versus">
            <div class="good">
              <h5>Expected</h5>
              <p>{finding.expected}</p>
            </div>
            <div class={finding.level === 'advisory' ? 'open' : 'bad'}>
              <h5>Actual</h5>
              <p>{finding.actual}</p>
            </div>
          </div>
          <p>
            <Prose text={finding.because} />
          </p>
          <Facts>
            <Fact name="Fix">
              <Prose text={finding.fix} />
            </Fact>
            <Fact name="Request IDs">
              {finding.requestIds.length === 0 ? (
                'None was returned.'
              ) : (
                <Listed items={finding.requestIds.map((requestId) => <code>{requestId}</code>)} />
              )}
            </Fact>
            <Fact name="Situation">
              {finding.scenario} ({finding.suite}/{finding.probe})
            </Fact>
            <Fact name="Seed of this scenario">
              {finding.seed}
              {purposes[finding.purpose]}
            </Fact>
            {finding.waiver === undefined ? undefined : (
              <Fact name="Waiver">
                {finding.waiver.owner}, until {finding.waiver.expires}: {finding.waiver.reason}
              </Fact>
            )}
          </Facts>
          <h4>What happened</h4>
          <Sequence id={`${id}-drawing`} of={finding.id} exchanges={inTime(finding)} control={control} />
          <ol class="exchanges">
            {inTime(finding).map((exchange, index) => (
              <li>
                <Exchange
                  exchange={exchange}
                  number={index + 1}
                  {...(exchange.id === control?.id ? { note: 'succeeded' } : {})}
                />
              </li>
            ))}
          </ol>
          {control === undefined && finding.exchanges.every(({ role }) => role !== 'control') ? (
            <p class="muted">This finding has no control.</p>
          ) : undefined}
          <h4>Reproduce</h4>
          {finding.curl.length === 0 ? undefined : (
            <Commands label={`Commands for ${finding.id}`} lines={finding.curl} />
          )}
          <p class="muted">
            Tokens are shown as environment variables. Run its suite again: <code>{finding.reproduce}</code>.
            What to send to the vendor: <code>assay report RUN --support '{finding.id}'</code>.
          </p>
        </div>
      </details>
    </article>
  );
}

const purposes: Readonly<Record<Finding['purpose'], string>> = {
  first: '',
  shrink: ' (below: the smallest scenario that shows the violation)',
  repeat: ' (below: a repeat)',
};

/** The history with the control that belongs to it, in the order of time. */
function inTime({ exchanges, control }: Finding): readonly Excerpt[] {
  const all =
    control === undefined || exchanges.some(({ id }) => id === control.id)
      ? exchanges
      : [...exchanges, control];
  return [...all].sort((one, other) => one.startedAt - other.startedAt);
}

function Rows({ findings, all }: { readonly findings: readonly Finding[]; readonly all: number }): VNode {
  return (
    <Table
      label={`More operations on which ${findings[0]?.clause ?? ''} is violated`}
      caption={
        <>
          {plural(findings.length, 'more operation')} of {all}; their whole histories are in report.json
        </>
      }
      columns={['Finding', 'Verdict', 'Repeats', 'Actual', 'Request IDs']}
    >
      {findings.map((finding) => (
        <tr id={anchor('v', finding.id)}>
          <th scope="row" class="narrow">
            {finding.id}
          </th>
          <td>{`${finding.verdict}${finding.waiver === undefined ? '' : ', waived'}`}</td>
          <td class="tight">
            {finding.repeats.of === 0 ? 'one trace' : `${finding.repeats.violated} of ${finding.repeats.of}`}
          </td>
          <td class="clip">{cut(finding.actual, 100)}</td>
          <td class="clip">
            <code>{finding.requestIds.slice(0, 3).join(', ')}</code>
          </td>
        </tr>
      ))}
    </Table>
  );
}
