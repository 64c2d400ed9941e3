import type { Context, Ruling } from '../../model/clause.ts';
import { idText, isSingleton, type Operation } from '../../model/contract.ts';
import type { HttpResponse, Trace } from '../../model/exchange.ts';
import {
  canonicalJson,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  valueAt,
} from '../../model/json.ts';
import { hasMarker, isUsual, shownMarkers } from '../../model/marker.ts';
import { wordsOf } from '../../model/name-words.ts';
import { partsShown } from '../../model/parts.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { envelopes } from '../../model/result-id.ts';
import { differences } from '../../oracle/record-state.ts';
import { anothersRecord, isOneCaller } from './readers.ts';
import {
  holds,
  inconclusive,
  isAccepted,
  isQueued,
  markerOf,
  pathValues,
  type Seen,
  seen,
  summary,
  violated,
} from './reading.ts';
import { isBookkeeping } from './removal.ts';
import { isBelowRecord, isShownAsRead } from './shown-as-read.ts';
import { partShown } from './shown-parts.ts';

/** A command on a record, or on what there is but one of, whose declared read shows what it does. */
export function changes({ effect, kind, method, pathFields, ...rest }: Operation): boolean {
  return (
    kind === 'command' &&
    method !== 'DELETE' &&
    effect?.read !== undefined &&
    (pathFields.length > 0 || isSingleton({ effect, kind, method, pathFields, ...rest }))
  );
}

const expected = 'the record as the result shows it';

/** What an accepted command says that it did to a record, the declared read shows as well (CMD-6). */
export function* changed(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const [at, one] of all.entries()) {
    const { answer } = one.exchange;
    if (one.step.role !== 'test' || one.step.deviations.length > 0) continue;
    if (!changes(one.operation) || answer === undefined || !isAccepted(answer)) continue;
    const read = (when: 'before' | 'after') => (other: Seen) =>
      other.step.observes === when && other.operation.id === one.operation.effect?.read;
    const reads = [all.slice(0, at).findLast(read('before')), all.slice(at).find(read('after'))];
    const [before, after] = reads.map((each) =>
      each === undefined ? undefined : shownOf(context, one, each),
    );
    if (before === undefined || after === undefined) continue;
    const on = [one, before, after];
    const actual = summary(after.exchange);
    const was = before.exchange.answer?.status ?? 0;
    const same = differences(before, after).every(isBookkeeping);
    const said = same && (answer.body === '' || resultOf(one, before) !== undefined);
    const isKnown = isAccepted(before.exchange.answer) || isGone(before);
    const other = isQueued(answer) || !isKnown ? undefined : altered(trace, all, one, [before, after], said);
    if (other !== undefined)
      yield violated(on, {
        expected: `${other.at} as it was sent`,
        actual: other.shown.slice(0, 160),
        because: other.kept
          ? `The command was accepted, but the record still shows the earlier text at ${other.at}.`
          : `The command was accepted, but the text at ${other.at} in the record is not the one sent.`,
      });
    else if ([404, 410].includes(was)) yield made(context, on, [one, after], actual);
    else if (isAccepted(before.exchange.answer) && isGone(after)) yield removed(on, one, before, actual);
    else if (!isAccepted(before.exchange.answer) || !isAccepted(after.exchange.answer)) continue;
    else if (!same) yield holds(on, { expected, actual, because: 'The record no longer reads as before.' });
    else {
      const lost = claimed(one, before, after);
      const shownIn = ({ exchange }: Seen): Members => shownFor(one, exchange.answer);
      if (lost !== undefined && wentOn(shownIn(before), shownIn(one), shownIn(after)))
        yield inconclusive(
          on,
          `The result shows a new value at ${lost}, and the record reads as before, but its version or date shows another change after that. Of some records only one may have a state: a command on another one takes it away.`,
        );
      // What is only queued (202) may be done later.
      else if (lost === undefined || isQueued(answer))
        yield inconclusive(
          on,
          'Apart from versions and dates, the record reads as before. The result does not show what should have changed.',
        );
      else
        yield violated(on, {
          expected,
          actual,
          because: `The result shows a new value at ${lost}, but the record reads as before.`,
          // A state that only one record may have, a command on another one takes away, but not each time.
          moved: { read: after.operation.id, at: [pointerOf([lost])] },
        });
    }
  }
}

/** What a read shows of what a command changes: a part of the record, where that alone shows it. */
function shownOf({ contract }: Context, { exchange, operation }: Seen, read: Seen): Seen | undefined {
  const parts = partsShown(contract, operation);
  const id = pathValues(operation, exchange).at(-1);
  if (parts === undefined) return read;
  return operation.method === 'POST' || id === undefined ? undefined : partShown(parts, read, operation, id);
}

