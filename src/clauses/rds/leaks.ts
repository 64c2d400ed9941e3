import type { Context, Fold, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { parseJson } from '../../model/json.ts';
import { hasMarker, isUsual, isWeak, shownMarkers, tokensOf } from '../../model/marker.ts';
import { unescapedBody } from '../../model/response.ts';
import { ownText } from '../../model/text.ts';
import { itemsOf } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  find,
  isAccepted,
  markerOf,
  only,
  seen,
  violated,
} from '../judging/reading.ts';
import { makeWriters } from './writers.ts';

/** Several clauses look at what one list shows. */
const lists = new WeakMap<Answered['answer'], string>();

/** The records that a response shows: a list may repeat the query elsewhere in its body. */
export function shownBy(one: Answered): string {
  if (one.operation.pagination === undefined) return unescapedBody(one.answer);
  const known = lists.get(one.answer);
  if (known !== undefined) return known;
  const shown = JSON.stringify(itemsOf(one));
  lists.set(one.answer, shown);
  return shown;
}

/** What a response may repeat of its request, unless it is known where its records are. */
function askedBy({ answer, exchange: { request }, operation }: Answered): string {
  const isList = operation.pagination !== undefined || answer.body.trimStart().startsWith('[');
  return isList ? '' : `${request.path} ${request.body ?? ''}`;
}

/** Whether a response shows a sign that its request did not bring. */
export function shows(one: Answered, sign: string): boolean {
  return hasMarker(shownBy(one), sign) && !hasMarker(askedBy(one), sign);
}

/** The usual markers of each request and response. */
const markers = new WeakMap<object, readonly string[]>();

function markersIn(message: object, text: string): readonly string[] {
  const known = markers.get(message);
  if (known !== undefined) return known;
  const found = shownMarkers(text);
  markers.set(message, found);
  return found;
}

type Scopes = ReadonlyMap<string, string | undefined>;

/** A marker that a command of a scope wrote, as a text of its own; `formed`: in another form than the usual one. */
type Written = { readonly marker: string; readonly scope: string | undefined; readonly formed: boolean };

/** By the exchanges of a trace: two clauses look for the same markers. */
const written = new WeakMap<Trace['exchanges'], readonly Written[]>();

function writtenIn(context: Context, trace: Trace, scopes: Scopes): readonly Written[] {
  const known = written.get(trace.exchanges);
  if (known !== undefined) return known;
  const found: Written[] = [];
  for (const one of trace.suite === 'sweep' ? [] : seen(context, trace)) {
    if (one.operation.kind !== 'command') continue;
    // What a caller writes into the record of another scope is that record's, if the service lets it.
    const scope = find(one.step, 'scope') === undefined ? scopes.get(one.step.as) : undefined;
    const body = one.exchange.request.body ?? '';
    for (const marker of markersIn(one.exchange.request, body))
      found.push({ marker: ownText(marker), scope, formed: false });
    const bound = markerOf(trace, one);
    if (bound !== undefined && !isUsual(bound) && !isWeak(bound) && body.includes(bound))
      found.push({ marker: ownText(bound), scope, formed: true });
  }
  written.set(trace.exchanges, found);
  return found;
}

/** A read that showed a marker before the trace that wrote it had ended, and its trace with nothing else in it. */
type Waiting = {
  readonly one: Answered;
  readonly own: string;
  readonly markers: readonly string[];
  readonly within: Trace;
};

/** Bodies of so many characters are kept for traces that have not ended; the oldest reads go first. */
const mostWaiting = 4_000_000;

/** Reads kept by the markers that they showed, until who wrote them is known. */
function waitingRoom(): { add(read: Waiting): void; take(marker: string): Waiting | undefined } {
  const byMarker = new Map<string, Waiting>();
  const queue: Waiting[] = [];
  let characters = 0;
  return {
    add(read) {
      for (const marker of read.markers) if (!byMarker.has(marker)) byMarker.set(marker, read);
      queue.push(read);
      characters += read.one.answer.body.length;
      while (characters > mostWaiting) {
        const oldest = queue.shift();
        if (oldest === undefined) return;
        characters -= oldest.one.answer.body.length;
        for (const marker of oldest.markers) if (byMarker.get(marker) === oldest) byMarker.delete(marker);
      }
    },
    take(marker) {
      if (byMarker.size === 0) return undefined;
      const read = byMarker.get(marker);
      byMarker.delete(marker);
      return read;
    },
  };
}

/** Records of one scope in reads of another; what both have sent proves nothing. Only a cursor may be faulty. */
export function leaks(fault: 'none' | 'cursor'): Fold {
  const makers = makeWriters();
  let scopes: Scopes | undefined;
  let hasFormed = false;
  const waiting = waitingRoom();
  const isForeign = (scope: string | undefined, own: string): boolean => scope !== undefined && scope !== own;
  const leak = (one: Answered, actual: string, within?: Trace): Ruling =>
    violated([one], {
      expected: fault === 'cursor' ? '4xx, or own data' : 'no record of another scope',
      actual,
      because:
        fault === 'cursor'
          ? 'The cursor opens what was written in another scope.'
          : 'It shows what was written in another scope.',
      conclusive: true,
      ...(within === undefined ? {} : { within }),
    });
  return {
    *see(context, trace) {
      scopes ??= new Map(context.principals.map(({ name, scope }) => [name, scope]));
      const made = writtenIn(context, trace, scopes);
      for (const { formed, marker, scope } of made) {
        hasFormed ||= formed;
        makers.note(marker, scope);
      }
      for (const { marker } of made) {
        const read = waiting.take(marker);
        if (read !== undefined && isForeign(makers.of(marker), read.own))
          yield leak(read.one, marker, read.within);
      }
      for (const one of answered(context, trace)) {
        const own = scopes.get(one.step.as);
        const looks =
          fault === 'cursor'
            ? only(one.step, 'cursor') !== undefined
            : trace.suite === 'sweep' ||
              faultsOf(one.step).length === 0 ||
              only(one.step, 'query')?.keyword === 'odd';
        if (!looks || one.operation.kind !== 'read' || own === undefined || !isAccepted(one.answer)) continue;
        const shown = shownBy(one);
        const asked = askedBy(one);
        const usual = markersIn(one.answer, shown).filter((marker) => !asked.includes(marker));
        const signs = [...usual, ...(hasFormed ? tokensOf(parseJson(shown) ?? null) : [])];
        const leaked = signs.find((marker) => isForeign(makers.of(marker), own) && !asked.includes(marker));
        if (leaked !== undefined) yield leak(one, leaked);
        else {
          const unknown = [...new Set(usual)].filter((marker) => !makers.has(marker));
          if (unknown.length > 0) {
            const within = { ...trace, exchanges: [one.exchange] };
            waiting.add({ one, own, markers: unknown, within });
          }
        }
      }
    },
  };
}
