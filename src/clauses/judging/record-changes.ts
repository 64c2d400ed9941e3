import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isEmpty, isObject, type Json, pointerOf } from '../../model/json.ts';
import { shownMarkers } from '../../model/marker.ts';
import { sentJson } from '../../model/response.ts';
import { isSame, type Members, membersOf, shownFor, shownMembers } from './changes.ts';
import { type Answered, answered, pathValues, type Seen, seen } from './reading.ts';
import { readOf, readOfRecord, stateBefore } from './record-reads.ts';
import { isBookkeeping } from './removal.ts';

/** The members that a command sent, and those of its record before it and after it. */
export type MemberStates = { readonly sent: Members; readonly was: Members; readonly is: Members };

/** A PUT or PATCH of a record, and the read that shows it. */
export type RecordChange = MemberStates & { readonly one: Answered; readonly read: Seen };

/** The changes of records of which reads show the state before and after; `isWanted` looks at what was sent. */
export function recordChanges(
  context: Context,
  trace: Trace,
  isWanted: (sent: Members) => boolean,
): readonly RecordChange[] {
  const all = seen(context, trace);
  return answered(context, trace).flatMap((one): readonly RecordChange[] => {
    if (!['PUT', 'PATCH'].includes(one.operation.method)) return [];
    const sent = plainMembers(sentJson(one.exchange.request));
    const read = isWanted(sent) ? readOfRecord(context, all, one) : undefined;
    const was = read === undefined ? undefined : stateBefore(context, all, one, read);
    if (read === undefined || was === undefined) return [];
    return [{ one, read, sent, was, is: shownFor(one, read.exchange.answer) }];
  });
}

/** A command on the record that its path names: the read that shows it, and the members of the record before it and after it. */
export function statesAround(
  context: Context,
  all: readonly Seen[],
  one: Answered,
): Omit<RecordChange, 'one' | 'sent'> | undefined {
  const read = readOf(context, all, one, pathValues(one.operation, one.exchange).at(-1));
  const was = read === undefined ? undefined : stateBefore(context, all, one, read);
  return read === undefined || was === undefined || read.exchange.answer?.truncated === true
    ? undefined
    : { read, was, is: shownFor(one, read.exchange.answer) };
}

/** The members that a record shows as they were sent, and did not have so before. */
export function newlyShown({ is, sent, was }: MemberStates): readonly string[] {
  return [...sent].flatMap(([name, value]) =>
    isSame(value, is.get(name) ?? null) && !isSame(value, was.get(name) ?? null) ? [name] : [],
  );
}

/** Whether something moved that the command did not send, but for versions and times. */
export function movesUnsent({ is, sent, was }: MemberStates): boolean {
  return [...new Set([...was.keys(), ...is.keys()])].some(
    (name) =>
      !sent.has(name) &&
      !isBookkeeping(pointerOf([name])) &&
      !isSame(was.get(name) ?? null, is.get(name) ?? null),
  );
}

/** The members of a record, in its envelope and in what JSON:API keeps them in. */
export function plainMembers(value: Json | undefined): Members {
  return withinAttributes(membersOf(value));
}

/** What a resource of JSON:API has apart from its attributes: next to other members, `attributes` is one of them. */
const ofResource = /^(attributes|id|lid|links|_links|meta|relationships|type)$/;

export function withinAttributes(members: Members): Members {
  const attributes = members.get('attributes');
  const isResource = [...members.keys()].every((name) => ofResource.test(name));
  return isObject(attributes) && isResource ? new Map(Object.entries(attributes)) : members;
}

/** Whether a result is empty or that of the record alone: another document may say why a member is as it was. */
export function isSilent(result: Json | undefined, record: Json | undefined): boolean {
  if (result === undefined) return true;
  if (!isObject(result) || !isObject(record)) return false;
  const [members, shown] = [shownMembers(result, new Map()), shownMembers(record, new Map())];
  const isWrapped = !Object.entries(result).every(([name, value]) => members.get(name) === value);
  const isWrap = (value: Json): boolean =>
    isObject(value) && [...members].every(([name, each]) => value[name] === each);
  // What is around the record in the read as well says nothing of the command: a link to its schema, the ID of the request.
  const around =
    !isWrapped ||
    Object.keys(result).length === 1 ||
    Object.entries(result).every(
      ([name, value]) => isWrap(value) || isSameAround(name, value, record[name] ?? null),
    );
  return (
    around &&
    [...members].every(
      ([name, value]) => isBookkeeping(pointerOf([name])) || isSame(value, shown.get(name) ?? null),
    )
  );
}

const ofResponse =
  /^(api_?version|correlation_?id|date|duration|elapsed|request_?id|served_?at|server_?time|time(stamp)?|took|trace_?id)$/i;

function isSameAround(name: string, value: Json, other: Json): boolean {
  if (isSame(value, other) || ofResponse.test(name)) return true;
  return (
    isObject(value) &&
    isObject(other) &&
    Object.entries(value).every(([own, each]) => isSameAround(own, each, other[own] ?? null))
  );
}

export function saysNothing(value: Json): boolean {
  return value === null || isEmpty(value) || (typeof value === 'string' && value.trim() === '');
}

/** One word, as of an enumeration or a state. */
export function isWord(value: Json): boolean {
  return (
    typeof value === 'string' && /^\p{L}[\p{L}_-]{0,30}$/u.test(value) && shownMarkers(value).length === 0
  );
}

/** What may wait for a confirmation, name another record, or be said of the change and not of the record. */
export const delicate =
  /mail|phone|mobile|url|link|owner|version|revision|reason|comment|message|(^|[a-z_])(id|ref|key|code|no)$|(Id|Ref|Key|Code|No)$/i;
