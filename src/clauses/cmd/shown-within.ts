import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson } from '../../model/json.ts';
import { listWithin } from '../../model/listed.ts';
import { hasMarker, isWeak } from '../../model/marker.ts';
import type { Step } from '../../model/scenario.ts';
import { unfinishedRead } from '../judging/effects.ts';
import { listIn } from '../judging/listed-effects.ts';
import { chosenId, isLastPage, itemIds } from '../judging/listing.ts';
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
  markerOf,
  pathValues,
  sameTarget,
  violated,
} from '../judging/reading.ts';
import { isLateResult, noIdIn } from '../judging/results.ts';
import { someLost } from './several-records.ts';

/** The list of what is within a record, before and after a command makes one more there (CMD-6). */
export function* shownWithin(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    const list = listWithin(context.contract, one.operation);
    if (list === undefined || !isAccepted(one.answer)) continue;
    if (faultsOf(one.step).length > 0 && !isLateResult(context, trace, one)) continue;
    // A control may make its record within another one.
    const read = (observes: 'list-before' | 'list-after'): Answered | undefined =>
      all.find(
        ({ operation, step }) =>
          operation.id === list.id && step.observes === observes && sameTarget(step, one.step),
      );
    const [before, after] = [read('list-before'), read('list-after')];
    if (before === undefined || after === undefined || !isOfPath(after, one)) continue;
    yield isAccepted(before.answer) && isAccepted(after.answer)
      ? ruling(context, trace, one, [before, after])
      : inconclusive([one, after], 'The list could not be read.');
  }
}

/** Whether a list is of the record that a command names: a control may be on another one. */
export function isOfPath(list: Answered, { exchange, operation }: Answered): boolean {
  const named = pathValues(operation, exchange);
  const fields = operation.pathFields.map(({ name }) => name);
  return pathValues(list.operation, list.exchange).every(
    (value, at) => value === named[fields.indexOf(list.operation.pathFields[at]?.name ?? '')],
  );
}

function ruling(
  context: Context,
  trace: Trace,
  one: Answered,
  [before, after]: readonly [Answered, Answered],
): Ruling {
  const id = idOf(one.operation, one.answer) ?? chosenId(one);
  const marker = markerOf(trace, one);
  const on = [one, after];
  const expected = `${id ?? 'the record'} in the list that it was made in`;
  const isMarked = marker !== undefined && !isWeak(marker) && hasMarker(after.answer.body, marker);
  const items = listIn(after);
  const had = listIn(before);
  const idOfItem = itemIds(context, after.operation.id);
  const ids = (items ?? []).flatMap((item) => idOfItem(item) ?? []);
  const added = ids.filter((each) => !(had ?? []).some((item) => idOfItem(item) === each));
  const complete = items !== undefined && !after.answer.truncated && isLastPage(after);
  const lost =
    had === undefined || added.length === 0 || before.exchange.endedAt > one.exchange.startedAt
      ? undefined
      : someLost(trace, answered(context, trace), one, added, { complete, list: after });
  if (lost !== undefined) return lost;
  const own = id === undefined ? [] : (items ?? []).filter((item) => idOfItem(item) === id);
  if (new Set(own.map(canonicalJson)).size < own.length && had?.every((item) => idOfItem(item) !== id))
    return violated(on, {
      expected: `${expected}, once`,
      actual: `${own.length} items with its ID`,
      because: 'The command was accepted once, and the list shows its record several times.',
    });
  if (isMarked || (id === undefined ? added.length > 0 : ids.includes(id)))
    return holds(on, { expected, because: 'The list shows the record.' });
  if (isQueued(one.answer))
    return inconclusive(on, 'The command was queued (202), and its record is not there yet.');
  if (!isOneCaller(context, one.step.as, after.step.as)) return inconclusive(on, anothersRecord);
  if (id === undefined) return inconclusive(on, noIdIn(one.operation));
  if (items === undefined || had === undefined || !complete) return inconclusive(on, unfinishedRead);
  if (items.length !== had.length || added.length > 0)
    return inconclusive(on, 'Nothing shows which item of the list is the record.');
  return violated([one, before, after], {
    expected,
    actual: `${items.length} items, as before`,
    because:
      'The command was accepted, but the list that should show its record has no more records than before.',
  });
}

/** Whether two commands made their records within the same one: their bodies may name different ones. */
export function isThere(
  { target: other = {} }: Step,
  { operation, step: { target = {} } }: Answered,
): boolean {
  return operation.pathFields.every(
    ({ name }) => JSON.stringify(other[name]) === JSON.stringify(target[name]),
  );
}

/** Accepted commands that made records within another one, under IDs that the service chose. */
export function madeWithin(context: Context, all: readonly Answered[]): readonly Answered[] {
  return all.filter(
    (one) =>
      one.step.role === 'test' &&
      listWithin(context.contract, one.operation) !== undefined &&
      isAccepted(one.answer) &&
      faultsOf(one.step).length === 0 &&
      idOf(one.operation, one.answer) !== undefined &&
      chosenId(one) === undefined,
  );
}

/** A service that writes a whole list each time loses some; one alone may be what takes the place of the others. */
export function* lostTogether(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  const [first, ...others] = madeWithin(context, all);
  if (first === undefined || others.length < 2) return;
  const made = [first, ...others];
  const list = all.find(
    ({ exchange, operation, step }) =>
      operation.id === first.operation.effect?.list &&
      step.observes === 'list-after' &&
      made.every((one) => one.exchange.endedAt <= exchange.startedAt),
  );
  const items = list === undefined || !isAccepted(list.answer) ? undefined : listIn(list);
  if (list === undefined || items === undefined || list.answer.truncated || !isLastPage(list)) return;
  const isAlike = ({ answer, operation, step }: Answered): boolean =>
    operation === first.operation && isThere(step, first) && answer.status !== 202;
  if (!made.every(isAlike) || !isOfPath(list, first) || !isOneCaller(context, first.step.as, list.step.as))
    return;
  const shown = new Set(items.map(itemIds(context, list.operation.id)));
  const [lost, ...more] = made.filter((one) => !shown.has(idOf(one.operation, one.answer)));
  const count = made.length - more.length - 1;
  if (lost !== undefined && count > 1)
    yield violated([lost, list], {
      expected: `${made.length} records in the list that they were made in`,
      actual: `${count} of them`,
      because: `${made.length} commands were accepted at once, and the list shows the records of ${count} of them.`,
    });
}
