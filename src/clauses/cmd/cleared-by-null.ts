import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import {
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  valueAt,
} from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { schemasAt } from '../../model/schema-places.ts';
import { isSame, membersOf, opaque, secret, shownFor } from '../judging/changes.ts';
import {
  type Answered,
  headerValues,
  holds,
  inconclusive,
  isAccepted,
  type Seen,
  seen,
  violated,
} from '../judging/reading.ts';
import {
  movesUnsent,
  newlyShown,
  plainMembers,
  recordChanges,
  saysNothing,
} from '../judging/record-changes.ts';
import { isBookkeeping } from '../judging/removal.ts';

/** In a merge patch null removes the member (RFC 7396, 1). What null means in plain JSON, only the result can say. */
const merging = /^application\/merge-patch\+json\b/i;

/**
 * A member that an accepted command set to null, and that the record keeps as it was (CMD-6), though it shows the rest of the
 * command: a merge patch removes it, and a result that shows null says that it is gone.
 */
export function* clearedByNull(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  const changes = recordChanges(context, trace, (sent) => nullsIn(Object.fromEntries(sent), '').length > 0);
  for (const change of changes) {
    const { one, read, sent } = change;
    const was = (at: JsonPointer): Json => valueAt(Object.fromEntries(change.was), at) ?? null;
    const is = (at: JsonPointer): Json => valueAt(Object.fromEntries(change.is), at) ?? null;
    // What null means within an object, only a merge patch says.
    const nulls = nullsIn(Object.fromEntries(sent), '').filter(
      (at) => isMerge(one) || pointerTokens(at).length === 1,
    );
    const earlier = commandsBefore(all, one);
    const set = nulls.filter((at) => isPlain(at, was(at)) && isChosen(one, earlier, at, was(at)));
    const kept = set.find((at) => isSame(was(at), is(at)));
    const isSure = (at: JsonPointer): boolean =>
      isMerge(one) || (isShownNull(one, at) && isInResults(earlier, at, was(at)));
    const isNew = newlyShown(change).some((name) => sent.get(name) !== null);
    const gone = set.find((at) => saysNothing(is(at)));
    // What waits for something else, such as an approval, may leave the record as it was, and moves its state.
    if (kept !== undefined && isSure(kept) && !movesUnsent(change)) {
      yield isNew
        ? violated([one, read], {
            expected: `nothing at ${kept}`,
            actual: `${JSON.stringify(is(kept)).slice(0, 80)} at ${kept}`,
            because: `${isMerge(one) ? 'A merge patch with null removes the member' : 'The result shows null'}, but the record keeps its value at ${kept}. It shows the rest of the command.`,
            moved: { read: read.operation.id, at: [kept] },
          })
        : inconclusive(
            [one, read],
            `The record keeps its value at ${kept}, which was set to null. Nothing else shows that the read is not stale.`,
          );
    } else if (gone !== undefined)
      yield holds([one, read], {
        expected: 'nothing where null was sent',
        because: `The record shows nothing at ${gone}.`,
      });
  }
}

/** The places of null in a value, within objects too. */
function nullsIn(value: Json, at: JsonPointer): readonly JsonPointer[] {
  if (value === null) return [at];
  return isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => nullsIn(member, at + pointerOf([name])))
    : [];
}

/** Whether a result shows null in a place, and does not leave it out. */
function isShownNull(one: Answered, at: JsonPointer): boolean {
  return valueAt(Object.fromEntries(shownFor(one, one.answer)), at) === null;
}

/** Commands that were accepted before another one. */
function commandsBefore(all: readonly Seen[], one: Answered): readonly Seen[] {
  return all.filter(
    ({ exchange, operation }) =>
      operation.kind === 'command' &&
      isAccepted(exchange.answer) &&
      exchange.endedAt <= one.exchange.startedAt,
  );
}

/** Whether a caller has set a value that the service does not set by itself: null may bring a default back. */
function isChosen(one: Answered, earlier: readonly Seen[], at: JsonPointer, value: Json): boolean {
  const own = schemasAt(one.operation.body?.schema, at);
  return (
    own.every((schema) => !['enum', 'const', 'default'].some((keyword) => keyword in schema)) &&
    earlier.some(({ exchange }) => {
      const sent = Object.fromEntries(plainMembers(sentJson(exchange.request)));
      return isSame(valueAt(sent, at) ?? null, value);
    })
  );
}

/** Whether results show a member at all, other than as null. */
function isInResults(earlier: readonly Seen[], at: JsonPointer, value: Json): boolean {
  return earlier.some(({ exchange }) =>
    isSame(valueAt(Object.fromEntries(membersOf(exactJsonOf(exchange.answer))), at) ?? null, value),
  );
}

function isMerge({ exchange: { request }, operation }: Answered): boolean {
  return (
    operation.method === 'PATCH' &&
    headerValues(request.headers, 'content-type').some((type) => merging.test(type))
  );
}

/** What a caller may have set: neither masked nor kept by the service. Zero and false may stand for nothing. */
function isPlain(at: JsonPointer, value: Json): boolean {
  return (
    !saysNothing(value) &&
    ![0, false, true].some((one) => one === value) &&
    !(typeof value === 'string' && opaque.test(value)) &&
    !pointerTokens(at).some((name) => secret.test(name)) &&
    !isBookkeeping(at)
  );
}
