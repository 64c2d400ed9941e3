import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, withValueAt } from '../../model/json.ts';
import { hasMarker } from '../../model/marker.ts';
import { sentJson } from '../../model/response.ts';
import { markerOf, type Seen } from './reading.ts';

/** Whether all that one command asks for is also what another asks for, apart from markers and the version. */
export function isBodyWithin(trace: Trace, one: Seen, other: Seen): boolean {
  const [mine, its] = [markerOf(trace, one), markerOf(trace, other)];
  const isMarked = (value: Json | undefined, marker: string | undefined): boolean =>
    (typeof value === 'string' || typeof value === 'number') &&
    marker !== undefined &&
    hasMarker(String(value), marker);
  const within = (part: Json | undefined, whole: Json | undefined): boolean => {
    if (isObject(part) && isObject(whole))
      return Object.entries(part).every(([name, value]) => within(value, whole[name]));
    if (isArray(part) && isArray(whole))
      return part.length === whole.length && part.every((value, at) => within(value, whole[at]));
    return part === whole || (isMarked(part, mine) && isMarked(whole, its));
  };
  return within(withoutVersion(one), withoutVersion(other));
}

function withoutVersion({ exchange, operation }: Seen): Json | undefined {
  const body = sentJson(exchange.request);
  const carrier = operation.version?.carrier;
  return body !== undefined && carrier?.in === 'body' ? withValueAt(body, carrier.at, undefined) : body;
}
