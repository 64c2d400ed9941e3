import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { canonicalJson, type Json } from '../../model/json.ts';
import { itemsOf } from '../judging/listing.ts';
import { type Answered, answered, faultsOf, violated } from '../judging/reading.ts';

/** So many records that others add, between each page of so many and the next, are out of the question. */
const least = { pages: 4, records: 24 };

/** Most of several pages in a row repeats the page before: a cursor points behind the first record, or an offset counts pages. */
export function* overlap(context: Context, trace: Trace): Iterable<Ruling> {
  const walk = pagesOf(context, trace);
  const [end, actual] = overlapOf(walk.map(itemsOf)) ?? [];
  if (end !== undefined && actual !== undefined)
    yield violated(walk.slice(Math.max(0, end - least.pages), end + 1), {
      expected: 'each record once, and an end',
      actual,
      because: 'Each page begins long before the end of the page before.',
    });
}

/** The pages that a trace reads one after the other. */
export function pagesOf(context: Context, trace: Trace): readonly Answered[] {
  return answered(context, trace).filter(
    (one) =>
      one.operation.pagination !== undefined &&
      one.step.observes === 'page' &&
      faultsOf(one.step).length === 0,
  );
}

/** The page at which pages have overlapped often enough, and how far it does. */
function overlapOf(pages: readonly (readonly Json[])[]): readonly [number, string] | undefined {
  let before = new Set<string>();
  let row = 0;
  for (const [index, items] of pages.entries()) {
    const shown = new Set(items.map(canonicalJson));
    const repeated = [...shown].filter((text) => before.has(text)).length;
    // A list may show a record several times, and where a cursor is ignored the same page comes again.
    const isOverlap =
      shown.size === items.length &&
      repeated >= least.records &&
      repeated > items.length / 2 &&
      repeated < items.length;
    row = isOverlap ? row + 1 : 0;
    if (row >= least.pages)
      return [index, `${repeated} of ${items.length} records that the page before has as well`];
    before = shown;
  }
  return undefined;
}
