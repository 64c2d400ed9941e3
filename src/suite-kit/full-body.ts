import { isCarried, type Operation } from '../model/contract.ts';
import { isEmpty, isObject, type Json, type JsonObject, type JsonPointer, pointerOf } from '../model/json.ts';
import { changedIn } from './edges.ts';
import { type BodyValues, leavesOf } from './other-values.ts';
import { sampled } from './samples.ts';
import { isIdName, sendable } from './texts.ts';

/** The plain body with all that may be left out; without what may name a record. Undefined where nothing may be added. */
export function fullBody(operation: Operation, { marker, plain, valid }: BodyValues): Json | undefined {
  const schema = operation.body?.schema;
  if (schema === undefined || !isObject(plain)) return undefined;
  const isValid = sendable(schema, marker);
  const full = sampled(valid).reduce<JsonObject>((body, sample) => {
    const more = Object.entries(isObject(sample) ? sample : {}).flatMap(([name, value]) => {
      const at = pointerOf([name]);
      const isLeftOut =
        Object.hasOwn(body, name) ||
        value === null ||
        isEmpty(value) ||
        isCarried(operation, at) ||
        namesRecord(at, name, value);
      return isLeftOut ? [] : [{ at, value }];
    });
    const grown = changedIn(more, body, isValid);
    return isObject(grown) ? grown : body;
  }, plain);
  return full === plain ? undefined : full;
}

/** Whether a member names a record, or one within it does. */
export function namesRecord(at: JsonPointer, name: string, value: Json): boolean {
  return isIdName(at) || leavesOf(value, [name]).some((leaf) => isIdName(leaf.at));
}
