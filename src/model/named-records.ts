import { type Contract, isCarried, type NamedRecord, type Operation } from './contract.ts';
import type { JsonPointer } from './json.ts';

/** The record that a command acts on, where its body alone names it. */
export function namedTarget({ named, pathFields }: Operation): NamedRecord | undefined {
  return pathFields.length === 0 ? named?.find(({ acts }) => acts) : undefined;
}

/** Whether the record that a command acts on is one of a scope. */
export function isScoped({ operations }: Contract, record: NamedRecord | undefined): boolean {
  return record !== undefined && operations.find(({ id }) => id === record.read)?.shared !== true;
}

/** Whether the engine puts something in at a place of the body: what is carried, or the ID of a record that was made for it. */
export function isPutIn(operation: Operation, pointer: JsonPointer): boolean {
  return (
    isCarried(operation, pointer) ||
    operation.named?.some(({ at, field }) => at === pointer && field.source !== undefined) === true
  );
}
