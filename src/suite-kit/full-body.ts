import type fc from 'fast-check';
import { isCarried, type Operation } from '../model/contract.ts';
import { isArray, isObject, type Json, type JsonPointer, pointerOf, withValueAt } from '../model/json.ts';
import { leavesOf } from './other-values.ts';
import { sampled } from './samples.ts';
import { isIdName, sendable } from './texts.ts';

/** What can be sent as the body of an operation, and where its marker goes. */
type Values = {
  readonly marker: JsonPointer | undefined;
  readonly plain: Json | undefined;
  readonly valid: fc.Arbitrary<Json> | undefined;
};

/** The plain body with all that may be left out; without what may name a record. Undefined where nothing may be added. */
export function fullBody(operation: Operation, { marker, plain, valid }: Values): Json | undefined {
  const schema = operation.body?.schema;
  if (schema === undefined || !isObject(plain)) return undefined;
  const isValid = sendable(schema, marker);
  const added = new Set(Object.keys(plain));
  let full: Json = plain;
  for (const sample of sampled(valid))
    for (const [name, value] of isObject(sample) ? Object.entries(sample) : []) {
      const at = pointerOf([name]);
      if (added.has(name) || isEmpty(value) || isCarried(operation, at) || namesRecord(at, name, value))
        continue;
      const grown = withValueAt(full, at, value);
      if (!isValid(grown)) continue;
      added.add(name);
      full = grown;
    }
  return full === plain ? undefined : full;
}

function isEmpty(value: Json): boolean {
  return (
    value === null ||
    (isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0)
  );
}

function namesRecord(at: JsonPointer, name: string, value: Json): boolean {
  return isIdName(at) || leavesOf(value, [name]).some((leaf) => isIdName(leaf.at));
}
