import type { Context } from '../../model/clause.ts';
import {
  idText,
  isReadById,
  type Operation,
  type OperationId,
  operationNamed,
} from '../../model/contract.ts';
import { settleMs } from '../../model/declaration.ts';
import { itemId, itemSchema, listShowing, recordOf } from '../../model/listed.ts';
import { type PartsShown, partsShown } from '../../model/parts.ts';
import { exactJsonOf } from '../../model/response.ts';
import { namesResult } from '../../model/result-id.ts';
import { showsWhole } from '../../model/whole-items.ts';
import { itemsIn } from '../../oracle/paging.ts';
import { type Members, shownFor } from './changes.ts';
import { isOneCaller } from './readers.ts';
import {
  type Answered,
  faultsOf,
  idOf,
  isAccepted,
  isFailed,
  isQueued,
  pathValues,
  type Seen,
} from './reading.ts';
import { isBelowRecord } from './shown-as-read.ts';
import { partShown, showing } from './shown-parts.ts';

/** The last accepted read of the record by its maker before the next command on it: what is shown late is shown by then. */
export function readOf(
  context: Context,
  all: readonly Seen[],
  one: Answered,
  id: string | undefined,
): Seen | undefined {
  return readIn(context, all, one, {
    read: one.operation.effect?.read,
    id,
    // A number of its own within each record is no ID without that record.
    isOf: (other) =>
      pathValues(other.operation, other.exchange).at(-1) === id && isBelow(other, one, { last: false }),
  });
}

type Wanted = {
  readonly read: OperationId | undefined;
  readonly id: string | undefined;
  readonly isOf: (read: Seen) => boolean;
};

function readIn(
  context: Context,
  all: readonly Seen[],
  one: Answered,
  { id, isOf, read: declared }: Wanted,
): Seen | undefined {
  const isRead = (other: Seen): boolean =>
    other.operation.id === declared &&
    // What is polled for is read as soon as anything is there.
    other.step.observes !== 'arrival' &&
    isSettled(context, one, other) &&
    other.step.deviations.length === 0 &&
    isAccepted(other.exchange.answer) &&
    isOf(other) &&
    isOneCaller(context, one.step.as, other.step.as);
  const names = (other: Seen): boolean =>
    id === undefined || namesIn(other, id) || pathValues(other.operation, other.exchange).includes(id);
  let last: Seen | undefined;
  for (const other of all) {
    const { exchange, operation } = other;
    const isCommand = operation.kind === 'command';
    if (exchange.startedAt < one.exchange.endedAt) {
      if (isCommand && overlaps(one, other) && names(other)) return undefined;
      continue;
    }
    if (isCommand && names(other)) break;
    if (isRead(other)) last = other;
  }
  return last;
}

/**
 * Whether another command was under way with one, and may have changed the record after it: the order of their responses does
 * not show the order of their effects. A duplicate of the same request changes nothing else.
 */
function overlaps(one: Answered, { exchange, operation }: Seen): boolean {
  const { answer, request } = exchange;
  const isOver = answer !== undefined && exchange.endedAt <= one.exchange.startedAt;
  const isSame = operation.id === one.operation.id && request.body === one.exchange.request.body;
  return !isOver && !isSame && (answer === undefined || isAccepted(answer) || isFailed(answer));
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
  if (kind !== 'command' || effect === undefined) return undefined;
  if (!isAccepted(one.answer) || faultsOf(one.step).length > 0) return undefined;
  const isLater = isQueued(one.answer);
  if (effect.read === undefined) return isLater ? undefined : itemOfRecord(context, all, one);
  const parts = partsShown(context.contract, one.operation);
  if (parts !== undefined) return isLater ? undefined : partOfRecord(context, all, one, parts);
  // What a PUT makes under the path of its caller's choice has no other ID.
  const isMade = isReadById(context.contract, one.operation) && !isPutAtPath(context, one);
  if (!isMade && (isLater || (method !== 'PUT' && method !== 'PATCH'))) return undefined;
  const id = isMade ? idOf(one.operation, one.answer) : pathValues(one.operation, one.exchange).at(-1);
  if (isMade && (id === undefined || namesResult(one.operation, one.exchange.request, id))) return undefined;
  const read = isMade
    ? readOf(context, all, one, id)
    : readIn(context, all, one, {
        read: effect.read,
        id,
        isOf: (other) => pathValues(other.operation, other.exchange).at(-1) === id && isBelow(other, one),
      });
  if (read?.exchange.answer?.truncated === true) return undefined;
  // What is queued (202) may be stored later than the record itself.
  if (isLater && read !== undefined && read.exchange.startedAt - one.exchange.endedAt < queuedMs)
    return undefined;
  return read;
}

const queuedMs = 5000;

/** Whether the path of a read names no other record than that of a command, as far as the two have fields of one name. */
function isBelow(read: Seen, { exchange, operation }: Answered, { last = true } = {}): boolean {
  const named = pathValues(operation, exchange);
  const values = pathValues(read.operation, read.exchange);
  return (last ? values : values.slice(0, -1)).every((value, at) => {
    const field = operation.pathFields.findIndex(({ name }) => name === read.operation.pathFields[at]?.name);
    return field < 0 || value === named[field];
  });
}

