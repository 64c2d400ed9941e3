import type { Context, Ruling } from '../../model/clause.ts';
import { settleMs } from '../../model/declaration.ts';
import type { Trace } from '../../model/exchange.ts';
import { showsIn } from '../../model/listed.ts';
import { isLastPage, itemsOf } from '../judging/listing.ts';
import { isOneCaller } from '../judging/readers.ts';
import { seen, violated } from '../judging/reading.ts';
import { readOf } from '../judging/record-reads.ts';
import { readingsOf } from './lost-by-filter.ts';
import { filtersOf, isSent, lastWalk, madeIn, recordIn } from './lost-with-age.ts';

/**
 * A list with a filter is empty, although it is the list of a record that has the value: its command sent the value or its result
 * shows it, and so does the read of it behind the list. The whole list may be too long to be read.
 */
export function* hiddenByFilter(context: Context, trace: Trace): Iterable<Ruling> {
  const made = madeIn(context, trace);
  if (made.length === 0) return;
  const all = seen(context, trace);
  for (const narrow of readingsOf(context, trace)) {
    const filters = filtersOf(narrow);
    const walk = lastWalk(narrow);
    const [page, last] = [walk[0], walk.at(-1)];
    if (page === undefined || last === undefined || filters.length === 0) continue;
    if (narrow.broken || !isLastPage(last) || walk.flatMap(itemsOf).length > 0) continue;
    for (const { id, one } of made) {
      // Another record may be the one that the list is of.
      if (page.operation.pathFields.length > 0 || !showsIn(one.operation.effect, page.operation.id)) continue;
      if (page.exchange.startedAt - one.exchange.endedAt < settleMs(context.declared)) continue;
      const read = readOf(context, all, one, id);
      if (read === undefined || read.exchange.startedAt < last.exchange.endedAt) continue;
      if (!isOneCaller(context, page.step.as, read.step.as)) continue;
      const had = isSent({ id, one }, filters) || recordIn(one, page, one, filters) !== undefined;
      if (!had || recordIn(read, page, one, filters) === undefined) continue;
      const asked = filters.map(({ name, wanted }) => `${name}=${wanted}`).join(', ');
      yield violated([page, read], {
        expected: `the records with ${asked}`,
        actual: 'no record',
        because: `The read of ${id} shows the value, but the list with ${asked} is empty.`,
      });
      break;
    }
  }
}
