import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { scopeOf } from '../../model/principal.ts';
import type { Ref } from '../../model/ref.ts';
import { isBodyWithin } from './body-within.ts';
import { isEarlierUse } from './earlier-use.ts';
import { shown } from './own-version.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  isThrottled,
  keyName,
  type Seen,
  sameTarget,
  seen,
  violated,
} from './reading.ts';

/** Every valid command with a version that was just read. */
export function* currentVersion(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    const { version } = one.step;
    if (version?.use !== 'of' || faultsOf(one.step).length > 0 || isThrottled(one.answer)) continue;
    const expected = '2xx';
    if (isAccepted(one.answer)) {
      yield holds([one], { expected, because: 'The current version is accepted.' });
      continue;
    }
    const read = readUndisturbed(context, seen(context, trace), all, one, version.ref);
    const proof =
      one.answer.status === 409 && read?.operation.kind === 'read'
        ? proofOfCurrency(trace, all, one, read)
        : [];
    const moved = proof.length === 0 || read === undefined ? undefined : movedByItself(all, one, read);
    if (moved !== undefined)
      yield inconclusive(
        [one, moved],
        'The version moved without an accepted command of this scenario, so the one that was sent may have been an old one.',
      );
    else if (proof.length > 0)
      yield violated([one, ...proof], {
        expected,
        because: 'The version was read after the last command and sent at once, but it is refused.',
      });
    else if (one.answer.status === 428 || (one.answer.status === 412 && read !== undefined))
      yield violated(read === undefined ? [one] : [one, read], {
        expected,
        because: `${one.answer.status} means a missing or stale version, but the version had just been read.`,
      });
    else
      yield inconclusive(
        [one],
        'A valid command with the version just read is not accepted, but nothing shows that its version is the reason.',
      );
  }
}

/**
 * Shows that a version was the reason of a refusal: another command of the operation, which asked for no less, was accepted on
 * the same target. What one asked for alone may conflict with the record, such as another value of a member that never changes.
 */
function proofOfCurrency(
  trace: Trace,
  all: readonly Answered[],
  one: Answered,
  read: Answered,
): readonly Answered[] {
  // Many commands conflict when they are repeated, declared or not: then an earlier success proves nothing.
  const repeatable =
    (one.operation.method === 'PUT' || one.operation.method === 'PATCH') &&
    one.operation.conflict?.after !== one.operation.id;
  // What was refused under the key before may be stored, and is another request where its version was another one.
  if (all.some((other) => isEarlierUse(other, one))) return [];
  const accepted = all.find(
    (other) =>
      other.operation.id === one.operation.id &&
      isAccepted(other.answer) &&
      sameTarget(other.step, one.step) &&
      // One without a version may have made the record, with members that cannot change.
      other.step.version?.use === 'of' &&
      isBodyWithin(trace, one, other) &&
      (repeatable || other.exchange.startedAt >= one.exchange.endedAt),
  );
  return accepted === undefined ? [] : [read, accepted];
}

/** A read shows another version though nothing was accepted since: another client, or a lost command, may have written. */
function movedByItself(all: readonly Answered[], one: Answered, read: Answered): Answered | undefined {
  const { version } = one.step;
  if (version?.use !== 'of' || !('at' in version.ref || 'header' in version.ref)) return undefined;
  const place = version.ref;
  const sent = shown(read, place);
  for (const later of all) {
    if (later.exchange.startedAt < one.exchange.endedAt) continue;
    if (later.operation.kind === 'command' && (isAccepted(later.answer) || !isSettled(later.exchange)))
      return undefined;
    const isSame =
      later.operation === read.operation &&
      later.step.as === read.step.as &&
      sameTarget(later.step, read.step);
    const has = isSame ? shown(later, place) : undefined;
    if (has !== undefined && has !== sent) return later;
  }
  return undefined;
}

/** What gave the version of a command, where that version was still the current one: no command came between. */
function readUndisturbed(
  { principals }: Context,
  sent: readonly Seen[],
  all: readonly Answered[],
  one: Answered,
  ref: Ref,
): Answered | undefined {
  const read = all.find((other) => 'step' in ref && other.step.id === ref.step);
  if (read === undefined) return undefined;
  // What another scope reads of a singleton is another record.
  if (scopeOf(principals, read.step.as) !== scopeOf(principals, one.step.as)) return undefined;
  const key = keyName(one.step);
  const quiet = sent.every(
    ({ exchange, operation, step }) =>
      exchange === one.exchange ||
      exchange === read.exchange ||
      operation.kind === 'read' ||
      exchange.startedAt >= one.exchange.endedAt ||
      (isSettled(exchange) &&
        exchange.endedAt <= read.exchange.startedAt &&
        // An accepted request has its key for itself: the version may make another request of the same command.
        !(key !== undefined && keyName(step) === key && isAccepted(exchange.answer))),
  );
  return quiet ? read : undefined;
}

/** Whether all that a command may do is done: one whose response was lost may run at any time after. */
function isSettled({ answer, earlier }: Seen['exchange']): boolean {
  return answer !== undefined && !isFailed(answer) && earlier.every((one) => isThrottled(one.answer));
}
