import type { Context, Ruling } from '../../model/clause.ts';
import { isBound } from '../../model/comparison.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, type Json, valueAt } from '../../model/json.ts';
import { isLastPage, itemIds, itemsOf, queryOf } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  seen,
  violated,
} from '../judging/reading.ts';
import type { Filter } from './matching.ts';

/** The pages of one list that a caller read with one query. */
export type Reading = {
  readonly query: ReadonlyMap<string, string>;
  readonly pages: readonly Answered[];
  /** Whether a page of it could not be read. */
  readonly broken: boolean;
};

/** A list shows a value that the same list, asked for it, does not, and no command came between. */
export function* lostByFilter(context: Context, trace: Trace): Iterable<Ruling> {
  const readings = readingsOf(context, trace);
  if (readings.length < 2) return;
  // Another trace may change its own records at any time.
  const own = new Set(
    answered(context, trace).flatMap(({ answer, operation }) =>
      operation.kind === 'command' && isAccepted(answer) ? (idOf(operation, answer) ?? []) : [],
    ),
  );
  // What a caller has set, the service leaves.
  const isSent = ({ wanted }: Filter): boolean =>
    seen(context, trace).some(({ exchange: { request }, operation }) =>
      [JSON.stringify(wanted), `:${wanted}`].some(
        (text) => operation.kind === 'command' && request.body?.includes(text) === true,
      ),
    );
  for (const narrow of readings) {
    const [page] = narrow.pages;
    const last = narrow.pages.at(-1);
    if (page === undefined) continue;
    for (const wide of readings) {
      const filters = addedFilters(page, wide, narrow);
      const [first] = wide.pages;
      if (filters === undefined || first === undefined || commandBetween(context, trace, wide, narrow))
        continue;
      const itemId = itemIds(context, page.operation.id);
      const passingOn = (pages: readonly Answered[]): readonly string[] =>
        pages
          .flatMap(itemsOf)
          .filter((item) => filters.every((filter) => has(item, filter)))
          .flatMap((item) => itemId(item) ?? [])
          .filter((id) => own.has(id));
      const passing = passingOn(wide.pages);
      const shown = new Set(narrow.pages.flatMap(itemsOf).map(itemId));
      const lost = passing.find((id) => !shown.has(id));
      const asked = filters.map(({ name, wanted }) => `${name}=${wanted}`).join(', ');
      const expected = `the records with ${asked}`;
      const sides = [
        wide.pages.filter(({ exchange }) => exchange.endedAt <= page.exchange.startedAt),
        wide.pages.filter(({ exchange }) => exchange.startedAt >= (last?.exchange.endedAt ?? 0)),
      ];
      const isThere = (id: string): boolean =>
        filters.every(isSent) || sides.every((pages) => passingOn(pages).includes(id));
      if (lost !== undefined && isWhole(wide, narrow) && !isThere(lost))
        yield inconclusive(
          [first, page],
          `The service may have changed the state of ${lost} between the two reads.`,
        );
      else if (lost !== undefined && isWhole(wide, narrow))
        yield violated([first, page], {
          expected,
          actual: `${lost} is not among ${shown.size} records`,
          because: `The unfiltered list shows ${lost} with this value, but the list with ${asked} does not show it.`,
        });
      // A filter that leaves nothing out may be ignored.
      else if (
        lost === undefined &&
        passing.length > 0 &&
        isWhole(wide, narrow) &&
        wide.pages.flatMap(itemsOf).some((item) => !shown.has(itemId(item)))
      )
        yield holds([first, page], {
          expected,
          because: 'The filtered list has every record that the unfiltered list shows with this value.',
        });
    }
  }
}

export function readingsOf(context: Context, trace: Trace): readonly Reading[] {
  const found = new Map<string, Omit<Reading, 'pages' | 'broken'> & { pages: Answered[]; broken: boolean }>();
  for (const one of seen(context, trace)) {
    const { exchange, operation, step } = one;
    if (operation.kind !== 'read' || faultsOf(step).length > 0) continue;
    if (!operation.queryFields.some(({ filters }) => filters !== undefined)) continue;
    const { answer } = exchange;
    const { cursor, limit } = operation.pagination ?? {};
    const asked = [...queryOf(one)].filter(([name]) => name !== cursor && name !== limit);
    const [path] = exchange.request.path.split('?');
    const key = JSON.stringify([operation.id, step.as, path, asked.toSorted()]);
    const known = found.get(key) ?? { query: new Map(asked), pages: [], broken: false };
    if (answer === undefined || !isAccepted(answer) || answer.truncated) known.broken = true;
    else known.pages.push({ ...one, answer });
    found.set(key, known);
  }
  return [...found.values()].filter(({ pages }) => pages.length > 0);
}

export type NamedFilter = Filter & { readonly name: string };

/** The declared filters that one reading has and the other has not, where that is all that distinguishes them. */
function addedFilters(page: Answered, wide: Reading, narrow: Reading): readonly NamedFilter[] | undefined {
  const [other] = wide.pages;
  if (wide === narrow || other?.operation !== page.operation || other.step.as !== page.step.as)
    return undefined;
  if (other.exchange.request.path.split('?')[0] !== page.exchange.request.path.split('?')[0])
    return undefined;
  if (![...wide.query].every(([name, value]) => narrow.query.get(name) === value)) return undefined;
  const added = [...narrow.query].filter(([name]) => !wide.query.has(name));
  const filters = added.flatMap(([name, wanted]): readonly NamedFilter[] => {
    const field = page.operation.queryFields.find((one) => one.name === name);
    // A bound may exclude the value itself.
    return field?.filters === undefined || isBound(field) ? [] : [{ name, at: field.filters, wanted }];
  });
  return added.length > 0 && filters.length === added.length ? filters : undefined;
}

function commandBetween(context: Context, trace: Trace, wide: Reading, narrow: Reading): boolean {
  const times = [...wide.pages, ...narrow.pages].map(({ exchange }) => exchange);
  const from = Math.min(...times.map(({ startedAt }) => startedAt));
  const to = Math.max(...times.map(({ endedAt }) => endedAt));
  return seen(context, trace).some(
    ({ exchange, operation }) =>
      operation.kind === 'command' && exchange.endedAt > from && exchange.startedAt < to,
  );
}

/** Whether the filtered list was read to its end. One without declared pages may have a bound, which a longer list shows. */
function isWhole(wide: Reading, narrow: Reading): boolean {
  const last = narrow.pages.at(-1);
  if (last === undefined || narrow.broken || !isLastPage(last)) return false;
  const count = ({ pages }: Reading): number => Math.max(...pages.map((page) => itemsOf(page).length));
  return last.operation.pagination !== undefined || count(narrow) < count(wide);
}

/** Exactly the value that was asked for: how else a service compares is its own. */
export function has(item: Json, { at, wanted }: Filter): boolean {
  const value = valueAt(item, at);
  return (isArray(value) ? value : [value]).some(
    (one) => ['string', 'number', 'boolean'].includes(typeof one) && String(one) === wanted,
  );
}
