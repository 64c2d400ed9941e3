import type { Context, Ruling } from '../../model/clause.ts';
import {
  creates,
  idText,
  isReadById,
  isSingleton,
  type Operation,
  writtenSchema,
} from '../../model/contract.ts';
import { type HttpResponse, headerOf, type Trace } from '../../model/exchange.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  parentOf,
  pointerOf,
  valueAt,
} from '../../model/json.ts';
import { wordsOf } from '../../model/name-words.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { idAt, idPointer } from '../../model/result-id.ts';
import { dateTime } from '../../oracle/instant.ts';
import { isSame, secret } from '../judging/changes.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  isQueued,
  pathValues,
  type Seen,
  seen,
  violated,
} from '../judging/reading.ts';
import { saysNothing } from '../judging/record-changes.ts';
import { readOf, readOfRecord } from '../judging/record-reads.ts';
import { hasRoomFor } from '../judging/room-in-read.ts';
import { shows } from '../judging/sent-places.ts';
import { isBelowRecord } from '../judging/shown-as-read.ts';
import { lacksLetters } from '../val/kept-text.ts';

/**
 * The declared read of a record that an accepted command made or changed, before another command is run on it: it shows that
 * record, the instants that were sent, and not less of it than the result says was taken. It may show values in another form, or
 * add some.
 */
export function* shownAsMade(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const one of answered(context, trace)) {
    const { effect, method, pathFields } = one.operation;
    if (effect === undefined || !isAccepted(one.answer) || isQueued(one.answer)) continue;
    // Where no read shows one record, the list that it was made in does.
    const item = effect.read === undefined && method === 'POST' ? readOfRecord(context, all, one) : undefined;
    if (effect.read === undefined && item === undefined) continue;
    const isMade =
      item !== undefined || creates(one.operation) || isReadById(context.contract, one.operation);
    const isChanged = !isMade && (method === 'PUT' || method === 'PATCH');
    if (!isMade && !isChanged) continue;
    const isOnly = isChanged && pathFields.length === 0;
    const id = isMade ? idOf(one.operation, one.answer) : pathValues(one.operation, one.exchange).at(-1);
    if ((id === undefined && !isOnly) || faultsOf(one.step).length > 0) continue;
    const read = item ?? readOf(context, all, one, id);
    const body = read === undefined ? undefined : exactJsonOf(read.exchange.answer);
    if (read === undefined || body === undefined || read.exchange.answer?.truncated === true) continue;
    // What all share, such as the settings, others may have changed in between.
    if (isOnly && !(isSingleton(one.operation) && isOfOneVersion(one, read))) continue;
    // Settings of a record need not show its ID.
    const isBelow = isOnly || (isChanged && isBelowRecord(one.operation, read.operation));
    const at = idPointer(one.operation);
    // An item of a list has no envelope of a result around it.
    const around = item === undefined ? parentOf(at) : '';
    const shown = isBelow ? id : idAt(body, item === undefined ? at : at.slice(at.lastIndexOf('/')));
    const actual = read.exchange.answer?.body.slice(0, 160) ?? '';
    // What is read of a changed record may be a part of it, with an ID of its own.
    if (
      isMade &&
      id !== undefined &&
      shown !== undefined &&
      shown !== id &&
      !canonicalJson(body).includes(id)
    )
      yield violated([one, read], {
        expected: `the record ${id}`,
        actual,
        because: `The declared read of ${id} shows ${shown}.`,
      });
    if (shown !== id) continue;
    const instant = otherInstant(...sentAndShown(one, body, around), []);
    if (instant !== undefined)
      yield violated([one, read], {
        expected: `the instant that was sent at ${instant}`,
        actual,
        because: `At ${instant}, the declared read shows the same time of day in another time zone, which is a different point in time.`,
      });
    const exchanged = exchangedIn(...sentAndShown(one, body, around));
    if (exchanged !== undefined)
      yield violated([one, read], {
        expected: `${exchanged.join(' and ')} as they were sent`,
        actual,
        because: `The declared read shows each of ${exchanged.join(' and ')} with the value that was sent for the other one.`,
      });
    const isAlike = item !== undefined || isShownAlike(one.operation, read.operation);
    const lost = lostFrom(one, read.operation, sentAndShown(one, body, around), isAlike);
    if (lost !== undefined)
      yield violated([one, read], {
        expected: `${lost} as the result shows it`,
        actual,
        because: `The result shows what was sent at ${lost}, but the declared read shows nothing or less there.`,
      });
  }
}

