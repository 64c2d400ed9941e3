import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import type { Ref } from '../../model/ref.ts';
import type { Step } from '../../model/scenario.ts';
import { anothersRecord, isOneCaller } from '../judging/readers.ts';
import {
  answered,
  faultsOf,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isDecided,
  isQueued,
  seen,
  violated,
} from '../judging/reading.ts';

/** The read of one record, under the ID that the result of an accepted command gave. */
export function* shownById(context: Context, trace: Trace): Iterable<Ruling> {
  for (const one of answered(context, trace)) {
    if (one.operation.kind !== 'command' || !isAccepted(one.answer) || faultsOf(one.step).length > 0)
      continue;
    const read = seen(context, trace).find(
      ({ operation, step }) =>
        step.observes === 'made' &&
        operation.id === one.operation.effect?.read &&
        Object.values(step.target ?? {}).every((ref) => isOf(ref, one.step)),
    );
    const answer = read?.exchange.answer;
    if (read === undefined || answer === undefined || !isDecided(answer)) continue;
    const on = [one, read];
    const expected = `${idOf(one.operation, one.answer) ?? 'the record'} under its ID`;
    const actual = String(answer.status);
    // What was there before the command shows nothing of it.
    if (isAccepted(answer) && !mayBeNew(read.step, one.step)) continue;
    if (isAccepted(answer))
      yield holds(on, { expected, actual, because: 'A read by its ID shows the record.' });
    else if (answer.status !== 404 && answer.status !== 410)
      yield inconclusive(on, 'The record could not be read.');
    // What is only queued (202) may be made later than a read shows what is made.
    else if (isQueued(one.answer))
      yield inconclusive(on, 'The command was queued (202), and its record is not there yet.');
    else if (!isOneCaller(context, one.step.as, read.step.as)) yield inconclusive(on, anothersRecord);
    else
      yield violated(on, {
        expected,
        actual,
        because: 'The command was accepted, but no record can be read under the ID that it returned.',
      });
  }
}

/** Whether a read may be of what a command made: its result, or the caller, gave the ID. Other records are there before. */
function mayBeNew(read: Step, { id }: Step): boolean {
  return Object.values(read.target ?? {}).some(
    (ref) => 'chosen' in ref || ('step' in ref && ref.step === id),
  );
}

/** Whether a path field names what a command made, or what its own path names. */
function isOf(ref: Ref, { id, target = {} }: Step): boolean {
  if ('step' in ref && ref.step === id) return true;
  return Object.values(target).some((own) => JSON.stringify(own) === JSON.stringify(ref));
}
