import type { Context } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
} from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isRepeated } from '../judging/alterations.ts';
import { secret, shownFor } from '../judging/changes.ts';
import { type Answered, answered, type Seen, seen } from '../judging/reading.ts';
import { isSilent, plainMembers, saysNothing, withinAttributes } from '../judging/record-changes.ts';
import { readOfRecord } from '../judging/record-reads.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { shows } from '../judging/sent-places.ts';

/** A value that a command sent, and what a read shows in its place. */
export type SentValue = { readonly at: JsonPointer; readonly sent: Json; readonly shown: Json };

/** The commands of a trace whose record is read, with what each sent and the read shows of it. */
export function* sentValues(
  context: Context,
  trace: Trace,
): Iterable<{ readonly one: Answered; readonly read: Seen; readonly values: readonly SentValue[] }> {
  const all = seen(context, trace);
  for (const one of answered(context, trace)) {
    const read = readOfRecord(context, all, one);
    if (read !== undefined) yield { one, read, values: valuesOf(one, read) };
  }
}

/** Nothing where the result says more than the record. */
function valuesOf(one: Answered, read: Seen): readonly SentValue[] {
  const [sent, is] = [
    plainMembers(sentJson(one.exchange.request)),
    withinAttributes(shownFor(one, read.exchange.answer)),
  ].map((members) => Object.fromEntries(members));
  if (sent === undefined || is === undefined) return [];
  if (!isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer))) return [];
  return valuesIn(sent, is, (at) => isMap(one.operation, at), [])
    .filter(({ at, sent: value, shown }) => shown !== null && !isBookkeeping(at) && !saysNothing(value))
    .filter(({ at }) => !pointerTokens(at).some((name) => secret.test(name)))
    .filter(({ at }) => schemasAt(one.operation.body?.schema, at).length > 0);
}

/** So deep are objects within objects looked at. */
const deepest = 5;

/** Whether callers choose the names of the members of an object. */
function isMap({ body }: Operation, at: JsonPointer): boolean {
  const own = schemasAt(body?.schema, at);
  return (
    own.some(({ additionalProperties: rest }) => rest === true || isObject(rest)) &&
    !own.some((schema) => 'properties' in schema)
  );
}

/** The values in objects, and in lists of objects of equal length; another list is one value, and so is a map. */
function valuesIn(
  sent: Json,
  shown: Json,
  isWhole: (at: JsonPointer) => boolean,
  path: readonly string[],
): readonly SentValue[] {
  const isOfObjects = isArray(sent) && sent.length > 0 && sent.every(isObject);
  const isBoth =
    (isObject(sent) && isObject(shown)) ||
    (isOfObjects && isArray(shown) && shown.length === sent.length && shown.every(isObject));
  const own = { at: pointerOf(path), sent, shown };
  if (
    !isBoth ||
    path.length >= deepest ||
    isWhole(own.at) ||
    (isArray(sent) && isArray(shown) && isRepeated(sent, shown))
  )
    return [own];
  const members = new Map(Object.entries(shown));
  // A list whose items all show what was sent is stored, whatever the service adds to them.
  const whole = isArray(sent) && shows(sent, shown) ? [{ ...own, shown: sent }] : [];
  const within = Object.entries(sent).flatMap(([name, value]): readonly SentValue[] => {
    const there = members.get(name);
    return there === undefined ? [] : valuesIn(value, there, isWhole, [...path, name]);
  });
  return [...whole, ...within];
}
