import type { Context, Fold, Ruling, Violated } from '../../model/clause.ts';
import { idText, isCarried } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  pointerOf,
  pointerTokens,
} from '../../model/json.ts';
import { shownMarkers } from '../../model/marker.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { requires, schemasAt } from '../../model/schema-places.ts';
import { dateTime } from '../../oracle/instant.ts';
import { isSame, type Members, membersOf, shownFor } from '../judging/changes.ts';
import { readSchemasAt } from '../judging/enveloped.ts';
import { identityOf } from '../judging/readers.ts';
import { type Answered, answered, holds, isQueued, type Seen, seen, violated } from '../judging/reading.ts';
import { isSilent, isWord, type MemberStates, movesUnsent, saysNothing } from '../judging/record-changes.ts';
import { readOfRecord, stateBefore } from '../judging/record-reads.ts';
import { isBookkeeping } from '../judging/removal.ts';
import {
  isNextTo,
  isOtherInstant,
  isWithin,
  lacks,
  placeOf,
  type SentPlace,
  sentPlaces,
  shows,
} from '../judging/sent-places.ts';
import { isChoice, isOfForm, isPlain, oneSided } from '../judging/settable-members.ts';
import { isOther } from './contradicted.ts';
import { isShared, ownWords } from './promised.ts';

type Doubt = {
  readonly one: Answered;
  readonly read: Seen;
  readonly trace: Trace;
  readonly place: SentPlace;
  readonly look: Members;
};

/** What sets a record apart, and values that such records showed as they were sent. */
type Look = { readonly look: Members; readonly values: readonly string[] };

/** So many kinds and states of records are remembered for each member, and so many commands that left it as it was. */
const mostLooks = 20;
const mostDoubts = 3;

/**
 * A member that one operation never sets (CMD-6), though it was sent two values for it and each record shows the rest of the
 * command: a PUT, a PATCH, or a POST that makes records. To the same caller the read shows that member, as it was sent, of another
 * record of the same kind and state. Members are those of objects within the body as well, and lists and maps as a whole. A text
 * that has a form, an enumeration or a flag may depend on more than the command: a confirmation, an order of states. Of a reference
 * to a record, one value is enough: the run made that record.
 */
export function memberIgnored(): Fold {
  const looks = new Map<string, readonly Look[]>();
  const stored = new Set<string>();
  const doubts = new Map<string, readonly Doubt[]>();
  const noted = new Set<string>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const read = readOfRecord(context, all, one);
        if (read === undefined) continue;
        const sent = membersOf(sentJson(one.exchange.request));
        const is = shownFor(one, read.exchange.answer);
        const was = stateBefore(context, all, one, read);
        const places = sentPlaces(one.operation, sent, is, was);
        const said = new Set<string>();
        for (const each of places) {
          const { at, sent: value, shown } = each;
          const refers = isReference(one, at, value);
          if (!refers && !isPlain(one.operation.method === 'POST' ? ownWords(at) : at, value)) continue;
          const place = `${read.operation.id} ${placeOf(at)}`;
          const own = `${one.operation.id} ${place}`;
          const isShown = shows(value, shown);
          if (isShown) {
            const sees = placeFor(context, one, place);
            looks.set(sees, withLook(looks.get(sees) ?? [], lookOf(is), value));
            if (was === undefined || !shows(value, each.was)) stored.add(own);
          } else if (isNotSet(context, one, read, each, { places, states: { sent, was, is } }))
            doubts.set(
              own,
              withDoubt(doubts.get(own) ?? [], { one, read, trace, place: each, look: lookOf(is) }),
            );
          else continue;
          const unset = doubts.get(own) ?? [];
          const last = unset.at(-1);
          if (last?.one === one && isEnough(unset) && !noted.has(own) && !stored.has(own)) {
            noted.add(own);
            if (!looks.has(placeFor(context, one, place)) && !isExchanged(last)) yield note(last);
          }
          for (const [key, found] of doubts) {
            if (!key.endsWith(` ${place}`) || stored.has(key)) continue;
            const doubt = found.findLast(
              (each) =>
                isExchanged(each) ||
                looks.get(placeFor(context, each.one, place))?.some((look) => isLike(context, each, look)),
            );
            if (doubt === undefined || !isEnough(found)) continue;
            if (doubt.trace === trace && doubt.one === one) {
              if (!said.has(key)) yield ruling(doubt);
              said.add(key);
            }
            // Its trace is over, and is not repeated.
            else if (doubt.trace !== trace && isShown) {
              doubts.delete(key);
              yield { ...ruling(doubt), conclusive: true, within: doubt.trace };
            }
          }
        }
      }
    },
  };
}

