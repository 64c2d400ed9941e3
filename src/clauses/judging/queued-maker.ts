import { type Json, pointerOf } from '../../model/json.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { describes } from '../../model/schema-places.ts';
import { isSame, membersOf } from './changes.ts';
import { allUnsettledAhead } from './command-before.ts';
import { idOf, isAccepted, isQueued, pathValues, type Seen } from './reading.ts';
import { isBookkeeping } from './removal.ts';

/**
 * A command before this one that may have changed a record between two reads, as it may be done late. What made the record and
 * was queued (202) may go on with it, but takes nothing back that it was sent and that two reads showed.
 */
export function unsettledAround(
  all: readonly Seen[],
  one: Seen,
  before: Seen,
  after: Seen,
): Seen | undefined {
  return allUnsettledAhead(all, one).findLast(
    (other) => !isMaker(other, before) || !isTakenBack(all, other, one, [before, after]),
  );
}

/** Whether a queued command made the record of a read, and did not find it there. */
function isMaker({ exchange: { answer, request }, exchange, operation }: Seen, read: Seen): boolean {
  const id = pathValues(read.operation, read.exchange).at(-1);
  return (
    answer !== undefined &&
    isQueued(answer) &&
    id !== undefined &&
    operation.effect?.read === read.operation.id &&
    idOf(operation, answer) === id &&
    !pathValues(operation, exchange).includes(id) &&
    request.body?.includes(id) !== true
  );
}

/**
 * Whether a number that the record showed as its maker sent it is another one now, or a text is the one that the other command
 * sent, while what no client sets is as it was: a maker that fails or ends late would show there.
 */
function isTakenBack(
  all: readonly Seen[],
  maker: Seen,
  one: Seen,
  [before, after]: readonly [Seen, Seen],
): boolean {
  const reads = all.filter(
    ({ exchange, operation }) =>
      operation.id === before.operation.id &&
      exchange.request.path === before.exchange.request.path &&
      exchange.startedAt >= maker.exchange.endedAt &&
      exchange.endedAt <= one.exchange.startedAt &&
      isAccepted(exchange.answer),
  );
  if (reads.length < 2 || !isAccepted(after.exchange.answer)) return false;
  const shown = reads.map(({ exchange }) => membersOf(exactJsonOf(exchange.answer)));
  const now = membersOf(exactJsonOf(after.exchange.answer));
  const was = membersOf(exactJsonOf(before.exchange.answer));
  const [made, asked] = [maker, one].map(({ exchange }) => membersOf(sentJson(exchange.request)));
  const isSet = (name: string): boolean => describes(maker.operation.body?.schema, pointerOf([name]));
  const isLeft = [...new Set([...was.keys(), ...now.keys()])].every(
    (name) =>
      isSet(name) || isBookkeeping(pointerOf([name])) || isSame(was.get(name) ?? null, now.get(name) ?? null),
  );
  const isOther = (name: string, value: Json, shows: Json): boolean =>
    typeof value === 'number'
      ? typeof shows === 'number'
      : typeof value === 'string' && isSame(asked?.get(name) ?? null, shows);
  return (
    isLeft &&
    [...(made ?? [])].some(([name, value]) => {
      const shows = now.get(name);
      return (
        shows !== undefined &&
        !isSame(shows, value) &&
        isOther(name, value, shows) &&
        shown.every((each) => isSame(each.get(name) ?? null, value))
      );
    })
  );
}
