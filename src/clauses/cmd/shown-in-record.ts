import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, type Json } from '../../model/json.ts';
import { type PartsShown, partId, partsIn, partsShown } from '../../model/parts.ts';
import { exactJsonOf } from '../../model/response.ts';
import { differences } from '../../oracle/record-state.ts';
import { anothersRecord, isOneCaller } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isQueued,
  pathValues,
  violated,
} from '../judging/reading.ts';
import { isWithin } from '../judging/record-reads.ts';
import { isAsBefore, isBookkeeping } from '../judging/removal.ts';
import { noIdIn } from '../judging/results.ts';
import { names } from './neighbours.ts';

/** A record may show no more than so many of its parts. */
const few = 3;

/**
 * What a command makes, puts or deletes within a record, where the read of that record alone shows it (CMD-6): it is there
 * afterwards, or no longer, and the deletion of one part removes no other one.
 */
export function* shownInRecord(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    const parts = partsShown(context.contract, one.operation);
    if (parts === undefined || one.step.role !== 'test' || !isAccepted(one.answer)) continue;
    if (faultsOf(one.step).length > 0) continue;
    const { endedAt, startedAt } = one.exchange;
    const reads = all.filter((each) => isRead(parts, each, one));
    const before = reads.findLast(
      ({ exchange, step }) =>
        step.observes === 'before' || (step.observes === 'holder' && exchange.endedAt <= startedAt),
    );
    const after = reads.find(
      ({ exchange, step }) =>
        step.observes === 'after' || (step.observes === 'holder' && exchange.startedAt >= endedAt),
    );
    if (before === undefined || after === undefined || !isAlone(all, one, [before, after])) continue;
    const [had, has] = [before, after].map(({ answer }) => partsIn(parts, exactJsonOf(answer)));
    // A member that is left out may be empty, or not be shown to this caller.
    if (had === undefined && has === undefined) continue;
    const ruling =
      one.operation.method === 'DELETE'
        ? deletion(one, [before, after], had ?? [], has ?? [])
        : addition(context, one, [before, after], had ?? [], has ?? []);
    if (ruling !== undefined) yield ruling;
  }
}

/** Whether one step is an accepted read of the record within which a command works, before or after that. */
function isRead({ read }: PartsShown, each: Answered, one: Answered): boolean {
  const { answer, operation } = each;
  return operation.id === read.id && isAccepted(answer) && !answer.truncated && isWithin(each, one);
}

/** Whether no other command came between the reads. */
function isAlone(all: readonly Answered[], one: Answered, [before, after]: readonly Answered[]): boolean {
  return all.every(
    ({ exchange, operation }) =>
      operation.kind === 'read' ||
      exchange.id === one.exchange.id ||
      exchange.startedAt > (after?.exchange.endedAt ?? 0) ||
      exchange.endedAt <= (before?.exchange.startedAt ?? 0),
  );
}

type Reads = readonly [before: Answered, after: Answered];

function addition(
  context: Context,
  one: Answered,
  [before, after]: Reads,
  had: readonly Json[],
  has: readonly Json[],
): Ruling | undefined {
  const isMade = one.operation.method === 'POST';
  const id = isMade ? idOf(one.operation, one.answer) : pathValues(one.operation, one.exchange).at(-1);
  const on = [one, before, after];
  const expected = `${id ?? 'what was made'} in the record`;
  if (id === undefined) return inconclusive(on, noIdIn(one.operation));
  const own = has.filter((part) => partId(one.operation, part) === id);
  if (own.length > 1 && new Set(own.map(canonicalJson)).size < own.length)
    return violated(on, {
      expected: `${expected}, once`,
      actual: `${own.length} parts with its ID`,
      because: 'The command was accepted once, and the record shows what it made several times.',
    });
  if (own.length > 1)
    return inconclusive(
      on,
      'The record shows several parts with its ID, so nothing shows which one the command made.',
      'a record shows several parts with one ID',
    );
  if (own.length > 0) return holds(on, { expected, because: 'The record shows what the command made.' });
  if (isQueued(one.answer))
    return inconclusive(on, 'The command was queued (202), and its record is not there yet.');
  if (!isOneCaller(context, one.step.as, after.step.as)) return inconclusive(on, anothersRecord);
  // What was there before, another rule compares.
  if (had.some((part) => partId(one.operation, part) === id)) return undefined;
  const isMoved = !differences(before, after).every(isBookkeeping);
  if (isMoved || had.length >= few)
    return inconclusive(on, 'The record does not show what the command made under its ID.');
  return violated(on, {
    expected,
    actual: `${has.length} parts, as before`,
    because: 'The command was accepted, but the record within which it works reads as before.',
  });
}

function deletion(
  one: Answered,
  [before, after]: Reads,
  had: readonly Json[],
  has: readonly Json[],
): Ruling | undefined {
  const id = pathValues(one.operation, one.exchange).at(-1);
  const idOfPart = (part: Json): string | undefined => partId(one.operation, part);
  const was = had.find((part) => idOfPart(part) === id);
  if (id === undefined || was === undefined) return undefined;
  const on = [one, before, after];
  const is = has.find((part) => idOfPart(part) === id);
  const expected = `the record without ${id}`;
  if (is !== undefined && isAsBefore(is, was, id))
    return isQueued(one.answer)
      ? inconclusive(on, 'The deletion was queued (202), and the record still shows what was deleted.')
      : violated(on, {
          expected,
          actual: `${id} in the record`,
          because: 'The deletion was accepted, but the record shows what was deleted as before.',
        });
  const lost = had.find(
    (part) =>
      idOfPart(part) !== undefined &&
      idOfPart(part) !== id &&
      !names(part, id) &&
      !names(was, idOfPart(part) ?? '') &&
      !has.some((each) => idOfPart(each) === idOfPart(part)),
  );
  return lost === undefined
    ? holds(on, { expected, because: 'The record no longer shows what was deleted.' })
    : violated(on, {
        expected: 'the other parts of the record as they were',
        actual: `no ${idOfPart(lost)} in the record`,
        because: `The command deleted ${id}, but ${idOfPart(lost)}, which was there before, is gone as well.`,
      });
}
