import { max } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import type { VNode } from 'preact';
import type { Latency, OperationFigures, Report } from '../report.ts';
import { Section, Table } from './layout.tsx';
import { Share } from './share.tsx';
import type { Tone } from './verdicts.tsx';
import { duration, number } from './words.ts';

export function Figures({ report }: { readonly report: Report }): VNode {
  const operations = report.operations.filter(({ requests }) => requests > 0);
  const silent = report.operations.length - operations.length;
  const bounds = boundsOf(operations);
  return (
    <Section
      id="figures"
      title="Statuses and latencies"
      lead="Counts of all requests, including repeated and refused ones. Latencies run from sending a request to the end of its response; they say nothing about conformance."
    >
      {operations.length === 0 ? (
        <p>No request was sent.</p>
      ) : (
        <Table
          label="Statuses and latencies by operation"
          tall={operations.length > 20}
          caption={
            <>
              Histograms share one logarithmic scale, {duration(bounds[0])} to {duration(bounds[1])}; the line
              marks the median.
              {silent === 0 ? '' : ` ${number(silent)} operations without a request are left out.`}
            </>
          }
          columns={[
            { text: 'Operation', as: 'row' },
            { text: 'Requests', as: 'n' },
            'Answers',
            'Latency',
            { text: 'Median', as: 'n' },
            { text: '90%', as: 'n' },
            { text: '99%', as: 'n' },
            { text: 'Most', as: 'n' },
          ]}
        >
          {operations.map((figures) => (
            <Row figures={figures} bounds={bounds} />
          ))}
        </Table>
      )}
    </Section>
  );
}

type Bounds = readonly [number, number];

function Row({ figures, bounds }: { readonly figures: OperationFigures; readonly bounds: Bounds }): VNode {
  const { operation, requests, statuses, noAnswers, latency } = figures;
  const answers = [
    ...Object.entries(statuses).map(([status, count]) => ({ text: status, count, tone: toneOf(status) })),
    ...Object.entries(noAnswers).map(([reason, count]) => ({
      text: `no response (${reason})`,
      count,
      tone: 'quiet' as const,
    })),
  ];
  return (
    <tr>
      <th scope="row" class="row narrow">
        {operation}
      </th>
      <td class="n">{number(requests)}</td>
      <td class="broad">
        <Share thin={true} parts={answers} />
        <ul class="inline">
          {answers.map(({ text, count }) => (
            <li>
              {text} <span class="muted">×{number(count)}</span>
            </li>
          ))}
        </ul>
      </td>
      <td>
        <Histogram latency={latency} bounds={bounds} />
      </td>
      {latency.count === 0 ? (
        <td colspan={4} class="muted">
          no response at all
        </td>
      ) : (
        [latency.p50, latency.p90, latency.p99, latency.max].map((value) => (
          <td class="n">{duration(value)}</td>
        ))
      )}
    </tr>
  );
}

/** A refusal is no fault: only what fails on the side of the service is warned of. */
function toneOf(status: string): Tone {
  if (status.startsWith('2')) return 'good';
  if (status === '429') return 'warn';
  return status.startsWith('5') ? 'bad' : 'open';
}

const size = { width: 144, height: 26 } as const;

function boundsOf(operations: readonly OperationFigures[]): Bounds {
  const buckets = operations.flatMap(({ latency }) => latency.buckets);
  const from = Math.max(0.05, Math.min(...buckets.map((bucket) => Math.max(bucket.from, 0.05))));
  const to = Math.max(from * 2, ...buckets.map((bucket) => bucket.to));
  return buckets.length === 0 ? [0.1, 1000] : [from, to];
}

/** Counts over time, logarithmic; the numbers next to it say the same for those who do not see it. */
function Histogram({
  latency,
  bounds,
}: {
  readonly latency: Latency;
  readonly bounds: Bounds;
}): VNode | undefined {
  if (latency.count === 0) return undefined;
  const x = scaleLog(bounds, [0, size.width]).clamp(true);
  const most = max(latency.buckets, ({ count }) => count) ?? 1;
  // Square roots: what is rare stays visible.
  const y = scaleLinear([0, Math.sqrt(most)], [0, size.height - 1]);
  const path = latency.buckets
    .map(({ from, to, count }) => {
      const [left, right] = [x(Math.max(from, bounds[0])), x(to)];
      const top = (size.height - Math.max(1, y(Math.sqrt(count)))).toFixed(1);
      return `M${left.toFixed(1)} ${size.height}V${top}H${Math.max(left + 1, right - 0.6).toFixed(1)}V${size.height}Z`;
    })
    .join('');
  const median = x(Math.max(latency.p50, bounds[0])).toFixed(1);
  return (
    <svg class="histogram" viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
      <path d={path} />
      <line x1={median} y1="0" x2={median} y2={size.height} />
    </svg>
  );
}
