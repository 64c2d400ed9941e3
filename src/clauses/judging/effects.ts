import type { Context, Judge, Ruling } from '../../model/clause.ts';
import { creates } from '../../model/contract.ts';
import type { HttpResponse, Trace } from '../../model/exchange.ts';
import { listOfMade } from '../../model/listed.ts';
import { isWeak } from '../../model/marker.ts';
import type { Name, Step } from '../../model/scenario.ts';
import { allowed, permits } from '../../oracle/allowed.ts';
import { movedAbove } from './moved-above.ts';
import { isUnknown, movedRecord } from './moved-target.ts';
import {
  type Answered,
  answered,
  bodyName,
  faultsOf,
  find,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isControlled,
  isFailed,
  isThrottled,
  keyName,
  markerOf,
  type Seen,
  seen,
  summary,
  unattributed,
  undecided,
  violated,
} from './reading.ts';

export type EffectsJudge = Extract<Judge, { over: 'effects' }>;

/** Why nothing follows where fewer records were seen than there may be. */
export const unfinishedRead =
  'The independent read is incomplete. A page could not be read, is longer than 1 MiB, or leads to the next page in a way that x-governed.pagination does not declare.';

type Controlled = (context: Context, trace: Trace, test: Answered) => boolean;

/** A refused request leaves no record; only with an accepted control, as a service that refuses all has no effect either. */
export function noEffect(
  matches: (step: Step, answer: HttpResponse, context: Context, trace: Trace) => boolean,
  controlled: Controlled = isControlled,
): EffectsJudge {
  return {
    over: 'effects',
    *rule(context, trace) {
      const all = seen(context, trace);
      for (const test of answered(context, trace)) {
        if (
          test.step.role !== 'test' ||
          !matches(test.step, test.answer, context, trace) ||
          isAccepted(test.answer)
        )
          continue;
        const doubt = undecided(test);
        if (doubt !== undefined && find(test.step, 'pace') === undefined) {
          yield inconclusive([test], doubt);
          continue;
        }
        const counted = isCounted(context, trace, test)
          ? unexplainedRecords(context, trace, all, test)
          : undefined;
        const moved =
          !isCounted(context, trace, test) || mayHaveMoved(all, test)
            ? movedRecord(context, all, test)
            : undefined;
        const found = saysMore(counted, moved) ? moved : counted;
        const above = found?.verdict === 'violated' ? undefined : movedAbove(all, test);
        if (above !== undefined) yield above;
        if (found === undefined || above !== undefined) continue;
        if (found.verdict !== 'holds') yield found;
        else if (isMeant(context, test))
          yield controlled(context, trace, test) ? found : inconclusive([test], unattributed);
      }
    },
  };
}

/** Whether a record that the body of a command names was read. */
function mayHaveMoved(all: readonly Seen[], { operation }: Answered): boolean {
  return operation.named !== undefined && all.some(({ step }) => step.observes === 'before');
}

/** Whether records that were read decide more than those that were looked for. */
function saysMore(counted: Ruling | undefined, moved: Ruling | undefined): boolean {
  if (moved === undefined || counted?.verdict === 'violated') return false;
  return (
    counted === undefined ||
    moved.verdict === 'violated' ||
    (counted.verdict === 'holds' && counted.idsOnly === true)
  );
}

/** Whether the records of a command are counted by their marker: of one within a target where a list was read for them. */
function isCounted({ contract }: Context, trace: Trace, one: Answered): boolean {
  const isRead = trace.effects?.byMarker[markerOf(trace, one) ?? ''] !== undefined;
  return creates(one.operation) || (isRead && listOfMade(contract, one.operation) !== undefined);
}

/** A refusal of one fault in another class is none that a clause speaks of, and proves nothing in its favour. */
function isMeant(context: Context, { answer, step }: Answered): boolean {
  // A valid request is looked at only where its clause speaks of refusals like that one.
  if (isThrottled(answer) || faultsOf(step).length === 0) return true;
  return faultsOf(step).length > 1
    ? !isFailed(answer)
    : permits(allowed(context, step), answer.status) !== 'no';
}

