import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Json, type JsonPointer, valueAt } from '../../model/json.ts';
import { hasMarker, isUsual } from '../../model/marker.ts';
import { exactJsonOf, sentJson, unescapedBody } from '../../model/response.ts';
import { textsIn } from '../judging/changes.ts';
import { type Answered, faultsOf, idOf, isAccepted, isQueued, markerOf, seen } from '../judging/reading.ts';
import { plainMembers } from '../judging/record-changes.ts';

/** A new record, and the places where its result shows the text that it was sent with. */
export type Made = {
  readonly one: Answered;
  readonly id: string;
  readonly marker: string;
  readonly places: readonly JsonPointer[];
};

/** Records that a scenario made with a text of their own, in a place that is wanted. */
export function madeWithText(
  trace: Trace,
  all: readonly Answered[],
  isWanted: (one: Answered, at: JsonPointer) => boolean,
): readonly Made[] {
  return all.flatMap((one): readonly Made[] => {
    const { answer, exchange, operation, step } = one;
    if (operation.kind !== 'command' || operation.method !== 'POST') return [];
    if (!isAccepted(answer) || isQueued(answer) || faultsOf(step).length > 0) return [];
    const [id, marker] = [idOf(operation, answer), markerOf(trace, one)];
    if (id === undefined || marker === undefined || !isUsual(marker)) return [];
    const result = Object.fromEntries(plainMembers(exactJsonOf(answer)));
    const sent = Object.fromEntries(plainMembers(sentJson(exchange.request)));
    const places = textsIn(sent).flatMap(({ at, text }) =>
      isWanted(one, at) && hasMarker(text, marker) && hasMarker(textAt(result, at), marker) ? [at] : [],
    );
    return places.length === 0 ? [] : [{ one, id, marker, places }];
  });
}

/** The text in a place of a record; empty where there is none. */
export function textAt(record: Json | undefined, at: JsonPointer): string {
  const text = valueAt(Object.fromEntries(plainMembers(record)), at);
  return typeof text === 'string' ? text : '';
}

/** Whether another command of the scenario has the record in its path, its body or its result, or may have made it. */
export function isNamed(context: Context, trace: Trace, { id, one }: Made): boolean {
  return seen(context, trace).some(
    ({ exchange, operation }) =>
      operation.kind === 'command' &&
      exchange.id !== one.exchange.id &&
      (exchange.answer === undefined ||
        `${exchange.request.path} ${exchange.request.body ?? ''} ${unescapedBody(exchange.answer)}`.includes(
          id,
        )),
  );
}
