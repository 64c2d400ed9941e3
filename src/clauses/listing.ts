import type { Context } from '../model/clause.ts';
import type { Trace } from '../model/exchange.ts';
import { isArray, isObject, type Json, valueAt } from '../model/json.ts';
import { type Answered, answered, idOf, isAccepted, jsonOf } from './reading.ts';

export const shape = {
  where: 'What the service does, 3',
  quote: 'Read operations (GET) state their permission, query fields, pagination and response shape.',
};

/** The items of a list answer. */
export function itemsOf(one: Answered): readonly Json[] {
  const items = valueAt(jsonOf(one.answer), one.operation.pagination?.items ?? '/items');
  return isArray(items) ? items : [];
}

export function itemId(item: Json): string | undefined {
  const id = isObject(item) ? item['id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Ids of records that accepted commands of this trace returned. */
export function createdIds(
  context: Context,
  trace: Trace,
  as?: (name: string) => boolean,
): readonly string[] {
  return answered(context, trace).flatMap((one) => {
    const id =
      one.operation.kind === 'command' && isAccepted(one.answer) && (as === undefined || as(one.step.as))
        ? idOf(one.operation, one.answer)
        : undefined;
    return id === undefined ? [] : [id];
  });
}
