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
 * A body of little for a merge patch that names the objects of a whole body as well, without what may be left out of them: that is
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
  const membersAt = (value: Json, at: JsonPointer): readonly JsonPointer[] => {
    const object = valueAt(value, at);
    return isObject(object) ? Object.keys(object).map((name) => at + pointerOf([name])) : [];
  };
  const leftOut = (one: Json, other: Json, at: JsonPointer): number =>
    leavesOf(valueAt(one, at) ?? {}, '').length - leavesOf(valueAt(other, at) ?? {}, '').length;
  // Of what is left in an object, an object loses members in its turn.
  const thinned = (named: Json, at: JsonPointer): Json => {
    const objectsLast = membersAt(named, at).toSorted(
      (one, other) => Number(isObject(valueAt(named, one))) - Number(isObject(valueAt(named, other))),
    );
    const less = objectsLast.reduce<Json>((some, member) => {
      const next = withValueAt(some, member, undefined);
      return membersAt(next, at).length > 0 && fits(next) ? next : some;
    }, named);
    return membersAt(less, at).reduce<Json>(
      (some, member) => (isObject(valueAt(some, member)) ? thinned(some, member) : some),
      less,
    );
  };
  const less = Object.entries(isObject(whole) ? whole : {}).reduce<Json>((left, [name, value]) => {
    const at = pointerOf([name]);
    if (!isObject(value) || marker.startsWith(at) || isPutIn({ body, ...rest }, at)) return left;
    const named = withValueAt(left, at, value);
    const inner = thinned(named, at);
    return leftOut(named, inner, at) >= leastLeftOut && fits(inner) ? inner : left;
  }, little);
  return less === little ? undefined : less;
}

/** The places of all values that are no objects; a list is one value. */
function leavesOf(value: Json, at: JsonPointer): readonly JsonPointer[] {
  return isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => leavesOf(member, at + pointerOf([name])))
    : [at];
}
