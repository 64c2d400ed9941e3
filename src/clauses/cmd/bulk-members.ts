import type { Context, Ruling } from '../../model/clause.ts';
import { type Operation, writtenSchema } from '../../model/contract.ts';
import { itemPlace } from '../../model/described-places.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  valueAt,
} from '../../model/json.ts';
import { bulkOf, recordOf } from '../../model/listed.ts';
import { described } from '../../model/parts.ts';
import { goesThrough } from '../../model/path.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { idAt, idPointer } from '../../model/result-id.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame } from '../judging/changes.ts';
import { listIn } from '../judging/listed-effects.ts';
import { itemIds } from '../judging/listing.ts';
import { isOneCaller } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  isAccepted,
  isQueued,
  pathValues,
  violated,
} from '../judging/reading.ts';
import { hasRoomFor } from '../judging/room-in-read.ts';
import { isLost, isOmitted, type MemberShown, membersShown } from './shown-as-made.ts';

/** A record as a read shows it, if it does, and whether that has the schema of an item of the result. */
type Shown = { readonly record: Json | undefined; readonly read: Answered; readonly isAlike: boolean };

/**
 * What a command sent of each of several records, as its result shows it: a read of the record shows no less, and not what was
 * sent of another one (CMD-6).
 */
export function* bulkMembers(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const [index, one] of all.entries()) {
    const { answer, exchange, operation, step } = one;
    const place = bulkOf(operation.effect);
    if (place === undefined || step.role !== 'test' || faultsOf(step).length > 0) continue;
    if (!isAccepted(answer) || isQueued(answer)) continue;
    const results = valueAt(exactJsonOf(answer), place);
    const sent = onlyList(sentJson(exchange.request));
    // Whose result is whose is known where there are as many, and each shows what was sent at its place.
    if (!isArray(results) || sent === undefined || results.length !== sent.length) continue;
    const within = idPointer(operation).slice(place.length + '/0'.length);
    for (const [nth, result] of results.entries()) {
      const id = idAt(result, within);
      const [asked, shown] = [sent[nth], shownAs(context, all.slice(index + 1), one, id)];
      if (id !== undefined && shown !== undefined && shown.record === undefined) {
        yield violated([one, shown.read], {
          expected: `${id} under its ID`,
          actual: String(shown.read.answer.status),
          because: `The result names ${results.length} records, but no record can be read under ${id}.`,
        });
        break;
      }
      if (!isObject(result) || !isObject(asked) || shown === undefined) continue;
      const others = sent.filter((_, other) => other !== nth);
      const wrong = wrongIn(asked, result, others, shown);
      if (wrong === undefined) continue;
      yield violated([one, shown.read], {
        expected: `${wrong.at} of item ${nth + 1} as the result shows it`,
        actual: JSON.stringify(wrong.shown ?? null).slice(0, 160),
        because: wrong.isOther
          ? `The result shows what was sent at ${wrong.at} of item ${nth + 1}, but a read of ${id} shows what was sent of another item.`
          : `The result shows what was sent at ${wrong.at} of item ${nth + 1}, but a read of ${id} shows nothing or less there.`,
      });
      break;
    }
  }
}

type Wrong = { readonly at: JsonPointer; readonly shown: Json | undefined; readonly isOther: boolean };

function wrongIn(
  asked: JsonObject,
  result: JsonObject,
  others: readonly Json[],
  { isAlike, read, record }: Shown,
): Wrong | undefined {
  if (!isObject(record)) return undefined;
  for (const member of membersShown(asked, result, record)) {
    const { at, sent, shown } = member;
    const isOther =
      shown !== undefined && !isSame(sent, shown) && others.some((other) => isSentAt(other, at, shown));
    if (isOther || isGone(member, read.operation, isAlike)) return { at, shown, isOther };
  }
  return undefined;
}

function isSentAt(item: Json, at: JsonPointer, shown: Json): boolean {
  const value = valueAt(item, at);
  return value !== undefined && typeof value !== 'boolean' && isSame(value, shown);
}

function isGone(member: MemberShown, read: Operation, isAlike: boolean): boolean {
  return member.shown === undefined
    ? !isOmitted(member.sent) && isAlike
    : isLost(member, member.shown) && hasRoomFor({ operation: read }, member.at, member.sent);
}

/** The first read of a record by its ID, or of the list that shows it. */
function shownAs(
  context: Context,
  later: readonly Answered[],
  one: Answered,
  id: string | undefined,
): Shown | undefined {
  const { contract } = context;
  const own = described(schemasAt(writtenSchema(one.operation), `${bulkOf(one.operation.effect) ?? ''}/0`));
  for (const read of later) {
    if (read.operation.kind === 'command') return undefined;
    if (id === undefined || faultsOf(read.step).length > 0 || read.answer.truncated) continue;
    if (!isOneCaller(context, one.step.as, read.step.as)) continue;
    if (read.operation.id === one.operation.effect?.read) {
      if (pathValues(read.operation, read.exchange).at(-1) !== id) continue;
      const isAlike = own === described(schemasAt(writtenSchema(read.operation), ''));
      // The read of the record that the command adds to shows none of those that it made.
      if (!isAlike && goesThrough(one.operation.path, read.operation.path)) continue;
      const record = exactJsonOf(read.answer);
      if (isAccepted(read.answer) && record !== undefined) return { record, read, isAlike };
      if (read.answer.status === 404 || read.answer.status === 410)
        return { record: undefined, read, isAlike };
      continue;
    }
    if (!isAccepted(read.answer)) continue;
    if (read.step.observes !== 'list-after') continue;
    const idOfItem = itemIds(context, read.operation.id);
    const item = listIn(read)?.find((each) => idOfItem(each) === id);
    if (item === undefined) continue;
    const isAlike = own === described(schemasAt(read.operation.success.schema, itemPlace(read.operation)));
    return { record: recordOf(contract, read.operation, item), read, isAlike };
  }
  return undefined;
}

/** The one list of a body, or that it is. */
function onlyList(body: Json | undefined): readonly Json[] | undefined {
  const lists = isArray(body) ? [body] : isObject(body) ? Object.values(body).filter(isArray) : [];
  return lists.length === 1 ? lists[0] : undefined;
}
