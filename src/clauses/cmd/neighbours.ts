import type { Context, Ruling } from '../../model/clause.ts';
import { type Contract, choosesLast, isCount, type Operation, operationNamed } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
} from '../../model/json.ts';
import { recordOf } from '../../model/listed.ts';
import { hasMarker, isUsual } from '../../model/marker.ts';
import { partId, partsIn, partsShown } from '../../model/parts.ts';
import { bare } from '../../model/path.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import type { Observes } from '../../model/scenario.ts';
import { nextPage } from '../../oracle/paging.ts';
import { listIn } from '../judging/listed-effects.ts';
import { chosenId, isLastPage, itemIds } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  markerOf,
  pathValues,
  seen,
  violated,
} from '../judging/reading.ts';
import { isWord, plainMembers } from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';

export type Scalar = string | number | boolean;
export type Shown = ReadonlyMap<JsonPointer, Scalar>;
/** What a read shows of a record; undefined where that is gone. */
type Look = { readonly by: Answered; readonly record: Json | undefined };

const expected = 'the other record as it was';

/** Whether a command changes a record within another one, which the list of that one alone shows. */
export function changesInList(contract: Contract, { effect, method, path, pathFields }: Operation): boolean {
  const list = operationNamed(contract, effect?.list);
  return (
    ['PATCH', 'PUT'].includes(method) &&
    effect?.read === undefined &&
    list !== undefined &&
    pathFields.length > 1 &&
    pathFields.at(-1)?.chosen !== true &&
    bare(path) === `${bare(list.path)}/{${pathFields.at(-1)?.name}}`
  );
}

/** A command that names one record leaves another one as it was (CMD-6): it stays there, and does not take what was sent. */
export function* neighbourHit(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    if (one.step.role !== 'test' || one.step.deviations.length > 0 || !isAccepted(one.answer)) continue;
    if (one.operation.pathFields.length === 0 || !isAlone(context, trace, one)) continue;
    const id = pathValues(one.operation, one.exchange).at(-1);
    for (const other of id === undefined ? [] : otherIds(all, one, id)) {
      const look = (when: Observes, of = other): Look | undefined => lookedAt(context, all, one, when, of);
      const compare = choosesLast(one.operation) ? put : hasOwnText(trace, one) ? acted : compared;
      const ruling = compare(trace, one, other, {
        was: look('neighbour-before'),
        is: look('neighbour'),
        targetWas: look('neighbour-before', id),
        targetIs: look('neighbour', id),
      });
      if (ruling !== undefined) yield ruling;
    }
  }
}

/** Whether an action has a text of its own, which a record may show anywhere. */
function hasOwnText(trace: Trace, one: Answered): boolean {
  return one.operation.method === 'POST' && markerOf(trace, one) !== undefined;
}

type Looks = Readonly<Record<'was' | 'is' | 'targetWas' | 'targetIs', Look | undefined>>;

/** A part that a PUT makes under an ID of its own takes the place of no other one. */
function put(_: Trace, one: Answered, other: string, { is, was }: Looks): Ruling | undefined {
  const id = pathValues(one.operation, one.exchange).at(-1) ?? '';
  if (was?.record === undefined || is === undefined || names(was.record, id)) return undefined;
  const on = [...new Set([one, was.by, is.by])];
  return is.record === undefined
    ? violated(on, {
        expected,
        actual: `no record ${other}`,
        because: `The command put ${id}, but ${other}, which could be read before, is gone.`,
      })
    : holds(on, { expected, because: 'The other record is still there.' });
}

/** An action on one record leaves no text of its own on another one. */
function acted(
  trace: Trace,
  one: Answered,
  other: string,
  { is, targetIs, targetWas, was }: Looks,
): Ruling | undefined {
  const id = pathValues(one.operation, one.exchange).at(-1) ?? '';
  const marker = markerOf(trace, one);
  if (was?.record === undefined || is?.record === undefined || targetIs?.record === undefined)
    return undefined;
  if (names(was.record, id) || marker === undefined || !isUsual(marker)) return undefined;
  const shows = (record: Json): boolean => hasMarker(canonicalJson(record), marker);
  const on = [...new Set([one, was.by, is.by, targetIs.by])];
  const note =
    targetWas?.record === undefined
      ? undefined
      : movedAlike({
          was: was.record,
          is: is.record,
          targetWas: targetWas.record,
          targetIs: targetIs.record,
        });
  if (!shows(targetIs.record) || shows(was.record))
    return note === undefined || shows(is.record) ? undefined : inconclusive(on, note, note);
  return shows(is.record)
    ? violated(on, {
        expected,
        actual: `the text of the command on ${other}`,
        because: `The command named ${id}, but ${other} now shows its text as well.`,
      })
    : holds(on, {
        expected,
        because: 'The target shows the text of the command, and the other record does not.',
        advisory: note,
      });
}