function isPutAtPath({ contract }: Context, { operation: { effect, id, method } }: Answered): boolean {
  const source = operationNamed(contract, effect?.read)?.pathFields.at(-1)?.source;
  return method === 'PUT' && source?.operation === id && 'path' in source;
}

/**
 * The item of the list within a record, where no read shows what is made or put there alone: as the response of a read that has
 * the schema of an item, and no path.
 */
function itemOfRecord(context: Context, all: readonly Seen[], one: Answered): Seen | undefined {
  const { contract } = context;
  const list = listShowing(contract, one.operation);
  const isPut = one.operation.method === 'PUT';
  const id = isPut ? pathValues(one.operation, one.exchange).at(-1) : idOf(one.operation, one.answer);
  // Items of another schema may show a part of each value.
  if (list === undefined || id === undefined || !showsWhole(list, one.operation)) return undefined;
  if (!isPut && namesResult(one.operation, one.exchange.request, id)) return undefined;
  const read = readIn(context, all, one, {
    read: list.id,
    id,
    isOf: (other) => isWithin(other, one) && queryOf(other.exchange).every(([name]) => isSize(list, name)),
  });
  return read === undefined ? undefined : itemShown(context, list, read, id);
}

/** One item of a list, if that shows it once. */
function itemShown({ contract }: Context, list: Operation, read: Seen, id: string): Seen | undefined {
  const { answer } = read.exchange;
  if (answer === undefined || !isAccepted(answer) || answer.truncated) return undefined;
  const idOfItem = itemId(contract, list.id);
  const own = (itemsIn(list, exactJsonOf(answer)) ?? []).filter((item) => idOfItem(item) === id);
  const [item, ...more] = own;
  return item === undefined || more.length > 0
    ? undefined
    : showing(read, recordOf(contract, list, item), itemSchema(list));
}

/** The part that a command made or put within a record, where the read of that record alone shows it. */
function partOfRecord(
  context: Context,
  all: readonly Seen[],
  one: Answered,
  parts: PartsShown,
): Seen | undefined {
  const isMade = one.operation.method === 'POST';
  const id = isMade ? idOf(one.operation, one.answer) : pathValues(one.operation, one.exchange).at(-1);
  if (id === undefined || (isMade && namesResult(one.operation, one.exchange.request, id))) return undefined;
  const read = readIn(context, all, one, {
    read: parts.read.id,
    id,
    isOf: (other) => isWithin(other, one) && queryOf(other.exchange).length === 0,
  });
  return read === undefined ? undefined : partShown(parts, read, one.operation, id);
}

/** Whether a list is read within the record in which a command made or put something, or is that record. */
export function isWithin(list: Seen, { exchange, operation }: Answered): boolean {
  const named = pathValues(operation, exchange);
  const fields = operation.pathFields.map(({ name }) => name);
  return pathValues(list.operation, list.exchange).every(
    (value, at) => value === named[fields.indexOf(list.operation.pathFields[at]?.name ?? '')],
  );
}

const queryOf = ({ request }: Seen['exchange']): readonly (readonly [string, string])[] => [
  ...new URLSearchParams(request.path.split('?')[1] ?? ''),
];

const isSize = ({ pagination }: Operation, name: string): boolean => name === pagination?.limit;

/** What a record was right before a command: a read of it, or the result that made it, without another command after that. */
export function stateBefore(
  context: Context,
  all: readonly Seen[],
  one: Answered,
  read: Seen,
): Members | undefined {
  const id = pathValues(one.operation, one.exchange).at(-1);
  const list = listShowing(context.contract, one.operation);
  // What a command makes in a list was not there before.
  if (id === undefined || (list !== undefined && one.operation.method !== 'PUT')) return undefined;
  if (list === undefined && one.operation.effect?.read === undefined) return undefined;
  const before = all.findLast(({ exchange: { answer, ...exchange }, operation }) => {
    if (exchange.endedAt > one.exchange.startedAt || answer === undefined || answer.truncated) return false;
    if (!isAccepted(answer)) return false;
    return operation.id === read.operation.id
      ? exchange.request.path === read.exchange.request.path
      : operation.effect?.read === read.operation.id && idOf(operation, answer) === id;
  });
  if (before === undefined) return undefined;
  const parts = partsShown(context.contract, one.operation);
  const shown =
    before.operation.kind === 'command'
      ? before
      : list !== undefined
        ? itemShown(context, list, before, id)
        : parts === undefined
          ? before
          : partShown(parts, before, one.operation, id);
  if (shown === undefined) return undefined;
  const isAlone = all.every(
    (other) =>
      other.operation.kind === 'read' ||
      [one, before].some(({ exchange }) => exchange.id === other.exchange.id) ||
      !(pathValues(other.operation, other.exchange).includes(id) || namesIn(other, id)) ||
      (other.exchange.answer !== undefined && other.exchange.endedAt <= before.exchange.startedAt) ||
      other.exchange.startedAt >= read.exchange.endedAt,
  );
  const members = shownFor(one, shown.exchange.answer);
  const isIts =
    isBelowRecord(one.operation, read.operation) ||
    [...members.values()].some((value) => idText(value) === id);
  return isAlone && isIts ? members : undefined;
}

function namesIn({ exchange }: Seen, id: string): boolean {
  return exchange.request.body?.includes(id) === true;
}
