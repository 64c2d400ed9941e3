import type { Context, Fold } from '../../model/clause.ts';
import type { OperationId } from '../../model/contract.ts';
import type { Exchange, ExchangeId, Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json } from '../../model/json.ts';
import { shownMarkers } from '../../model/marker.ts';
import { bare } from '../../model/path.ts';
import { scopeOf } from '../../model/principal.ts';
import { listIn } from '../judging/listed-effects.ts';
import { chosenId, itemIds } from '../judging/listing.ts';
import { answered, isAccepted, violated } from '../judging/reading.ts';

/** What changes while a list is read may be in it twice, so a later read must show it as well: milliseconds. */
const later = 1000;

/** Another PUT replaces a record (RFC 9110, 9.3.4): no two items of one ID, unless they differ as versions may. */
export function putTwice(): Fold {
  // Not the exchanges themselves: memory must not grow with their bodies.
  const puts = new Map<string, { readonly operation: OperationId; readonly exchange: ExchangeId }>();
  const twice = new Map<string, Pick<Exchange, 'id' | 'endedAt'> | 'said'>();
  return {
    *see(context: Context, trace: Trace) {
      for (const one of answered(context, trace)) {
        if (!isAccepted(one.answer)) continue;
        const { exchange, operation, step } = one;
        const id = operation.method === 'PUT' ? chosenId(one) : undefined;
        const items = operation.kind === 'read' && puts.size > 0 ? (listIn(one) ?? []) : [];
        if (id === undefined && items.length === 0) continue;
        const path = bare(exchange.request.path.split('?')[0] ?? '');
        const scope = scopeOf(context.principals, step.as) ?? '';
        const place = (parent: string, id: string): string => JSON.stringify([scope, parent, id]);
        if (id !== undefined)
          puts.set(place(path.slice(0, path.lastIndexOf('/')), id), {
            operation: operation.id,
            exchange: exchange.id,
          });
        const idOf = itemIds(context, operation.id);
        for (const [index, item] of items.entries()) {
          const name = place(path, idOf(item) ?? '');
          const put = puts.get(name);
          if (put === undefined) continue;
          const other = items.slice(0, index).find((each) => idOf(each) === idOf(item));
          if (other === undefined || lasting(item) !== lasting(other)) continue;
          const first = twice.get(name) ?? { id: exchange.id, endedAt: exchange.endedAt };
          if (first === 'said') continue;
          twice.set(name, first);
          if (exchange.startedAt - first.endedAt < later) continue;
          twice.set(name, 'said');
          yield {
            ...violated([one], {
              operation: put.operation,
              expected: 'one item of this ID in the list',
              actual: JSON.stringify([other, item]).slice(0, 160),
              because: 'The list has two records under one ID that the command names.',
              conclusive: true,
            }),
            exchanges: [put.exchange, first.id, exchange.id],
          };
        }
      }
    },
  };
}

/** An item without marked texts and times. */
function lasting(value: Json): string {
  const plain = (each: Json): Json => {
    if (isArray(each)) return each.map(plain);
    if (isObject(each))
      return Object.fromEntries(Object.entries(each).map(([name, of]) => [name, plain(of)]));
    const isText = typeof each === 'string';
    return isText && (shownMarkers(each).length > 0 || /^\d{4}-\d\d-\d\dT/.test(each)) ? '' : each;
  };
  return JSON.stringify(plain(value));
}
