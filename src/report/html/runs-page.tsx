import { scaleBand, scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import type { VNode } from 'preact';
import type { Verdict } from '../../model/verdict.ts';
import { PlotKey, Section, Table } from './layout.tsx';
import { pageText } from './page.tsx';
import type { RunEntry, SubjectRuns, Unreadable } from './runs.ts';
import { Badge, Icon, lookOf, lookOfOutcome, verdicts } from './verdicts.tsx';
import { anchor, moment, number, plural } from './words.ts';

/** Runs of which the trend is drawn; the table holds all. */
const mostDrawn = 60;

/** The page that lists runs and vendors. `reportOf` is where the report of a run stands; undefined where nowhere. */
export function renderRuns(list: {
  readonly folder: string;
  readonly subjects: readonly SubjectRuns[];
  readonly unreadable: readonly Unreadable[];
  readonly reportOf: (name: string) => string | undefined;
}): string {
  const { subjects, unreadable } = list;
  const runs = subjects.reduce((sum, subject) => sum + subject.runs.length, 0);
  return pageText({
    title: `${plural(runs, 'run')}, Assay`,
    contents: subjects.map((subject) => ({
      id: idOf(subject),
      title: subject.product,
      count: subject.runs.length,
    })),
    head: (
      <>
        <p class="brand">
          <b>Assay</b> Runs in {list.folder}
        </p>
        <h1>
          {plural(runs, 'run')} of {plural(subjects.length, 'subject')}
        </h1>
      </>
    ),
    body: (
      <>
        {subjects.map((subject) => (
          <Subject subject={subject} reportOf={list.reportOf} />
        ))}
        {unreadable.length === 0 ? undefined : <Rest unreadable={unreadable} />}
      </>
    ),
    foot: <p>From the reports on this disk. Nothing is sent anywhere.</p>,
  });
}

function idOf({ vendor, product }: SubjectRuns): string {
  return anchor('s', `${vendor ?? ''}/${product}`);
}

function Subject({
  subject,
  reportOf,
}: {
  readonly subject: SubjectRuns;
  readonly reportOf: (name: string) => string | undefined;
}): VNode {
  const { runs, vendor } = subject;
  const whole = runs.filter((run) => run.whole);
  const last = whole[whole.length - 1];
  return (
    <Section
      id={idOf(subject)}
      title={subject.product}
      lead={
        <>
          {vendor === undefined ? '' : `${vendor}. `}
          {last === undefined ? (
            'None of its runs is complete and unfiltered.'
          ) : (
            <>
              The latest of {plural(whole.length, 'whole run')}:{' '}
              <Badge look={lookOfOutcome(last.verdict.outcome)} /> {moment(last.startedAt)}
            </>
          )}
        </>
      }
    >
      {whole.length > 1 ? <Trend id={idOf(subject)} runs={whole.slice(-mostDrawn)} /> : undefined}
      <Table
        label={`Runs of ${subject.product}`}
        columns={['Run', 'Outcome', 'Cells', 'Since the one before']}
      >
        {[...runs].reverse().map((run) => (
          <Row run={run} report={reportOf(run.name)} />
        ))}
      </Table>
    </Section>
  );
}

function Row({ run, report }: { readonly run: RunEntry; readonly report: string | undefined }): VNode {
  const { verdict, counts, since } = run;
  const shown: readonly Verdict[] = verdicts.filter((name) => name !== 'not-applicable' && counts[name] > 0);
  return (
    <tr>
      <th scope="row" class="broad">
        {report === undefined ? moment(run.startedAt) : <a href={report}>{moment(run.startedAt)}</a>}{' '}
        <code class="muted">{run.name.slice(-6)}</code>
        <p class="muted">
          {run.version === undefined ? '' : `${run.version}, `}
          {run.baseUrl}, {run.environment}
        </p>
        <p class="muted">
          {run.contract}, {run.budget}, {plural(run.exchanges, 'request')}
        </p>
      </th>
      <td>
        <Badge look={lookOfOutcome(verdict.outcome)} note={verdict.partial ? 'PARTIAL' : undefined} />
        {verdict.certifiable ? <p class="toned good">certifiable</p> : undefined}
        {run.ended === 'complete' ? undefined : <p class="muted">ended early: {run.ended}</p>}
      </td>
      <td>
        <ul class="inline">
          {shown.map((name) => (
            <li class={`cell ${lookOf(name).tone}`}>
              <Icon name={lookOf(name).icon} />
              {number(counts[name])} {lookOf(name).label}
            </li>
          ))}
        </ul>
      </td>
      <td>
        {run.whole ? (
          <Changed since={since} />
        ) : (
          <span class="muted">not compared: narrowed or incomplete</span>
        )}
      </td>
    </tr>
  );
}

function Changed({ since }: { readonly since: RunEntry['since'] }): VNode {
  if (since === undefined) return <span class="muted">the first one</span>;
  if (!since.comparable)
    return <span class="muted">not comparable: another contract, or other declarations</span>;
  const parts = [
    { tone: 'bad', count: since.regressions, label: plural(since.regressions, 'regression') },
    { tone: 'good', count: since.fixed, label: `${number(since.fixed)} fixed` },
    { tone: 'doubt', count: since.covered, label: `${number(since.covered)} newly covered` },
    { tone: 'warn', count: since.lost, label: `${number(since.lost)} lost` },
  ].filter(({ count }) => count > 0);
  if (parts.length === 0) return <span class="muted">no change</span>;
  return (
    <ul class="plain">
      {parts.map(({ tone, label }) => (
        <li class={`toned ${tone}`}>{label}</li>
      ))}
    </ul>
  );
}

const drawn = verdicts.filter((verdict) => verdict !== 'not-applicable').reverse();
const size = { width: 900, height: 180, left: 44, top: 22, bottom: 150 } as const;
/** With more runs than this there is no room for a number over each. */
const mostLabelled = 20;

function Trend({ id, runs }: { readonly id: string; readonly runs: readonly RunEntry[] }): VNode {
  const x = scaleBand(
    runs.map((_, index) => String(index)),
    [size.left, Math.min(size.width, size.left + runs.length * 56)],
  ).paddingInner(0.15);
  const whole = (run: RunEntry): number => drawn.reduce((sum, verdict) => sum + run.counts[verdict], 0);
  const y = scaleLinear([0, Math.max(1, ...runs.map(whole))], [size.bottom, size.top]).nice(3);
  const layers = stack<RunEntry, Verdict>()
    .keys(drawn)
    .value((run, verdict) => run.counts[verdict])(runs);
  const width = x.bandwidth();
  const [first, last] = [runs[0], runs[runs.length - 1]];
  return (
    <figure>
      <svg
        class="plot"
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-labelledby={`${id}-trend ${id}-words`}
      >
        <title id={`${id}-trend`}>Cells by verdict, run by run</title>
        <desc id={`${id}-words`}>
          {runs
            .map(
              (run) =>
                `${moment(run.startedAt)}: ${drawn.map((verdict) => `${run.counts[verdict]} ${lookOf(verdict).label}`).join(', ')}`,
            )
            .join('. ')}
        </desc>
        {y.ticks(3).map((tick) => (
          <g>
            <line class="frame-line" x1={size.left} y1={y(tick)} x2={size.width} y2={y(tick)} />
            <text x={size.left - 8} y={y(tick) + 4} text-anchor="end">
              {number(tick)}
            </text>
          </g>
        ))}
        {layers.map((layer) => (
          <path
            class={`mark ${lookOf(layer.key).tone}`}
            d={layer
              .map(([low, high], index) =>
                high === low
                  ? ''
                  : `M${(x(String(index)) ?? 0).toFixed(1)} ${y(low).toFixed(1)}V${y(high).toFixed(1)}h${width.toFixed(1)}V${y(low).toFixed(1)}Z`,
              )
              .join('')}
          />
        ))}
        {runs.length > mostLabelled
          ? undefined
          : runs.map((run, index) => {
              const violated = run.counts.fail + run.counts.unstable;
              return violated === 0 ? undefined : (
                <text
                  class="violated"
                  x={((x(String(index)) ?? 0) + width / 2).toFixed(1)}
                  y={(y(whole(run)) - 5).toFixed(1)}
                  text-anchor="middle"
                >
                  {number(violated)}
                </text>
              );
            })}
        <text x={size.left} y={size.height - 8}>
          {first === undefined ? '' : `From ${moment(first.startedAt)}`}
        </text>
        <text x={Math.max(x.range()[1] ?? 0, 500)} y={size.height - 8} text-anchor="end">
          {last === undefined ? '' : `to ${moment(last.startedAt)}`}
        </text>
      </svg>
      <figcaption>
        Cells that apply, run by run{runs.length > mostLabelled ? '' : '; over a bar, how many are violated'}.
      </figcaption>
      <PlotKey label="Colours of the plot" entries={[...drawn].reverse().map(lookOf)} />
    </figure>
  );
}

function Rest({ unreadable }: { readonly unreadable: readonly Unreadable[] }): VNode {
  return (
    <Section
      id="unreadable"
      title="Folders without a report"
      lead="Runs that did not end, or reports of another version: assay judge makes their reports again."
    >
      <ul>
        {unreadable.map(({ name, problem }) => (
          <li>
            <code>{name}</code>: {problem}
          </li>
        ))}
      </ul>
    </Section>
  );
}
