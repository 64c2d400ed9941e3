import type { Context, Ruling } from '../../model/clause.ts';
import { isCount } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { scopeOf } from '../../model/principal.ts';
import { itemIds, itemsOf } from '../judging/listing.ts';
import { uniqueTexts } from '../judging/own-record.ts';
import { answered, faultsOf, idOf, isAccepted, violated } from '../judging/reading.ts';

/**
 * Each scope may count its own records, so that a number alone proves nothing. An item of another scope's list is the record
 * that was made, though, where it has a moment of it as well.
 */
export function* countedItems(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace).filter(({ answer }) => isAccepted(answer));
  const scope = (name: string): string | undefined => scopeOf(context.principals, name);
  const made = all.flatMap((one) => {
    const id = one.operation.kind === 'command' ? idOf(one.operation, one.answer) : undefined;
    return id !== undefined && isCount(id) && scope(one.step.as) !== undefined ? [{ id, one }] : [];
  });
  for (const list of made.length === 0 ? [] : all) {
    const { operation, step } = list;
    const own = scope(step.as);
    const looks = step.role === 'test' && operation.kind === 'read' && operation.pagination !== undefined;
    if (!looks || own === undefined || faultsOf(step).length > 0) continue;
    const items = itemsOf(list);
    const itemId = itemIds(context, operation.id);
    const found = made.find(({ id, one }) => {
      const item = scope(one.step.as) === own ? undefined : items.find((each) => itemId(each) === id);
      const text = item === undefined ? '' : JSON.stringify(item);
      // Midnight is a moment that many records have.
      return uniqueTexts(trace, one, one.answer.body).some(
        (unique) => !unique.endsWith('.000') && text.includes(unique),
      );
    });
    if (found !== undefined)
      yield violated([list, found.one], {
        expected: 'no record of another scope',
        actual: found.id,
        because: 'The list shows a record of another scope, with a moment that only this record has.',
        conclusive: true,
      });
  }
}
