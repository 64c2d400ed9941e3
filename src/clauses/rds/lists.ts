import { asksForItself } from '../../model/asked-values.ts';
import type { Context, Ruling, WrittenClause } from '../../model/clause.ts';
import { comparisonOf } from '../../model/comparison.ts';
import { type Contract, changesRecords, isCount, type Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { makersWithin } from '../../model/listed.ts';
import { narrowingField } from '../../model/narrowing-field.ts';
import { isNumbered } from '../../model/pages.ts';
import { seemsPaged } from '../../model/usual-paging.ts';
import { about } from '../judging/about.ts';
import {
  foreignSigns,
  fromStart,
  isFiltered,
  isFollowed,
  isLastPage,
  isRead,
  itemIds,
  itemsOf,
  listedIds,
  lostPage,
  noneMade,
  queryOf,
  shape,
  showsAny,
  showsMade,
} from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  holds,
  idOf,
  inconclusive,
  isAccepted,
  isControlled,
  isFailed,
  isQueued,
  isThrottled,
  notApplicable,
  only,
  unattributed,
  violated,
} from '../judging/reading.ts';
import { eachAnswer, reads } from '../judging/rules.ts';
import { atItsEnd } from './at-its-end.ts';
import { listedElsewhere } from './elsewhere.ts';
import { excludes, isMade } from './excluded.ts';
import { hiddenByFilter } from './hidden-by-filter.ts';
import { leaks } from './leaks.ts';
import { lostByFilter } from './lost-by-filter.ts';
import { lostOfMade } from './lost-of-made.ts';
import { lostWithAge } from './lost-with-age.ts';
import { passes } from './matching.ts';
import { nothingThere } from './nothing-there.ts';
import { overlap, pagesOf } from './overlap.ts';
import { refusedCursors } from './refused-cursors.ts';
import { behindEnds, behindFlags } from './said-ends.ts';
import { atSeams } from './seams.ts';
import { isShifted, isUnmoved, onePage, onOnePage, onSmallPages } from './small-pages.ts';
import { askedOf, provenOf, strayOf } from './strays.ts';

const listing = (contract: Contract, operation: Operation): boolean =>
  reads(contract, operation) && (operation.pagination !== undefined || seemsPaged(operation) !== undefined);
const filtering = (contract: Contract, operation: Operation): boolean =>
  reads(contract, operation) &&
  (operation.queryFields.some((field) => field.filters !== undefined) ||
    makersWithin(contract, operation).length > 0);

