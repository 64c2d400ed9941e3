import type { Clock } from '../model/clock.ts';
import type { OperationId } from '../model/contract.ts';
import { createSignal } from '../model/signal.ts';
import type { ServiceResponse } from './message.ts';

/** What is remembered under a key: the request that claimed it, and its result once there is one. */
export type KeyEntry = {
  readonly name: string;
  fingerprint: string;
  readonly operation: OperationId;
  readonly requestId: string;
  /** On the monotonic clock. */
  readonly claimedAt: number;
  /** Undefined while the request is in flight. */
  answer: ServiceResponse | undefined;
  readonly settled: Promise<void>;
  readonly settle: () => void;
};

type Claimant = {
  readonly operation: { readonly id: OperationId };
  readonly requestId: string;
  readonly service: { readonly clock: Clock };
};

/** Entries by name, in the order in which they were claimed. */
export type Keys = {
  readonly entries: Map<string, KeyEntry>;
  readonly find: (name: string) => KeyEntry | undefined;
  /** Makes an entry in flight under the name, in place of any other. */
  readonly insert: (name: string, claimant: Claimant, fingerprint: string) => KeyEntry;
  /** Binds the entry to a response. An entry that was bound or released before stays as it is. */
  readonly bind: (entry: KeyEntry, answer: ServiceResponse) => void;
  readonly release: (entry: KeyEntry) => void;
};

export function createKeys(): Keys {
  const entries = new Map<string, KeyEntry>();
  return {
    entries,
    find: (name) => entries.get(name),
    insert: (name, { operation, requestId, service }, fingerprint) => {
      const signal = createSignal();
      const entry: KeyEntry = {
        name,
        fingerprint,
        operation: operation.id,
        requestId,
        claimedAt: service.clock.monotonic(),
        answer: undefined,
        settled: signal.wait,
        settle: signal.give,
      };
      entries.set(name, entry);
      return entry;
    },
    bind: (entry, answer) => {
      if (entry.answer === undefined) entry.answer = answer;
      entry.settle();
    },
    release: (entry) => {
      if (entries.get(entry.name) === entry) entries.delete(entry.name);
      entry.settle();
    },
  };
}