/** Whether a result and a read show one version of a record, so that nothing changed it in between. */
function isOfOneVersion({ answer, operation }: Answered, read: Seen): boolean {
  const source = operation.version?.source;
  if (source === undefined || operation.version?.neutral === true || source.operation !== read.operation.id)
    return false;
  const versionIn = (one: HttpResponse | undefined): string | undefined =>
    one === undefined
      ? undefined
      : source.in === 'header'
        ? headerOf(one.headers, source.name)
        : idText(valueAt(exactJsonOf(one), source.at));
  const version = versionIn(answer);
  return version !== undefined && version === versionIn(read.exchange.answer);
}

/** A member that the result shows as sent and the record lacks; none where the record went on by itself. */
function lostFrom(
  one: Answered,
  read: Operation,
  [sent, shown]: SentAndShown,
  isAlike: boolean,
): JsonPointer | undefined {
  const result = valueAt(exactJsonOf(one.answer), aroundId(one));
  if (!isObject(result) || !isObject(shown) || !isObject(sent)) return undefined;
  return membersShown(sent, result, shown).find((member) =>
    member.shown === undefined
      ? !isOmitted(member.sent) && isAlike
      : isLost(member, member.shown) && hasRoomFor({ operation: read }, member.at, member.sent),
  )?.at;
}

/** Whether a read declares the schema of the result, and takes nothing that chooses members: then it leaves none out. */
function isShownAlike(one: Operation, read: Operation): boolean {
  const schema = writtenSchema(one);
  return (
    schema !== undefined &&
    read.queryFields.length === 0 &&
    canonicalJson(schema) === canonicalJson(writtenSchema(read) ?? null)
  );
}

/** Serializers may leave out what is the default of its type. */
export const isOmitted = (value: Json): boolean => value === false || value === 0;

/** A member that a result shows as it was sent, and what a read shows of it. */
export type MemberShown = {
  readonly at: JsonPointer;
  readonly sent: Json;
  readonly shown: Json | undefined;
};

/** What a result shows as it was sent; nothing where the record went on by itself before it was read. */
export function membersShown(
  sent: JsonObject,
  result: JsonObject,
  shown: JsonObject,
): readonly MemberShown[] {
  const wentOn = Object.entries(result).some(
    ([name, value]) => !Object.hasOwn(sent, name) && shown[name] !== undefined && !isSame(shown[name], value),
  );
  return wentOn ? [] : membersWithin(sent, result, shown, []);
}

function membersWithin(
  sent: JsonObject,
  result: JsonObject,
  shown: JsonObject,
  path: readonly string[],
): readonly MemberShown[] {
  return Object.entries(sent).flatMap(([name, value]): readonly MemberShown[] => {
    const [inResult, inRead] = [result[name], shown[name]];
    if (secret.test(name) || inResult === undefined || saysNothing(value)) return [];
    const within = [...path, name];
    if (isObject(value) && isObject(inResult) && isObject(inRead) && !saysNothing(inRead))
      return membersWithin(value, inResult, inRead, within);
    const own = isSame(value, inResult) ? [{ at: pointerOf(within), sent: value, shown: inRead }] : [];
    return [...own, ...membersOfItems(value, inResult, inRead, within)];
  });
}

/** The same of the items of a list, each of which the result and the read have in its place. */
function membersOfItems(
  sent: Json,
  result: Json | undefined,
  shown: Json | undefined,
  path: readonly string[],
): readonly MemberShown[] {
  if (!isArray(sent) || !isArray(result) || !isArray(shown)) return [];
  if (result.length !== sent.length || shown.length !== sent.length) return [];
  const isMoved = (item: Json, index: number): boolean =>
    !shows(item, shown[index]) &&
    (shown.some((other) => shows(item, other)) || sent.some((other) => shows(other, shown[index])));
  if (sent.some(isMoved)) return [];
  return sent.flatMap((item, index) => {
    const [inResult, inRead] = [result[index], shown[index]];
    if (!isObject(item) || !isObject(inResult) || !isObject(inRead)) return [];
    const isIts = Object.entries(item).some(([name, value]) => shows(value, inRead[name]));
    return isIts ? membersWithin(item, inResult, inRead, [...path, String(index)]) : [];
  });
}

