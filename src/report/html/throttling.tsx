import { greatest, max, sum } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { stack, stackOrderNone } from 'd3-shape';
import type { VNode } from 'preact';
import type { Report, ThrottledAnswer, ThrottlingReport } from '../report.ts';
import { PlotKey, Section, Table } from './layout.tsx';
import type { Tone } from './verdicts.tsx';
import { duration, number, plural } from './words.ts';

const size = { width: 900, height: 250, left: 44, right: 8, top: 22, plot: 190 } as const;

const series = [
  { key: 'succeeded', label: 'succeeded (2xx)', tone: 'good' },
  { key: 'otherFailures', label: 'refused otherwise', tone: 'open' },
  { key: 'noAnswer', label: 'no response', tone: 'quiet' },
  { key: 'throttled', label: 'throttled (429)', tone: 'warn' },
] as const satisfies readonly { readonly key: string; readonly label: string; readonly tone: Tone }[];

const mostRows = 25;

/** The pace of the run, and what the service said about it. */
export function Throttling({ report }: { readonly report: Report }): VNode {
  const { throttling, run } = report;
  const { episodes } = throttling;
  const window = windowOf(throttling, run.elapsedMs);
  return (
    <Section
      id="throttling"
      title="Throttling over time"
      lead={
        throttling.throttled === 0
          ? 'The service never returned 429.'
          : `The service returned 429 to ${plural(throttling.throttled, 'request')}. ${waitsInWords(episodes)}`
      }
    >
      {throttling.timeline.length === 0 ? undefined : (
        <>
          <Plot
            id="pace"
            throttling={throttling}
            from={0}
            to={Math.max(run.elapsedMs, 1)}
            title="Requests over the run"
          />
          {window === undefined ? undefined : (
            <Plot
              id="pace-429"
              throttling={throttling}
              from={window[0]}
              to={window[1]}
              title="The time around most of the 429 responses"
            />
          )}
          <Key />
        </>
      )}
      {episodes.length === 0 ? undefined : <Episodes episodes={episodes} />}
    </Section>
  );
}

/** What became of the waits that were asked for; after the last 429 of a burst there is one wait. */
function waitsInWords(episodes: readonly ThrottledAnswer[]): string {
  const honoured = episodes.filter((episode) => episode.honoured).length;
  const unguided = episodes.filter(({ guidedSeconds }) => guidedSeconds === undefined).length;
  const without = episodes.filter(
    ({ guidedSeconds, waitedSeconds }) => guidedSeconds !== undefined && waitedSeconds === undefined,
  ).length;
  const short = episodes.length - honoured - unguided - without;
  const parts = [
    `${number(honoured)} honoured and followed by one request`,
    unguided === 0 ? '' : `${number(unguided)} without usable guidance`,
    without === 0 ? '' : `${number(without)} without a later request`,
    short === 0 ? '' : `${number(short)} shorter than guided`,
  ].filter((part) => part !== '');
  return `Waits: ${parts.join(', ')}.`;
}

/** The part of the run around most of the 429 responses, where that is a small one. */
function windowOf(throttling: ThrottlingReport, elapsed: number): readonly [number, number] | undefined {
  const { bucketMs, timeline } = throttling;
  const margin = 5 * bucketMs;
  const spells: { from: number; to: number }[] = [];
  for (const episode of throttling.episodes) {
    const last = spells[spells.length - 1];
    if (last !== undefined && episode.at - last.to < Math.max(4 * margin, elapsed / 20))
      last.to = Math.max(last.to, endOf(episode));
    else spells.push({ from: episode.at, to: endOf(episode) });
  }
  const answers = (spell: { readonly from: number; readonly to: number }): number =>
    sum(timeline, ({ at, throttled }) =>
      at + bucketMs > spell.from - margin && at < spell.to + margin ? throttled : 0,
    );
  const spell = greatest(spells, (one, other) => answers(one) - answers(other));
  if (spell === undefined) return undefined;
  const [from, to] = [Math.max(0, spell.from - margin), Math.min(elapsed, spell.to + margin)];
  return to - from < elapsed / 2 && to > from ? [from, to] : undefined;
}

function endOf({ at, guidedSeconds, waitedSeconds }: ThrottledAnswer): number {
  return at + Math.max(guidedSeconds ?? 0, waitedSeconds ?? 0) * 1000;
}

