import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { sameState } from '../../oracle/record-state.ts';
import { answered, isAccepted, isFailed, isQueued, type Seen, sameTarget, seen } from './reading.ts';

/** The last command that was accepted on the record of another one before that was sent. */
export function commandBefore(context: Context, trace: Trace, one: Seen): Seen | undefined {
  return seen(context, trace).findLast(
    (other) =>
      other.operation.kind === 'command' &&
      isAccepted(other.exchange.answer) &&
      sameTarget(other.step, one.step) &&
      other.exchange.endedAt <= one.exchange.startedAt,
  );
}

type Doubt = { readonly on: readonly Seen[]; readonly because: string };

/** Why a command that was accepted need not have been forbidden: what was to forbid it is queued (202), or may not have run. */
export function notForbidden(context: Context, trace: Trace, one: Seen): Doubt | undefined {
  if (!isAccepted(one.exchange.answer)) return undefined;
  const before = commandBefore(context, trace, one);
  if (before === undefined)
    return {
      on: [one],
      because: 'The command that should forbid this one may not have been accepted.',
    };
  return isQueued(before.exchange.answer)
    ? {
        on: [one, before],
        because: `${before.operation.id} was queued (202), so the record may not be in the state that forbids the command yet.`,
      }
    : undefined;
}

/** A command before one that may be done at any time after: it was queued (202), or got no response, or 5xx. */
export function unsettledAhead(all: readonly Seen[], one: Seen): Seen | undefined {
  return allUnsettledAhead(all, one).at(-1);
}

export function allUnsettledAhead(all: readonly Seen[], { exchange }: Seen): readonly Seen[] {
  const at = all.findIndex((one) => one.exchange.id === exchange.id);
  return all
    .slice(0, at)
    .filter(
      ({ exchange: { answer, noAnswer }, operation }) =>
        operation.kind === 'command' &&
        (answer === undefined ? noAnswer?.reason !== 'harness' : isQueued(answer) || isFailed(answer)),
    );
}

export function maybeLate({ operation }: Seen): string {
  return `${operation.id} was queued (202), failed or got no response before, so what changed may be what it did.`;
}

/** Whether a command that was queued (202) is known to have changed its record before its duplicates came. */
export function isShownDone(context: Context, trace: Trace, first: Seen, before: Seen): boolean {
  if (!isQueued(first.exchange.answer)) return true;
  const initial = answered(context, trace).find(
    ({ answer, step }) => step.observes === 'initial' && isAccepted(answer) && sameTarget(step, first.step),
  );
  const { answer } = before.exchange;
  if (initial === undefined || answer === undefined) return false;
  return isAccepted(answer) ? !sameState(initial, before) : [404, 410].includes(answer.status);
}