/** The control came under the key of the refused attempt, so the key is shown to be free as well. */
export function underTheSameKey(context: Context, trace: Trace, { step }: Answered): boolean {
  const name = keyName(step);
  return seen(context, trace).some(
    (one) =>
      (one.step.controls === step.id || one.step.controls === '*') &&
      name !== undefined &&
      keyName(one.step) === name &&
      isAccepted(one.exchange.answer),
  );
}

function unexplainedRecords(
  { contract }: Context,
  trace: Trace,
  all: readonly Seen[],
  test: Answered,
): Ruling | undefined {
  const marker = markerOf(trace, test);
  if (marker === undefined) return undefined;
  const expected = 'no record of the refused request';
  // What was read may be the records of another command.
  const isUnread =
    trace.effects?.byMarker[marker] === undefined && listOfMade(contract, test.operation) === undefined;
  if (trace.effects === undefined || isUnread)
    return holds([test], {
      expected,
      because: 'Refused, and no ID was returned; the contract declares no read that would show a record.',
      idsOnly: true,
    });
  if (!(test.exchange.request.body ?? '').includes(marker))
    return holds([test], {
      expected,
      because:
        'Refused, and no ID was returned; the request had no place for a marker that identifies its record.',
      idsOnly: true,
    });
  const records = trace.effects.byMarker[marker];
  if (records === undefined) return undefined;
  const sameBody = all.filter(
    (one) => markerOf(trace, one) === marker && one.exchange.id !== test.exchange.id,
  );
  // Numbers are compared, not ids: an accepted response that names another ID accuses no refused one.
  const accepted = sameBody.filter((one) => isAccepted(one.exchange.answer)).length;
  const seenIn = trace.effects.seenIn.slice(0, 3);
  if (records.length <= accepted)
    return trace.effects.complete
      ? holds([test], {
          expected,
          // A read that does not show what was accepted would not show this either.
          ...(records.length < accepted
            ? { because: 'The read shows no record of the accepted request either.', idsOnly: true }
            : { because: 'An independent read shows no record of the refused request.' }),
          seenIn,
        })
      : inconclusive([test], unfinishedRead);
  if (sameBody.some(isUnknown))
    return inconclusive(
      [test],
      'A record exists, but a valid request with the same body was lost or failed. The record may come from that request.',
    );
  const isValid = ({ exchange, operation, step }: Seen): boolean =>
    operation.id === test.operation.id && faultsOf(step).length === 0 && isAccepted(exchange.answer);
  // A service that commits and then fails on every command does so on this one too (G12).
  if (isFailed(test.answer) && !all.some(isValid))
    return inconclusive(
      [test],
      'The service failed (5xx) after it made a record, and no valid command was accepted, so nothing shows that the client error is the reason.',
    );
  return violated([test], {
    expected,
    actual: `${summary(test.exchange)}; the read shows ${records.join(', ')}`,
    because: `The ${isFailed(test.answer) ? 'service failed' : 'request was refused'}, and an independent read shows a record with its marker that no accepted response accounts for.`,
    conclusive: !isWeak(marker),
    seenIn,
  });
}

/** Whether one trace proves whose records a read shows: another one may have a short number by chance. */
export function areSure(trace: Trace, name: Name): boolean {
  return !isWeak(trace.bound.markers[name] ?? '');
}

/** How many effects a body had: records by an independent read, or else the different IDs that accepted responses returned. */
export function effectsOf(
  context: Context,
  trace: Trace,
  name: Name,
): { readonly ids: readonly string[]; readonly idsOnly: boolean; readonly complete: boolean } {
  const records = trace.effects?.byMarker[trace.bound.markers[name] ?? ''];
  if (records !== undefined && trace.effects !== undefined)
    return { ids: records, idsOnly: false, complete: trace.effects.complete };
  const ids = idsReturned(context, trace, (one) => bodyName(one.step) === name);
  return { ids, idsOnly: true, complete: true };
}

/** The different IDs that valid requests of a kind, and duplicates of them, returned. */
export function idsReturned(
  context: Context,
  trace: Trace,
  isOfKind: (one: Answered) => boolean,
): readonly string[] {
  const ids = answered(context, trace)
    .filter(
      (one) =>
        isOfKind(one) &&
        isAccepted(one.answer) &&
        faultsOf(one.step).every((fault) => fault.kind === 'key-reuse'),
    )
    .flatMap((one) => idOf(one.operation, one.answer) ?? []);
  return [...new Set(ids)];
}