function Plot({
  id,
  throttling,
  from,
  to,
  title,
}: {
  readonly id: string;
  readonly throttling: ThrottlingReport;
  readonly from: number;
  readonly to: number;
  readonly title: string;
}): VNode {
  const { bucketMs } = throttling;
  const timeline = throttling.timeline.filter(({ at }) => at + bucketMs > from && at < to);
  const x = scaleLinear([from, to], [size.left, size.width - size.right]);
  const most = max(timeline, ({ requests }) => requests) ?? 1;
  const y = scaleLinear([0, most], [size.plot, size.top]).nice(4);
  const layers = stack<(typeof timeline)[number], (typeof series)[number]['key']>()
    .keys(series.map(({ key }) => key))
    .value((bucket, key) => bucket[key])
    .order(stackOrderNone)(timeline);
  const waits = spreadOut(
    throttling.episodes.filter((episode) => endOf(episode) > from && episode.at < to),
    bucketMs,
  );
  const axis = size.height - 24;
  return (
    <figure>
      <svg
        class="plot"
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-labelledby={`${id}-title ${id}-text`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-text`}>{inWords(timeline, waits, from, to)}</desc>
        <text x={size.left} y={12}>
          {`${title}, per ${duration(bucketMs)}`}
        </text>
        {y.ticks(4).map((tick) => (
          <g>
            <line class="frame-line" x1={size.left} y1={y(tick)} x2={size.width - size.right} y2={y(tick)} />
            <text x={size.left - 8} y={y(tick) + 4} text-anchor="end">
              {number(tick)}
            </text>
          </g>
        ))}
        {layers.map((layer) => {
          const { tone } = series[layer.index] ?? series[0];
          const path = layer
            .map(([low, high], index) => {
              const at = timeline[index]?.at ?? 0;
              if (high === low) return '';
              const [left, right] = [x(Math.max(at, from)), x(Math.min(at + bucketMs, to))];
              const wide = Math.max(1, right - left - (right - left > 3 ? 0.6 : 0));
              return `M${left.toFixed(1)} ${y(low).toFixed(1)}V${y(high).toFixed(1)}h${wide.toFixed(1)}V${y(low).toFixed(1)}Z`;
            })
            .join('');
          return path === '' ? undefined : <path class={`mark ${tone}`} d={path} />;
        })}
        {waits.map((episode) => (
          <Wait episode={episode} at={(time) => x(Math.min(to, Math.max(from, time)))} />
        ))}
        <line class="axis-line" x1={size.left} y1={axis} x2={size.width - size.right} y2={axis} />
        {x.ticks(8).map((tick) => (
          <g>
            <line class="axis-line" x1={x(tick)} y1={axis} x2={x(tick)} y2={axis + 4} />
            <text x={x(tick)} y={axis + 18} text-anchor="middle">
              {tick % 1000 === 0 ? duration(tick) : `${number(tick / 1000)} s`}
            </text>
          </g>
        ))}
      </svg>
    </figure>
  );
}

function Wait({
  episode,
  at,
}: {
  readonly episode: ThrottledAnswer;
  readonly at: (milliseconds: number) => number;
}): VNode {
  const { guidedSeconds, waitedSeconds, nextStatus } = episode;
  const start = at(episode.at);
  const next = waitedSeconds === undefined ? undefined : at(episode.at + waitedSeconds * 1000).toFixed(1);
  return (
    <g>
      <title>{`429 at ${duration(episode.at)}, then ${nextStatus ?? 'no response'}`}</title>
      {guidedSeconds === undefined ? undefined : (
        <rect
          class="band"
          x={start.toFixed(1)}
          y={size.plot + 8}
          width={Math.max(1, at(episode.at + guidedSeconds * 1000) - start).toFixed(1)}
          height="8"
        />
      )}
      {next === undefined ? undefined : (
        <line class="wait" x1={next} y1={size.plot + 5} x2={next} y2={size.plot + 19} />
      )}
    </g>
  );
}

/** Waits that begin at the same time are one mark. */
function spreadOut(episodes: readonly ThrottledAnswer[], apart: number): readonly ThrottledAnswer[] {
  const shown: ThrottledAnswer[] = [];
  for (const episode of episodes) {
    const last = shown[shown.length - 1];
    if (last === undefined || episode.at - last.at >= apart) shown.push(episode);
  }
  return shown;
}

function inWords(
  timeline: ThrottlingReport['timeline'],
  waits: readonly ThrottledAnswer[],
  from: number,
  to: number,
): string {
  const total = (key: (typeof series)[number]['key']): number =>
    timeline.reduce((sum, bucket) => sum + bucket[key], 0);
  return `From ${duration(from)} to ${duration(to)}: ${series.map(({ key, label }) => `${number(total(key))} ${label}`).join(', ')}; ${plural(waits.length, 'guided wait')}.`;
}

function Key(): VNode {
  return (
    <PlotKey label="Key of the plots" entries={series}>
      <li>
        <svg viewBox="0 0 14 14" aria-hidden="true">
          <rect class="band" x="0.5" y="3.5" width="13" height="7" />
        </svg>
        wait that was asked for
      </li>
      <li>
        <svg viewBox="0 0 14 14" aria-hidden="true">
          <line class="wait" x1="7" y1="0" x2="7" y2="14" />
        </svg>
        next request, after the wait
      </li>
    </PlotKey>
  );
}

function Episodes({ episodes }: { readonly episodes: readonly ThrottledAnswer[] }): VNode {
  return (
    <details open={episodes.length <= 8}>
      <summary>{`Guidance and waits (${number(episodes.length)})`}</summary>
      <Table
        label="Guidance and waits"
        tall={episodes.length > 12}
        columns={[
          '429',
          'Caller',
          'Guidance',
          { text: 'Guided', as: 'n' },
          { text: 'Waited', as: 'n' },
          'Then',
        ]}
        note={
          episodes.length > mostRows ? (
            <p class="more">{`${number(episodes.length - mostRows)} more in report.json under throttling.episodes.`}</p>
          ) : undefined
        }
      >
        {episodes.slice(0, mostRows).map((episode) => (
          <tr>
            <th scope="row" class="tight">
              {episode.exchange} <span class="muted">at {duration(episode.at)}</span>
            </th>
            <td>
              {episode.principal} <span class="muted">{episode.operation}</span>
            </td>
            <td>
              {episode.guidance.length === 0 ? (
                <span class="muted">none</span>
              ) : (
                <ul class="plain">
                  {episode.guidance.map((text) => (
                    <li>
                      <code>{text}</code>
                    </li>
                  ))}
                </ul>
              )}
            </td>
            <td class="n">
              {episode.guidedSeconds === undefined ? 'none usable' : duration(episode.guidedSeconds * 1000)}
            </td>
            <td class="n">
              {episode.waitedSeconds === undefined
                ? 'no request came'
                : duration(episode.waitedSeconds * 1000)}
            </td>
            <td class="tight">
              {episode.nextStatus ?? (episode.waitedSeconds === undefined ? '' : 'no response')}
              {episode.honoured ? ', as guided' : ''}
            </td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
