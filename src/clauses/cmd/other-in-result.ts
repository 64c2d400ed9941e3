import type { Context, Ruling } from '../../model/clause.ts';
import { type Operation, writtenSchema } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, isObject, pointerOf } from '../../model/json.ts';
import { hasMarker, isUsual } from '../../model/marker.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { isSame, masked, membersOf, secret } from '../judging/changes.ts';
import { answered, isQueued, markerOf, seen, violated } from '../judging/reading.ts';
import { readOfRecord } from '../judging/record-reads.ts';
import { isOther } from './contradicted.ts';

/**
 * The result of a command that makes a record shows another text than was sent, though the read shows the text as it was sent
 * (CMD-6). The result has the schema of the read, so it is the record. Only the text that carries the marker counts: no service
 * has a reason to write another one into its place.
 */
export function* otherInResult(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const one of answered(context, trace)) {
    const marker = markerOf(trace, one);
    if (one.operation.method !== 'POST' || isQueued(one.answer)) continue;
    if (marker === undefined || !isUsual(marker)) continue;
    const read = readOfRecord(context, all, one);
    if (read === undefined || !isRecord(one.operation, read.operation)) continue;
    const [sent, result, shown] = [
      sentJson(one.exchange.request),
      exactJsonOf(one.answer),
      exactJsonOf(read.exchange.answer),
    ].map(membersOf);
    for (const [name, value] of sent ?? []) {
      const [mine, its] = [result?.get(name), shown?.get(name)];
      if (typeof value !== 'string' || typeof mine !== 'string' || !hasMarker(value, marker)) continue;
      if (secret.test(name) || masked.test(mine) || !isSame(value, its ?? null)) continue;
      if (hasMarker(mine, marker) || !isOther({ at: pointerOf([name]), sent: value, shown: mine })) continue;
      const short = (text: string): string => JSON.stringify(text).slice(0, 80);
      yield violated([one, read], {
        expected: `${short(value)} at ${pointerOf([name])}, as it was sent and as the read shows it`,
        actual: `${short(mine)} at ${pointerOf([name])}`,
        because: 'The result has the schema of the record, but shows another text than the record has.',
      });
    }
  }
}

/** Whether the result is declared as the read is, and not as one of several documents. */
function isRecord(one: Operation, read: Operation): boolean {
  const schema = writtenSchema(one);
  return (
    isObject(schema) &&
    Object.keys(schema).length > 0 &&
    canonicalJson(schema) === canonicalJson(writtenSchema(read) ?? null)
  );
}
