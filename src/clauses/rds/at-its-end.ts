import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { showsIn } from '../../model/listed.ts';
import { fromStart, isLastPage, itemIds, itemsOf, lostPage, queryOf } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  isQueued,
  violated,
} from '../judging/reading.ts';

/**
 * A short list that its only writer reads to the end twice: a record is missing, or listed twice, at an end that is off by one.
 * Elsewhere others add records all the time, and the end is never behind one that is known.
 */
export function* atItsEnd(context: Context, trace: Trace): Iterable<Ruling> {
  const walks = walksOf(context, trace);
  const [first, again] = walks.map((walk) => idsOf(context, walk));
  const page = walks[0]?.[0];
  if (page === undefined || first === undefined || again?.join() !== first.join()) return;
  const made = madeBefore(context, trace, page);
  const counts = made.map(({ id }) => first.filter((one) => one === id).length);
  // A list that shows a record in several places, or not all records, shows the others so too.
  if (made.length < 2 || !counts.includes(1)) return;
  const twice = made[counts.findIndex((count) => count > 1)];
  const newest = made.at(-1);
  const isLost = counts.at(-1) === 0 && counts.slice(0, -1).every((count) => count === 1);
  const wrong = twice ?? (isLost ? newest : undefined);
  if (wrong === undefined) return;
  yield violated([...new Set([page, wrong.one, ...walks.flat()])], {
    expected: 'each record once, and an end',
    actual: wrong === twice ? `${wrong.id} twice` : `${wrong.id} on no page`,
    because:
      wrong === twice
        ? 'The list shows a record twice, and others once.'
        : 'The list shows the records that were made before, but not the newest one.',
  });
}

/** Two walks to the end, each of which begins with a page that no cursor leads to. */
function walksOf(context: Context, trace: Trace): readonly (readonly Answered[])[] {
  const pages = answered(context, trace).filter(({ step }) => step.observes === 'end-page');
  const walks: Answered[][] = [];
  for (const one of pages) {
    if (!queryOf(one).has(one.operation.pagination?.cursor ?? '')) walks.push([]);
    walks.at(-1)?.push(one);
  }
  const isWhole = (walk: readonly Answered[]): boolean => {
    const last = walk.at(-1);
    const areRead = walk.every(({ answer }) => isAccepted(answer) && !answer.truncated);
    return last !== undefined && areRead && isLastPage(last);
  };
  const isLost = lostPage(context, trace, 'end-page') !== undefined;
  return !isLost && walks.length === 2 && walks.every(isWhole) ? walks : [];
}

/** The IDs of a walk in turn; undefined where an item has none, or nothing says which page is the first. */
function idsOf(context: Context, walk: readonly Answered[]): readonly string[] | undefined {
  const [page] = walk;
  if (page === undefined) return undefined;
  const idOfItem = itemIds(context, page.operation.id);
  const known = walk.map((one) => itemsOf(one).flatMap((item) => idOfItem(item) ?? []));
  const { doubt, ids } = fromStart(page.operation, walk, known);
  const isKnown = walk.every((one, at) => itemsOf(one).length === known[at]?.length);
  return doubt === undefined && isKnown ? ids.flat() : undefined;
}

type Made = { readonly one: Answered; readonly id: string };

/** What the reader of a list made for it, one after the other; nothing where one of the commands is in doubt. */
function madeBefore(context: Context, trace: Trace, page: Answered): readonly Made[] {
  const makers = answered(context, trace).filter(
    ({ exchange, operation, step }) =>
      operation.kind === 'command' &&
      showsIn(operation.effect, page.operation.id) &&
      step.as === page.step.as &&
      faultsOf(step).length === 0 &&
      exchange.startedAt < page.exchange.startedAt,
  );
  const isInTurn = makers.every(
    ({ exchange }, at) => at === 0 || exchange.startedAt >= (makers[at - 1]?.exchange.endedAt ?? 0),
  );
  const made = makers.flatMap((one): readonly Made[] => {
    const id = idOf(one.operation, one.answer);
    return id === undefined || !isAccepted(one.answer) || isQueued(one.answer) ? [] : [{ one, id }];
  });
  const isSure = isInTurn && made.length === makers.length;
  return isSure && new Set(made.map(({ id }) => id)).size === made.length ? made : [];
}
