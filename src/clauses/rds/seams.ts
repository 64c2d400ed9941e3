import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson } from '../../model/json.ts';
import { type StepId, stepsOf } from '../../model/scenario.ts';
import { nextPage } from '../../oracle/paging.ts';
import { areApart, isLastPage, itemIds, itemsOf, mayStartAtOne, queryOf } from '../judging/listing.ts';
import { type Answered, answered, holds, inconclusive, isAccepted, violated } from '../judging/reading.ts';
import { nothingThere } from './nothing-there.ts';
import { onePage } from './small-pages.ts';

type Departure = { readonly expected: string; readonly actual: string; readonly because: string };

/**
 * The first records of a list on one page, and on small pages between two such reads. A violation needs the same list
 * throughout, and a departure in each round. What the probe made is judged on its own walk; of a list to which no known
 * command adds, small pages up to its end show that it is whole.
 */
export function* atSeams(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace).filter(({ answer }) => isAccepted(answer));
  const wholes = all.filter(({ step }) => step.observes === 'whole-page');
  const [whole] = wholes;
  if (whole === undefined || whole.operation.pagination === undefined || wholes.length < 2) return;
  const idOf = itemIds(context, whole.operation.id);
  // An item without an ID is known by what it shows.
  const idsOf = (one: Answered): readonly string[] =>
    itemsOf(one).map((item) => idOf(item) ?? canonicalJson(item));
  const records = idsOf(whole);
  // What is listed otherwise by now was written meanwhile, or has no order that a page could keep to.
  const isKept = wholes.every((one) => idsOf(one).join() === records.join());
  // A list may show one record in several places, such as a log of what happened to it.
  const isPlain = new Set(records).size === records.length;
  const rounds = roundsOf(trace);
  const walks = wholes.slice(1).map((_, round) => all.filter(({ step }) => rounds.get(step.id) === round));
  // Behind all reads of one page, larger pages lead to the end of a list that the small ones do not reach.
  const last = Math.max(...rounds.values());
  const larger = walks.length > last ? [] : all.filter(({ step }) => rounds.get(step.id) === last);
  const departures = walks.map((pages) =>
    isKept && isPlain && !mayStartAtOne(whole.operation, pages.map(idsOf))
      ? departureOf(records, pages, idsOf)
      : undefined,
  );
  // A copy of the list that is behind shows other records all along, until it has caught up.
  const areSettled = walks.slice(1).every((pages, at) => {
    const last = walks[at]?.at(-1);
    return last !== undefined && areApart(context, last, pages[0]);
  });
  const [departure] = departures;
  if (departure !== undefined && walks.length > 1 && areSettled && !departures.includes(undefined))
    yield violated([whole, ...walks.flat()], departure);
  else if (all.some(({ step }) => step.observes === 'part-of-list'))
    yield isKept && isPlain
      ? records.length === 0
        ? nothingThere(context, trace, whole, onePage)
        : asThere(whole, [walks.at(-1) ?? [], larger], idsOf)
      : inconclusive(
          wholes,
          'The list was changed while its pages were read, or shows one record in several places.',
        );
}

const unlinked =
  'The end of this long list was not reached. If it shows what a command makes, name it in x-governed.effect of that command.';

/** A list that nobody changed, on small pages up to its end, or on larger ones. */
function asThere(
  whole: Answered,
  [small, larger]: readonly [readonly Answered[], readonly Answered[]],
  idsOf: (one: Answered) => readonly string[],
): Ruling {
  const reached = small.at(-1);
  const [large = [], other] = bySize(larger);
  const isLong = large.length > 0 && reached !== undefined && !isLastPage(reached);
  const pages = isLong ? large : small;
  const on = [whole, ...pages.slice(0, 12)];
  const last = pages.at(-1);
  const shown = pages.flatMap(idsOf);
  const isWhole = idsOf(whole).every((id, at) => shown[at] === id) && new Set(shown).size === shown.length;
  if (last === undefined || !isLastPage(last)) return inconclusive(on, unlinked);
  if (pages.filter((page) => idsOf(page).length > 0).length < 2) return inconclusive(on, onePage);
  const again = other?.flatMap(idsOf);
  if (isLong && again?.join() !== shown.join())
    return inconclusive(
      on,
      again === undefined
        ? 'The end of the list was read with pages of one size only.'
        : `The list ends otherwise on pages of another size: ${again.length} records, and not ${shown.length}.`,
    );
  return isWhole
    ? holds(on, {
        expected: 'each record once, and an end',
        actual: `${shown.length} records on ${pages.length} pages`,
        because: 'Small pages show each record once, in the order of a large page, and the list ends.',
      })
    : inconclusive(on, 'Small pages show the records in another order than a large page.');
}

