import type { OperationId } from '../model/contract.ts';
import type { JsonObject } from '../model/json.ts';

/** A record as it was from one moment of the monotonic clock on. */
export type Snapshot = {
  readonly at: number;
  readonly fields: JsonObject;
  readonly version: string;
  readonly removed: boolean;
};

export type StoredRecord = {
  readonly id: string;
  readonly scope: string;
  readonly createdBy: OperationId;
  /** Ids of the records in whose paths it was made. */
  readonly parents: readonly string[];
  /** 1, 2, ... in the order of creation. */
  readonly sequence: number;
  fields: JsonObject;
  version: string;
  removed: boolean;
  readonly applied: Map<OperationId, number>;
  /** What it was, oldest first: as far back as a read may look. */
  readonly history: Snapshot[];
};

export type Records = {
  readonly nextSequence: () => number;
  readonly insert: (record: StoredRecord) => void;
  readonly find: (id: string) => StoredRecord | undefined;
  readonly createdBy: (operation: OperationId) => readonly StoredRecord[];
  /** The record as it was at a moment; undefined where it was not there. */
  readonly seen: (record: StoredRecord, at: number) => Snapshot | undefined;
};

export function createRecords(): Records {
  const byId = new Map<string, StoredRecord>();
  const byCreator = new Map<OperationId, StoredRecord[]>();
  let sequence = 0;
  return {
    nextSequence: () => {
      sequence += 1;
      return sequence;
    },
    insert: (record) => {
      byId.set(record.id, record);
      const siblings = byCreator.get(record.createdBy);
      if (siblings === undefined) byCreator.set(record.createdBy, [record]);
      else siblings.push(record);
    },
    find: (id) => byId.get(id),
    createdBy: (operation) => byCreator.get(operation) ?? [],
    seen: (record, at) => {
      // Most records are as they last became.
      const last = record.history.at(-1);
      const snapshot =
        last !== undefined && last.at <= at ? last : record.history.findLast((one) => one.at <= at);
      return snapshot?.removed === false ? snapshot : undefined;
    },
  };
}

/** Writes the record's present state into its history, and forgets what no read can see any more. */
export function remember(record: StoredRecord, now: number, lagMs: number): void {
  const { fields, history, removed, version } = record;
  history.push({ at: now, fields, version, removed });
  const oldest = history.findLastIndex((one) => one.at <= now - lagMs);
  if (oldest > 0) history.splice(0, oldest);
}
