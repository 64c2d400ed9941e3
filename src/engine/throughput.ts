/** What came through at each pace, rests included: to be slower than one that let more through is of no use. */
export type Throughput = {
  /** So many requests, with so many milliseconds between two, took so long together. */
  readonly note: (interval: number, requests: number, milliseconds: number) => void;
  /** The interval, or a shorter one where more came through at that. */
  readonly worthwhile: (interval: number) => number;
};

type Level = { readonly intervals: number; readonly requests: number; readonly milliseconds: number };

/** What happened lately counts more: so much of the rest is kept each time. */
const kept = 0.8;
/** So many requests show what came through. */
const enough = 20;
/** A pace is slower than another from here on, and takes longer from here on. */
const slower = 1.3;
const longer = 1.3;

export function makeThroughput(): Throughput {
  /** By powers of the square root of 2. */
  const levels = new Map<number, Level>();
  return {
    note: (interval, requests, milliseconds) => {
      if (interval <= 0 || requests === 0) return;
      const name = Math.round(2 * Math.log2(interval));
      const known = levels.get(name) ?? { intervals: 0, requests: 0, milliseconds: 0 };
      levels.set(name, {
        intervals: known.intervals * kept + interval * requests,
        requests: known.requests * kept + requests,
        milliseconds: known.milliseconds * kept + milliseconds,
      });
    },
    worthwhile: (interval) => {
      const faster = [...levels.values()]
        .filter(({ requests }) => requests >= enough)
        .map(({ intervals, milliseconds, requests }) => ({
          interval: intervals / requests,
          each: milliseconds / requests,
        }))
        .filter((level) => level.interval * slower < interval);
      const best = Math.min(...faster.map(({ each }) => each));
      if (interval <= best * longer) return interval;
      return Math.max(...faster.filter(({ each }) => each <= best * longer).map((level) => level.interval));
    },
  };
}
