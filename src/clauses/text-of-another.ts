import type { Context, Ruling } from '../model/clause.ts';
import { creates, isReadById } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { valueAt } from '../model/json.ts';
import { hasMarker, isUsual, shownMarkers } from '../model/marker.ts';
import { exactJsonOf, sentJson } from '../model/response.ts';
import { textsIn } from './judging/changes.ts';
import {
  answered,
  faultsOf,
  idOf,
  isAccepted,
  isQueued,
  markerOf,
  pathValues,
  violated,
} from './judging/reading.ts';
import { plainMembers } from './judging/record-changes.ts';

/**
 * A record keeps the text that it was made with until a command names it (CMD-6). Each marker is sent in one scenario alone: where
 * the text gave way to one that none of the record's own scenario sent, a command on another record wrote it.
 */
export function* textOfAnother(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  const own = new Set(Object.values(trace.bound.markers));
  for (const one of all) {
    const { answer, exchange, operation, step } = one;
    if (!isAccepted(answer) || isQueued(answer) || faultsOf(step).length > 0) continue;
    if (!creates(operation) && !isReadById(context.contract, operation)) continue;
    const [id, marker] = [idOf(operation, answer), markerOf(trace, one)];
    if (id === undefined || marker === undefined || !isUsual(marker)) continue;
    const result = Object.fromEntries(plainMembers(exactJsonOf(answer)));
    // A result without the text may be that of a record that was there.
    const places = textsIn(Object.fromEntries(plainMembers(sentJson(exchange.request)))).flatMap(
      ({ at, text }) => {
        const said = valueAt(result, at);
        return hasMarker(text, marker) && typeof said === 'string' && hasMarker(said, marker) ? [at] : [];
      },
    );
    for (const read of all) {
      if (read.operation.id !== operation.effect?.read || !isAccepted(read.answer)) continue;
      if (read.exchange.startedAt < exchange.endedAt || read.answer.truncated) continue;
      if (pathValues(read.operation, read.exchange).at(-1) !== id || !read.answer.body.includes(id)) continue;
      const shown = Object.fromEntries(plainMembers(exactJsonOf(read.answer)));
      const at = places.find((place) => {
        const text = valueAt(shown, place);
        const markers = typeof text === 'string' ? shownMarkers(text) : [];
        return markers.length > 0 && markers.every((each) => !own.has(each));
      });
      if (at === undefined) continue;
      yield violated([one, read], {
        expected: `the text at ${at} that ${id} was made with`,
        actual: String(valueAt(shown, at)).slice(0, 160),
        because: `No command on ${id} sent the text that it now shows at ${at}. A command on another record, or one that made another record, did.`,
        conclusive: true,
      });
      break;
    }
  }
}
