import type { Context, Ruling } from '../../model/clause.ts';
import { changesRecords, type Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isNumbered } from '../../model/pages.ts';
import type { Observes } from '../../model/scenario.ts';
import { nextPage } from '../../oracle/paging.ts';
import {
  areApart,
  isLastPage,
  isRead,
  itemIds,
  itemsOf,
  listedIds,
  lostPage,
  mayStartAtOne,
  noneMade,
  sizeOf,
  unknownStart,
} from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  inconclusive,
  isAccepted,
  violated,
} from '../judging/reading.ts';

const expected = 'each record once, on several pages';

/**
 * A list that large pages showed, read again to its end on small ones, and again on a large one. What has the same place in
 * the list before and after was not moved by others in between: the small pages must show it once.
 */
export function* onSmallPages(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace).filter(
    ({ operation, step }) => operation.pagination !== undefined && faultsOf(step).length === 0,
  );
  const pages = (observes: Observes): readonly Answered[] =>
    all.filter(({ step }) => step.observes === observes);
  const parts = pages('small-page');
  const last = parts.at(-1);
  if (last === undefined) return;
  const on = parts.slice(0, 12);
  const larger = [...pages('page'), ...pages('page-again')];
  const unread =
    [...parts, ...larger].find((one) => !isRead(one)) ??
    lostPage(context, trace, 'page', 'small-page', 'page-again');
  if (unread !== undefined) {
    yield inconclusive([unread], 'A page could not be read.');
    return;
  }
  const idOf = itemIds(context, last.operation.id);
  const idsOf = (pages: readonly Answered[]): readonly string[] =>
    pages.flatMap(itemsOf).flatMap((item) => idOf(item) ?? []);
  const listed = idsOf(parts);
  const [shown, repeated] = [new Set(listed), repeatedIds(listed)];
  const kept = keptIds(idsOf(pages('page')), idsOf(pages('page-again')));
  const ended = isLastPage(last);
  const own = listedIds(context, trace);
  const before = idsOf(pages('page'));
  // What others removed may still be shown by a replica that lags, before and after.
  const isApart = (one: readonly Answered[], other: readonly Answered[]): boolean =>
    !changesRecords(context.contract) || areApart(context, one.at(-1), other[0]);
  const known = isApart(parts, pages('page-again'))
    ? settledIds(own, before)
    : ownOf(isNumbered(last.operation) ? [] : own, before);
  const wrong =
    [...repeated].find((id) => kept.has(id)) ??
    (ended
      ? known.find((id) => kept.has(id) && !shown.has(id))
      : lostBetween(known, listed, before, idsOf(pages('page-again'))));
  const each = parts.map((part) => idsOf([part]));
  const isUnknown = mayStartAtOne(last.operation, each);
  if (wrong !== undefined && (isUnknown || isShifted(last.operation, own, before))) {
    yield inconclusive(
      on,
      isUnknown
        ? unknownStart
        : 'A record is on two pages or on none. That also happens if others are created meanwhile.',
    );
    return;
  }
  if (wrong !== undefined) {
    const twice = shown.has(wrong);
    yield violated([...on, ...larger.slice(0, 1), ...larger.slice(-1)], {
      expected,
      actual: `${wrong} ${twice ? 'twice' : 'on no page'}`,
      because: twice
        ? 'Small pages show a record twice, but a large page shows it once.'
        : 'Small pages do not show a record that a large page shows before and after.',
    });
    return;
  }
  const early = isApart(pages('page'), parts)
    ? beyondEnd(own, [pages('page'), pages('page-again')], listed, idsOf)
    : undefined;
  const passed = !ended && isPassed(own, parts, idsOf);
  if (early !== undefined)
    yield violated([...on, ...pages('page').slice(-1)], {
      expected,
      actual: `${early} on no large page`,
      because: 'With large pages the list ends early: small pages show older records after that end.',
    });
  else if (!ended && !passed)
    yield inconclusive(on, 'The end of the list was not reached within the budget.');
  else if (parts.filter((page) => itemsOf(page).length > 0).length < 2) yield inconclusive(on, onePage);
  else if (own.length === 0) yield inconclusive(on, noneMade(context, trace));
  else if (!passed && [...own, ...(ended ? kept : [])].some((id) => !shown.has(id) || repeated.has(id)))
    yield inconclusive(on, 'The list was changed while its pages were read.');
  else
    yield holds(on, {
      expected,
      actual: `${listed.length} records on ${parts.length} pages`,
      because: ended
        ? 'Each record is on one page, and the list ends.'
        : 'The records of the run are on several pages, each once but where others moved it on. The list has more pages.',
    });
}

/** Ids at least as old as the own ones, by their order: younger ones may not have come to each replica. */
function settledIds(own: readonly string[], listed: readonly string[]): readonly string[] {
  const mine = ownOf(own, listed);
  const order = own.length > 3 ? mine.join() : undefined;
  if (order === own.join()) return listed.slice(0, listed.indexOf(mine.at(-1) ?? '') + 1);
  return order === own.toReversed().join() ? listed.slice(listed.indexOf(mine[0] ?? '')) : mine;
}

/** Counted pages move when others make records that do not come last, and replicas may lack those. One record has no order. */
export function isShifted(list: Operation, own: readonly string[], listed: readonly string[]): boolean {
  return isNumbered(list) && (own.length < 2 || ownOf(own, listed).join() !== own.join());
}

function ownOf(own: readonly string[], listed: readonly string[]): readonly string[] {
  const mine = new Set(own);
  return listed.filter((id) => mine.has(id));
}

