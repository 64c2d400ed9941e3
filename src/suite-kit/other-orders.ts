import { isCarried, type Operation } from '../model/contract.ts';
import {
  canonicalJson,
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { isScalar, likeIt } from './other-values.ts';
import { sampled } from './samples.ts';
import { sendable } from './texts.ts';
import type { OperationValues } from './values.ts';

/** A valid body with two items in a list of it, and another list of the same items that is valid there as well. */
export type OtherOrder = {
  readonly at: JsonPointer;
  readonly base: Json;
  readonly other: readonly Json[];
  readonly by: 'order' | 'repetition';
};

/**
 * Lists of valid bodies with their items in another order, and with one of them twice. A list is ordered, and an item
 * counts (RFC 8259, 1); one that may not hold an item twice may be meant as a set, and is left out.
 * @param most lists
 * @param marking what stands for the marker in a text
 */
export function otherOrders(
  operation: Operation,
  values: Pick<OperationValues, 'marker' | 'plain' | 'valid'>,
  most: number,
  marking: string,
): readonly OtherOrder[] {
  const { bodies, sendable } = bodiesWithLists(operation, values, most);
  const found: OtherOrder[] = [];
  const known = new Set<JsonPointer>();
  for (const base of bodies)
    for (const { at, pool } of listsOf(operation, base, bodies)) {
      if (known.size >= most || known.has(at)) continue;
      const pair = pairIn(base, at, pool, sendable);
      if (pair === undefined) continue;
      const [one, other] = pair;
      const first = markedItem(one, at, values.marker, marking);
      if (first === undefined) continue;
      known.add(at);
      const of = { at, base: withValueAt(base, at, [one, other]) };
      found.push({ ...of, other: [other, first], by: 'order' });
      if (sendable(withValueAt(base, at, [one, other, other])))
        found.push({ ...of, other: [first, other, other], by: 'repetition' });
    }
  return found;
}

/** The plain body and drawn ones, with the text of the marker; none where no list is wanted. */
export function bodiesWithLists(
  operation: Operation,
  { marker, plain, valid }: Pick<OperationValues, 'marker' | 'plain' | 'valid'>,
  most: number,
): { readonly bodies: readonly Json[]; readonly sendable: (body: Json) => boolean } {
  const schema = operation.body?.schema;
  if (schema === undefined || plain === undefined || most === 0) return { bodies: [], sendable: () => false };
  const text = marker === undefined ? undefined : valueAt(plain, marker);
  const samples = sampled(valid);
  return {
    bodies: [
      plain,
      ...samples.map((one) =>
        marker === undefined || text === undefined ? one : withValueAt(one, marker, text),
      ),
    ],
    sendable: sendable(schema, marker),
  };
}

function pairIn(
  base: Json,
  at: JsonPointer,
  pool: readonly Json[],
  sendable: (body: Json) => boolean,
): readonly [Json, Json] | undefined {
  const own = valueAt(base, at);
  const [one] = isArray(own) && own.length > 0 ? own : pool;
  if (one === undefined) return undefined;
  const fits = (...items: readonly Json[]): boolean => sendable(withValueAt(base, at, items));
  if (!fits(one, one)) return undefined;
  const others = [...pool, ...(isScalar(one) ? likeIt(one) : [])];
  const other = others.find(
    (each) => canonicalJson(each) !== canonicalJson(one) && fits(one, each) && fits(each, one),
  );
  return other === undefined ? undefined : [one, other];
}

/** The first item of a list, with the marker where it carries that of the body; undefined where another one does. */
export function markedItem(
  item: Json,
  at: JsonPointer,
  marker: JsonPointer | undefined,
  marking: string,
): Json | undefined {
  if (marker === undefined || !marker.startsWith(`${at}/`)) return item;
  if (marker !== `${at}/0` && !marker.startsWith(`${at}/0/`)) return undefined;
  const within = marker.slice(at.length + 2);
  const text = valueAt(item, within);
  if (typeof text !== 'string') return undefined;
  return withValueAt(item, within, text === '' ? marking : `${text} ${marking}`);
}

/** The lists of a body, each with the items that any of the bodies has there. */
export function listsOf(
  operation: Operation,
  base: Json,
  bodies: readonly Json[],
): readonly { readonly at: JsonPointer; readonly list: readonly Json[]; readonly pool: readonly Json[] }[] {
  const itemsIn = (body: Json, at: JsonPointer): readonly Json[] => {
    const list = valueAt(body, at);
    return isArray(list) ? list : [];
  };
  return placesOfLists(base, [])
    .filter((at) => !isCarried(operation, at))
    .map((at) => ({ at, list: itemsIn(base, at), pool: bodies.flatMap((body) => itemsIn(body, at)) }));
}

function placesOfLists(value: Json, path: readonly string[]): readonly JsonPointer[] {
  if (isArray(value))
    return [
      pointerOf(path),
      ...value.flatMap((item, index) => placesOfLists(item, [...path, String(index)])),
    ];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => placesOfLists(member, [...path, name]));
}
