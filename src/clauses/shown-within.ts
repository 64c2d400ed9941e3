import type { Context, Ruling } from '../model/clause.ts';
import { listWithin } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { isWeak } from '../model/marker.ts';
import { unfinishedRead } from './judging/effects.ts';
import { listIn } from './judging/listed-effects.ts';
import { chosenId, isLastPage, itemIds } from './judging/listing.ts';
import { anothersRecord, isOneCaller } from './judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  markerOf,
  violated,
} from './judging/reading.ts';

/** The list of what is within a record, before and after a command makes one more there (CMD-6). */
export function* shownWithin(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    const list = listWithin(context.contract, one.operation);
    if (list === undefined || !isAccepted(one.answer) || faultsOf(one.step).length > 0) continue;
    const read = (observes: 'list-before' | 'list-after'): Answered | undefined =>
      all.find(({ operation, step }) => operation.id === list.id && step.observes === observes);
    const [before, after] = [read('list-before'), read('list-after')];
    if (before === undefined || after === undefined) continue;
    yield isAccepted(before.answer) && isAccepted(after.answer)
      ? ruling(context, trace, one, [before, after])
      : inconclusive([one, after], 'The list could not be read.');
  }
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
  const isMarked = marker !== undefined && !isWeak(marker) && after.answer.body.includes(marker);
  const items = listIn(after);
  const had = listIn(before);
  const idOfItem = itemIds(context, after.operation.id);
  const ids = (items ?? []).flatMap((item) => idOfItem(item) ?? []);
  const added = ids.filter((each) => !(had ?? []).some((item) => idOfItem(item) === each));
  if (isMarked || (id === undefined ? added.length > 0 : ids.includes(id)))
    return holds(on, { expected, because: 'The list shows the record.' });
  if (one.answer.status === 202)
    return inconclusive(on, 'The command was taken in (202), and its record is not there yet.');
  if (!isOneCaller(context, one.step.as, after.step.as)) return inconclusive(on, anothersRecord);
  if (items === undefined || had === undefined || after.answer.truncated || !isLastPage(after))
    return inconclusive(on, unfinishedRead);
  if (id === undefined || items.length !== had.length || added.length > 0)
    return inconclusive(on, 'Nothing shows which item of the list is the record.');
  return violated([one, before, after], {
    expected,
    actual: `${items.length} items, as before`,
    because: 'The command was accepted, and the list that it was made in shows no record more than before.',
  });
}