/** Whether a read shows nothing, or less, of what was sent. */
export function isLost({ sent }: MemberShown, shown: Json): boolean {
  // Marks alone may hide a text on purpose.
  const isText = typeof sent === 'string' && typeof shown === 'string' && /[\p{L}\p{N}]/u.test(shown);
  if (isText && lacksLetters(sent, shown)) return true;
  return saysNothing(shown) || isFewer(sent, shown);
}

function aroundId({ operation }: Answered): JsonPointer {
  return parentOf(idPointer(operation));
}

type SentAndShown = readonly [sent: Json | undefined, shown: Json | undefined];

/** What was sent of a record, and what a read shows of it, which may have an envelope. */
function sentAndShown(one: Answered, read: Json, around: JsonPointer): SentAndShown {
  const whole = sentJson(one.exchange.request);
  return [valueAt(whole, aroundId(one)) ?? whole, valueAt(read, around)];
}

/**
 * Names of two members that say which of two is which: no service puts them into an order of its own, but for the ends of a
 * range. With a negative amount it may take one side for the other.
 */
const opposites: readonly (readonly [string, string])[] = [
  ['from', 'to'],
  ['source', 'target'],
  ['source', 'destination'],
  ['origin', 'destination'],
  ['sender', 'recipient'],
  ['sender', 'receiver'],
  ['payer', 'payee'],
  ['debtor', 'creditor'],
  ['debit', 'credit'],
  ['buyer', 'seller'],
];

/** A number, a date or a time, of which services know which comes first. */
const inOrder = /^[-+]?\d+([.,:]\d+)*$|^\d{4}-\d\d/;

/** Two such members, each shown with the value of the other. */
function exchangedIn(sent: Json | undefined, shown: Json | undefined): readonly JsonPointer[] | undefined {
  if (!isObject(sent) || !isObject(shown)) return undefined;
  if (Object.values(sent).some((value) => /^-[\d.]+$/.test(String(value)))) return undefined;
  const names = Object.keys(sent);
  for (const one of names)
    for (const other of names) {
      const values = [sent[one], sent[other], shown[one], shown[other]];
      if (!areOpposite(one, other)) continue;
      if (!values.every((value) => typeof value === 'string' && !inOrder.test(value))) continue;
      if (sent[one] !== sent[other] && sent[one] === shown[other] && sent[other] === shown[one])
        return [pointerOf([one]), pointerOf([other])];
    }
  return undefined;
}

/** Whether two names differ in one word, which is the opposite of the other one. */
function areOpposite(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), wordsOf(other)];
  const at = words.findIndex((word, index) => word !== others[index]);
  return (
    words.length === others.length &&
    at >= 0 &&
    words.slice(at + 1).every((word, index) => word === others[at + 1 + index]) &&
    opposites.some(([first, second]) => first === words[at] && second === others[at])
  );
}

/** Where a service took the time of day of an instant and left its time zone out. It may show an instant in any zone. */
function otherInstant(
  sent: Json | undefined,
  shown: Json | undefined,
  path: readonly string[],
): JsonPointer | undefined {
  if (sent === shown) return undefined;
  if (typeof sent === 'string' && typeof shown === 'string') {
    const [one, other] = [dateTime(sent), dateTime(shown)];
    const isSame = sent.slice(0, dayAndTime).toUpperCase() === shown.slice(0, dayAndTime).toUpperCase();
    return one?.zoned && other?.zoned && isSame && Math.abs(one.at - other.at) >= 1000
      ? pointerOf(path)
      : undefined;
  }
  const isBoth = (isObject(sent) && isObject(shown)) || (isArray(sent) && isArray(shown));
  if (!isBoth || (isArray(sent) && isArray(shown) && sent.length !== shown.length)) return undefined;
  const members = new Map(Object.entries(shown));
  for (const [name, value] of Object.entries(sent)) {
    const found = otherInstant(value, members.get(name), [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

const dayAndTime = '2026-01-01T10:00:00'.length;

function isFewer(sent: Json, shown: Json): boolean {
  return isArray(sent) && isArray(shown) && shown.length < new Set(sent.map(folded)).size;
}

/** Items that a service may take for one. */
function folded(item: Json): string {
  return canonicalJson(item).normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
}
