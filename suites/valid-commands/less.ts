import type { Operation } from '../../src/model/contract.ts';
import { isObject, type Json, type JsonPointer, pointerOf, withValueAt } from '../../src/model/json.ts';
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

/** The places of all values that are no objects; a list is one value. */
function leavesOf(value: Json, at: JsonPointer): readonly JsonPointer[] {
  return isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => leavesOf(member, at + pointerOf([name])))
    : [at];
}
