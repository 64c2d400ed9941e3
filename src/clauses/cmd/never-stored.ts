import type { Fold, Violated } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import { headerOf, type Trace } from '../../model/exchange.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  parentOf,
  pointerTokens,
} from '../../model/json.ts';
import { sentJson } from '../../model/response.ts';
import { requires, schemasAt } from '../../model/schema-places.ts';
import { httpDate } from '../../oracle/http-date.ts';
import { dateTime } from '../../oracle/instant.ts';
import { isSame, lettersOf, masked, membersOf, shownFor } from '../judging/changes.ts';
import { readSchemasAt } from '../judging/enveloped.ts';
import { identityOf } from '../judging/readers.ts';
import { type Answered, answered, type Seen, seen, violated } from '../judging/reading.ts';
import { saysNothing } from '../judging/record-changes.ts';
import { readOfRecord, stateBefore } from '../judging/record-reads.ts';
import { isNextTo, isWithin, type SentPlace, sentPlaces, shows } from '../judging/sent-places.ts';
import { isChoice, isPlain } from '../judging/settable-members.ts';
import { isOther } from './contradicted.ts';
import {
  isDeclaredForBoth,
  isMeant,
  isSentence,
  isSetByAction,
  isUnrestricted,
  ownWords,
} from './promised.ts';

type Doubt = {
  readonly one: Answered;
  readonly read: Seen;
  readonly trace: Trace;
  readonly place: SentPlace;
  /** The place as one caller sees it. */
  readonly seenAt: string;
};

const mostDoubts = 3;
/** Fewer letters may be there by chance. */
const telling = 5;

/**
 * A member that an operation never stores, though the contract declares it for the body and for the record alike, and every record
 * shows the rest of the command (CMD-6). No action sets it, or the read shows what one sends there. It has no value, or, where the
 * body must have it, always the same one, or the time of the command.
 */
export function neverStored(): Fold {
  const doubts = new Map<string, readonly Doubt[]>();
  const stored = new Map<string, ReadonlySet<string>>();
  const learned = new Set<string>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = readOfRecord(context, all, one);
        if (read === undefined) continue;
        const is = shownFor(one, read.exchange.answer);
        const sent = membersOf(sentJson(one.exchange.request));
        const places = sentPlaces(one.operation, sent, is, stateBefore(context, all, one, read));
        for (const place of places) {
          const { at, sent: value, shown } = place;
          if (!isSettable(one, read, place)) continue;
          const own = `${one.operation.id} ${at}`;
          const seenAt = `${read.operation.id} ${identityOf(context, one.step.as)} ${at}`;
          if (shows(value, shown)) {
            stored.set(own, new Set([...(stored.get(own) ?? []), canonicalJson(value)]));
            if (learned.has(seenAt) || lettersOf(String(value)).length < telling) continue;
            learned.add(seenAt);
            for (const [key, known] of doubts) {
              const last = known.at(-1);
              if (key === own || last?.seenAt !== seenAt || !isCertain(known, stored.get(key))) continue;
              // Its trace is over, and is not repeated.
              if (last.trace !== trace) yield { ...ruling(last), conclusive: true, within: last.trace };
            }
            continue;
          }
          if (one.operation.method === 'PATCH' || !isUnset(one, read, place, places)) continue;
          const others = places.filter((each) => !isWithin(each.at, at) && !isWithin(at, each.at));
          const isShown = (each: SentPlace): boolean =>
            shows(each.sent, each.shown) || isInAnotherForm(each, places);
          if (
            !others.some(isShown) ||
            !others.every((each) => isShown(each) || isUnset(one, read, each, places))
          )
            continue;
          const doubt = { one, read, trace, place, seenAt };
          const known = withDoubt(doubts.get(own) ?? [], doubt);
          doubts.set(own, known);
          const isOnly = !isSetByAction(context.contract, one.operation, read.operation, at);
          if ((isOnly || learned.has(seenAt)) && isCertain(known, stored.get(own))) yield ruling(doubt);
        }
      }
    },
  };
}

