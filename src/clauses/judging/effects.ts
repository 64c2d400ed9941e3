import type { Context, Judge, Ruling } from '../../model/clause.ts';
import { creates, isCarried } from '../../model/contract.ts';
import type { HttpResponse, Trace } from '../../model/exchange.ts';
import { pointerOf } from '../../model/json.ts';
import { listOfMade } from '../../model/listed.ts';
import { isWeak } from '../../model/marker.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import type { Name, Step } from '../../model/scenario.ts';
import { allowed, permits } from '../../oracle/allowed.ts';
import { movedBetween, sameState } from '../../oracle/record-state.ts';
import { isSame, membersOf } from './changes.ts';
import { maybeLate, unsettledAhead } from './command-before.ts';
import { listIn } from './listed-effects.ts';
import { isLastPage, itemIds } from './listing.ts';
import { movedAbove } from './moved-above.ts';
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
  pathValues,
  type Seen,
  sameTarget,
  seen,
  summary,
  unattributed,
  undecided,
  violated,
} from './reading.ts';

export type EffectsJudge = Extract<Judge, { over: 'effects' }>;

/** Why nothing follows where fewer records were seen than there may be. */
export const unfinishedRead =
  'The independent read is incomplete. A page could not be read, or leads to the next page in a way that x-governed.pagination does not declare.';

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

/** What was sent with a lost response, or with a 5xx, may have been carried out. */
function isUnknown({ exchange }: Seen): boolean {
  return [exchange, ...exchange.earlier].some(({ answer }) => answer === undefined || isFailed(answer));
}

/** A command that may have changed what two reads show, and what to say of it. */
function changedBetween(between: readonly Seen[], test: Answered, what: string): Ruling | undefined {
  const other = between.find(
    (one) =>
      one.operation.kind === 'command' &&
      one.exchange.id !== test.exchange.id &&
      (isAccepted(one.exchange.answer) || isUnknown(one)),
  );
  if (other === undefined) return undefined;
  const came = isAccepted(other.exchange.answer) ? 'was accepted' : 'failed or was lost';
  return inconclusive([test, other], `Another command ${came} between the reads of ${what}.`);
}

/** Of several records that a command names and that were read, the one that shows most. */
function movedRecord(context: Context, all: readonly Seen[], test: Answered): Ruling | undefined {
  const read = all.filter(({ step }) => step.observes === 'before' || step.observes === 'after');
  const paths = [...new Set(read.map(({ exchange }) => exchange.request.path))];
  if (paths.length < 2) return movedTarget(context, all, test);
  const found = paths.map((path) => {
    const others = new Set(read.filter(({ exchange }) => exchange.request.path !== path));
    return movedTarget(
      context,
      all.filter((one) => !others.has(one)),
      test,
    );
  });
  return ['violated', 'inconclusive', 'holds']
    .map((verdict) => found.find((one) => one?.verdict === verdict))
    .find((one) => one !== undefined);
}

/** What reads of the target show of a refused command; what was queued or lost before it may have changed what they show. */
function movedTarget(context: Context, all: readonly Seen[], test: Answered): Ruling | undefined {
  const found = comparedTarget(context, all, test);
  const ahead = found?.verdict === 'violated' ? unsettledAhead(all, test) : undefined;
  return ahead === undefined ? found : inconclusive([test, ahead], maybeLate(ahead));
}

