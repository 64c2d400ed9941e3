import type { Context, Ruling } from '../../model/clause.ts';
import { isBound } from '../../model/comparison.ts';
import type { Trace } from '../../model/exchange.ts';
import { listOfMade } from '../../model/listed.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { isLastPage, itemIds, itemsOf } from '../judging/listing.ts';
import { isOneCaller } from '../judging/readers.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  isQueued,
  violated,
} from '../judging/reading.ts';
import { has, type Reading, readingsOf } from './lost-by-filter.ts';
import type { Filter } from './matching.ts';

/** So many others with the same value have to be shown. */
const leastShown = 2;

/**
 * Pages of what a filter leaves, read to the end: they lack one of several records that one operation made before with the value
 * that is asked for, as its result shows, and show the others (RDS-4). A page without the filter need not reach as far.
 */
export function* lostOfMade(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  // What another command was run on may have another value by now.
  const touched = new Set(
    all.flatMap(({ operation, step }) =>
      operation.kind === 'command'
        ? Object.values(step.target ?? {}).flatMap((ref) => ('step' in ref ? [ref.step] : []))
        : [],
    ),
  );
  for (const reading of readingsOf(context, trace)) {
    const [first, ...more] = reading.pages;
    const last = more.at(-1);
    const filter = first === undefined ? undefined : filterOf(first, reading);
    if (first === undefined || last === undefined || filter === undefined) continue;
    if (reading.broken || !isLastPage(last)) continue;
    const made = all.filter(
      (one) =>
        one.exchange.endedAt <= first.exchange.startedAt &&
        listOfMade(context.contract, one.operation) === first.operation &&
        isOneCaller(context, one.step.as, first.step.as) &&
        !touched.has(one.step.id) &&
        isOfValue(one, filter),
    );
    const shown = new Set(reading.pages.flatMap(itemsOf).map(itemIds(context, first.operation.id)));
    const idsOf = (one: Answered): string | undefined => idOf(one.operation, one.answer);
    const [lost, ...others] = made.filter((one) => !shown.has(idsOf(one)));
    if (lost === undefined || others.length > 0 || made.length - 1 < leastShown) continue;
    if (made.some(({ operation }) => operation !== lost.operation)) continue;
    yield violated([...reading.pages.slice(0, 8), lost], {
      expected: `each record with ${filter.name}=${filter.wanted} on one of its pages`,
      actual: `${idsOf(lost)} on none of ${reading.pages.length} pages`,
      because: `${made.length} records were made with this value, and the pages show all of them but ${idsOf(lost)}.`,
    });
  }
}

/** The only filter of a reading, if it asks for a value and not for a bound. */
function filterOf(page: Answered, { query }: Reading): (Filter & { readonly name: string }) | undefined {
  const [asked, ...others] = query;
  const field = page.operation.queryFields.find(({ name }) => name === asked?.[0]);
  if (asked === undefined || others.length > 0 || field?.filters === undefined || isBound(field))
    return undefined;
  return { name: asked[0], at: field.filters, wanted: asked[1] };
}

/** Whether a command sent a value for a record that it made at once, and its result shows it. */
function isOfValue({ answer, exchange, operation, step }: Answered, filter: Filter): boolean {
  if (operation.kind !== 'command' || !isAccepted(answer) || isQueued(answer) || faultsOf(step).length > 0)
    return false;
  const [sent, result] = [sentJson(exchange.request), exactJsonOf(answer)];
  return sent !== undefined && result !== undefined && has(sent, filter) && has(result, filter);
}