/** Whether a version or a date of the record is neither that of before the command nor that of its result. */
export function wentOn(was: Members, said: Members, is: Members): boolean {
  return [...is].some(
    ([name, value]) =>
      isBookkeeping(pointerOf([name])) &&
      [was, said].every((each) => each.has(name) && !isSame(each.get(name) ?? null, value)),
  );
}

function isGone({ exchange }: Seen): boolean {
  return [404, 410].includes(exchange.answer?.status ?? 0);
}

/** A record that was there: an action may remove it, or hide it, as long as its result does not show it. */
function removed(on: readonly Seen[], one: Seen, before: Seen, actual: string): Ruling {
  if (['PUT', 'PATCH'].includes(one.operation.method))
    return inconclusive(on, 'The record can no longer be read, so nothing shows what was changed in it.');
  return one.exchange.answer?.body === '' || resultOf(one, before) === undefined
    ? holds(on, { expected, actual, because: 'The record is gone, and the result does not show it.' })
    : inconclusive(on, 'The result shows the record, but it can no longer be read.');
}

/** A record that was not there, and that the command puts under an ID of the caller's choice. */
function made(
  context: Context,
  on: readonly Seen[],
  [command, read]: readonly [Seen, Seen],
  actual: string,
): Ruling {
  const { answer } = read.exchange;
  if (isAccepted(answer)) return holds(on, { expected, actual, because: 'The record is there now.' });
  if (![404, 410].includes(answer?.status ?? 0) || isQueued(command.exchange.answer))
    return inconclusive(on, 'The record could not be read, or is not there yet.');
  if (!isOneCaller(context, command.step.as, read.step.as)) return inconclusive(on, anothersRecord);
  return violated(on, {
    expected,
    actual,
    because: 'The command was accepted, but no record exists under the ID in its path.',
  });
}

/** A text with the command's marker that the record shows as another one; hidden parts, and what others wrote, do not count. */
function altered(
  trace: Trace,
  all: readonly Seen[],
  one: Seen,
  [before, after]: readonly [Seen, Seen],
  said: boolean,
): { readonly at: JsonPointer; readonly shown: string; readonly kept: boolean } | undefined {
  const marker = markerOf(trace, one);
  const target = one.step.target?.[one.operation.pathFields.at(-1)?.name ?? ''];
  const isAlone = all.every(
    ({ exchange, operation }) =>
      operation.kind === 'read' ||
      exchange.request.body === one.exchange.request.body ||
      exchange.startedAt > after.exchange.endedAt ||
      (exchange.answer !== undefined && exchange.endedAt < before.exchange.startedAt),
  );
  if (!['PUT', 'PATCH'].includes(one.operation.method) || !isAlone) return undefined;
  if (marker === undefined || !isUsual(marker) || target === undefined || 'literal' in target)
    return undefined;
  const read = ({ exchange }: Seen): Json =>
    Object.fromEntries(isAccepted(exchange.answer) ? shownFor(one, exchange.answer) : []);
  const [was, is] = [read(before), read(after)];
  const isOther = (text: string, shown: string): boolean =>
    !lettersOf(shown).includes(lettersOf(marker)) &&
    !lettersOf(text).includes(lettersOf(shown)) &&
    !opaque.test(shown);
  return textsIn(Object.fromEntries(membersOf(sentJson(one.exchange.request)))).flatMap(({ at, text }) => {
    const shown = valueAt(is, at);
    const isMarked = hasMarker(text, marker) && !secret.test(at);
    if (!isMarked || typeof shown !== 'string' || !isOther(text, shown)) return [];
    const kept = shown === valueAt(was, at);
    return !kept || (said && shownMarkers(shown).length > 0) ? [{ at, shown, kept }] : [];
  })[0];
}

/** Masked, left out by rule, or in a code of its own. */
export const opaque = /[*•…]{2}|^\W.*\W$|^\S{20,}$/u;

/** What stands for a value that is not to be seen. */
export const masked = /[*•…]|\.\.\.|redact|hidden|mask/i;

export function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

export function textsIn(
  value: Json,
  path: readonly string[] = [],
): readonly { readonly at: JsonPointer; readonly text: string }[] {
  if (typeof value === 'string') return [{ at: pointerOf(path), text: value }];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => textsIn(member, [...path, name]));
}

/** The members that a result, or a read, shows of the record of a command, which may be in an envelope of its own name. */
export function shownFor({ exchange }: Pick<Seen, 'exchange'>, answer: HttpResponse | undefined): Members {
  return shownMembers(exactJsonOf(answer), membersOf(sentJson(exchange.request)));
}

