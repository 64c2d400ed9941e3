import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { pointerTokens } from '../../model/json.ts';
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
  const rest = (page: Answered): string =>
    [...queryOf(page)]
      .filter(([name]) => name !== pagination.cursor)
      .map((field) => field.join('='))
      .sort()
      .join('&');
  const last = cursorIn(nextAt(exactJsonOf(end.answer), pagination.next), pagination.cursor);
  return (
    last !== undefined &&
    queryOf(one).get(pagination.cursor) === last &&
    rest(one) === rest(end) &&
    one.exchange.startedAt >= end.exchange.endedAt
  );
}
