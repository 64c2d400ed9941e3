/** How many scenarios may have requests in flight, and how many more may have one that is held on purpose. */
export type Widths = { readonly lanes: number; readonly held: number };

/** How many lanes there are: as many as the target serves without slowing down. */
export type LaneCount = {
  /**
   * Sees a valid request: how long it took where it was not sent again, and whether it was throttled or failed, while so many
   * were held. Returns how many lanes there are now.
   */
  readonly see: (
    milliseconds: number | undefined,
    trouble?: 'throttled' | 'failed',
    holding?: number,
  ) => Widths;
  /** How many there are now. */
  readonly now: () => Widths;
  /** Ends the beginning, in which there are few. Returns how many there are now. */
  readonly widen: () => Widths;
  /**
   * The median of what the requests of the last measurement took, in milliseconds. Undefined before the first one, and where
   * it is far above what the fastest request took: then requests wait for each other.
   */
  readonly usualMs: () => number | undefined;
};

const start = 8;
/**
 * With few lanes at the beginning, the first scenario is over after fewer requests. Where responses take longer, in
 * milliseconds, that would cost time.
 */
const beginnings = [
  { lanes: 1, fastMs: 3 },
  { lanes: 2, fastMs: 10 },
] as const;
const least = 4;
const sample = 24;
const step = 4;
/** After trouble the number stays for this many measurements. */
const patience = 4;
/** A median that is so much longer than the fastest request comes from requests that wait for each other. */
const queued = 1.5;
/** Others wait so much longer, in milliseconds, where those that are held leave a target too few workers. */
const starvedMs = 200;
/** After that so many measurements pass before more are held again. */
const heldPatience = 16;
const fewestHeld = 2;

function startWidth(most: number): number {
  return Math.min(start, most);
}

/** None apart where fewer lanes are wanted than usual: what is held then counts as in flight, too. */
export function startHeld(most: number): number {
  return most < start ? 0 : step;
}

/** How many may be held at a time: more where all of them are, and the others are served as before. */
function makeHeld(most: number) {
  let count = startHeld(most);
  let hold = 0;
  return {
    count: () => count,
    look: (holding: number, starved: boolean): void => {
      if (hold > 0) hold -= 1;
      if (count === 0 || holding < count) return;
      if (starved) {
        count = Math.max(fewestHeld, count >> 1);
        hold = heldPatience;
      } else if (hold === 0) count = Math.min(most, count + step);
    },
  };
}

/** @param firstMs how long the first responses took, in milliseconds */
export function makeWidth(most: number, firstMs = Number.POSITIVE_INFINITY): LaneCount {
  let width = startWidth(most);
  let limit = beginnings.find(({ fastMs }) => firstMs <= fastMs)?.lanes ?? Number.POSITIVE_INFINITY;
  const held = makeHeld(most);
  let mostHolding = 0;
  let times: number[] = [];
  let throttled = 0;
  let failed = 0;
  let best = Number.POSITIVE_INFINITY;
  let hold = 0;
  let latest: number | undefined;
  let fastest = Number.POSITIVE_INFINITY;
  const look = (): void => {
    const median = times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
    latest = median;
    best = Math.min(best, median);
    held.look(mostHolding, median > best * 2 + starvedMs);
    mostHolding = 0;
    if (failed + throttled > 0) {
      // The pace and the rooms keep what is throttled below its limit, so fewer lanes than at the start only lose time.
      const floor = failed > 0 ? least : start;
      width = Math.min(width, Math.max(Math.min(floor, most), Math.floor(width * 0.75)));
      hold = patience;
    } else if (hold > 0) hold -= 1;
    // A millisecond more is noise.
    else if (median <= best * 1.25 + 1) width = Math.min(most, width + step);
    else if (median > best * 2 + 2) width = Math.max(startWidth(most), width - step);
    times = [];
    throttled = 0;
    failed = 0;
  };
  const now = (): Widths => ({ lanes: Math.min(width, limit), held: held.count() });
  return {
    now,
    widen: () => {
      limit = Number.POSITIVE_INFINITY;
      return now();
    },
    see: (milliseconds, trouble, holding = 0) => {
      mostHolding = Math.max(mostHolding, holding);
      if (milliseconds !== undefined) {
        times.push(milliseconds);
        fastest = Math.min(fastest, milliseconds);
      }
      if (trouble === 'throttled') throttled += 1;
      if (trouble === 'failed') failed += 1;
      if (times.length >= sample) look();
      return now();
    },
    usualMs: () => (latest !== undefined && latest <= fastest * queued ? latest : undefined),
  };
}