/** Doubts of one member, each of another value: a repeat takes the place of what it repeats. Flags have one value to be lost. */
function withDoubt(doubts: readonly Doubt[], doubt: Doubt): readonly Doubt[] {
  const stepOf = ({ one, trace }: Doubt): string =>
    [trace.suite, trace.probe, trace.scenarioIndex, trace.path, one.step.id].join(' ');
  const isAgain = (other: Doubt): boolean =>
    isSame(other.place.sent, doubt.place.sent) &&
    (typeof doubt.place.sent !== 'boolean' || stepOf(other) === stepOf(doubt));
  return [...doubts.filter((other) => !isAgain(other)).slice(1 - mostDoubts), doubt];
}

/** What a service may find out by itself, or what says what a record is. */
const ofService =
  /importance|level|mode|phase|priority|rank|rating|risk|role|score|severity|stage|stat(e|us)$|urgen/i;

function isSettable(one: Answered, read: Seen, place: SentPlace): boolean {
  const { at, sent } = place;
  const isValue =
    typeof sent === 'number' ||
    (typeof sent === 'string' && lettersOf(sent).length > 1) ||
    // A flag that may be left out may be one for some records only.
    (typeof sent === 'boolean' && requires(one.operation.body?.schema, at));
  return (
    isValue &&
    !ofService.test(at) &&
    // Items of lists may be in another order.
    !/\/\d+(\/|$)/.test(at) &&
    // A flag may say in any spelling what became of a record.
    (isPlain(typeof sent === 'boolean' ? at.toLowerCase() : ownWords(at), sent) || isAddress(one, place)) &&
    isDeclaredForBoth(one.operation, read, at)
  );
}

function isUnset(one: Answered, read: Seen, place: SentPlace, places: readonly SentPlace[]): boolean {
  const isKeptBack = isPlain(ownWords(place.at), place.sent) && isWithoutValue(one, read, place);
  return isKeptBack || isOfCommand(one, place) || isFixed(one, read, place, places);
}

/**
 * Whether a body must have a member, be it only with the object that it is within. Then another member of that object shows that
 * the service did not put one of its own in its place.
 */
function isDue({ body }: Operation, { at }: SentPlace, places: readonly SentPlace[]): boolean {
  const [around, name] = [parentOf(at), pointerTokens(at).at(-1) ?? ''];
  return (
    requires(body?.schema, at) ||
    (around !== '' &&
      schemasAt(body?.schema, around).some(({ required }) => isArray(required) && required.includes(name)) &&
      places.some((each) => isNextTo(each, at)))
  );
}

/** Whether a service wrote a value in its own way, or did so with a part of it. */
function isInAnotherForm({ at, sent, shown }: SentPlace, places: readonly SentPlace[]): boolean {
  if (shown === undefined || saysNothing(shown)) return false;
  if (isArray(sent) || isObject(sent)) return places.some((each) => each.at !== at && isWithin(each.at, at));
  return !isOther({ at, sent, shown });
}

/** Whether a read shows a member that it declares, but without a value. */
function isWithoutValue({ operation }: Answered, read: Seen, { at, shown }: SentPlace): boolean {
  if (!isMeant(operation, at)) return false;
  return shown === undefined ? requires(read.operation.success.schema, at) : saysNothing(shown);
}

/** Whether a record shows quite another value; one of several numbers may also be the most that a service allows. */
function isFixed(
  { operation }: Answered,
  read: Seen,
  place: SentPlace,
  places: readonly SentPlace[],
): boolean {
  const { body } = operation;
  const { at, sent, shown } = place;
  if (shown === undefined || !isOther({ at, sent, shown })) return false;
  const schemas = [...schemasAt(body?.schema, at), ...readSchemasAt(read, at)];
  const choices = schemas.flatMap((schema) => (isArray(schema['enum']) ? schema['enum'] : []));
  if (typeof sent === 'boolean') return requires(body?.schema, at);
  if (choices.length > 0) return isDue(operation, place, places) || isChoice(at, choices);
  if (typeof sent === 'number')
    return shown === 0 || schemas.some((schema) => isSame(schema['default'] ?? null, shown));
  return (
    typeof shown === 'string' &&
    isDue(operation, place, places) &&
    !masked.test(shown) &&
    !/^[-+]?\d/.test(shown)
  );
}

