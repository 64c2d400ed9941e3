import type { Ledger } from '../judge.ts';
import type { Trace, TraceId } from '../model/exchange.ts';
import { isUsual, markerBeginning } from '../model/marker.ts';
import { firstPage, isNumbered } from '../model/pages.ts';
import { isFailed } from '../model/response.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { attempt } from './attempt.ts';
import type { OwnMarkers } from './bind.ts';
import type { Rest } from './lanes.ts';
import { isPlain, type Lookups } from './lookups.ts';
import { type AttemptOf, halted, type Stage } from './stage.ts';
import { type EffectRead, type emptySighting, note, ofRead, type Page, pageStep, readPage } from './sweep.ts';
import {
  circleOf,
  enough,
  enoughShort,
  fewPages,
  lastPage,
  mostForeignPages,
  mostShort,
  type PageStart,
  placeOf,
  type RecordFilter,
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

export type Round = EffectRead & {
  readonly sighting: ReturnType<typeof emptySighting>;
  readonly rest: Rest;
  readonly walk: Walk;
  readonly own: Pick<OwnMarkers, 'has' | 'formed'>;
  readonly expected: ReadonlySet<string>;
  readonly lookups: Lookups;
};

type ReadList = {
  readonly complete: boolean;
  readonly last: string | undefined;
  /** Markers whose records no filter is sure to find, where the list was read by one. */
  readonly unread?: ReadonlySet<string>;
};
type SeenPage = { readonly page: Page; readonly exchange: string };

const start: PageStart = { cursor: undefined, pages: 0, items: 0 };

/** A list is walked so often before a record that must be there counts as missing. */
const mostWalks = 3;

/**
 * Reads a list, and notes what it shows; `last` is the exchange of the last page. Of a long list only the end with the records
 * of this run is read, or what a reliable filter leaves. A paged list that lacks a record is walked again: others move records.
 */
export async function readList(options: ReadContext, round: Round): Promise<ReadList> {
  const { clock, settleMs, signal } = options.stage;
  let read = await walkOnce(options, round);
  for (let walks = 1; read.lacks === true && walks < mostWalks; walks += 1) {
    // Replicas that know of a deletion, and others that do not, hide a record at the border of two pages until all know.
    if (walks === mostWalks - 1) await round.rest(() => clock.sleep(settleMs, signal));
    read = await walkOnce(options, round);
  }
  return read;
}

async function walkOnce(
  options: ReadContext,
  round: Round,
): Promise<ReadList & { readonly lacks?: boolean }> {
  const { walk, own, expected } = round;
  const place = placeOf(own, expected, walk.seen);
  const cursors = new Set<string>();
  const isCircle = circleOf();
  let last: string | undefined;
  if (walk.filter !== undefined && walk.from === undefined) {
    const filtered = await readByFilter(options, round, walk.filter === 'none' ? [] : [walk.filter]);
    if (filtered !== undefined) return filtered;
    walk.filter = 'none';
  }
  let at: PageStart | undefined = walk.from ?? start;
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
    const grown = following !== 'end' && isNumbered(round.list) && short >= enoughShort;
    const next = grown && place.found() ? 'end' : following;
    if (grown && next !== 'end' && short >= mostShort) return { complete: false, last };
    if (next === 'end') {
      const complete = !resumed || place.found();
      if (place.end() && at.pages > fewPages) walk.grows = 'end';
      if (walk.grows === 'end' && page.items > 0) walk.from = at;
      if (!complete) walk.from = undefined;
      walk.foreignPages = 0;
      return { complete, last, lacks: !place.found() && (resumed || count > 0) };
    }
    // A cursor that comes again, or the same records, lead in a circle: RDS-4 judges it, and nothing is concluded here.
    if (next === undefined || cursors.has(next.cursor ?? '') || isCircle(page.entries))
      return { complete: false, last };
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
      isNumbered(round.list) &&
      !place.front()
    )
      return (await readFromEnd(options, round, at)) ?? { complete: false, last };
    if (!resumed && walk.grows === undefined && walk.filter === undefined) {
      const filtered = await readByFilter(options, round, triesAt(count, round));
      if (filtered !== undefined) return filtered;
    }
    if (!ours && count >= fewPages) walk.foreignPages += 1;
    if (walk.foreignPages >= mostForeignPages) {
      walk.from = walk.grows === 'end' ? walk.from : next;
      return { complete: false, last };
    }
    at = next;
  }
  return { complete: false, last };
}

/** Where the next page begins; `end` where there is none, undefined where nothing says. */
function behind(at: PageStart, page: Page): PageStart | 'end' | undefined {
  if (page.next.kind === 'none') return 'end';
  if (page.next.kind === 'unknown') return undefined;
  return { cursor: page.next.cursor, pages: at.pages + 1, items: at.items + page.items };
}

