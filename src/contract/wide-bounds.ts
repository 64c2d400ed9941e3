import type { Json } from '../model/json.ts';
import type { Place } from './library.ts';

/** Of each bound: whether it allows the numbers above it or those below it, and whether it allows itself. */
const bounds: ReadonlyMap<string, { readonly isAbove: boolean; readonly itself: boolean }> = new Map([
  ['maximum', { isAbove: false, itself: true }],
  ['minimum', { isAbove: true, itself: true }],
  ['exclusiveMaximum', { isAbove: false, itself: false }],
  ['exclusiveMinimum', { isAbove: true, itself: false }],
]);
/** What is sent for a number lies within half a step of it. */
const MOST_STEPS = 4;

/**
 * The value of a keyword of a schema. A bound of more than 53 bits, such as 9223372036854775807, was rounded when it was read,
 * and would be sent with other digits: it becomes the number nearest to it that allows what the written one allows.
 */
export function boundAt(place: Place, keyword: string, value: Json): Json {
  const bound = bounds.get(keyword);
  if (bound === undefined || typeof value !== 'number') return value;
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const digits = place.document.digitsAt(place.pointer);
  if (digits === undefined) return value;
  const written = BigInt(digits);
  const isAllowed = (one: number): boolean => {
    const sent = asSent(one);
    return sent === written ? bound.itself : bound.isAbove ? sent > written : sent < written;
  };
  let result = value;
  for (let step = 0; step < MOST_STEPS && isAllowed(result) !== bound.itself; step += 1)
    result = neighbour(result, isAllowed(result) !== bound.isAbove);
  return result;
}

/** A number is sent with no more digits than distinguish it from its neighbours: 2 ** 63 as 9223372036854776000. */
function asSent(value: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

/** The next number of 64 bits. */
function neighbour(value: number, isAbove: boolean): number {
  const floats = new Float64Array([value]);
  const bits = new BigInt64Array(floats.buffer);
  bits[0] = (bits[0] ?? 0n) + (value > 0 === isAbove ? 1n : -1n);
  return floats[0] ?? value;
}