/** Walks on larger pages, each of a size of its own. */
function bySize(pages: readonly Answered[]): readonly (readonly Answered[])[] {
  const walks = new Map<string, Answered[]>();
  for (const page of pages) {
    const size = queryOf(page).get(page.operation.pagination?.limit ?? '') ?? '';
    walks.set(size, [...(walks.get(size) ?? []), page]);
  }
  return [...walks.values()];
}

/** Behind which of the large pages each small one was planned. */
function roundsOf({ scenario }: Trace): ReadonlyMap<StepId, number> {
  let round = -1;
  return new Map(
    stepsOf(scenario.waves).flatMap(({ id, observes }) => {
      if (observes === 'whole-page') round += 1;
      return observes === 'part-of-page' || observes === 'part-of-list' ? [[id, round]] : [];
    }),
  );
}

/** Of a page with fewer items than it may have, nobody who counts them knows where the next one begins. */
function isFull(one: Answered): boolean {
  const limit = queryOf(one).get(one.operation.pagination?.limit ?? '');
  return nextPage(one.operation, one.answer).kind !== 'unknown' || itemsOf(one).length === Number(limit);
}

/** How small pages in turn depart from the records of one page that begins as they do. */
function departureOf(
  records: readonly string[],
  pages: readonly Answered[],
  idsOf: (one: Answered) => readonly string[],
): Departure | undefined {
  let shown: readonly string[] = [];
  for (const [index, page] of pages.entries()) {
    const next = records[shown.length];
    if (next === undefined) return undefined;
    const found = idsOf(page);
    const departure = index === 0 ? undefined : atPage(index, next, found, shown);
    if (departure !== undefined) return departure;
    // Another order than that of the large page, an end that others may have moved, or a page of unknown size.
    const goesOn =
      found.length > 0 &&
      found.every((id, at) => at + shown.length >= records.length || id === records[at + shown.length]);
    if (!goesOn || !isFull(page)) return undefined;
    shown = [...shown, ...found];
  }
  const [last] = pages.slice(-1);
  const next = records[shown.length];
  return last !== undefined && next !== undefined && nextPage(last.operation, last.answer).kind === 'none'
    ? {
        expected: `${next} on the ${ordinals[pages.length] ?? 'next'} page`,
        actual: `no ${ordinals[pages.length] ?? 'next'} page`,
        because: 'With small pages the list ends early; with a larger page it shows more records.',
      }
    : undefined;
}

const ordinals = ['first', 'second', 'third', 'fourth'];

/** How a page departs that should begin with a record. */
function atPage(
  index: number,
  next: string,
  found: readonly string[],
  shown: readonly string[],
): Departure | undefined {
  const which = ordinals[index] ?? 'next';
  const expected = `${next} on the ${which} page`;
  const again = found.find((id, at) => found.indexOf(id) !== at);
  if (again !== undefined)
    return { expected, actual: `${again} twice on it`, because: `The ${which} page shows a record twice.` };
  const twice = found.find((id) => shown.includes(id));
  if (twice !== undefined)
    return {
      expected,
      actual: index === 1 ? `${twice} on both pages` : `${twice} on the ${which} page, and on one before`,
      because: `The ${which} page begins before the end of the one before it.`,
    };
  const [first] = found;
  return first === undefined || found.includes(next)
    ? undefined
    : {
        expected,
        actual: `${first}, and not ${next}`,
        because: `A record that belongs before the ${which} page is on no page.`,
      };
}
