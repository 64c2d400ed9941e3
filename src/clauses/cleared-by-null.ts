import type { Context, Ruling } from '../model/clause.ts';
import type { Trace } from '../model/exchange.ts';
import { type Json, pointerOf } from '../model/json.ts';
import { exactJsonOf, sentJson } from '../model/response.ts';
import { schemasAt } from '../model/schema-places.ts';
import { isSame, membersOf, opaque, secret, shownFor } from './judging/changes.ts';
import {
  type Answered,
  headerValues,
  holds,
  inconclusive,
  isAccepted,
  type Seen,
  seen,
  violated,
} from './judging/reading.ts';
import {
  movesUnsent,
  newlyShown,
  plainMembers,
  recordChanges,
  saysNothing,
} from './judging/record-changes.ts';
import { isBookkeeping } from './judging/removal.ts';

/** In a merge patch null removes the member (RFC 7396, 1). What null means in plain JSON, only the result can say. */
const merging = /^application\/merge-patch\+json\b/i;

/**
 * A member that an accepted command set to null, and that the record keeps as it was (CMD-6), though it shows the rest of the
 * command: a merge patch removes it, and a result that shows null says that it is gone.
 */
export function* clearedByNull(context: Context, trace: Trace): Iterable<Ruling> {
  const all = seen(context, trace);
  for (const change of recordChanges(context, trace, (sent) => [...sent.values()].includes(null))) {
    const { is, one, read, sent, was } = change;
    const nulls = [...sent].flatMap(([name, value]) => (value === null ? [name] : []));
    const result = shownFor(one, one.answer);
    const earlier = commandsBefore(all, one);
    const set = nulls.filter(
      (name) => isPlain(name, was.get(name)) && isChosen(one, earlier, name, was.get(name) ?? null),
    );
    const kept = set.find((name) => isSame(was.get(name) ?? null, is.get(name) ?? null));
    const isSure = (name: string): boolean =>
      isMerge(one) || (result.get(name) === null && isInResults(earlier, name, was.get(name) ?? null));
    const isNew = newlyShown(change).some((name) => sent.get(name) !== null);
    const gone = set.find((name) => saysNothing(is.get(name) ?? null));
    // What waits for something else, such as an approval, may leave the record as it was, and moves its state.
    if (kept !== undefined && isSure(kept) && !movesUnsent(change)) {
      const at = pointerOf([kept]);
      yield isNew
        ? violated([one, read], {
            expected: `nothing at ${at}`,
            actual: `${JSON.stringify(is.get(kept)).slice(0, 80)} at ${at}`,
            because: `${isMerge(one) ? 'A merge patch with null removes the member' : 'The result shows null'}, but the record keeps its value at ${at}. It shows the rest of the command.`,
            moved: { read: read.operation.id, at: [at] },
          })
        : inconclusive(
            [one, read],
            `The record keeps its value at ${at}, which was set to null. Nothing else shows that the read is not stale.`,
          );
    } else if (gone !== undefined)
      yield holds([one, read], {
        expected: 'nothing where null was sent',
        because: `The record shows nothing at ${pointerOf([gone])}.`,
      });
  }
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
function isChosen(one: Answered, earlier: readonly Seen[], name: string, value: Json): boolean {
  const own = schemasAt(one.operation.body?.schema, pointerOf([name]));
  return (
    own.every((schema) => !['enum', 'const', 'default'].some((keyword) => keyword in schema)) &&
    earlier.some(({ exchange }) => isSame(plainMembers(sentJson(exchange.request)).get(name) ?? null, value))
  );
}

/** Whether results show a member at all, other than as null. */
function isInResults(earlier: readonly Seen[], name: string, value: Json): boolean {
  return earlier.some(({ exchange }) =>
    isSame(membersOf(exactJsonOf(exchange.answer)).get(name) ?? null, value),
  );
}

function isMerge({ exchange: { request }, operation }: Answered): boolean {
  return (
    operation.method === 'PATCH' &&
    headerValues(request.headers, 'content-type').some((type) => merging.test(type))
  );
}

/** What a caller may have set: neither masked nor kept by the service. Zero and false may stand for nothing. */
function isPlain(name: string, value: Json | undefined): boolean {
  return (
    value !== undefined &&
    !saysNothing(value) &&
    ![0, false, true].some((one) => one === value) &&
    !(typeof value === 'string' && opaque.test(value)) &&
    !secret.test(name) &&
    !isBookkeeping(pointerOf([name]))
  );
}