function compared(
  trace: Trace,
  one: Answered,
  other: string,
  { is, targetIs, targetWas, was }: Looks,
): Ruling | undefined {
  const id = pathValues(one.operation, one.exchange).at(-1) ?? '';
  if (was === undefined || is === undefined || targetWas === undefined) return undefined;
  if (was.record === undefined || targetWas.record === undefined) return undefined;
  if (names(was.record, id) || names(targetWas.record, other)) return undefined;
  const on = [
    ...new Set([one, was.by, targetWas.by, is.by, ...(targetIs === undefined ? [] : [targetIs.by])]),
  ];
  if (is.record === undefined) {
    const because = `The command named ${id}, but ${other}, which could be read before, is gone as well.`;
    // A list may leave out what a change of another record has put into the background.
    return one.operation.method === 'DELETE' || isById(is.by, one)
      ? violated(on, { expected, actual: `no record ${other}`, because })
      : inconclusive(on, because);
  }
  if (targetIs === undefined) return undefined;
  if (targetIs.record === undefined)
    return holds(on, { expected, because: 'The target is gone, and the other record is still there.' });
  const states = { was: was.record, is: is.record, targetWas: targetWas.record, targetIs: targetIs.record };
  const misplaced = takenInstead(trace, one, states);
  if (misplaced !== undefined)
    return violated(on, {
      expected,
      actual: `what was sent at ${misplaced} of ${other}`,
      because: `The command named ${id}, but ${other} now shows what was sent at ${misplaced}, and ${id} does not.`,
    });
  const taken = takenAlike(trace, one, states);
  const note = movedAlike(states);
  if (taken === undefined) return note === undefined ? undefined : inconclusive(on, note, note);
  const [at] = taken.places;
  if (at === undefined)
    return holds(on, {
      expected,
      because: 'The target shows what was sent, and the other record does not.',
      advisory: note,
    });
  const because = `The command named ${id}, but ${other} now shows what was sent at ${taken.places.join(', ')} as well.`;
  return taken.isCertain
    ? violated(on, { expected, actual: `what was sent at ${at} of ${other}`, because })
    : inconclusive(on, `${because} Both may share that value.`);
}

/** The other record that the scenario made: its reads name it, or its maker returned or was given the ID. */
function otherIds(all: readonly Answered[], one: Answered, id: string): readonly string[] {
  const ids = all.flatMap((other): readonly (string | undefined)[] => {
    if (other.step.observes === 'neighbour-before' && isById(other, one))
      return [pathValues(other.operation, other.exchange).at(-1)];
    return other.step.role === 'setup' && other.operation.kind === 'command'
      ? [idOf(other.operation, other.answer) ?? chosenId(other)]
      : [];
  });
  return [...new Set(ids)].flatMap((each) => (each === undefined || each === id ? [] : [each]));
}

/** Whether a read is of one record, or of the one thing within it that the command changes. */
function isById({ operation }: Answered, one: Answered): boolean {
  const [path, own] = [bare(operation.path), bare(one.operation.path)];
  return path === own || (path.endsWith('}') && !(own.endsWith('}') && own.startsWith(`${path}/`)));
}

function lookedAt(
  context: Context,
  all: readonly Answered[],
  one: Answered,
  when: Observes,
  id: string,
): Look | undefined {
  const by = all.find(
    (each) =>
      each.step.observes === when &&
      (!isById(each, one) || pathValues(each.operation, each.exchange).at(-1) === id),
  );
  if (by === undefined || by.answer.truncated) return undefined;
  const parts = partsShown(context.contract, one.operation);
  if (parts?.read.id === by.operation.id) {
    const all = isAccepted(by.answer) ? partsIn(parts, exactJsonOf(by.answer)) : undefined;
    const part = all?.find((each) => partId(one.operation, each) === id);
    return all === undefined ? undefined : { by, record: part };
  }
  if (isById(by, one))
    return [404, 410].includes(by.answer.status)
      ? { by, record: undefined }
      : isAccepted(by.answer)
        ? known(by, exactJsonOf(by.answer))
        : undefined;
  const items = isAccepted(by.answer) ? (listIn(by) ?? envelopedIn(by)) : undefined;
  if (items === undefined) return undefined;
  const idOfItem = itemIds(context, by.operation.id);
  const item = items.find((each) => idOfItem(each) === id);
  if (item !== undefined) return known(by, recordOf(context.contract, by.operation, item));
  const isWhole =
    listIn(by) === undefined ? nextPage(by.operation, by.answer).kind === 'none' : isLastPage(by);
  return isWhole ? { by, record: undefined } : undefined;
}

/** The one list in the envelope of a read that cannot be asked for pages. */
function envelopedIn({ answer, operation }: Answered): readonly Json[] | undefined {
  const body = exactJsonOf(answer);
  const within = isObject(body) && operation.queryFields.length === 0 ? body['data'] : undefined;
  const lists = isObject(within) ? Object.values(within).filter(isArray) : [];
  return lists.length === 1 ? lists[0] : undefined;
}

const known = (by: Answered, record: Json | undefined): Look | undefined =>
  record === undefined ? undefined : { by, record };

/** Members that tell which record another one belongs to. */
const link = /(?:id|ids|ref|parent|previous|prev|next|with|of|by)$/i;

