import type { Exchange, HttpResponse, Trace } from '../model/exchange.ts';
import { isAccepted, isThrottled } from '../model/response.ts';
import type { StepId, Wave } from '../model/scenario.ts';
import { guidanceOf } from '../oracle/guidance.ts';
import { rounded } from './figures.ts';
import type { ThrottledAnswer, ThrottlingReport } from './report.ts';

/** Requests over time, and what became of each 429, in memory that does not grow with the run. */
export type Pace = {
  readonly see: (exchange: Exchange) => void;
  readonly seeTrace: (trace: Trace) => void;
  readonly finish: () => ThrottlingReport;
};

type Bucket = {
  requests: number;
  succeeded: number;
  throttled: number;
  otherFailures: number;
  noAnswer: number;
};

const firstBucketMs = 100;
/** With more buckets than this, their width doubles. */
const mostBuckets = 600;
const mostEpisodes = 200;

export function makePace(): Pace {
  let bucketMs = firstBucketMs;
  let buckets = new Map<number, Bucket>();
  let throttled = 0;
  const episodes: ThrottledAnswer[] = [];
  const bucketAt = (at: number): Bucket => {
    const index = Math.floor(at / bucketMs);
    const known = buckets.get(index);
    if (known !== undefined) return known;
    const made = { requests: 0, succeeded: 0, throttled: 0, otherFailures: 0, noAnswer: 0 };
    buckets.set(index, made);
    return made;
  };
  const add = (at: number, answer: HttpResponse | undefined): void => {
    while (Math.floor(at / bucketMs) >= mostBuckets) {
      bucketMs *= 2;
      buckets = halved(buckets);
    }
    const bucket = bucketAt(Math.max(0, at));
    bucket.requests += 1;
    if (answer === undefined) bucket.noAnswer += 1;
    else if (isThrottled(answer)) {
      bucket.throttled += 1;
      throttled += 1;
    } else if (isAccepted(answer)) bucket.succeeded += 1;
    else bucket.otherFailures += 1;
  };
  return {
    see: (exchange) => {
      for (const each of [...exchange.earlier, exchange]) add(each.startedAt, each.answer);
    },
    seeTrace: (trace) => {
      if (episodes.length >= mostEpisodes) return;
      for (const episode of episodesOf(trace)) if (episodes.length < mostEpisodes) episodes.push(episode);
    },
    finish: () => ({
      bucketMs,
      timeline: [...buckets]
        .sort(([one], [other]) => one - other)
        .map(([index, bucket]) => ({ at: index * bucketMs, ...bucket })),
      throttled,
      episodes: [...episodes].sort((one, other) => one.at - other.at),
    }),
  };
}

function halved(buckets: ReadonlyMap<number, Bucket>): Map<number, Bucket> {
  const result = new Map<number, Bucket>();
  for (const [index, bucket] of buckets) {
    const at = Math.floor(index / 2);
    const other = result.get(at);
    if (other === undefined) result.set(at, bucket);
    else
      for (const name of ['requests', 'succeeded', 'throttled', 'otherFailures', 'noAnswer'] as const)
        other[name] += bucket[name];
  }
  return result;
}

/** Each 429 after which the harness waited, and what came then; within a burst only the last one. */
function episodesOf(trace: Trace): readonly ThrottledAnswer[] {
  const found: ThrottledAnswer[] = [];
  const ordered = [...trace.exchanges].sort((one, other) => one.startedAt - other.startedAt);
  for (const exchange of ordered)
    for (const [index, tried] of exchange.earlier.entries())
      if (tried.answer !== undefined && isThrottled(tried.answer)) {
        const next = exchange.earlier[index + 1] ?? exchange;
        found.push(
          episode(exchange, tried.answer, tried.endedAt, {
            waitedMs: tried.waited,
            status: next.answer?.status,
          }),
        );
      }
  const bursts = burstsOf(trace.scenario.waves);
  const burstOf = ({ step }: Exchange): string => bursts.get(step) ?? step;
  const last = new Map<string, Exchange>();
  for (const exchange of ordered) {
    if (!isThrottled(exchange.answer)) continue;
    const known = last.get(burstOf(exchange));
    if (known === undefined || known.endedAt < exchange.endedAt) last.set(burstOf(exchange), exchange);
  }
  for (const [burst, exchange] of last) {
    // Another caller has a pace of its own, and does not wait.
    const next = ordered.find(
      (other) =>
        other.startedAt >= exchange.endedAt &&
        other.principal === exchange.principal &&
        burstOf(other) !== burst,
    );
    if (exchange.answer !== undefined)
      found.push(
        episode(
          exchange,
          exchange.answer,
          exchange.endedAt,
          next === undefined
            ? undefined
            : { waitedMs: next.startedAt - exchange.endedAt, status: next.answer?.status },
        ),
      );
  }
  return found;
}

/** Steps sent during a burst, by the step that the burst repeats: none of them waits for another. */
function burstsOf(waves: readonly Wave[]): ReadonlyMap<StepId, StepId> {
  return new Map(
    waves.flatMap((wave): readonly (readonly [StepId, StepId])[] => {
      if ('waves' in wave) return [...burstsOf(wave.waves)];
      return 'repeat' in wave && wave.during !== undefined ? [[wave.during.id, wave.repeat.id]] : [];
    }),
  );
}

function episode(
  exchange: Exchange,
  answer: HttpResponse,
  endedAt: number,
  next: { readonly waitedMs: number; readonly status: number | undefined } | undefined,
): ThrottledAnswer {
  const guidance = guidanceOf(answer, Date.parse(exchange.time));
  return {
    exchange: exchange.id,
    operation: exchange.operation,
    principal: exchange.principal,
    at: rounded(endedAt),
    guidance: guidance.found.map(
      ({ source, seconds, rejected }) =>
        `${source}: ${rejected === undefined ? `${rounded(seconds)} s` : `not usable, it ${rejected}`}`,
    ),
    guidedSeconds: guidance.wait === undefined ? undefined : rounded(guidance.wait),
    waitedSeconds: next === undefined ? undefined : Math.round(next.waitedMs) / 1000,
    honoured: next !== undefined && guidance.wait !== undefined && next.waitedMs >= guidance.wait * 1000,
    nextStatus: next?.status,
  };
}
