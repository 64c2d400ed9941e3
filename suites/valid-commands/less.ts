import type { Operation } from '../../src/model/contract.ts';
import {
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  valueAt,
  withValueAt,
} from '../../src/model/json.ts';
import { isPutIn } from '../../src/model/named-records.ts';
import { sendable } from '../../src/suite-kit/texts.ts';

/**
 * The plain body of a PATCH with as little as it may have next to its marker, within the objects that it names: what it does
 * not name is to stay. Without a marker it stays as it is, as nothing else in it is new.
 */
export function lessOf(operation: Operation, plain: Json, marker: JsonPointer | undefined): Json {
  const schema = operation.body?.schema;
  if (schema === undefined || marker === undefined) return plain;
  const fits = sendable(schema, marker);
  return leavesOf(plain, '').reduce<Json>((body, at) => {
    if (marker === at || isPutIn(operation, at)) return body;
    const less = withValueAt(body, at, undefined);
    return fits(less) ? less : body;
  }, plain);
}

/** So many members of an object have to be left out: one alone may depend on what was named. */
const leastLeftOut = 2;

/**
 * A body of little for a merge patch that names an object of a whole body as well, without what may be left out of it: that is
 * to stay (RFC 7396). Undefined where no object has so much.
 */
export function lessWithin(
  { body, ...rest }: Operation,
  little: Json,
  whole: Json,
  marker: JsonPointer | undefined,
): Json | undefined {
  if (body === undefined || marker === undefined || !/\/merge-patch\+json\b/i.test(body.mediaType))
    return undefined;
  const fits = sendable(body.schema, marker);
  const membersAt = (value: Json, at: JsonPointer): readonly string[] => {
    const object = valueAt(value, at);
    return isObject(object) ? Object.keys(object) : [];
  };
  return Object.entries(isObject(whole) ? whole : {})
    .map(([name, value]) => ({ at: pointerOf([name]), value }))
    .filter(({ at, value }) => isObject(value) && !marker.startsWith(at) && !isPutIn({ body, ...rest }, at))
    .map(({ at, value }) => {
      const named = withValueAt(little, at, value);
      const less = membersAt(named, at).reduce<Json>((left, member) => {
        const next = withValueAt(left, at + pointerOf([member]), undefined);
        return membersAt(next, at).length > 0 && fits(next) ? next : left;
      }, named);
      return { less, leftOut: membersAt(named, at).length - membersAt(less, at).length };
    })
    .find(({ leftOut, less }) => leftOut >= leastLeftOut && fits(less))?.less;
}

/** The places of all values that are no objects; a list is one value. */
function leavesOf(value: Json, at: JsonPointer): readonly JsonPointer[] {
  return isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => leavesOf(member, at + pointerOf([name])))
    : [at];
}