/** On a target of its own, the state after a refused command is the one that the last accepted response, or the target's making, left. */
function comparedTarget(context: Context, all: readonly Seen[], test: Answered): Ruling | undefined {
  const at = all.findIndex((one) => one.exchange.id === test.exchange.id);
  const before = all.slice(0, at).findLast(({ step }) => step.observes === 'before');
  const after = all.slice(at).find(({ step }) => step.observes === 'after');
  const listed =
    before === undefined && test.operation.method === 'DELETE'
      ? keptInList(context, all, at, test)
      : undefined;
  if (listed !== undefined) return listed;
  const expected = 'the target record as it was before the refused command';
  if (before === undefined || after === undefined)
    return holds([test], {
      expected,
      because: 'Refused; the record was not read.',
      idsOnly: true,
    });
  const on = [test, before, after];
  const between = all.slice(all.indexOf(before), all.indexOf(after));
  const changed = changedBetween(between, test, 'the record');
  if (changed !== undefined) return changed;
  const actual = summary(after.exchange);
  const first = before.exchange.answer;
  const last = after.exchange.answer;
  if (isAccepted(first) && (last?.status === 404 || last?.status === 410))
    return violated(on, {
      expected,
      actual,
      because: 'The command was refused, but its record, which was there before, is gone.',
      moved: movedBetween(before, after),
    });
  const gone = (answer: typeof first): boolean => answer?.status === 404 || answer?.status === 410;
  if (gone(first) && mayBeAbsent(all.slice(0, at), test)) {
    if (gone(last)) return holds(on, { expected, actual, because: 'The record is absent before and after.' });
    if (isAccepted(last))
      return violated(on, {
        expected,
        actual,
        because: 'The command was refused, but its record, which was not there before, exists.',
      });
  }
  if (!isAccepted(first) || !isAccepted(last))
    return inconclusive(on, 'The target record could not be read.');
  if (sameState(before, after))
    return hadAll(test, before)
      ? holds(on, {
          expected,
          actual,
          because: 'The record reads the same before and after, but it had all that the command sends.',
          idsOnly: true,
        })
      : holds(on, { expected, actual, because: 'The record reads the same before and after.' });
  return violated(on, {
    expected,
    actual,
    because: `The command was refused, but the record does not read as before (${summary(before.exchange)}).`,
    moved: movedBetween(before, after),
  });
}

/** Whether a record had all values that a command sends, so that no read can show whether they were written. */
function hadAll({ exchange, operation }: Seen, before: Seen): boolean {
  const had = membersOf(exactJsonOf(before.exchange.answer));
  const sent = [...membersOf(sentJson(exchange.request))].filter(
    ([name]) => !isCarried(operation, pointerOf([name])),
  );
  return sent.length > 0 && sent.every(([name, value]) => isSame(had.get(name) ?? null, value));
}

/** Whether a list still has the target: a whole list shows it, or one that kept all else, as new records push others off. */
function keptInList(context: Context, all: readonly Seen[], at: number, test: Answered): Ruling | undefined {
  const id = pathValues(test.operation, test.exchange).at(-1);
  const before = idsIn(
    context,
    all.slice(0, at).findLast(({ step }) => step.observes === 'list-before'),
  );
  const after = idsIn(
    context,
    all.slice(at).find(({ step }) => step.observes === 'list-after'),
  );
  if (before === undefined || after === undefined || id === undefined || !before.ids.has(id))
    return undefined;
  if (before.list.exchange.request.path !== after.list.exchange.request.path) return undefined;
  const on = [test, before.list, after.list];
  const expected = 'the target record in its list, as before the refused command';
  if (after.ids.has(id))
    return holds(on, { expected, actual: id, because: 'The list shows the target record before and after.' });
  const [from, to] = [before, after].map(({ list: { exchange } }) =>
    all.findIndex((one) => one.exchange.id === exchange.id),
  );
  const ofTarget = all.slice(from, to).filter((one) => pathValues(one.operation, one.exchange).includes(id));
  const changed = changedBetween(ofTarget, test, 'the list');
  if (changed !== undefined) return changed;
  const isWhole = after.list.operation.pagination !== undefined && isLastPage(after.list);
  return isWhole || [...before.ids].every((each) => each === id || after.ids.has(each))
    ? violated(on, {
        expected,
        actual: `${id} is not among ${after.ids.size} records`,
        because: 'The command was refused, but the list that showed its target record no longer does.',
      })
    : inconclusive(
        on,
        'The list no longer shows the target record, nor other records that it showed before.',
      );
}

function idsIn(
  context: Context,
  list: Seen | undefined,
): { readonly list: Answered; readonly ids: ReadonlySet<string> } | undefined {
  const answer = list?.exchange.answer;
  if (list === undefined || answer === undefined || !isAccepted(answer) || answer.truncated) return undefined;
  const one = { ...list, answer };
  const items = listIn(one);
  return (
    items && {
      list: one,
      ids: new Set(items.flatMap((item) => itemIds(context, list.operation.id)(item) ?? [])),
    }
  );
}

/** Whether the target need not be there: the command makes it, or an accepted one removed it. */
function mayBeAbsent(earlier: readonly Seen[], { operation, step }: Answered): boolean {
  return (
    operation.pathFields.some(({ chosen }) => chosen) ||
    earlier.some(
      (one) =>
        one.operation.method === 'DELETE' && sameTarget(one.step, step) && isAccepted(one.exchange.answer),
    )
  );
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
