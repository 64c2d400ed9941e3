import { isCarried, type Operation } from '../model/contract.ts';
import { isEmpty, isObject, type Json, type JsonPointer, pointerOf, withValueAt } from '../model/json.ts';
import { type BodyValues, leavesOf } from './other-values.ts';
import { sampled } from './samples.ts';
import { isIdName, sendable } from './texts.ts';

/** The plain body with all that may be left out; without what may name a record. Undefined where nothing may be added. */
export function fullBody(operation: Operation, { marker, plain, valid }: BodyValues): Json | undefined {
  const schema = operation.body?.schema;
  if (schema === undefined || !isObject(plain)) return undefined;
  const isValid = sendable(schema, marker);
  const added = new Set(Object.keys(plain));
  let full: Json = plain;
  for (const sample of sampled(valid))
    for (const [name, value] of isObject(sample) ? Object.entries(sample) : []) {
      const at = pointerOf([name]);
      if (
        added.has(name) ||
        value === null ||
        isEmpty(value) ||
        isCarried(operation, at) ||
        namesRecord(at, name, value)
      )
        continue;
      const grown = withValueAt(full, at, value);
      if (!isValid(grown)) continue;
      added.add(name);
      full = grown;
    }
  return full === plain ? undefined : full;
}

function namesRecord(at: JsonPointer, name: string, value: Json): boolean {
  return isIdName(at) || leavesOf(value, [name]).some((leaf) => isIdName(leaf.at));
}