/** The result, if it is one of the record: with all its members, or its ID. Another document may announce later work. */
export function resultOf(one: Seen, before: Seen) {
  const { exchange, operation } = one;
  const record = shownFor(one, before.exchange.answer);
  const result = shownFor(one, exchange.answer);
  const sent = membersOf(sentJson(exchange.request));
  const own = pathValues(operation, exchange).at(-1);
  const plain = [...record].filter(([name, value]) => !isObject(value) && !isBookkeeping(`/${name}`));
  // Another document than the record may have members of the same names.
  const isWhole = plain.length > 1 || isSetWhole(operation, before.operation, plain);
  const isRecord = isWhole && plain.every(([name]) => result.has(name));
  const all = plain.filter(([name]) => isId(name) && result.has(name));
  // A reference that the command sets says nothing of whose the result is; the ID in the path does.
  const ids = all.filter(
    ([name, value]) =>
      idText(value) === own || !sent.has(name) || !isSame(sent.get(name) ?? null, result.get(name) ?? null),
  );
  const isIts = ids.every(([name, value]) => isSame(result.get(name) ?? null, value));
  // Without an ID, what has another name around it is another document.
  const [around, other] = [exchange.answer, before.exchange.answer].map((answer) =>
    ownEnvelope(exactJsonOf(answer), sent),
  );
  return isIts && (ids.length > 0 || (isRecord && all.length === 0 && around === other))
    ? { isRecord, plain, result }
    : undefined;
}

/** Whether all of what belongs to a record, such as its tags, is one value, which a PUT sets, and result and read show alike. */
function isSetWhole(
  one: Operation,
  read: Operation,
  [only, ...others]: readonly (readonly [string, Json])[],
): boolean {
  return (
    only !== undefined &&
    others.length === 0 &&
    one.method === 'PUT' &&
    isBelowRecord(one, read) &&
    isShownAsRead(one, read) &&
    // An address or a number to call may wait for its confirmation.
    !/mail|phone|mobile|url|link/i.test(`${one.path}/${only[0]}`)
  );
}

/** A member that the result alone shows otherwise than the record was: any of a whole record, else one that was asked for. */
function claimed(one: Seen, before: Seen, after: Seen): string | undefined {
  const { isRecord = false, plain = [], result } = resultOf(one, before) ?? {};
  const sent = membersOf(sentJson(one.exchange.request));
  const is = shownFor(one, after.exchange.answer);
  return plain.find(([name, value]) => {
    const shown = result?.get(name);
    // The moment of the change may be on the record, though nothing else is; that of the response is another each time.
    if (shown === undefined || isSame(shown, value) || !isSame(value, is.get(name) ?? null)) return false;
    const asked = sent.get(name);
    return isRecord || (asked !== undefined && isSame(asked, shown));
  })?.[0];
}

/** Whether a member is named as the ID of a record, its own or another one. */
export function isId(name: string): boolean {
  return /^(id|uuid|key|number|no|code|Id|ID)$|[a-z](Id|ID|Uuid|Key|Number|No|Code)$|_(id|uuid|key|number|no|code)$/.test(
    name,
  );
}

const ofSecret =
  /secret|password|passphrase|passcode|token|credential|^pin(s|code)?$|^(api|access|auth|encryption|licen[cs]e|private|public|signing|ssh)?keys?$/;

/** What a client chose to keep secret may be shown once. By the words of a name or a place: `shipping` and `keywords` are none. */
export const secret = {
  test: (place: string): boolean =>
    place
      .split(/[^A-Za-z\d_-]+/)
      .flatMap(wordsOf)
      .some((word) => ofSecret.test(word)),
};

export function isSame(one: Json, other: Json): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

export type Members = ReadonlyMap<string, Json>;

/** The members of a document, or of the only object in it that it wraps. */
export function membersOf(value: Json | undefined): Members {
  if (!isObject(value)) return new Map();
  const members = Object.entries(value);
  const inner = envelopes
    .map((name) => members.find(([own]) => own.toLowerCase() === name)?.[1])
    .find((each) => isObject(each));
  return new Map(isObject(inner) ? Object.entries(inner) : members);
}

/**
 * The members of a record, be it alone in a document under a name of its own (`{"case": {...}}`). A body that has that name itself
 * is compared with it as it is.
 */
export function shownMembers(value: Json | undefined, sent: Members): Members {
  const members = membersOf(value);
  const around = members.get(ownEnvelope(value, sent) ?? '');
  return isObject(around) ? new Map(Object.entries(around)) : members;
}

function ownEnvelope(value: Json | undefined, sent: Members): string | undefined {
  const [only, ...others] = membersOf(value);
  return only === undefined || others.length > 0 || sent.has(only[0]) || !isObject(only[1])
    ? undefined
    : only[0];
}
