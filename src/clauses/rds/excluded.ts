import type { Context } from '../../model/clause.ts';
import type { Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isObject, type Json, parseJson } from '../../model/json.ts';
import { placeInRecord } from '../../model/wrapped-items.ts';
import { nextPage } from '../../oracle/paging.ts';
import { itemIds, itemsOf, listedIds, queryOf, sizeOf } from '../judging/listing.ts';
import { type Answered, answered, isAccepted } from '../judging/reading.ts';
import { type Filter, passes } from './matching.ts';

/** Whether an accepted command was sent a record that passes, or its result shows one. */
export function isMade(context: Context, trace: Trace, list: Operation, filters: readonly Filter[]): boolean {
  return answered(context, trace).some(({ answer, exchange, operation }) => {
    if (operation.kind !== 'command' || !isAccepted(answer)) return false;
    const wanted = filters.map((filter) => ofRecord(list, operation, filter));
    return [exchange.request.body, answer.body]
      .map((text) => parseJson(text ?? ''))
      .flatMap((body) => [body, ...(isObject(body) ? Object.values(body) : [])])
      .some((record) => wanted.every((filter) => passes(record, filter) === true));
  });
}

/** What a filter of items asks for in the body and in the result of a command, which do not wrap the record as items may. */
function ofRecord(list: Operation, command: Operation, filter: Filter): Filter {
  return { ...filter, at: placeInRecord(list, command, filter.at) };
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
  const isOther = (body: Json | undefined, each: readonly Filter[] = filters): boolean =>
    each.some((filter) =>
      [body, ...(isObject(body) ? Object.values(body) : [])].some(
        (record) => passes(record, filter) === false,
      ),
    );
  if (
    others.some(({ answer, exchange, operation }) => {
      const each = filters.map((filter) => ofRecord(one.operation, operation, filter));
      return [exchange.request.body, answer.body].some((text) => isOther(parseJson(text ?? ''), each));
    })
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
