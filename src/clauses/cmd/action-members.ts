import type { Context, Fold, Ruling } from '../../model/clause.ts';
import { isReadById, operationNamed } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  valueAt,
} from '../../model/json.ts';
import { shownMarkers } from '../../model/marker.ts';
import { sentJson } from '../../model/response.ts';
import { requires } from '../../model/schema-places.ts';
import { isSame, lettersOf, masked, membersOf } from '../judging/changes.ts';
import { identityOf } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  isAccepted,
  isQueued,
  type Seen,
  seen,
  violated,
} from '../judging/reading.ts';
import { isWord, saysNothing, statesAround } from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';
import { type ActionPlace, actionPlaces } from './action-places.ts';
import { isOther } from './contradicted.ts';
import { isSentence, isUnrestricted } from './promised.ts';

/** What an action sent for a member, and the place where its record does not show it. */
type Doubt = {
  readonly one: Answered;
  readonly read: Seen;
  readonly trace: Trace;
  readonly name: string;
  readonly sent: Json;
  readonly place: ActionPlace;
  readonly shown: Json | undefined;
  /** It shows another text there, which no command sent. */
  readonly isFixed: boolean;
};

type States = { readonly was: JsonObject; readonly is: JsonObject };

const mostDoubts = 3;
const mostTexts = 200;
const leastPart = 5;

/**
 * An action on a record that changes it, but never stores a member that it was sent two values for (CMD-6). The read declares that
 * member for the action: within an object that was not there before, or named after the action. It shows nothing there, or what
 * an earlier command sent, or one text in place of each that the body must have, and what was sent is nowhere in the record. A member that may be left out may also be dropped by a
 * rule, unless it is a sentence of the caller's own; where no record shows such a member, it has to be there without a value.
 */
export function actionMembers(): Fold {
  const stored = new Set<string>();
  const learned = new Set<string>();
  const doubts = new Map<string, readonly Doubt[]>();
  const noted = new Set<string>();
  const texts = new Map<string, ReadonlySet<string>>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const found = actedOn(context, all, one);
        if (found === undefined) continue;
        const { read, states } = found;
        for (const [name, sent] of membersOf(sentJson(one.exchange.request))) {
          const places = actionPlaces(context.contract, one.operation, read.operation, name);
          if (places.length === 0 || !isTelling(sent)) continue;
          const own = `${one.operation.id} ${name}`;
          const sees = (at: JsonPointer): string =>
            `${read.operation.id} ${identityOf(context, one.step.as)} ${at}`;
          const earlier = texts.get(own) ?? new Set();
          if (typeof sent === 'string' && earlier.size < mostTexts)
            texts.set(own, new Set([...earlier, sent]));
          for (const { at } of places) if (shows(valueAt(states.is, at), sent)) learned.add(sees(at));
          if (isAnywhere(states.is, states.was, sent)) {
            stored.add(own);
            continue;
          }
          const isDue = requires(one.operation.body?.schema, pointerOf([name]));
          const fixed = places.filter(({ at }) => !isUnset(states, at, sent, earlier));
          const place = fixed.every(({ at }) => isDue && isOtherText(states, at, sent))
            ? places.find((each) => isMadeBy(one, each, states))
            : undefined;
          if (place === undefined) continue;
          const shown = valueAt(states.is, place.at);
          const doubt = { one, read, trace, name, sent, place, shown, isFixed: fixed.length > 0 };
          const known = withDoubt(doubts.get(own) ?? [], doubt);
          doubts.set(own, known);
          if (known.length < 2 || stored.has(own)) continue;
          if (isCertain(doubt, known, learned.has(sees(place.at)))) yield ruling(doubt);
          else if (!noted.has(own)) {
            noted.add(own);
            yield note(doubt);
          }
        }
      }
    },
  };
}

/** The read of a record that an action changed, with the record before it and after it. */
function actedOn(
  context: Context,
  all: readonly Seen[],
  one: Answered,
): { readonly read: Seen; readonly states: States } | undefined {
  const { body, effect, kind, method, pathFields } = one.operation;
  const declared = operationNamed(context.contract, effect?.read);
  if (kind !== 'command' || method !== 'POST' || body === undefined || declared === undefined)
    return undefined;
  if (pathFields.length === 0 || isReadById(context.contract, one.operation)) return undefined;
  if (!isAccepted(one.answer) || faultsOf(one.step).length > 0) return undefined;
  const around = statesAround(context, all, one);
  if (around === undefined) return undefined;
  const { read } = around;
  const [was, is] = [Object.fromEntries(around.was), Object.fromEntries(around.is)];
  const isMoved = [...new Set([...Object.keys(was), ...Object.keys(is)])].some(
    (name) => !isBookkeeping(pointerOf([name])) && !isSame(was[name] ?? null, is[name] ?? null),
  );
  return isMoved ? { read, states: { was, is } } : undefined;
}

/** What nothing else in a record looks like. */
function isTelling(sent: Json): boolean {
  if (typeof sent === 'number') return Math.abs(sent) > 1;
  return typeof sent === 'string' && lettersOf(sent).length > 1;
}