/** Doubts of one member, each of another command: a repeat sends the same value again, and takes the place of what it repeats. */
function withDoubt(doubts: readonly Doubt[], doubt: Doubt): readonly Doubt[] {
  const { one, place } = doubt;
  const stepOf = (by: Doubt): string =>
    [by.trace.suite, by.trace.probe, by.trace.scenarioIndex, by.trace.path, by.one.step.id].join(' ');
  // Of a flag or an enumeration there are few values: another step may send the same one.
  const isOneOfFew =
    typeof place.sent === 'boolean' ||
    schemasAt(one.operation.body?.schema, place.at).some((schema) => 'enum' in schema);
  const isAgain = (other: Doubt): boolean =>
    other.one === one ||
    (isSame(other.place.sent, place.sent) && (!isOneOfFew || stepOf(other) === stepOf(doubt)));
  return [...doubts.filter((other) => !isAgain(other)).slice(1 - mostDoubts), doubt];
}

/** A place as one caller sees it: another one may see more of a record. */
function placeFor(context: Context, { step }: Answered, place: string): string {
  return `${identityOf(context, step.as)} ${place}`;
}

/** Whether so many values were sent that none of them alone can be the reason. */
function isEnough(doubts: readonly Doubt[]): boolean {
  const [first] = doubts;
  if (first === undefined) return false;
  return doubts.length >= (isReference(first.one, first.place.at, first.place.sent) ? 1 : 2);
}

/** As long as no record shows the member as it was sent, a service may have a rule for it. */
function note({ one, place: { at }, read }: Doubt): Ruling {
  return holds([one, read], {
    expected: `what was sent at ${at}`,
    because: `The record shows the rest of the accepted command, but not what was sent at ${at}. No record shows such a member as it was sent, so the service may have a rule for it.`,
    advisory: `no record shows what was sent at ${at}`,
  });
}

function ruling({ one, place: { at, sent, shown }, read }: Doubt): Violated {
  const short = (value: Json): string => JSON.stringify(value).slice(0, 80);
  return violated([one, read], {
    expected: `${short(sent)} at ${at}, as it was sent`,
    actual: shown === undefined ? `nothing at ${at}` : `${short(shown)} at ${at}`,
    because: `The record shows the rest of the accepted command, but nothing new at ${at}. This operation never stored what was sent there. For another record, the read shows what was sent.`,
  });
}

/** Whether a member names a record that the run made: no other value of it is a reference. */
function isReference({ operation }: Pick<Answered, 'operation'>, at: JsonPointer, value: Json): boolean {
  const named = operation.named?.some(
    (record) => record.at === at && record.acts !== true && record.field.source !== undefined,
  );
  return named === true && idText(value) !== undefined && !oneSided.test(at);
}

type Around = {
  readonly places: readonly SentPlace[];
  readonly states: Omit<MemberStates, 'was'> & { readonly was: Members | undefined };
};

/** Whether a record lacks what was sent at one place. A PATCH leaves what it does not name, but replaces the items of a list. */
function isNotSet(
  context: Context,
  one: Answered,
  read: Seen,
  place: SentPlace,
  { places, states: { was, ...states } }: Around,
): boolean {
  const { method } = one.operation;
  const isWhole = method !== 'PATCH' || placeOf(place.at) !== place.at;
  if (isWhole && isLeftOut(context, one, read, place, places)) return true;
  return (
    method !== 'POST' && was !== undefined && isIgnored(context, one, read, place, places, { ...states, was })
  );
}

