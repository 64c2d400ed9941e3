import type { Context, Ruling } from '../../model/clause.ts';
import { idText, operationNamed } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, pointerOf, valueAt } from '../../model/json.ts';
import { inSecondItem, namedInList } from '../../model/named-records.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import type { Observes } from '../../model/scenario.ts';
import { isSame, type Members } from '../judging/changes.ts';
import {
  type Answered,
  answered,
  holds,
  inconclusive,
  isAccepted,
  isQueued,
  pathValues,
  violated,
} from '../judging/reading.ts';
import { plainMembers } from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';

/** What reads show of a record around a command; no members where it is not there. */
type Look = { readonly by: Answered; readonly members: Members | undefined };
type Around = { readonly id: string; readonly was: Look; readonly is: Look };

const expected = 'each record as the command makes the others';
/** Some of what was asked for was done, and the result says of which (WebDAV, RFC 4918). */
const multiStatus = 207;

/** A command on two records that its body names in a list changes both of them alike, or none (CMD-6). */
export function* eachNamed(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    const { answer, exchange, operation, step } = one;
    const at = namedInList(operation)?.at;
    const second = at === undefined ? undefined : inSecondItem(at)?.second;
    if (at === undefined || second === undefined || step.deviations.length > 0) continue;
    if (!isAccepted(answer) || isQueued(answer) || answer.status === multiStatus) continue;
    const sent = sentJson(exchange.request) ?? null;
    const [mine, other] = [at, second].map((place) =>
      aroundOf(context, all, one, idText(valueAt(sent, place))),
    );
    if (mine === undefined || other === undefined || mine.id === other.id) continue;
    const ruling = compared(one, mine, other) ?? compared(one, other, mine);
    if (ruling !== undefined) yield ruling;
  }
}

function aroundOf(
  context: Context,
  all: readonly Answered[],
  one: Answered,
  id: string | undefined,
): Around | undefined {
  const read = operationNamed(context.contract, namedInList(one.operation)?.read)?.id;
  const look = (when: Observes): Look | undefined => {
    const by = all.find(
      ({ exchange, operation, step }) =>
        step.observes === when && operation.id === read && pathValues(operation, exchange).at(-1) === id,
    );
    if (by === undefined || by.answer.truncated) return undefined;
    if ([404, 410].includes(by.answer.status)) return { by, members: undefined };
    return isAccepted(by.answer) ? { by, members: plainMembers(exactJsonOf(by.answer)) } : undefined;
  };
  const [was, is] = [look('neighbour-before'), look('neighbour')];
  return id === undefined || was?.members === undefined || is === undefined ? undefined : { id, was, is };
}

/** What is said where the command changed the first of two records. */
function compared(one: Answered, first: Around, second: Around): Ruling | undefined {
  const [changed, others] = [changesOf(first), changesOf(second)];
  if (changed?.length === 0) return undefined;
  const on = [one, ...[first, second].flatMap(({ is, was }) => [was.by, is.by])];
  if (others?.length !== 0)
    return holds(on, { expected, because: 'The command changed both records that it names.' });
  const because = `The command named ${first.id} and ${second.id}, and was accepted, but ${second.id} reads as before.`;
  const isAlike = (changed ?? []).every((name) =>
    isSame(first.was.members?.get(name) ?? null, second.was.members?.get(name) ?? null),
  );
  if (!isAlike) return inconclusive(on, `${because} The two differed before.`);
  if (saysLess(exactJsonOf(one.answer) ?? null, first.id, second.id))
    return inconclusive(on, `${because} Its result may say so.`);
  // What moved by itself is not the work of the command.
  const at = changed?.map((name) => pointerOf([name]));
  return violated(on, {
    ...{ expected, actual: `${second.id} as it was`, because },
    ...(at === undefined ? {} : { moved: { read: first.is.by.operation.id, at } }),
  });
}

/** The members that differ, but for versions and times; undefined where the record is gone. */
function changesOf({ is, was }: Around): readonly string[] | undefined {
  const { members } = is;
  if (members === undefined) return undefined;
  return [...new Set([...(was.members?.keys() ?? []), ...members.keys()])].filter(
    (name) =>
      !isBookkeeping(pointerOf([name])) && !isSame(was.members?.get(name) ?? null, members.get(name) ?? null),
  );
}

/**
 * Whether a result says of one record what it does not say of the other: it names one alone, or each in another list, or with
 * another word or flag, or counts one.
 */
function saysLess(result: Json, one: string, other: string): boolean {
  const [mine, its] = [one, other].map((id) => sayings(result, id, []).toSorted().join('\n'));
  return mine !== its || hasOne(result);
}

/** Where a result names a record, with the words and flags next to it. */
function sayings(value: Json, id: string, path: readonly string[]): readonly string[] {
  if (isArray(value)) return value.flatMap((each) => sayings(each, id, [...path, '*']));
  if (!isObject(value)) return idText(value) === id ? [pointerOf(path)] : [];
  const own = Object.entries(value).flatMap(([name, each]) => sayings(each, id, [...path, name]));
  const words = Object.entries(value).filter(
    ([name, each]) =>
      (typeof each === 'boolean' || (typeof each === 'string' && each !== id)) &&
      !isBookkeeping(pointerOf([name])),
  );
  return own.length === 0 || !Object.values(value).some((each) => idText(each) === id)
    ? own
    : [...own, JSON.stringify(words)];
}

function hasOne(value: Json): boolean {
  if (isArray(value)) return value.some(hasOne);
  return isObject(value) ? Object.values(value).some(hasOne) : value === 1;
}
