import type { Exchange } from '../model/exchange.ts';
import type { Latency, OperationFigures } from './report.ts';

/** Counts by status and by time of answering, in memory that does not grow with the run. */
export type Figures = {
  readonly see: (exchange: Exchange) => void;
  readonly finish: (operations: readonly string[]) => readonly OperationFigures[];
};

type OperationTally = {
  requests: number;
  readonly statuses: Map<string, number>;
  readonly noAnswers: Map<string, number>;
  readonly latency: Histogram;
};

/** Statuses and latencies of each operation. Earlier tries count as requests of their own. */
export function makeFigures(): Figures {
  const tallies = new Map<string, OperationTally>();
  const tallyOf = (operation: string): OperationTally => {
    const known = tallies.get(operation);
    if (known !== undefined) return known;
    const made = { requests: 0, statuses: new Map(), noAnswers: new Map(), latency: makeHistogram() };
    tallies.set(operation, made);
    return made;
  };
  return {
    see: (exchange) => {
      const tally = tallyOf(exchange.operation);
      for (const each of [...exchange.earlier, exchange]) {
        tally.requests += 1;
        if (each.answer !== undefined) {
          count(tally.statuses, String(each.answer.status));
          const from = 'sentAt' in each ? (each.sentAt ?? each.startedAt) : each.startedAt;
          tally.latency.add(each.endedAt - from);
        } else if (each.noAnswer !== undefined) count(tally.noAnswers, each.noAnswer.reason);
      }
    },
    finish: (operations) =>
      operations.map((operation) => {
        const tally = tallyOf(operation);
        return {
          operation,
          requests: tally.requests,
          statuses: ordered(tally.statuses),
          noAnswers: ordered(tally.noAnswers),
          latency: tally.latency.summary(),
        };
      }),
  };
}

export function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function ordered(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

type Histogram = { readonly add: (milliseconds: number) => void; readonly summary: () => Latency };

/** Bounds grow by this factor, so that a middle is at most 5% off. */
const factor = 1.1;
const smallest = 0.05;
/** So many neighbours are shown as one bucket. */
const shown = 4;

export function makeHistogram(): Histogram {
  const counts = new Map<number, number>();
  let total = 0;
  let sum = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  const boundOf = (index: number): number => smallest * factor ** index;
  const quantile = (share: number): number => {
    let seen = 0;
    for (const [index, number] of [...counts].sort(([one], [other]) => one - other)) {
      seen += number;
      if (seen >= share * total) return Math.min(max, Math.max(min, boundOf(index) * Math.sqrt(factor)));
    }
    return max;
  };
  return {
    add: (milliseconds) => {
      const value = Math.max(0, milliseconds);
      count(counts, Math.max(0, Math.floor(Math.log(value / smallest) / Math.log(factor))));
      total += 1;
      sum += value;
      min = Math.min(min, value);
      max = Math.max(max, value);
    },
    summary: () => {
      if (total === 0) return { count: 0, min: 0, mean: 0, p50: 0, p90: 0, p99: 0, max: 0, buckets: [] };
      const groups = new Map<number, number>();
      for (const [index, number] of counts) {
        const group = Math.floor(index / shown);
        groups.set(group, (groups.get(group) ?? 0) + number);
      }
      return {
        count: total,
        min: rounded(min),
        mean: rounded(sum / total),
        p50: rounded(quantile(0.5)),
        p90: rounded(quantile(0.9)),
        p99: rounded(quantile(0.99)),
        max: rounded(max),
        buckets: [...groups]
          .sort(([one], [other]) => one - other)
          .map(([group, number]) => ({
            from: group === 0 ? 0 : rounded(boundOf(group * shown)),
            to: rounded(boundOf((group + 1) * shown)),
            count: number,
          })),
      };
    },
  };
}

export function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