/** Numbered pages need not be read one by one: the last one is searched for, and what is new lies right before it. */
async function readFromEnd(options: ReadContext, round: Round, at: PageStart): Promise<ReadList | undefined> {
  const { list, walk, own, expected } = round;
  const { pagination } = list;
  const { size } = walk;
  if (size === 0) return undefined;
  const first = firstPage(list) ?? 0;
  const positionOf = (page: number): PageStart => ({
    cursor: String(first + (pagination?.style === 'page' ? page : page * size)),
    pages: page,
    items: page * size,
    guessed: true,
  });
  const known = new Map<number, SeenPage>();
  const pageOf = async (number: number): Promise<SeenPage | undefined> => {
    const seen = known.get(number) ?? (await readAt(options, round, positionOf(number)));
    if (seen !== undefined) known.set(number, seen);
    return seen;
  };
  const found = await lastPage(
    async (page) => {
      const seen = await pageOf(page);
      return seen === undefined ? undefined : seen.page.items > 0;
    },
    pagination?.style === 'page' ? at.pages : Math.floor(at.items / size),
  );
  if (found === undefined) return undefined;
  const pages: Page[] = [];
  let last: string | undefined;
  let place = placeOf(own, expected, new Set(walk.seen));
  for (let number = found; number >= 0; number -= 1) {
    const seen = await pageOf(number);
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

/** What a filter leaves; undefined where none is known to find the records of this run, and no others. */
async function readByFilter(
  options: ReadContext,
  round: Round,
  tries: readonly RecordFilter[],
): Promise<ReadList | undefined> {
  for (const finding of tries) {
    const read = finding.by === 'text' ? readByTexts : readByBeginning;
    const result = await read(options, round, finding.field);
    if (result === undefined) continue;
    round.walk.filter = finding;
    return result;
  }
  return undefined;
}

/** What is tried after so many pages: each text costs a request, which a list that is not so long does not. */
function triesAt(pages: number, { lookups: { fields, lookups } }: Round): readonly RecordFilter[] {
  if (lookups.length === 0) return [];
  return [
    ...(pages === fewPages ? fields.map((field): RecordFilter => ({ field, by: 'beginning' })) : []),
    ...(pages === Math.max(fewPages, Math.ceil(lookups.length / 3))
      ? fields.map((field): RecordFilter => ({ field, by: 'text' }))
      : []),
  ];
}

/** A filter that searches within texts leaves the records of the harness alone, however many others there are. */
async function readByBeginning(
  options: ReadContext,
  round: Round,
  field: string,
): Promise<ReadList | undefined> {
  const { expected, lookups, own, walk } = round;
  const place = placeOf(own, expected, new Set());
  const cursors = new Set<string>();
  const isCircle = circleOf();
  let at: PageStart | 'end' | undefined = start;
  let last: string | undefined;
  while (at !== 'end') {
    const seen = await readAt(options, round, at, [[field, markerBeginning]]);
    if (seen === undefined || seen.page.entries.some(({ markers }) => markers.length === 0)) return undefined;
    last = seen.exchange;
    place.see(seen.page.entries);
    if (seen.page.items === 0 && at.pages === 0) return undefined;
    at = behind(at, seen.page);
    if (at === undefined || (at !== 'end' && cursors.has(at.cursor ?? ''))) return undefined;
    if (isCircle(seen.page.entries)) return undefined;
    if (at !== 'end' && at.pages >= mostForeignPages) return undefined;
    if (at !== 'end') cursors.add(at.cursor ?? '');
  }
  if (!place.found() || (walk.filter === undefined && expected.size < enough)) return undefined;
  const formed = lookups.lookups.flatMap(({ marker }) => (isUsual(marker) ? [] : [marker]));
  return { complete: true, last, unread: new Set([...lookups.elsewhere, ...formed]) };
}

/** A filter that compares whole texts is asked for each text that was sent, first for those that must be found. */
async function readByTexts(options: ReadContext, round: Round, field: string): Promise<ReadList | undefined> {
  const { expected, lookups, own, walk } = round;
  const place = placeOf(own, expected, new Set());
  const unread = new Set(lookups.elsewhere);
  const ordered = lookups.lookups.toSorted((one, other) => Number(other.made) - Number(one.made));
  let last: string | undefined;
  let found = 0;
  for (const [index, { made, marker, text }] of ordered.entries()) {
    if (walk.filter === undefined && found === 0 && (index >= enough || !made)) return undefined;
    const seen = await readAt(options, round, start, [[field, text]]);
    if (seen === undefined || seen.page.entries.some(({ markers }) => !markers.includes(marker)))
      return undefined;
    last = seen.exchange;
    place.see(seen.page.entries);
    if (seen.page.items > 0) found += 1;
    const whole = seen.page.next.kind === 'none' || seen.page.items === 0 || seen.page.items < walk.size;
    if (!whole || (seen.page.items === 0 && !isPlain(text))) unread.add(marker);
  }
  if (!place.found() || (walk.filter === undefined && found < enough)) return undefined;
  return { complete: true, last, unread };
}

/** So often a page is read again after a 5xx, so many milliseconds later: one that fails each time is a violation. */
const repeatsAfter = [500, 1500, 3000];

/** One page, recorded and judged as any other read. */
async function readAt(
  options: ReadContext,
  round: Round,
  at: PageStart,
  filter: readonly (readonly [string, string])[] = [],
): Promise<SeenPage | undefined> {
  if (halted(options)) return undefined;
  const { list, reader, rest, sighting, walk } = round;
  const step = pageStep(options.planning, list, reader.name, at.pages, at.cursor, filter);
  const { clock, signal } = options.stage;
  const once = async (again: Partial<AttemptOf> = {}): Promise<Trace> => {
    const of = { id: options.nextTrace(), ...ofRead(step, at.pages), ...again };
    const trace = await attempt(options.stage, of, rest);
    const recorded = options.recordTrace(trace);
    options.ledger.see(trace);
    await recorded;
    return trace;
  };
  const first = await once();
  let [exchange] = first.exchanges;
  for (const [index, pause] of repeatsAfter.entries()) {
    if (!isFailed(exchange?.answer) || walk.failed || halted(options)) break;
    await rest(() => clock.sleep(pause, signal));
    [exchange] = (await once({ purpose: 'repeat', repeats: first.id, attempt: index + 1 })).exchanges;
  }
  if (exchange === undefined) return undefined;
  walk.failed = isFailed(exchange.answer);
  const page = readPage(options.planning.contract, list, exchange, at, round.own);
  if (page === undefined) return undefined;
  note(sighting, page, exchange.id, list.id);
  return { page, exchange: exchange.id };
}
