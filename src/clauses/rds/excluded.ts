import type { Context } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json, parseJson } from '../../model/json.ts';
import { nextPage } from '../../oracle/paging.ts';
import { itemIds, itemsOf, listedIds, queryOf, sizeOf } from '../judging/listing.ts';
import { type Answered, answered, isAccepted } from '../judging/reading.ts';
import { type Filter, passes } from './matching.ts';

/** Whether the result of a command shows a record that passes. */
export function isMade(context: Context, trace: Trace, filters: readonly Filter[]): boolean {
  return answered(context, trace).some(({ answer, operation }) => {
    if (operation.kind !== 'command' || !isAccepted(answer)) return false;
    const body = parseJson(answer.body ?? '');
    return [body, ...(isObject(body) ? Object.values(body) : [])].some((record) =>
      filters.every((filter) => passes(record, filter) === true),
    );
  });
}

/** Whether a filtered list leaves out a record that has, or was given, another value. */
export function excludes(
  context: Context,
  trace: Trace,
  one: Answered,
  filters: readonly (Filter & { readonly name: string })[],
): boolean {
  const others = answered(context, trace).filter(
    ({ answer, operation }) => operation.kind === 'command' && isAccepted(answer),
  );
  const isOther = (body: Json | undefined): boolean =>
    filters.some((filter) =>
      [body, ...(isObject(body) ? Object.values(body) : [])].some(
        (record) => passes(record, filter) === false,
      ),
    );
  if (
    others.some(({ answer, exchange }) =>
      [exchange.request.body, answer.body].some((text) => isOther(parseJson(text ?? ''))),
    )
  )
    return true;
  // A page of the same place in the whole list shows what the filter left out.
  const pages = answered(context, trace).filter(
    (page) => page.operation === one.operation && isAccepted(page.answer) && isWhole(page, one, filters),
  );
  if (pages.flatMap(itemsOf).some((item) => isOther(item))) return true;
  const idOf = itemIds(context, one.operation.id);
  const shown = itemsOf(one).map(idOf);
  const whole = nextPage(one.operation, one.answer).kind !== 'at' && shown.length < sizeOf(one);
  return whole && listedIds(context, trace).some((id) => !shown.includes(id));
}

/** Whether a page was asked for like another one, but without its filters. */
function isWhole(page: Answered, one: Answered, filters: readonly { readonly name: string }[]): boolean {
  const asked = new URLSearchParams([...queryOf(one)]);
  for (const { name } of filters) asked.delete(name);
  return page !== one && String(new URLSearchParams([...queryOf(page)])) === String(asked);
}
