import type { ListedRecord } from './sweep.ts';

/** Where a page begins: the cursor that leads there, and what lies before it. */
export type PageStart = {
  readonly cursor: string | undefined;
  readonly pages: number;
  readonly items: number;
  /** No page led there: it may lie behind the last one, where some services refuse to go. */
  readonly guessed?: true;
};

/** Lists with at most this many pages are always read to their end. */
export const fewPages = 8;
/** Most pages without a record of this run that are read of one list, over the whole run. */
export const mostForeignPages = 400;
/** After this many short pages in a row the list had ended, and grows while it is read. */
export const enoughShort = 2;
/** Most pages that are read of a list that grows while it is read. */
export const mostShort = 40;
/** This many records of the run at one end of a list show on which side it grows. */
export const enough = 3;

/** So many pages in a row of which every record was on one before lead in a circle. */
const mostAgain = 3;
/** Where most records of so many pages in a row were on one before, and so many of each, the end is too far away. */
const overlapping = { pages: 6, records: 24 };

/**
 * Whether the pages of a walk lead in a circle, as where a service ignores the cursor, or overlap so far that the end of the list
 * is out of reach; to be asked of each page in turn.
 */
export function circleOf(): (entries: readonly ListedRecord[]) => boolean {
  const seen = new Set<string>();
  let [again, overlaps] = [0, 0];
  return (entries) => {
    const before = seen.size;
    for (const { id, markers } of entries) seen.add(id ?? markers.join());
    const repeated = entries.length - (seen.size - before);
    const isKnown = entries.length > 0 && seen.size === before && !seen.has('');
    const isOverlap = repeated >= overlapping.records && repeated > entries.length / 2 && !seen.has('');
    again = isKnown ? again + 1 : 0;
    overlaps = isOverlap ? overlaps + 1 : 0;
    return again >= mostAgain || overlaps >= overlapping.pages;
  };
}

/** A query field that finds records by their whole text, or all records of the harness by what their markers begin with. */
export type RecordFilter = { readonly field: string; readonly by: 'text' | 'beginning' };

export type Walk = {
  /** Where new records appear, once that is known. */
  grows: 'front' | 'end' | undefined;
  /** Where the next round begins: at the last page of a list that grows at its end, or where the budget ended. */
  from: PageStart | undefined;
  /** Pages without a record of this run that were read, of a list whose end was not reached yet. */
  foreignPages: number;
  /** The filter that was shown to find records by their texts; `none` where there is none. */
  filter: RecordFilter | 'none' | undefined;
  /** Items of the largest page that was read: a service may serve fewer than it is asked for. */
  size: number;
  /** The last page failed (5xx) at each repeat: the next one is not repeated. */
  failed: boolean;
  readonly seen: Set<string>;
};

export function newWalk(): Walk {
  const none = { grows: undefined, from: undefined, filter: undefined };
  return { ...none, foreignPages: 0, size: 0, failed: false, seen: new Set() };
}

/** Sees the entries of a list in order, and knows where the records of this run are. */
export type ListPlace = {
  /** Adds a page; true where it holds a record of this run. */
  readonly see: (entries: readonly ListedRecord[]) => boolean;
  /** Whether every record that must be there was seen. */
  readonly found: () => boolean;
  /** All records of this run come before all others, as far as the list was read. */
  readonly front: () => boolean;
  /** All records of this run come after all others, as far as the list was read. */
  readonly end: () => boolean;
};

/**
 * @param own markers of this run
 * @param expected ids of records that commands of this round have made
 * @param seen IDs of records of this run; those that are seen now are added
 */
export function placeOf(
  own: Pick<ReadonlySet<string>, 'has'>,
  expected: ReadonlySet<string>,
  seen: Set<string>,
): ListPlace {
  const missing = new Set([...expected].filter((id) => !seen.has(id)));
  let ours = 0;
  let ourAfterOther = false;
  let otherAfterOur = false;
  let others = 0;
  return {
    see: (entries) => {
      const before = ours;
      for (const { id, markers } of entries) {
        if (id !== undefined) missing.delete(id);
        if (markers.some((marker) => own.has(marker)) || (id !== undefined && expected.has(id))) {
          ours += 1;
          if (id !== undefined) seen.add(id);
          if (others > 0) ourAfterOther = true;
        } else {
          others += 1;
          if (ours > 0) otherAfterOur = true;
        }
      }
      return ours > before;
    },
    found: () => missing.size === 0,
    front: () => ours >= enough && !ourAfterOther,
    end: () => ours >= enough && !otherAfterOur,
  };
}

/** So much further the end of a list is looked for each time. */
const stride = 16;

/** By strides, then by halving; `has` is undefined where a page could not be read. */
export async function lastPage(
  has: (page: number) => Promise<boolean | undefined>,
  from: number,
): Promise<number | undefined> {
  let low = from;
  let high = Math.max(1, from) * stride;
  for (;;) {
    const full = await has(high);
    if (full === undefined || high > 1e9) return undefined;
    if (!full) break;
    low = high;
    high *= stride;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const full = await has(middle);
    if (full === undefined) return undefined;
    if (full) low = middle;
    else high = middle;
  }
  return low;
}