/** Whether a record shows what a command sent, but for one member, and nothing else moved. */
function isIgnored(
  context: Context,
  one: Answered,
  read: Seen,
  { at, sent, shown, was }: SentPlace,
  places: readonly SentPlace[],
  states: MemberStates,
): boolean {
  if (!isSettable(one, read, at) || !isSame(shown ?? null, was ?? null)) return false;
  const isId = idText(sent) !== undefined && isReference(one, at, sent);
  // Where one schema stands for all bodies, a reference may be one that never changes.
  if (isId && isShared(context.contract, one.operation, read.operation)) return false;
  const isScalar = !isArray(sent) && !isObject(sent);
  const isThere = shown !== undefined && !saysNothing(shown);
  if (isThere && !isId && isScalar && !isOther({ at, sent, shown })) return false;
  // A part that a service adds to what is there already is not missing; the members of an object are places of their own.
  if (!isScalar && (!lacks(shown, sent) || places.some((each) => isWithin(each.at, at) && each.at !== at)))
    return false;
  return (
    besides(places, at).some((each) => shows(each.sent, each.shown) && !shows(each.sent, each.was)) &&
    !movesUnsent(states) &&
    !places.some((each) => each.at !== at && isWithin(at, each.at) && movesWithin(each)) &&
    isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer))
  );
}

/** The other places: neither within one, nor around it, nor the same in another item of a list. */
function besides(places: readonly SentPlace[], at: JsonPointer): readonly SentPlace[] {
  const [own, all] = [placeOf(at), places.map((each) => ({ each, other: placeOf(each.at) }))];
  return all.filter(({ other }) => !isWithin(other, own) && !isWithin(own, other)).map(({ each }) => each);
}

/** Whether something moved in an object that the command did not send. */
function movesWithin({ sent, shown, was }: SentPlace): boolean {
  const [asked, is, earlier] = [sent, shown, was].map(
    (each) => new Map(isObject(each) ? Object.entries(each) : []),
  );
  return (
    asked !== undefined &&
    is !== undefined &&
    earlier !== undefined &&
    movesUnsent({ sent: asked, is, was: earlier })
  );
}

/** Whether a command may set a member to any value, and the read describes it. */
function isSettable({ operation }: Answered, read: Seen, at: JsonPointer): boolean {
  const own = schemasAt(operation.body?.schema, at);
  const names = operation.named?.some((record) => record.at === at) === true;
  const isFormed = (schema: JsonObject): boolean =>
    formed.some((keyword) => keyword in schema) ||
    (isArray(schema['enum']) && !isChoice(at, schema['enum'])) ||
    (!names && isOfForm(at, schema));
  return (
    own.length > 0 && !own.some(isFormed) && readSchemasAt(read, at).length > 0 && !isCarried(operation, at)
  );
}

/**
 * Whether a new record shows all that was sent, but for one member. A body that is described as those that change the record may
 * have members for these alone, unless it requires them.
 */
function isLeftOut(
  context: Context,
  one: Answered,
  read: Seen,
  { at }: SentPlace,
  places: readonly SentPlace[],
): boolean {
  // The version that a body carries is not the one that the record has then.
  const others = besides(places, at).filter(
    (each) => !isBookkeeping(each.at) && !isCarried(one.operation, each.at),
  );
  const alike = places.filter((each) => placeOf(each.at) === placeOf(at));
  if (!alike.every((each) => isUnset(one, read, each, others))) return false;
  if (!isSettable(one, read, at) || others.length === 0) return false;
  return (
    (!isShared(context.contract, one.operation, read.operation) ||
      requires(one.operation.body?.schema, at) ||
      others.some((each) => isNextTo(each, at))) &&
    others.every((each) => shows(each.sent, each.shown)) &&
    (isSilent(exactJsonOf(one.answer), exactJsonOf(read.exchange.answer)) || isRecordInWork(one, read))
  );
}

/** Whether a result is the record before its work was done (202): what the two differ in came of that. */
function isRecordInWork({ answer, operation }: Answered, read: Seen): boolean {
  const [mine, its] = [operation.success.schema, read.operation.success.schema];
  return isQueued(answer) && mine !== undefined && canonicalJson(mine) === canonicalJson(its ?? null);
}

/** What a service may find out by itself: then a default is its own value. */
const foundOut = /importance|priority|rank|rating|risk|score|severity|urgen/i;

