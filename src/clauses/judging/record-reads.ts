import type { Context } from '../../model/clause.ts';
import { idText, isReadById } from '../../model/contract.ts';
import { settleMs } from '../../model/declaration.ts';
import { bare } from '../../model/path.ts';
import { exactJsonOf } from '../../model/response.ts';
import { namesResult } from '../../model/result-id.ts';
import { type Members, membersOf } from './changes.ts';
import { isOneCaller } from './readers.ts';
import { type Answered, faultsOf, idOf, isAccepted, isQueued, pathValues, type Seen } from './reading.ts';

/** The last accepted read of the record by its maker before the next command on it: what is shown late is shown by then. */
export function readOf(
  context: Context,
  all: readonly Seen[],
  one: Answered,
  id: string | undefined,
): Seen | undefined {
  const declared = one.operation.effect?.read;
  const isRead = (other: Seen): boolean =>
    other.operation.id === declared &&
    // What is polled for is read as soon as anything is there.
    other.step.observes !== 'arrival' &&
    isSettled(context, one, other) &&
    other.step.deviations.length === 0 &&
    isAccepted(other.exchange.answer) &&
    pathValues(other.operation, other.exchange).at(-1) === id &&
    isOneCaller(context, one.step.as, other.step.as);
  let last: Seen | undefined;
  for (const other of all) {
    const { exchange, operation } = other;
    if (exchange.startedAt < one.exchange.endedAt) continue;
    const names = (): boolean =>
      id === undefined ||
      exchange.request.body?.includes(id) === true ||
      pathValues(operation, exchange).includes(id);
    if (operation.kind === 'command' && names()) break;
    if (isRead(other)) last = other;
  }
  return last;
}

/** Reads that observe what was done wait until it shows (G15); one that looks for something else may be too early. */

function isSettled({ declared }: Context, one: Answered, { exchange, step }: Seen): boolean {
  return (
    step.observes !== undefined ||
    step.role === 'setup' ||
    exchange.startedAt - one.exchange.endedAt >= settleMs(declared)
  );
}

/**
 * The read that shows what a command made, put or changed. The result of an action may show what was done to a record that its
 * path or its body names: how many were taken, where the read shows how many are left.
 */
export function readOfRecord(context: Context, all: readonly Seen[], one: Answered): Seen | undefined {
  const { effect, kind, method } = one.operation;
  if (kind !== 'command' || effect?.read === undefined) return undefined;
  if (!isAccepted(one.answer) || isQueued(one.answer) || faultsOf(one.step).length > 0) return undefined;
  const isMade = isReadById(context.contract, one.operation);
  if (!isMade && method !== 'PUT' && method !== 'PATCH') return undefined;
  const id = isMade ? idOf(one.operation, one.answer) : pathValues(one.operation, one.exchange).at(-1);
  if (isMade && (id === undefined || namesResult(one.operation, one.exchange.request, id))) return undefined;
  const read = readOf(context, all, one, id);
  return read?.exchange.answer?.truncated === true ? undefined : read;
}

/** What a record was right before a command: a read of it, or the result that made it, without another command after that. */
export function stateBefore(all: readonly Seen[], one: Answered, read: Seen): Members | undefined {
  const id = pathValues(one.operation, one.exchange).at(-1);
  if (id === undefined) return undefined;
  const before = all.findLast(({ exchange: { answer, ...exchange }, operation }) => {
    if (exchange.endedAt > one.exchange.startedAt || answer === undefined || answer.truncated) return false;
    if (!isAccepted(answer)) return false;
    return operation.id === read.operation.id
      ? exchange.request.path === read.exchange.request.path
      : operation.effect?.read === read.operation.id && idOf(operation, answer) === id;
  });
  if (before === undefined) return undefined;
  const isAlone = all.every(
    (other) =>
      other.operation.kind === 'read' ||
      [one, before].some(({ exchange }) => exchange.id === other.exchange.id) ||
      !(pathValues(other.operation, other.exchange).includes(id) || namesIn(other, id)) ||
      (other.exchange.answer !== undefined && other.exchange.endedAt <= before.exchange.startedAt) ||
      other.exchange.startedAt >= read.exchange.endedAt,
  );
  const members = membersOf(exactJsonOf(before.exchange.answer));
  // Settings below a record need not show its ID: they have one path, which the command and both reads name.
  const isBelow =
    !bare(one.operation.path).endsWith('}') && bare(read.operation.path) === bare(one.operation.path);
  const isIts = isBelow || [...members.values()].some((value) => idText(value) === id);
  return isAlone && isIts ? members : undefined;
}

function namesIn({ exchange }: Seen, id: string): boolean {
  return exchange.request.body?.includes(id) === true;
}
