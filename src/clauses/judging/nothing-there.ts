import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { type Answered, answered, idOf, isAccepted, only, pathValues } from './reading.ts';

/**
 * Reads by which a command changed a record that does not exist: its read does not find it, and finds another one. A command
 * other than PATCH may have nothing to do there, unless its result is that record, or the list within that record is declared to
 * show what it makes.
 */
export function nothingThere(
  context: Context,
  trace: Trace,
  one: Answered,
): readonly [absent: Answered, there: Answered] | undefined {
  const { answer, operation } = one;
  const id = pathValues(operation, one.exchange).at(-1);
  // What is queued (202) may still be refused, and says so in its work record.
  if (operation.kind !== 'command' || operation.method === 'DELETE' || answer.status === 202)
    return undefined;
  if (id === undefined) return undefined;
  const isIts = operation.method === 'PATCH' || idOf(operation, answer) === id;
  const all = answered(context, trace);
  const reads = all
    .slice(all.indexOf(one) + 1)
    .filter((each) => each.step.role === 'readback' && each.operation.kind === 'read');
  const asked = (each: Answered): string | undefined => pathValues(each.operation, each.exchange).at(-1);
  const absent = reads.find(
    (each) =>
      only(each.step, 'target') !== undefined &&
      asked(each) === id &&
      isGone(each) &&
      (isIts || each.operation.id === operation.effect?.list),
  );
  const there = reads.find(
    (each) => each.operation.id === absent?.operation.id && asked(each) !== id && isAccepted(each.answer),
  );
  return absent === undefined || there === undefined ? undefined : [absent, there];
}

const isGone = ({ answer }: Answered): boolean => answer.status === 404 || answer.status === 410;