export const listClauses: readonly WrittenClause[] = [
  {
    code: 'RDS-3',
    level: 'derived',
    text: 'Filters are applied, and the list of one record shows nothing of another.',
    source: shape,
    test: 'Records that match a filter, and others that do not, are created. The list is read with each filter, also page by page, and with two at once. Behind many other records, the first one is looked for with a filter. For lists within a record, an item is created within one record, and the list of another record is read.',
    violation:
      'The list shows records that do not match the filter, or that belong to another record. Or the filtered list lacks a record that matches, and that the unfiltered list or the read by ID shows, or that it no longer finds behind younger ones.',
    fix: 'Apply every published query field. Show only items of the record that the path names.',
    applies: filtering,
    judges: [
      { over: 'trace', needs: ['elsewhere'], rule: listedElsewhere },
      { over: 'trace', rule: lostByFilter },
      { over: 'trace', rule: lostWithAge },
      { over: 'trace', rule: hiddenByFilter },
      eachAnswer((one, context, trace) => {
        if (!isAccepted(one.answer) || faultsOf(one.step).length > 0) return notApplicable;
        const query = askedOf(context, trace, one);
        const filters = one.operation.queryFields.flatMap((field) => {
          const { filters: at, name, required } = field;
          const wanted = query.get(name);
          // An independent read asks for what texts begin with, and sees for itself whether that works.
          if (trace.suite === 'sweep' && !required) return [];
          if (at === undefined || wanted === null || !asksForItself(one.operation, field, wanted)) return [];
          return [{ name, at, wanted, by: comparisonOf(field) }];
        });
        if (filters.length === 0) return notApplicable;
        const items = itemsOf(one);
        const strays = items.filter(strayOf(context, trace, one, filters));
        const stray = provenOf(context, trace, one, { strays, filters });
        const expected = `only records with ${filters.map(({ name, wanted }) => `${name}=${wanted}`).join(', ')}`;
        if (stray !== undefined)
          return violated([one], {
            expected,
            actual: JSON.stringify(stray).slice(0, 160),
            because: 'The list shows a record that does not match the filter.',
          });
        if (strays.length > 0)
          return inconclusive(
            [one],
            'A listed record does not match, but another command may have changed it within the settling time (G15).',
          );
        if (one.step.role !== 'test') return notApplicable;
        const hidden = filters.find(
          (filter) => items.length > 0 && !items.some((item) => passes(item, filter) === true),
        );
        if (hidden !== undefined)
          return inconclusive([one], `No listed record has the ${hidden.at} that ${hidden.name} asked for.`);
        if (items.length === 0 && isMade(context, trace, one.operation, filters))
          return inconclusive([one], 'The list is empty, although a matching record was created.');
        if (items.length === 0 && !showsAny(context, trace, one))
          return nothingThere(
            context,
            trace,
            one,
            'The list shows no record, so nothing shows what the filter leaves out.',
          );
        return excludes(context, trace, one, filters)
          ? holds([one], {
              expected,
              actual: `${items.length} matching records`,
              because: 'All listed records match.',
            })
          : inconclusive([one], 'All listed records match, and no record is known that the filter excludes.');
      }),
    ],
  },
  {
    code: 'RDS-4',
    level: 'derived',
    text: 'Paging loses nothing, repeats nothing, and ends.',
    source: shape,
    test: 'The probe creates records and reads the list in small pages, also with one item on each; only these records are compared. A list to which no command adds is compared as it is, on small pages and on a large one.',
    violation:
      'A record is missing or listed twice, pages overlap or never end, a page says that it is the last and is not, or each cursor of the list is refused.',
    fix: 'Page in a stable order, with a cursor that points after the last record.',
    applies: listing,
    judges: [
      { over: 'trace', rule: lostOfMade },
      {
        over: 'trace',
        needs: ['page'],
        *rule(context, trace) {
          const walk = pagesOf(context, trace);
          const last = walk.at(-1);
          if (last === undefined) return;
          const failed = walk.find((one) => !isRead(one)) ?? lostPage(context, trace, 'page');
          if (failed !== undefined) yield inconclusive([failed], 'A page could not be read.');
          else yield paged(context, trace, walk, last);
        },
      },
      { over: 'trace', needs: ['whole-page'], rule: atSeams },
      { over: 'trace', needs: ['small-page'], rule: onSmallPages },
      { over: 'trace', needs: ['page-again'], rule: onOnePage },
      { over: 'trace', needs: ['page'], rule: overlap },
      { over: 'trace', needs: ['page'], rule: behindEnds },
      { over: 'trace', needs: ['page'], rule: behindFlags },
      { over: 'trace', needs: ['end-page'], rule: atItsEnd },
      { over: 'run', start: refusedCursors },
    ],
  },
  {
    code: 'RDS-5',
    level: 'derived',
    text: 'A page never has more items than the limit.',
    source: shape,
    test: 'Lists are read with a small limit.',
    violation: 'More records than the limit.',
    fix: 'Apply the limit (a lower cap of your own is fine).',
    applies: listing,
    judges: eachAnswer((one, context, trace) => {
      const limit = one.operation.pagination?.limit;
      if (limit === undefined || !isAccepted(one.answer) || faultsOf(one.step).length > 0)
        return notApplicable;
      const asked = queryOf(one).get(limit);
      if (asked === null || !/^\d+$/.test(asked)) return notApplicable;
      const count = itemsOf(one).length;
      const expected = `at most ${asked} records`;
      const actual = `${count} records`;
      if (count > Number(asked))
        return violated([one], { expected, actual, because: 'The page has more items than the limit.' });
      if (count > 0 && (count === Number(asked) || isFollowed(one) || showMore(context, trace, one)))
        return holds([one], { expected, actual, because: 'The page is within the limit.' });
      // What is asked for by the way need not show anything of the limit.
      if (one.step.role !== 'test') return notApplicable;
      return count === 0
        ? nothingThere(context, trace, one, 'The page is empty, so the limit is untested.')
        : inconclusive([one], 'The page has fewer records than were asked for, so the limit is untested.');
    }),
  },
  {
    code: 'RDS-6',
    level: 'derived',
    text: "A tampered or foreign cursor gets 4xx or the caller's own data, never 5xx.",
    source: shape,
    test: 'Made-up cursors and a cursor from another scope are sent.',
    violation: '5xx, or data of another scope.',
    fix: 'Sign cursors, or validate them, and apply the scope to every page.',
    applies: listing,
    judges: [
      about('cursor').eachAnswer((one, context, trace) => {
        const fault = only(one.step, 'cursor');
        if (fault === undefined || isThrottled(one.answer)) return notApplicable;
        const expected = '4xx, or own data';
        const items = JSON.stringify(itemsOf(one));
        if (foreignSigns(context, trace, one.step.as).some((sign) => items.includes(sign)))
          return violated([one], {
            expected,
            because: 'The cursor opens data of another scope.',
            conclusive: true,
          });
        if (isFailed(one.answer))
          return violated([one], { expected, because: 'The service fails on a cursor.' });
        if (isAccepted(one.answer) && sharesWithOwner(context, trace, one))
          return inconclusive(
            [one],
            'The page shows the same records that the other scope gets under this cursor, and nothing shows whose they are.',
          );
        if (isAccepted(one.answer) && !showsAny(context, trace, one))
          return nothingThere(
            context,
            trace,
            one,
            'The list shows no record, so nothing shows whose records the cursor opens.',
          );
        if (isAccepted(one.answer))
          return holds([one], { expected, because: 'The page has no data of another scope.' });
        return isControlled(context, trace, one)
          ? holds([one], { expected, because: 'The cursor is refused.' })
          : inconclusive([one], unattributed);
      }),
      { over: 'run', start: () => leaks('cursor') },
    ],
  },
];

