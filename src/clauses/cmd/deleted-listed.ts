import type { Context, Fold, Ruling } from '../../model/clause.ts';
import { type OperationId, operationNamed } from '../../model/contract.ts';
import { settleMs } from '../../model/declaration.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import { itemIds, itemsOf, queryOf } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  isAccepted,
  isQueued,
  pathValues,
  violated,
} from '../judging/reading.ts';
import { deletes, isAsBefore } from '../judging/removal.ts';

type Deletion = {
  readonly id: string;
  readonly on: readonly Answered[];
  readonly record: Json;
  readonly trace: Trace;
};

/** So many deletions are remembered, the last ones. */
const most = 500;

/**
 * A record that was deleted, and that its read no longer finds, is on no page of a list that was begun after that, whichever
 * caller reads it (CMD-6): a long list may come from another store, or its later pages from other code. What the list shows in
 * another state than before may say that it was deleted.
 */
export function deletedListed(): Fold {
  const deletions = new Map<string, Deletion>();
  const sweeps = new Map<OperationId, number>();
  return {
    *see(context, trace) {
      if (trace.suite !== 'sweep')
        for (const deletion of deletionsIn(context, trace)) {
          for (const list of listsOf(context, deletion.on)) deletions.set(`${list} ${deletion.id}`, deletion);
          if (deletions.size > most) deletions.delete(deletions.keys().next().value ?? '');
        }
      if (deletions.size > 0) yield* sightings(context, trace, deletions, sweeps);
    },
  };
}

function* sightings(
  context: Context,
  trace: Trace,
  deletions: Map<string, Deletion>,
  sweeps: Map<OperationId, number>,
): Iterable<Ruling> {
  const begun = new Map<OperationId, number>();
  for (const one of answered(context, trace)) {
    const { answer, exchange, operation, step } = one;
    if (operation.kind !== 'read' || !isAccepted(answer) || faultsOf(step).length > 0) continue;
    const starts = trace.suite === 'sweep' ? sweeps : begun;
    const cursor = operation.pagination?.cursor;
    const isFirst = cursor === undefined || !queryOf(one).has(cursor);
    // A cursor may stand for the list as it was when its first page was read.
    if (isFirst && (trace.suite === 'sweep' || !starts.has(operation.id)))
      starts.set(operation.id, exchange.startedAt);
    const start = starts.get(operation.id);
    if (start === undefined) continue;
    const idOf = itemIds(context, operation.id);
    for (const item of itemsOf(one)) {
      const id = idOf(item);
      const deletion = id === undefined ? undefined : deletions.get(`${operation.id} ${id}`);
      if (id === undefined || deletion === undefined) continue;
      const end = Math.max(...deletion.on.map((each) => each.exchange.endedAt));
      const isWhole = isObject(item) && Object.keys(item).length > 2;
      if (start < end + settleMs(context.declared) || !isWhole || !isAsBefore(item, deletion.record, id))
        continue;
      deletions.delete(`${operation.id} ${id}`);
      yield violated(deletion.on, {
        expected: `no ${id} in the list`,
        actual: `${id} in the list, as before`,
        because:
          'The record was deleted and cannot be read, but a list that was read afterwards still shows it.',
        seenIn: [exchange.id],
        within: deletion.trace,
        conclusive: true,
      });
    }
  }
}

/** Accepted deletions of a trace that reads confirm, where nothing named the record afterwards. */
function deletionsIn(context: Context, trace: Trace): readonly Deletion[] {
  const all = answered(context, trace);
  return all.flatMap((one, at): readonly Deletion[] => {
    const { answer, operation, step } = one;
    if (!deletes(operation) || !isAccepted(answer) || isQueued(answer) || faultsOf(step).length > 0)
      return [];
    const id = pathValues(operation, one.exchange).at(-1);
    const path = pathOf(one);
    const read = operation.effect?.read;
    const ofRecord = (each: Answered): boolean => each.operation.id === read && pathOf(each) === path;
    const before = all.slice(0, at).findLast((each) => ofRecord(each) && isAccepted(each.answer));
    const reads = all.slice(at).filter(ofRecord);
    const record = before === undefined ? undefined : exactJsonOf(before.answer);
    const [gone] = reads;
    if (id === undefined || before === undefined || record === undefined || gone === undefined) return [];
    if (!reads.every((each) => [404, 410].includes(each.answer.status))) return [];
    const isNamed = (each: Answered): boolean =>
      each.operation.kind === 'command' &&
      each.operation !== operation &&
      pathOf(each).startsWith(path) &&
      isAccepted(each.answer);
    return all.slice(at + 1).some(isNamed) ? [] : [{ id, on: [one, before, gone], record, trace }];
  });
}

/** The lists that show the record of a deletion: its own, and that of the command which makes such records. */
function listsOf({ contract }: Context, [deletion]: readonly Answered[]): readonly OperationId[] {
  const { effect, pathFields } = deletion?.operation ?? {};
  const maker = operationNamed(contract, pathFields?.at(-1)?.source?.operation);
  return [...new Set([effect?.list, maker?.effect?.list])].flatMap((list) => list ?? []);
}

const pathOf = ({ exchange }: Answered): string => exchange.request.path.split('?')[0] ?? '';