/** A known record that pages pass over between others, while no other read shows a change. */
function lostBetween(
  known: readonly string[],
  listed: readonly string[],
  before: readonly string[],
  after: readonly string[],
): string | undefined {
  const shown = new Set(listed);
  if (shown.size < listed.length) return undefined;
  const first = known.findIndex((id) => shown.has(id));
  const end = known.findLastIndex((id) => shown.has(id));
  const lost = known.slice(Math.max(first, 0), end + 1).find((id) => !shown.has(id));
  if (lost === undefined) return undefined;
  const ahead = (ids: readonly string[], id: string): readonly string[] => ids.slice(0, ids.indexOf(id));
  const behind = known.slice(known.indexOf(lost) + 1).find((id) => shown.has(id)) ?? lost;
  const passed = [...ahead(before, behind), ...ahead(listed, behind)];
  const still = ahead(after, behind);
  const [kept, were] = [new Set(still), new Set(before)];
  const isKept = passed.every((id) => kept.has(id));
  return isKept && ahead(before, behind).join() === still.filter((id) => were.has(id)).join()
    ? lost
    : undefined;
}

/**
 * A record that small pages show behind all own ones, and large pages before and after do not, though they come to an end.
 * Where lists begin with what was made last it is older than the own ones: it was there when the large pages were read.
 */
function beyondEnd(
  own: readonly string[],
  large: readonly (readonly Answered[])[],
  listed: readonly string[],
  idsOf: (pages: readonly Answered[]) => readonly string[],
): string | undefined {
  const isEnded = (pages: readonly Answered[]): boolean => {
    const last = pages.at(-1);
    return last !== undefined && nextPage(last.operation, last.answer).kind === 'none';
  };
  const shown = large.map(idsOf);
  const newestFirst = own.toReversed().join();
  const isNewestFirst = [...shown, listed].every((ids) => ownOf(own, ids).join() === newestFirst);
  const known = new Set(shown.flat());
  return own.length > 3 && isNewestFirst && large.every(isEnded)
    ? listed.slice(listed.indexOf(own[0] ?? '')).find((id) => !known.has(id))
    : undefined;
}

/** Whether several pages show all own records, and others behind them: they begin with what was made last. */
function isPassed(
  own: readonly string[],
  parts: readonly Answered[],
  idsOf: (pages: readonly Answered[]) => readonly string[],
): boolean {
  const each = parts.map((page) => idsOf([page]));
  const listed = each.flat();
  const shown = new Set(listed);
  const pages = each.filter((ids) => ownOf(own, ids).length > 0);
  return (
    pages.length > 1 &&
    own.every((id) => shown.has(id)) &&
    !own.includes(listed.at(-1) ?? '') &&
    (shown.size === listed.length || areMovedOn(each))
  );
}

/**
 * Whether pages repeat only what a record that others made meanwhile moves on: the end of one is the beginning of the next. A
 * cursor that points before the last record repeats it on each page.
 */
function areMovedOn(pages: readonly (readonly string[])[]): boolean {
  const shared = pages.slice(1).map((page, index) => page.filter((id) => pages[index]?.includes(id)));
  const isSeam = shared.every(
    (ids, index) =>
      ids.length === 0 ||
      (ids.join() === pages[index]?.slice(-ids.length).join() &&
        ids.join() === pages[index + 1]?.slice(0, ids.length).join()),
  );
  const repeats = shared.reduce((sum, ids) => sum + ids.length, 0);
  const listed = pages.flat();
  return isSeam && shared.some((ids) => ids.length === 0) && repeats === listed.length - new Set(listed).size;
}

/** A record that was made in the trace, twice in one response that shows the list again. */
export function* onOnePage(context: Context, trace: Trace): Iterable<Ruling> {
  const again = answered(context, trace).filter(
    ({ answer, step }) => step.observes === 'page-again' && faultsOf(step).length === 0 && isAccepted(answer),
  );
  const own = new Set(again.length === 0 ? [] : listedIds(context, trace));
  for (const one of again) {
    const idOf = itemIds(context, one.operation.id);
    const ids = itemsOf(one).flatMap((item) => idOf(item) ?? []);
    const twice = [...repeatedIds(ids)].find((id) => own.has(id));
    if (twice !== undefined)
      yield violated([one], {
        expected: 'each record once',
        actual: `${twice} twice`,
        because: 'One page shows a record twice.',
      });
  }
}

/** Why nothing follows from a list that one page holds. */
export const onePage = 'All records are on one page, so paging is untested.';

/** Whether one large page shows afterwards that nothing else was made, moved or deleted while small ones were read. */
export function isUnmoved(
  context: Context,
  trace: Trace,
  { operation }: Answered,
  { created, listed }: { readonly created: readonly string[]; readonly listed: readonly string[] },
): boolean {
  const idOf = itemIds(context, operation.id);
  return answered(context, trace).some((one) => {
    if (one.step.observes !== 'page-again' || !isAccepted(one.answer) || one.answer.truncated) return false;
    const ids = itemsOf(one).map(idOf);
    const isWhole = nextPage(operation, one.answer).kind !== 'at' && ids.length < sizeOf(one);
    const known = [...created, ...listed];
    return (
      isWhole &&
      created.every((id) => ids.includes(id)) &&
      ids.every((id) => id !== undefined && known.includes(id)) &&
      ids.filter((id) => listed.includes(id ?? '')).join() === listed.join()
    );
  });
}

/** Records that are in a list once, and at the same place before and after. */
function keptIds(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const repeated = repeatedIds(before);
  return new Set(before.filter((id, index) => after[index] === id && !repeated.has(id)));
}

/** Lists may be long: nothing is looked up by going through them. */
function repeatedIds(ids: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(ids.filter((id) => seen.size === seen.add(id).size));
}