const unreached = 'The end of the list was not reached within the budget.';

/** Whether other pages of the same list show records that a page has no room for. */
function showMore(context: Context, trace: Trace, one: Answered): boolean {
  const { cursor = '', limit = '' } = one.operation.pagination ?? {};
  const askedFor = (page: Answered): string => {
    const query = new URLSearchParams([...queryOf(page)]);
    for (const name of [cursor, limit]) query.delete(name);
    return `${page.operation.id} ${page.step.as} ${query}`;
  };
  const idOf = itemIds(context, one.operation.id);
  const shown = new Set(itemsOf(one).map(idOf));
  return answered(context, trace).some(
    (page) =>
      isAccepted(page.answer) &&
      askedFor(page) === askedFor(one) &&
      itemsOf(page).some((item) => !shown.has(idOf(item))),
  );
}

/** Whether the page under a foreign cursor has records that a caller of the other scope reads under it. */
function sharesWithOwner(context: Context, trace: Trace, one: Answered): boolean {
  const idOf = itemIds(context, one.operation.id);
  const idsOf = (page: Answered): readonly string[] =>
    itemsOf(page).flatMap((item) => {
      const id = idOf(item);
      return id === undefined || isCount(id) ? [] : [id];
    });
  const shown = new Set(idsOf(one));
  return answered(context, trace).some(
    (page) =>
      page.step.observes === 'own-page' && isAccepted(page.answer) && idsOf(page).some((id) => shown.has(id)),
  );
}

