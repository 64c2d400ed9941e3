import type { Fold } from '../../model/clause.ts';
import { parseJson } from '../../model/json.ts';
import { isUsual, isWeak, tokensOf, usualMarkers } from '../../model/marker.ts';
import { itemsOf } from '../judging/listing.ts';
import {
  type Answered,
  answered,
  faultsOf,
  isAccepted,
  markerOf,
  only,
  seen,
  violated,
} from '../judging/reading.ts';

/** The records that a response shows: a list may repeat the query elsewhere in its body. */
export function shownBy(one: Answered): string {
  return one.operation.pagination === undefined ? one.answer.body : JSON.stringify(itemsOf(one));
}

/**
 * Records of all traces in what reads show, wherever in a list: each read is one scope's, and so is each record. What two
 * scopes have sent proves nothing. The reads have no fault, or that of a cursor alone.
 */
export function leaks(fault: 'none' | 'cursor'): Fold {
  const makers = new Map<string, string | undefined>();
  let hasFormed = false;
  return {
    *see(context, trace) {
      const scopes = new Map(context.principals.map(({ name, scope }) => [name, scope]));
      if (trace.suite !== 'sweep') {
        for (const one of seen(context, trace)) {
          const scope = scopes.get(one.step.as);
          if (one.operation.kind !== 'command') continue;
          const body = one.exchange.request.body ?? '';
          const bound = markerOf(trace, one);
          const formed =
            bound === undefined || isUsual(bound) || isWeak(bound) || !body.includes(bound) ? [] : [bound];
          if (formed.length > 0) hasFormed = true;
          for (const marker of [...(body.match(usualMarkers) ?? []), ...formed])
            makers.set(marker, makers.has(marker) && makers.get(marker) !== scope ? undefined : scope);
        }
      }
      for (const one of answered(context, trace)) {
        const own = scopes.get(one.step.as);
        const looks =
          fault === 'cursor'
            ? only(one.step, 'cursor') !== undefined
            : trace.suite === 'sweep' || faultsOf(one.step).length === 0;
        if (!looks || one.operation.kind !== 'read' || own === undefined || !isAccepted(one.answer)) continue;
        const shown = shownBy(one);
        const signs = [
          ...(shown.match(usualMarkers) ?? []),
          ...(hasFormed ? tokensOf(parseJson(shown) ?? null) : []),
        ];
        const leaked = signs.find((marker) => {
          const scope = makers.get(marker);
          return scope !== undefined && scope !== own;
        });
        if (leaked !== undefined)
          yield violated([one], {
            expected: fault === 'cursor' ? '4xx, or own data' : 'no record of another scope',
            actual: leaked,
            because:
              fault === 'cursor'
                ? 'The cursor opens what was written in another scope.'
                : 'It shows what was written in another scope.',
            conclusive: true,
          });
      }
    },
  };
}
