import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json, pointerTokens } from '../../model/json.ts';
import { exactJsonOf } from '../../model/response.ts';
import { cursorIn, nextAt, nextPage } from '../../oracle/paging.ts';
import { areApart, itemIds, itemsOf, listedIds, queryOf } from '../judging/listing.ts';
import { type Answered, answered, faultsOf, isAccepted, violated } from '../judging/reading.ts';

/**
 * A page says that the list ends, as with `has_more: false`, and what follows its last item is a record that was made long
 * before. Only where the cursor is the ID of the last item does anything follow a last page.
 */
export function* behindEnds(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace).filter(({ answer }) => isAccepted(answer));
  const commands = all.filter(({ operation }) => operation.kind === 'command');
  const own = new Set(listedIds(context, trace));
  const ends = all.filter(
    (one) =>
      pointerTokens(one.operation.pagination?.next ?? '').includes('-1') &&
      faultsOf(one.step).length === 0 &&
      itemsOf(one).length > 0 &&
      nextPage(one.operation, one.answer).kind === 'none' &&
      commands.every((command) => areApart(context, command, one)),
  );
  for (const end of ends) {
    const idOf = itemIds(context, end.operation.id);
    const shown = new Set(itemsOf(end).map(idOf));
    const behind = all.find((one) => follows(one, end));
    const lost = (behind === undefined ? [] : itemsOf(behind))
      .map(idOf)
      .find((id) => id !== undefined && own.has(id) && !shown.has(id));
    if (behind !== undefined && lost !== undefined)
      yield violated([end, behind], {
        expected: `a page that leads to ${lost}`,
        actual: 'a page that says it is the last',
        because: 'A page says that the list ends, but a record of the list follows its last item.',
      });
  }
}

/** Whether a page is asked for as the other one was, but from the last item of that one on. */
function follows(one: Answered, end: Answered): boolean {
  const { pagination } = end.operation;
  if (pagination?.next === undefined || one.operation !== end.operation || one.step.as !== end.step.as)
    return false;
  const last = cursorIn(nextAt(exactJsonOf(end.answer), pagination.next), pagination.cursor);
  return (
    last !== undefined &&
    queryOf(one).get(pagination.cursor) === last &&
    restOf(one, pagination.cursor) === restOf(end, pagination.cursor) &&
    one.exchange.startedAt >= end.exchange.endedAt
  );
}

/** What a page is asked for, but for its place in the list. */
function restOf(page: Answered, cursor: string): string {
  return [...queryOf(page)]
    .filter(([name]) => name !== cursor)
    .map((field) => field.join('='))
    .sort()
    .join('&');
}

/** Flags of a page that say whether another one follows, without signs between their words. */
const goesOn = /^has(more|next|nextpage)$/;
const isLast = /^(is)?last(page)?$/;
/** So deep are flags: next to the items, or in an object of their own. */
const deepest = 2;

/**
 * Where pages or items are counted, every page can be asked for. A page says by a flag that none follows, such as
 * `hasNextPage: false`, and the next one shows a record that was there before, and that no page up to there shows.
 */
export function* behindFlags(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace).filter(({ answer }) => isAccepted(answer));
  const commands = all.filter(({ operation }) => operation.kind === 'command');
  const own = new Set(listedIds(context, trace));
  const pages = all.filter(({ operation: { pagination }, step }) => {
    const isCounted = pagination?.style === 'offset' || pagination?.style === 'page';
    return isCounted && pagination.next === undefined && faultsOf(step).length === 0;
  });
  for (const [at, end] of pages.entries()) {
    const next = pages[at + 1];
    if (next === undefined || !isNext(next, end) || itemsOf(end).length === 0) continue;
    const flags = flagsIn(exactJsonOf(end.answer), deepest);
    if (flags.length === 0 || flags.includes(true)) continue;
    const idOf = itemIds(context, end.operation.id);
    const idsOn = (some: readonly Answered[]): ReadonlySet<string | undefined> =>
      new Set(
        some.filter((page) => page.operation === end.operation).flatMap((page) => itemsOf(page).map(idOf)),
      );
    const shown = idsOn(pages.slice(0, at + 1).filter((page) => isOfWalk(page, end)));
    // What was made may be shown late, but not what was shown before.
    const before = idsOn(pages.slice(0, at).filter((page) => page.step.as === end.step.as));
    const isSettled = commands.every((command) => areApart(context, command, end));
    const lost = itemsOf(next)
      .map(idOf)
      .find((id) => id !== undefined && !shown.has(id) && (before.has(id) || (isSettled && own.has(id))));
    if (lost !== undefined)
      yield violated([end, next], {
        expected: `a page that says that more follow, such as ${lost}`,
        actual: 'a page that says it is the last',
        because: 'A page says that none follows, but the next one shows a record of the list.',
      });
  }
}

/** Whether a page is asked for right behind another one, and otherwise alike. */
function isNext(one: Answered, before: Answered): boolean {
  const cursor = one.operation.pagination?.cursor;
  if (cursor === undefined || !isOfWalk(one, before)) return false;
  const place = (page: Answered): number => Number(queryOf(page).get(cursor) ?? -1);
  return place(one) > place(before) && one.exchange.startedAt >= before.exchange.endedAt;
}

/** Whether two pages are of one list, and asked for alike, but for their places in it. */
function isOfWalk(one: Answered, other: Answered): boolean {
  const cursor = one.operation.pagination?.cursor;
  return (
    cursor !== undefined &&
    one.operation === other.operation &&
    one.step.as === other.step.as &&
    restOf(one, cursor) === restOf(other, cursor)
  );
}

/** What the flags of a page say: true where another one follows. */
function flagsIn(value: Json | undefined, depth: number): readonly boolean[] {
  if (depth === 0 || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly boolean[] => {
    const word = name.toLowerCase().replaceAll(/[^a-z]/g, '');
    if (typeof member !== 'boolean') return flagsIn(member, depth - 1);
    if (goesOn.test(word)) return [member];
    return isLast.test(word) ? [!member] : [];
  });
}