/** What a walk over pages that were all read comes to. */
function paged(context: Context, trace: Trace, all: readonly Answered[], last: Answered): Ruling {
  const created = listedIds(context, trace);
  const on = all.slice(0, 12);
  const expected = 'each record once, and an end';
  const itemId = itemIds(context, last.operation.id);
  const {
    doubt,
    ids: pages,
    pages: walk,
  } = fromStart(
    last.operation,
    all,
    all.map((one) => itemsOf(one).flatMap((item) => itemId(item) ?? [])),
  );
  const listed = pages.flat();
  const mine = listed.filter((id) => created.includes(id));
  // Others write to this list while its pages are read: what comes before a page moves its beginning.
  const moves = listed.length > mine.length;
  const again = mine.filter((id, index) => mine.indexOf(id) !== index);
  if (doubt !== undefined) return inconclusive(on, doubt);
  const twice = again.find((id) => !moves || !isAtSeam(id, pages, last.operation));
  if (twice !== undefined)
    return violated(on, { expected, actual: `${twice} twice`, because: 'A record is on two pages.' });
  if (!isLastPage(last))
    return endlessly(pages, isShifted(last.operation, created, listed))
      ? violated(on, {
          expected,
          actual: 'the same page again and again',
          because: 'The cursor leads back to a page that was read.',
        })
      : inconclusive(on, unreached);
  if (created.length === 0) return inconclusive(on, noneMade(context, trace));
  if (again.length > 0)
    return inconclusive(
      on,
      'A record is on two consecutive pages. That also happens if other records are created meanwhile.',
    );
  const lost = created.find((id) => !mine.includes(id));
  // Within a record the results may name something else than items, such as batches. Elsewhere items may show no ID.
  const isWithin = last.operation.pathFields.length > 0 && listed.length >= created.length;
  if (mine.length === 0 && (isWithin || (listed.length === 0 && walk.some((one) => itemsOf(one).length > 0))))
    return inconclusive(on, 'The pages have items, but none with an ID that the results name.');
  // The result may name something else than the list shows, such as the job that makes the record.
  if (mine.length === 0 && showsMade(context, trace, walk))
    return inconclusive(
      on,
      'The pages show records of the run, but under other IDs than the results returned.',
    );
  // A service may keep a text in another form than it was sent in.
  if (mine.length === 0 && walk.every(isFiltered))
    return inconclusive(on, 'The filter excludes all records of the run, so no page could lose one.');
  const narrowing = mine.length === 0 ? narrowingField(last.operation) : undefined;
  if (narrowing !== undefined)
    return inconclusive(
      on,
      `The list requires the query field ${narrowing}. The value that was sent may exclude all records of the run; give one that shows them under operations.${last.operation.id}.parameters.`,
    );
  if (
    lost !== undefined &&
    moves &&
    pages.length > 1 &&
    !isUnmoved(context, trace, last, { created, listed })
  ) {
    const others = created.filter((id) => id !== lost);
    if (changesRecords(context.contract) || isShifted(last.operation, others, listed))
      return inconclusive(
        on,
        'A record is on no page. That also happens if others are created, changed or deleted meanwhile.',
      );
  }
  if (lost !== undefined && mine.length === 0 && context.declared.written.G15 === undefined) {
    const isLate = answered(context, trace).some(
      ({ answer, operation }) => isQueued(answer) && idOf(operation, answer) === lost,
    );
    if (isLate)
      return inconclusive(on, 'The commands were queued (202), and their records are not there yet.');
  }
  if (lost !== undefined)
    return violated(on, {
      expected,
      actual: `${lost} on no page`,
      because: 'A record that was made before is on no page.',
    });
  return walk.filter((page) => itemsOf(page).length > 0).length < 2
    ? inconclusive(on, onePage)
    : holds(on, {
        expected,
        actual: `${mine.length} records on ${walk.length} pages`,
        because: 'Each record is on one page, and the list ends.',
      });
}

/** Whether a record is on two pages, one right behind the other; on more of them where each new record moves it on. */
function isAtSeam(id: string, pages: readonly (readonly string[])[], list: Operation): boolean {
  const at = pages.flatMap((page, index) => (page.includes(id) ? [index] : []));
  const shown = new Set(at.map((index) => pages[index]?.join()));
  return (
    (at.length === 2 || (isNumbered(list) && at.length > 2 && shown.size === at.length)) &&
    at.every((index, place) => index === (at[0] ?? 0) + place)
  );
}

/** True where the cursor leads in a circle. Where others shift the pages, only the first one again and again shows that. */
function endlessly(walk: readonly (readonly string[])[], shifted: boolean): boolean {
  const pages = walk.map((ids) => ids.join());
  const [first, ...others] = pages;
  return shifted
    ? others.length > 1 && first !== '' && others.every((page) => page === first)
    : pages.some((page, index) => page !== '' && pages.indexOf(page) !== index);
}
