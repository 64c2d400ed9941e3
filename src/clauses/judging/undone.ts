import type { Context, Violated } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { movedBetween, sameState } from '../../oracle/record-state.ts';
import { controlOf, idOf, isAccepted, isDecided, isQueued, type Seen, seen } from './reading.ts';

/** The target reads as before, and differs once the command came under a new key; 202 may be done later. */
export function undone(context: Context, trace: Trace, first: Seen, again: Seen): boolean {
  const [one, other] = [first, again].map(({ exchange, operation }) =>
    exchange.answer === undefined ? undefined : idOf(operation, exchange.answer),
  );
  if (other !== undefined && other !== one) return false;
  const [before, after, later] = looks(context, trace);
  if (before === undefined || after === undefined || later === undefined) return false;
  if (isQueued(again.exchange.answer)) return false;
  if (controlOf(context, trace, again.step.id) !== 'accepted') return false;
  return isSame(before, after) === true && isSame(after, later) === false;
}

/** What a ruling on such a command says. */
export function undoneUntil(context: Context, trace: Trace): Pick<Violated, 'because' | 'moved'> {
  const [, after, later] = looks(context, trace);
  return {
    because: 'The command was accepted, but changed nothing. Under another key it changes the target record.',
    ...(after !== undefined && later !== undefined && isAccepted(after.exchange.answer)
      ? { moved: movedBetween(after, later) }
      : {}),
  };
}

/** Whether the target reads otherwise after the command in question. */
export function isChanged(context: Context, trace: Trace): boolean {
  const [before, after] = looks(context, trace);
  return before !== undefined && after !== undefined && isSame(before, after) === false;
}

/** Reads of the other target: before the command in question, after it, and after its control. */
function looks(context: Context, trace: Trace): readonly (Seen | undefined)[] {
  const all = seen(context, trace);
  return ['before', 'after', 'later'].map((when) => all.find(({ step }) => step.observes === when));
}

/** Whether two reads show the same; undefined where one of them shows nothing. */
function isSame(one: Seen, other: Seen): boolean | undefined {
  const [first, second] = [one.exchange.answer, other.exchange.answer];
  if (!isDecided(first) || !isDecided(second)) return undefined;
  return first?.status === second?.status && (!isAccepted(first) || sameState(one, other));
}
