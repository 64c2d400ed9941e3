import type { Call } from './behaviour.ts';
import { callerOf } from './call.ts';
import { handlingFor } from './present.ts';
import type { StoredRecord } from './records.ts';

export function newRecord(
  call: Call,
  id: string,
  parents: readonly string[],
  sequence: number,
): StoredRecord {
  return {
    id,
    scope: callerOf(call).scope,
    createdBy: call.operation.id,
    parents,
    sequence,
    fields: {},
    version: call.service.behaviour.firstVersion(call),
    removed: false,
    applied: new Map(),
    history: [],
  };
}

/** The record of a path that names none, such as `/settings`: it is there from the start. Undefined once removed. */
export function standing(call: Call): StoredRecord | undefined {
  const { records } = call.service;
  const id = standingId(call);
  const record = records.find(id) ?? stand(call, id);
  return record.removed ? undefined : record;
}

export function stand(call: Call, id: string): StoredRecord {
  const { records } = call.service;
  const record = newRecord(call, id, [], records.nextSequence());
  record.history.push({ at: Number.NEGATIVE_INFINITY, fields: {}, version: record.version, removed: false });
  records.insert(record);
  return record;
}

export function standingId(call: Call): string {
  return `${callerOf(call).scope} ${call.operation.path}`;
}

/** Whether an operation is of a record that stands: its path names none, and it makes none. */
export function isStanding(call: Call): boolean {
  const { chosen, does, inBody, recordFields } = handlingFor(call);
  if (inBody !== undefined) return false;
  return chosen === undefined && recordFields.length === 0 && does !== 'create' && does !== 'list';
}
