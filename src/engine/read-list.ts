import type { Ledger } from '../judge.ts';
import type { Trace, TraceId } from '../model/exchange.ts';
import { firstPage } from '../oracle/paging.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { attempt } from './attempt.ts';
import type { Rest } from './lanes.ts';
import { halted, type Stage } from './stage.ts';
import { type EffectRead, type emptySighting, note, ofPage, type Page, pageStep, readPage } from './sweep.ts';
import {
  enoughShort,
  fewPages,
  lastPage,
  mostForeignPages,
  mostShort,
  type Position,
  placeOf,
  type Walk,
} from './walk.ts';

/** The part of a run that reading lists needs. */
type ReadContext = {
  readonly stage: Stage;
  readonly planning: Planning;
  readonly ledger: Ledger;
  readonly nextTrace: () => TraceId;
  readonly recordTrace: (trace: Trace) => void | Promise<void>;
};

/** One list to be read in one round. */
export type Round = EffectRead & {
  readonly sighting: ReturnType<typeof emptySighting>;
  readonly rest: Rest;
  readonly walk: Walk;
  /** Markers of this run. */
  readonly own: Pick<ReadonlySet<string>, 'has'>;
  /** Ids of records that must be there. */
  readonly expected: ReadonlySet<string>;
};

type Result = { readonly complete: boolean; readonly last: string | undefined };
type Seen = { readonly page: Page; readonly exchange: string };

const start: Position = { cursor: undefined, pages: 0, items: 0 };

/**
 * Reads a list, and notes what it shows; `last` is the exchange of the last page. Short lists are read to their end. Of a
 * long one only that end is read at which the records of this run are, where all of them are there and nothing else is.
 */
export async function readList(options: ReadContext, round: Round): Promise<Result> {
  const { walk, own, expected } = round;
  const place = placeOf(own, expected, walk.seen);
  const cursors = new Set<string>();
  let last: string | undefined;
  let at: Position | undefined = walk.from ?? start;
  const resumed = walk.from !== undefined;
  let short = 0;
  for (let count = 0; at !== undefined; count += 1) {
    const seen = await readAt(options, round, at);
    if (seen === undefined) return { complete: false, last };
    last = seen.exchange;
    const { page } = seen;
    short = page.items < walk.size ? short + 1 : 0;
    walk.size = Math.max(walk.size, page.items);
    const ours = place.see(page.entries);
    const following = behind(at, page);
    // Others make records while the list is read: what was there when its end was met has been seen.
    const grown = following !== 'end' && numbered(round) && short >= enoughShort;
    const next = grown && place.found() ? 'end' : following;
    if (grown && next !== 'end' && short >= mostShort) return { complete: false, last };
    if (next === 'end') {
      const complete = !resumed || place.found();
      if (place.end() && at.pages > fewPages) walk.grows = 'end';
      if (walk.grows === 'end' && page.items > 0) walk.from = at;
      if (!complete) walk.from = undefined;
      walk.foreignPages = 0;
      return { complete, last };
    }
    // A cursor that comes again leads in a circle: RDS-4 judges it, and nothing is concluded here.
    if (next === undefined || cursors.has(next.cursor ?? '')) return { complete: false, last };
    cursors.add(next.cursor ?? '');
    const few = walk.grows === 'front' ? 1 : fewPages;
    if (!resumed && count >= few && !ours && place.found() && place.front()) {
      walk.grows = 'front';
      return { complete: true, last };
    }
    if (
      !resumed &&
      short === 0 &&
      count >= fewPages &&
      walk.grows !== 'front' &&
      numbered(round) &&
      !place.front()
    )
      return (await readFromEnd(options, round, at)) ?? { complete: false, last };
    if (!ours && count >= fewPages) walk.foreignPages += 1;
    if (walk.foreignPages >= mostForeignPages) {
      walk.from = walk.grows === 'end' ? walk.from : next;
      return { complete: false, last };
    }
    at = next;
  }
  return { complete: false, last };
}

function numbered({ list: { pagination } }: Round): boolean {
  return pagination?.style === 'page' || pagination?.style === 'offset';
}

/** Where the next page begins; `end` where there is none, undefined where nothing says. */
function behind(at: Position, page: Page): Position | 'end' | undefined {
  if (page.next.kind === 'none') return 'end';
  if (page.next.kind === 'unknown') return undefined;
  return { cursor: page.next.cursor, pages: at.pages + 1, items: at.items + page.items };
}

/** Numbered pages need not be read one by one: the last one is searched for, and what is new lies right before it. */
async function readFromEnd(options: ReadContext, round: Round, at: Position): Promise<Result | undefined> {
  const { list, walk, own, expected } = round;
  const { pagination } = list;
  const { size } = walk;
  if (size === 0) return undefined;
  const first = pagination?.style === 'page' ? (firstPage(list) ?? 0) : 0;
  const positionOf = (page: number): Position => ({
    cursor: String(pagination?.style === 'page' ? page + first : page * size),
    pages: page,
    items: page * size,
  });
  const found = await lastPage(
    async (page) => {
      const seen = await readAt(options, round, positionOf(page));
      return seen === undefined ? undefined : seen.page.items > 0;
    },
    pagination?.style === 'page' ? at.pages : Math.floor(at.items / size),
  );
  if (found === undefined) return undefined;
  const pages: Page[] = [];
  let last: string | undefined;
  let place = placeOf(own, expected, new Set(walk.seen));
  for (let number = found; number >= 0; number -= 1) {
    const seen = await readAt(options, round, positionOf(number));
    if (seen === undefined) return undefined;
    last ??= seen.exchange;
    pages.unshift(seen.page);
    place = placeOf(own, expected, new Set(walk.seen));
    const ours = pages.map(({ entries }) => place.see(entries));
    if (ours[0] === true) continue;
    if (!place.found() || !place.end()) return { complete: false, last };
    for (const { entries } of pages) placeOf(own, expected, walk.seen).see(entries);
    walk.grows = 'end';
    walk.from = positionOf(found);
    return { complete: true, last };
  }
  return { complete: place.found(), last };
}

/** One page, recorded and judged as any other read. */
async function readAt(options: ReadContext, round: Round, at: Position): Promise<Seen | undefined> {
  if (halted(options)) return undefined;
  const { list, reader, rest, sighting } = round;
  const step = pageStep(list, reader.name, at.pages, at.cursor);
  const of = { id: options.nextTrace(), ...ofPage(list, step, at.pages) };
  const trace = await attempt(options.stage, of, rest);
  const recorded = options.recordTrace(trace);
  options.ledger.see(trace);
  await recorded;
  const [exchange] = trace.exchanges;
  if (exchange === undefined) return undefined;
  const page = readPage(options.planning.contract, list, exchange, at);
  if (page === undefined) return undefined;
  note(sighting, page, exchange.id);
  return { page, exchange: exchange.id };
}
