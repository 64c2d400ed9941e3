import type { Context, Ruling } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import type { Step } from '../../model/scenario.ts';
import {
  type Answered,
  answered,
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  isThrottled,
  only,
  sameTarget,
  seen,
  violated,
} from './reading.ts';

export function notCurrent(step: Step): boolean {
  const how = only(step, 'version')?.how;
  return how === 'stale' || how === 'foreign';
}

export function removes({ operation }: { readonly operation: Operation }): boolean {
  return operation.method === 'DELETE';
}

/** A record that is gone may be refused like one of another scope: with 403, unless 404 is declared (G9). */
export function isAbsent({ declared }: Context, { status }: { readonly status: number }): boolean {
  return status === 404 || status === 410 || (status === 403 && declared.G9 !== 404);
}

/** The specification does not say what an absent record returns: a service may say 422, which names the ID that it does not know. */
export function mayMeanAbsent({ status }: { readonly status: number }): boolean {
  return status === 422;
}

export const perhapsAbsent =
  'The record was removed. The specification does not say whether a request for an absent record may return 422.';

/** Whether a command removed the target of a step, and no read shows it since: what is gone is gone. */
export function targetGone(context: Context, trace: Trace, step: Step): boolean {
  const all = seen(context, trace);
  const at = all.findIndex((one) => one.step.id === step.id);
  const removed = all.findIndex(
    (one) => removes(one) && isAccepted(one.exchange.answer) && sameTarget(one.step, step),
  );
  if (at < 0 || removed < 0 || removed >= at) return false;
  const { answer } = all[at]?.exchange ?? {};
  if (answer !== undefined && isAbsent(context, answer)) return true;
  return !all
    .slice(removed, at)
    .some(
      (one) => one.operation.kind === 'read' && isAccepted(one.exchange.answer) && sameTarget(one.step, step),
    );
}

export const perhapsRemoved =
  'The command that was accepted may have removed the record: no later response shows that it is still there.';

/** Whether the record may be gone, as after a POST that deletes: it is not found, and no later request on it is accepted. */
export function mayBeRemoved(context: Context, trace: Trace, { answer, exchange, step }: Answered): boolean {
  const all = seen(context, trace).filter(
    (other) => sameTarget(other.step, step) && isAccepted(other.exchange.answer),
  );
  return (
    (answer.status === 404 || answer.status === 410) &&
    all.some(({ operation }) => operation.kind === 'command') &&
    all.every((other) => other.exchange.startedAt < exchange.endedAt)
  );
}

/** Of a record that is gone no version is current: the service may say either. */
export function* staleAfterRemoval(context: Context, trace: Trace): Iterable<Ruling> {
  for (const one of answered(context, trace)) {
    if (!notCurrent(one.step) || one.step.role !== 'test') continue;
    if (!targetGone(context, trace, one.step)) {
      if (mayBeRemoved(context, trace, one)) yield inconclusive([one], perhapsRemoved);
      continue;
    }
    const expected = '409; or 404 or 410, because the target record was removed';
    if (isAccepted(one.answer))
      yield violated([one], {
        expected,
        because: 'The command was accepted with an old version, although the record had been removed.',
        conclusive: true,
      });
    else if (isThrottled(one.answer) || isFailed(one.answer))
      yield inconclusive([one], 'The service did not decide on the request.');
    else if (one.answer.status === 409 || isAbsent(context, one.answer))
      yield holds([one], { expected, because: 'The old version is refused.' });
    else if (mayMeanAbsent(one.answer)) yield inconclusive([one], perhapsAbsent);
    else yield violated([one], { expected, because: 'The request is refused in another class.' });
  }
}