/** Whether a record says something of another one: the two may go, or change, together. */
export function names(record: Json, id: string): boolean {
  if (!isCount(id)) return canonicalJson(record).includes(id);
  return [...scalarsIn(record)].some(
    ([at, value]) => String(value) === id && link.test(pointerTokens(at).at(-1) ?? ''),
  );
}

/** What to note where the other record took the state of the target: a rule may say that the two go together. */
function movedAlike(states: States): string | undefined {
  const [was, is, targetWas, targetIs] = [states.was, states.is, states.targetWas, states.targetIs].map(
    (each) => scalarsIn(Object.fromEntries(plainMembers(each))),
  ) as [Shown, Shown, Shown, Shown];
  const at = [...targetIs].find(
    ([place, value]) =>
      (typeof value === 'boolean' || isWord(value)) &&
      !isBookkeeping(place) &&
      value !== targetWas.get(place) &&
      value === is.get(place) &&
      was.has(place) &&
      value !== was.get(place),
  )?.[0];
  if (at === undefined) return undefined;
  return `after a command on another record of its kind, a record shows ${JSON.stringify(is.get(at))} at ${at} as well`;
}

type States = Readonly<Record<'was' | 'is' | 'targetWas' | 'targetIs', Json>>;

/** Where the other record took a text of the command that its target, which has the same member, did not take. */
function takenInstead(trace: Trace, one: Answered, states: States): JsonPointer | undefined {
  const marker = markerOf(trace, one);
  if (marker === undefined || !isUsual(marker)) return undefined;
  const [was, is, targetIs] = [states.was, states.is, states.targetIs].map((each) =>
    scalarsIn(Object.fromEntries(plainMembers(each))),
  ) as [Shown, Shown, Shown];
  const isMarked = (value: Scalar | undefined): boolean =>
    typeof value === 'string' && hasMarker(value, marker);
  const isNowhere = !hasMarker(canonicalJson(states.targetIs), marker);
  return [...scalarsIn(Object.fromEntries(plainMembers(sentJson(one.exchange.request))))]
    .filter(([at, value]) => isMarked(value) && isNowhere && targetIs.has(at))
    .find(([at]) => isMarked(is.get(at)) && !isMarked(was.get(at)))?.[0];
}

/**
 * Where the other record took what the target took. That is certain where the two differed before, or where it took all of
 * several values: records of one parent may share a value.
 */
function takenAlike(
  trace: Trace,
  one: Answered,
  states: States,
): { readonly places: readonly JsonPointer[]; readonly isCertain: boolean } | undefined {
  const marker = markerOf(trace, one);
  const [was, is, targetWas, targetIs] = [states.was, states.is, states.targetWas, states.targetIs].map(
    (each) => scalarsIn(Object.fromEntries(plainMembers(each))),
  ) as [Shown, Shown, Shown, Shown];
  const isMarked = (value: Scalar | undefined): boolean =>
    typeof value === 'string' && marker !== undefined && isUsual(marker) && hasMarker(value, marker);
  const sent = scalarsIn(Object.fromEntries(plainMembers(sentJson(one.exchange.request))));
  const written = [...sent].flatMap(([at, value]) => {
    const shown = targetIs.get(at);
    const isSent = shown !== undefined && (shown === value || isMarked(shown));
    return isSent && shown !== targetWas.get(at) ? [at] : [];
  });
  if (written.length === 0) return undefined;
  const places = written.filter((at) => is.get(at) === targetIs.get(at) && was.get(at) !== is.get(at));
  const values = places.filter((at) => typeof is.get(at) !== 'boolean');
  return {
    places,
    isCertain:
      values.some((at) => was.get(at) !== undefined && was.get(at) !== targetWas.get(at)) ||
      (values.length > 1 && places.length === written.length),
  };
}

export function scalarsIn(value: Json, path: readonly string[] = []): Shown {
  if (!isObject(value)) return new Map();
  return new Map(
    Object.entries(value).flatMap(([name, member]): readonly (readonly [JsonPointer, Scalar])[] => {
      const at = [...path, name];
      if (isObject(member)) return [...scalarsIn(member, at)];
      return typeof member === 'string' || typeof member === 'number' || typeof member === 'boolean'
        ? [[pointerOf(at), member]]
        : [];
    }),
  );
}

/** Whether the same command was refused with other values, which a service may. */
function isRefusedOf(
  one: Answered,
  { exchange, operation }: Pick<Answered, 'exchange' | 'operation'>,
): boolean {
  return operation === one.operation && exchange.answer?.status === 422 && exchange.earlier.length === 0;
}

/** Whether no other command came between the reads. */
export function isAlone(context: Context, trace: Trace, one: Answered): boolean {
  const all = seen(context, trace);
  const start = all.find(({ step }) => step.observes === 'neighbour-before')?.exchange.startedAt ?? 0;
  const end = all.findLast(({ step }) => step.observes === 'neighbour')?.exchange.endedAt ?? 0;
  return all.every(
    ({ exchange, operation, step }) =>
      operation.kind === 'read' ||
      step.id === one.step.id ||
      exchange.startedAt > end ||
      (exchange.answer !== undefined && exchange.endedAt <= start) ||
      isRefusedOf(one, { exchange, operation }),
  );
}
