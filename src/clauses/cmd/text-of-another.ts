import type { Context, Fold, Violated } from '../../model/clause.ts';
import { creates, isReadById } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, type JsonPointer, valueAt } from '../../model/json.ts';
import { hasMarker, isUsual, shownMarkers, usualMarkers } from '../../model/marker.ts';
import { exactJsonOf, sentJson, unescapedBody } from '../../model/response.ts';
import { textsIn } from '../judging/changes.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  isQueued,
  markerOf,
  pathValues,
  violated,
} from '../judging/reading.ts';
import { plainMembers } from '../judging/record-changes.ts';

/** A record that a command made with a text of its own, and where its body has that. */
type Made = {
  readonly one: Answered;
  readonly id: string;
  readonly marker: string;
  readonly places: readonly JsonPointer[];
  /** The operation, and its body without markers. */
  readonly like: string;
};

const mostDoubts = 50;

/**
 * A record keeps the text that it was made with until a command names it (CMD-6). Each marker is sent in one scenario alone: where
 * the text gave way to one that none of the record's own scenario sent, a command on another record wrote it. Records of one
 * customer may all show what was last said of that: so a record of the same values must have kept its text elsewhere, when one more
 * like it was made.
 */
export function textOfAnother(): Fold {
  const kept = new Set<string>();
  const doubts = new Map<string, Violated>();
  return {
    *see(context, trace) {
      const all = answered(context, trace);
      const made = madeIn(context, trace, all);
      const own = new Set(Object.values(trace.bound.markers));
      for (const each of made) {
        // What a command on it set is a text of its own as well.
        const isKept = made.some(({ id, like, marker, one }) => {
          if (id === each.id || like !== each.like || one.exchange.startedAt < each.one.exchange.endedAt)
            return false;
          const read = readOf(all, each, (text) => {
            const markers = shownMarkers(text);
            return markers.length > 0 && markers.every((shown) => own.has(shown) && shown !== marker);
          });
          return read !== undefined && one.exchange.endedAt <= read.exchange.startedAt;
        });
        if (isKept) kept.add(each.like);
        const doubt = displaced(all, each, own);
        if (doubt !== undefined && doubts.size < mostDoubts && !doubts.has(each.like))
          doubts.set(each.like, { ...doubt, within: trace });
      }
      for (const [like, doubt] of doubts)
        if (kept.has(like)) {
          doubts.delete(like);
          yield doubt;
        }
    },
  };
}

function madeIn(context: Context, trace: Trace, all: readonly Answered[]): readonly Made[] {
  return all.flatMap((one): readonly Made[] => {
    const { answer, exchange, operation, step } = one;
    if (!isAccepted(answer) || isQueued(answer) || faultsOf(step).length > 0) return [];
    if (!creates(operation) && !isReadById(context.contract, operation)) return [];
    const [id, marker] = [idOf(operation, answer), markerOf(trace, one)];
    if (id === undefined || marker === undefined || !isUsual(marker)) return [];
    const result = Object.fromEntries(plainMembers(exactJsonOf(answer)));
    const sent = sentJson(exchange.request);
    // A result without the text may be that of a record that was there.
    const places = textsIn(Object.fromEntries(plainMembers(sent))).flatMap(({ at, text }) => {
      const said = valueAt(result, at);
      return hasMarker(text, marker) && typeof said === 'string' && hasMarker(said, marker) ? [at] : [];
    });
    const like = `${operation.id} ${canonicalJson(sent ?? null).replaceAll(usualMarkers, '')}`;
    return places.length === 0 ? [] : [{ one, id, marker, places, like }];
  });
}

/** The last read of a record that shows such a text in a place where it was made with one. */
function readOf(
  all: readonly Answered[],
  { id, one, places }: Made,
  isWanted: (text: string) => boolean,
): Answered | undefined {
  return all.findLast((read) => {
    if (read.operation.id !== one.operation.effect?.read || !isAccepted(read.answer)) return false;
    if (read.exchange.startedAt < one.exchange.endedAt || read.answer.truncated) return false;
    if (pathValues(read.operation, read.exchange).at(-1) !== id || !unescapedBody(read.answer).includes(id))
      return false;
    const shown = Object.fromEntries(plainMembers(exactJsonOf(read.answer)));
    return places.some((at) => {
      const text = valueAt(shown, at);
      return typeof text === 'string' && isWanted(text);
    });
  });
}

function displaced(all: readonly Answered[], made: Made, own: ReadonlySet<string>): Violated | undefined {
  const read = readOf(all, made, (text) => {
    const markers = shownMarkers(text);
    return markers.length > 0 && markers.every((each) => !own.has(each));
  });
  return read === undefined
    ? undefined
    : violated([made.one, read], {
        expected: `the text that ${made.id} was made with`,
        actual: read.answer.body.slice(0, 160),
        because: `No command on ${made.id} sent the text that it now shows at ${made.places.join(' or ')}. A command on another record, or one that made another record, did.`,
        conclusive: true,
      });
}