/** Whether a place shows nothing, what stands for nothing there, or the text that was sent at another place. */
function isUnset(
  { operation }: Answered,
  read: Seen,
  place: SentPlace,
  others: readonly SentPlace[],
): boolean {
  const { at, sent, shown = null } = place;
  if (saysNothing(shown)) return true;
  if (isArray(sent) || isObject(sent)) return false;
  const isDefault = [operation.body?.schema, read.operation.success.schema].some(
    (schema) =>
      !foundOut.test(at) &&
      schemasAt(schema, at).some((each) => each['default'] !== undefined && isSame(each['default'], shown)),
  );
  return shown === false || isDefault || isOfAnother(place, others);
}

function isOfAnother({ at, sent, shown }: SentPlace, others: readonly SentPlace[]): boolean {
  return (
    typeof shown === 'string' &&
    (isOther({ at, sent, shown }) || isOtherInstant(sent, shown)) &&
    others.some((each) => each.at !== at && typeof each.sent === 'string' && shows(each.sent, shown))
  );
}

/** Sentences of a caller's own, which no service makes out of a name. */
const prose = /(body|content|description|details|memo|notes?|remarks?|summary)$/i;

/**
 * Whether a sentence, or a time that the body requires, gave way to what the command sent for another member: that needs no other
 * record to be seen.
 */
function isExchanged({ one, place }: Doubt): boolean {
  const { at, shown } = place;
  if (typeof shown !== 'string') return false;
  const isTime = requires(one.operation.body?.schema, at) && dateTime(shown) !== undefined;
  if (!isTime && !(prose.test(at) && shownMarkers(shown).length > 0)) return false;
  const sent = membersOf(sentJson(one.exchange.request));
  return isOfAnother(place, sentPlaces(one.operation, sent, sent, undefined));
}

const formed = ['const', 'readOnly', 'writeOnly', 'deprecated'];

/** What sets kinds and states of records apart: words and flags, and that there is a member at all. */
function lookOf(record: Members): Members {
  return new Map(
    [...record]
      .filter(([name, value]) => !isBookkeeping(pointerOf([name])) && !saysNothing(value))
      .map(([name, value]) => [name, typeof value === 'boolean' || isWord(value) ? value : null]),
  );
}

function withLook(looks: readonly Look[], look: Members, shown: Json): readonly Look[] {
  const value = valueText(shown);
  const known = looks.find((each) => textOf(each.look) === textOf(look));
  if (known === undefined) return looks.length >= mostLooks ? looks : [...looks, { look, values: [value] }];
  // Two of them are more than the one that a record shows which stores none.
  if (known.values.length > 1 || known.values.includes(value)) return looks;
  return looks.map((each) => (each === known ? { look, values: [...known.values, value] } : each));
}

const valueText = (value: Json): string => canonicalJson(value).slice(0, 200);

const textOf = (look: Members): string => JSON.stringify([...look].toSorted());

/** What makes the members of a body depend on one another: then those that are there may say of which kind a record is. */
const dependent = ['oneOf', 'anyOf', 'if', 'dependentRequired', 'dependentSchemas'];

/** Whether another record is of the same kind and state, and shows another value as it was sent; what commands on such records set freely shows neither. */
function isLike(
  { contract }: Context,
  { look, one: { operation }, place, read }: Doubt,
  { look: other, values }: Look,
): boolean {
  // What each record shows may have been sent by chance, but for a record that the run made.
  const isAlways = values.every((value) => value === valueText(place.shown ?? null));
  if (isAlways && !isReference({ operation }, place.at, place.sent)) return false;
  const [name] = pointerTokens(place.at);
  const others = contract.operations.flatMap(({ body, effect }) => {
    const isPlainBody =
      effect?.read === read.operation.id &&
      !schemasAt(body?.schema, '').some((schema) => dependent.some((keyword) => keyword in schema));
    return isPlainBody ? [body?.schema] : [];
  });
  const isFree = (each: string): boolean => {
    const own = [operation.body?.schema, ...others].flatMap((schema) => schemasAt(schema, pointerOf([each])));
    return (
      own.length > 0 &&
      own.every(
        (schema) => !['enum', 'const'].some((keyword) => keyword in schema) && schema['type'] !== 'boolean',
      )
    );
  };
  const [mine, its] = [look, other].map(
    (each) => new Map([...each].filter(([at]) => at !== name && !isFree(at))),
  );
  return mine !== undefined && its !== undefined && textOf(mine) === textOf(its);
}
