import type { Context, Ruling } from '../../model/clause.ts';
import { isCount } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { scopeOf } from '../../model/principal.ts';
import { itemIds, itemsOf } from '../judging/listing.ts';
import { uniqueTexts } from '../judging/own-record.ts';
import { answered, faultsOf, idOf, isAccepted, violated } from '../judging/reading.ts';

/**
 * Each scope may count its own records, so that a number alone proves nothing. An item of another scope's list is the record
 * that was made, though, where it has a moment of it as well, and no other record has that moment.
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
      if (item === undefined) return false;
      const others = [
        ...items.filter((each) => each !== item).map((each) => JSON.stringify(each)),
        ...made.filter((each) => each.id !== id).map((each) => each.one.answer.body),
      ];
      return uniqueTexts(trace, one, one.answer.body).some(
        (unique) =>
          isMoment.test(unique) &&
          JSON.stringify(item).includes(unique) &&
          !others.some((text) => text.includes(unique)),
      );
    });
    if (found !== undefined)
      yield violated([list, found.one], {
        expected: 'no record of another scope',
        actual: found.id,
        because: 'The list shows a record of another scope, with a time that only this record has.',
        conclusive: true,
      });
  }
}

/** Midnight is a moment that many records have; an ID may be that of what all records refer to, such as a plan. */
const isMoment = /^\d{2}:\d{2}:\d{2}\.(?!000)\d{3}$/;
