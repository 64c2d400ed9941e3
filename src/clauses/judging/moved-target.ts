import type { Context, Ruling } from '../../model/clause.ts';
import { isCarried } from '../../model/contract.ts';
import { pointerOf, valueAt } from '../../model/json.ts';
import { shownMarkers } from '../../model/marker.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { movedBetween, sameState } from '../../oracle/record-state.ts';
import { isSame, membersOf, textsIn } from './changes.ts';
import { maybeLate, unsettledAhead } from './command-before.ts';
import { listIn } from './listed-effects.ts';
import { isLastPage, itemIds } from './listing.ts';
import { unsettledAround } from './queued-maker.ts';
import {
  type Answered,
  find,
  holds,
  inconclusive,
  isAccepted,
  isFailed,
  pathValues,
  type Seen,
  sameTarget,
  summary,
  violated,
} from './reading.ts';

/** What was sent with a lost response, or with a 5xx, may have been carried out. */
export function isUnknown({ exchange }: Seen): boolean {
  return [exchange, ...exchange.earlier].some(({ answer }) => answer === undefined || isFailed(answer));
}

/** Whether a command only reached the limit for another one, on another record; what it may change there, THR-5 looks at. */
export function reachesLimit(one: Seen, test: Seen): boolean {
  const isPaced = [one, test].every(({ step }) => find(step, 'pace') !== undefined);
  return isPaced && one.operation.id === test.operation.id && !sameTarget(one.step, test.step);
}

/** A command that may have changed what two reads show, and what to say of it. */
function changedBetween(between: readonly Seen[], test: Answered, what: string): Ruling | undefined {
  const other = between.find(
    (one) =>
      one.operation.kind === 'command' &&
      one.exchange.id !== test.exchange.id &&
      !reachesLimit(one, test) &&
      (isAccepted(one.exchange.answer) || isUnknown(one)),
  );
  if (other === undefined) return undefined;
  const came = isAccepted(other.exchange.answer) ? 'was accepted' : 'failed or was lost';
  return inconclusive([test, other], `Another command ${came} between the reads of ${what}.`);
}

/** Of several records that a command names and that were read, the one that shows most. */
export function movedRecord(context: Context, all: readonly Seen[], test: Answered): Ruling | undefined {
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
  return (
    ['violated', 'inconclusive']
      .map((verdict) => found.find((one) => one?.verdict === verdict))
      .find((one) => one !== undefined) ??
    found.find((one) => one?.verdict === 'holds' && one.idsOnly !== true) ??
    found.find((one) => one?.verdict === 'holds')
  );
}

/** What reads of the target show of a refused command; what was queued or lost before it may have changed what they show. */
function movedTarget(context: Context, all: readonly Seen[], test: Answered): Ruling | undefined {
  const found = comparedTarget(context, all, test);
  if (found?.verdict !== 'violated') return found;
  const { before, after } = readsAround(all, test);
  const ahead =
    before === undefined || after === undefined
      ? unsettledAhead(all, test)
      : unsettledAround(all, test, before, after);
  return ahead === undefined || showsOwnText(all, test)
    ? found
    : inconclusive([test, ahead], maybeLate(ahead));
}

/** Whether a text of the record gave way to one with a marker that only the refused command sent: nothing before it wrote that. */
function showsOwnText(all: readonly Seen[], test: Answered): boolean {
  const { before, after } = readsAround(all, test);
  const markersOf = ({ exchange: { request } }: Seen): readonly string[] =>
    shownMarkers(`${request.path} ${request.body ?? ''}`);
  const others = new Set(all.filter((one) => one.exchange.id !== test.exchange.id).flatMap(markersOf));
  const own = markersOf(test).filter((marker) => !others.has(marker));
  const isOwn = (text: string): boolean => shownMarkers(text).some((marker) => own.includes(marker));
  const [was, is] = [before, after].map((read) =>
    Object.fromEntries(read === undefined ? [] : membersOf(exactJsonOf(read.exchange.answer))),
  );
  return textsIn(is ?? null).some(({ at, text }) => {
    const earlier = valueAt(was, at);
    return isOwn(text) && typeof earlier === 'string' && !isOwn(earlier);
  });
}

function readsAround(all: readonly Seen[], test: Answered) {
  const at = all.findIndex((one) => one.exchange.id === test.exchange.id);
  return {
    at,
    before: all.slice(0, at).findLast(({ step }) => step.observes === 'before'),
    after: all.slice(at).find(({ step }) => step.observes === 'after'),
  };
}

/** On a target of its own, the state after a refused command is the one that the last accepted response, or the target's making, left. */
function comparedTarget(context: Context, all: readonly Seen[], test: Answered): Ruling | undefined {
  const { at, before, after } = readsAround(all, test);
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