/** Whether several values were sent, none of which any record shows, but for the one that all show. */
function isCertain(doubts: readonly Doubt[], stored: ReadonlySet<string> = new Set()): boolean {
  const [first] = doubts;
  if (first === undefined || doubts.length < 2) return false;
  const { at, shown = null } = first.place;
  const { body } = first.one.operation;
  const isOne = doubts.every(
    ({ place }) => isSame(place.shown ?? null, shown) || saysNothing(place.shown ?? null),
  );
  const isKept = [...stored].every((value) => value === canonicalJson(shown));
  // A caller's own words may only count with one choice of another member.
  const isFree =
    !isSentence(body?.schema, at) ||
    requires(body?.schema, at) ||
    doubts.some(({ one }) => isUnrestricted(body?.schema, sentJson(one.exchange.request)));
  if (doubts.every(({ one, place }) => isOfCommand(one, place)))
    return stored.size === 0 && areOnBothSides(doubts.map(({ place }) => place));
  // A service may have one address for all, but not one that a command sent.
  if (isAddress(first.one, first.place)) return isOne && isKept && stored.size > 0;
  // Codes that a service does not know may all give way to one that it does.
  const isFlag = doubts.every(({ place }) => typeof place.sent === 'boolean');
  const isOneOfFew = isFlag || schemasAt(body?.schema, at).some((schema) => 'enum' in schema);
  // Where the other value was never sent, the record may have that for a reason of its own.
  if (isFlag && stored.size === 0) return false;
  return isOne && isFree && (isOneOfFew ? isKept : stored.size === 0);
}

/** Whether some of the times that were sent were later than what is shown, and others earlier: then no bound is the reason. */
function areOnBothSides(places: readonly SentPlace[]): boolean {
  const ahead = places.map(({ sent, shown }) => (timeOf(sent) ?? 0) > (timeOf(shown) ?? 0));
  return ahead.includes(true) && ahead.includes(false);
}

function timeOf(value: Json | undefined): number | undefined {
  const time = typeof value === 'string' ? (dateTime(value) ?? dateTime(`${value}T12:00:00Z`)) : undefined;
  return time?.zoned === true ? time.at : undefined;
}

const [minute, day] = [60_000, 86_400_000];
/** The time of a request, and what happened last. */
const ofRequest =
  /^(as_?of|clienttime|date|day|last\w*|now|request\w*|sent\w*|signed\w*|time|timestamp|today|ts)$/i;

/** Whether a record shows the time of the command, where its body must have another one. */
function isOfCommand({ answer, operation }: Answered, { at, sent, shown }: SentPlace): boolean {
  const [asked, is] = [timeOf(sent), timeOf(shown)];
  const now = httpDate(headerOf(answer.headers, 'date') ?? '');
  if (asked === undefined || is === undefined || now === undefined) return false;
  // The noon of a day, which may be that of any zone.
  const near = String(shown).length === 'yyyy-mm-dd'.length ? 1.5 * day : 2 * minute;
  return (
    requires(operation.body?.schema, at) &&
    !ofRequest.test(pointerTokens(at).at(-1) ?? '') &&
    Math.abs(is - now) < near &&
    Math.abs(asked - is) > day + near
  );
}

const address = /mail|ur[il]$|website/i;

/** Whether a new record must have an address: no other one waits for a confirmation, as that of a change does. */
function isAddress({ operation: { body, method } }: Answered, { at, sent }: SentPlace): boolean {
  return method === 'POST' && typeof sent === 'string' && address.test(at) && requires(body?.schema, at);
}

function ruling({ one, place, read }: Doubt): Violated {
  const { at, sent, shown } = place;
  const short = (value: Json | JsonPointer): string => JSON.stringify(value).slice(0, 80);
  const isNothing = shown === undefined || saysNothing(shown);
  const always = isOfCommand(one, place) ? 'the time of the command' : 'the same value';
  return violated([one, read], {
    expected: `${short(sent)} at ${at}, as it was sent`,
    actual: shown === undefined ? `nothing at ${at}` : `${short(shown)} at ${at}`,
    because: `The record shows the rest of the accepted command, but whatever is sent at ${at}, it shows ${isNothing ? 'no value' : always} there. The contract declares the member for both.`,
  });
}
