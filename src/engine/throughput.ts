/** What came through at each pace, rests included: to be slower than one that let more through is of no use. */
export type Throughput = {
  /** So many requests, with so many milliseconds between two, took so long together. */
  readonly note: (interval: number, requests: number, milliseconds: number) => void;
  /** A rest of so many milliseconds, which so many of the latest requests brought about: those of a window. */
  readonly rested: (milliseconds: number, window: number) => void;
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
  /** Since the last rest, the latest last. */
  let lately: { readonly name: number; readonly requests: number }[] = [];
  const add = (name: number, milliseconds: number): void => {
    const known = levels.get(name);
    if (known !== undefined) levels.set(name, { ...known, milliseconds: known.milliseconds + milliseconds });
  };
  return {
    note: (interval, requests, milliseconds) => {
      if (interval <= 0 || requests === 0) return;
      const name = Math.round(2 * Math.log2(interval));
      lately.push({ name, requests });
      const known = levels.get(name) ?? { intervals: 0, requests: 0, milliseconds: 0 };
      levels.set(name, {
        intervals: known.intervals * kept + interval * requests,
        requests: known.requests * kept + requests,
        milliseconds: known.milliseconds * kept + milliseconds,
      });
    },
    rested: (milliseconds, window) => {
      const sent = lately.reduce((sum, { requests }) => sum + requests, 0);
      const all = Math.min(sent, Math.max(window, enough));
      let left = all;
      for (const { name, requests } of lately.reverse()) {
        const own = Math.min(left, requests);
        if (own > 0) add(name, (milliseconds * own) / all);
        left -= own;
      }
      lately = [];
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