/** Whether a place has what was sent, in whatever form, or a part of it. */
function shows(shown: Json | undefined, sent: Json): boolean {
  if (shown === undefined || saysNothing(shown) || typeof shown === 'boolean') return false;
  if (isArray(shown)) return shown.some((each) => shows(each, sent));
  if (isObject(shown)) return Object.values(shown).some((each) => shows(each, sent));
  if (isSame(shown, sent)) return true;
  const [one, other] = [lettersOf(String(shown)), lettersOf(String(sent))];
  // A version, or a short word, is in a marker by chance.
  const isPart = one.length >= leastPart && other.includes(one);
  return one.includes(other) || isPart || isSameTime(String(shown), String(sent));
}

function isSameTime(one: string, other: string): boolean {
  const [mine, its] = [one, other].map((text) => (/^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN));
  return mine !== undefined && mine === its;
}

/** Whether a record has what was sent, or something in it that was not there before looks like it. */
function isAnywhere(is: Json, was: Json | undefined, sent: Json): boolean {
  if (isSame(is, sent)) return true;
  if (isObject(is))
    return Object.entries(is).some(([name, value]) =>
      isAnywhere(value, isObject(was) ? was[name] : undefined, sent),
    );
  if (isArray(is) && is.some((each) => isSame(each, sent))) return true;
  return !isSame(is, was ?? null) && shows(is, sent);
}

/** Whether a place shows nothing new: no value, the one from before, or one that another command sent. */
function isUnset({ was, is }: States, at: JsonPointer, sent: Json, earlier: ReadonlySet<string>): boolean {
  const shown = valueAt(is, at);
  if (shown === undefined || saysNothing(shown)) return true;
  if (isSame(shown, valueAt(was, at) ?? null)) return true;
  return (
    typeof shown === 'string' && shown !== sent && (earlier.has(shown) || shownMarkers(shown).length > 0)
  );
}

/**
 * Whether a place shows quite another text than was sent. One word may stand for all that a service does not know, and a mask for
 * what is not to be seen.
 */
function isOtherText({ is }: States, at: JsonPointer, sent: Json): boolean {
  const shown = valueAt(is, at) ?? null;
  return (
    typeof shown === 'string' &&
    typeof sent === 'string' &&
    !masked.test(shown) &&
    !isWord(shown) &&
    isOther({ at, sent, shown })
  );
}

/** Whether an action made the place, or what it is in: what was there before may be of another command. */
function isMadeBy({ answer }: Answered, { at, how }: ActionPlace, { was, is }: States): boolean {
  const isNothing = (value: Json | undefined): boolean => value === undefined || saysNothing(value);
  const around = pointerOf(pointerTokens(at).slice(0, -1));
  const isNew = how === 'within' && isNothing(valueAt(was, around)) && isObject(valueAt(is, around));
  // What is queued (202) may be in work; an object that was not there before is what it made.
  return isNew || (how !== 'within' && !isQueued(answer) && isNothing(valueAt(was, at)));
}

/** Doubts of one member, each of another value: a repeat takes the place of what it repeats. */
function withDoubt(doubts: readonly Doubt[], doubt: Doubt): readonly Doubt[] {
  return [...doubts.filter(({ sent }) => !isSame(sent, doubt.sent)).slice(1 - mostDoubts), doubt];
}

/** Whether nothing but a loss explains that no record shows what an action sent. */
function isCertain(
  { name, one, place, read, shown }: Doubt,
  doubts: readonly Doubt[],
  isLearned: boolean,
): boolean {
  const schema = one.operation.body?.schema;
  const at = pointerOf([name]);
  if (!isSentence(schema, at) && !requires(schema, at)) return false;
  // Such a text is the same in place of each that was sent.
  const isOne = doubts.every((each) => isSame(each.shown ?? null, shown ?? null));
  if (doubts.some(({ isFixed }) => isFixed) && !isOne) return false;
  if (!doubts.some((each) => isUnrestricted(schema, sentJson(each.one.exchange.request)))) return false;
  const isThere = shown !== undefined || requires(read.operation.success.schema, place.at);
  // A member with a name for anything may be of people who set it elsewhere.
  return isLearned || (isThere && (place.how !== 'alone' || /reason$/i.test(name)));
}

function ruling({ name, one, place: { at }, read, sent, shown }: Doubt): Ruling {
  const short = (value: Json): string => JSON.stringify(value).slice(0, 80);
  return violated([one, read], {
    expected: `${short(sent)} at ${at}, as it was sent`,
    actual: shown === undefined ? `nothing at ${at}` : `${short(shown)} at ${at}`,
    because: `The action changed the record, but what was sent at ${pointerOf([name])} is nowhere in it. The read declares ${at} for it, and no action of this kind ever stored it.`,
  });
}

function note({ name, one, place: { at }, read }: Doubt): Ruling {
  return holds([one, read], {
    expected: `what was sent at ${pointerOf([name])}`,
    because: `The action changed the record, but what was sent at ${pointerOf([name])} is nowhere in it. The service may have a rule for it.`,
    advisory: `no record shows what was sent at ${pointerOf([name])}, be it at ${at}`,
  });
}
