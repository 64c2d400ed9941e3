import { createHash } from 'node:crypto';
import type { OperationId } from '../model/contract.ts';
import { canonicalJson } from '../model/json.ts';
import { problem } from './answer.ts';
import { bodyOf } from './body.ts';
import { type Answer, type Call, callerOf, concretePath, headerValues, type Refusal } from './call.ts';
import { createSignal } from './signal.ts';

/** What is remembered under a key: the request that claimed it, and its result once there is one. */
export type KeyEntry = {
  readonly name: string;
  fingerprint: string;
  readonly operation: OperationId;
  readonly requestId: string;
  /** On the monotonic clock. */
  readonly claimedAt: number;
  /** Undefined while the request is in flight. */
  answer: Answer | undefined;
  /** Resolves when the entry is bound or released. */
  readonly settled: Promise<void>;
  readonly settle: () => void;
};

/** Entries by name, in the order in which they were claimed. */
export type Keys = {
  readonly entries: Map<string, KeyEntry>;
  readonly find: (name: string) => KeyEntry | undefined;
  /** Makes an entry in flight under the name, in place of any other. */
  readonly insert: (name: string, call: Call, fingerprint: string) => KeyEntry;
  /** Binds the entry to an answer. An entry that was bound or released before stays as it is. */
  readonly bind: (entry: KeyEntry, answer: Answer) => void;
  /** Forgets the entry: the key is unused again. */
  readonly release: (entry: KeyEntry) => void;
};

export function createKeys(): Keys {
  const entries = new Map<string, KeyEntry>();
  return {
    entries,
    find: (name) => entries.get(name),
    insert: (name, call, fingerprint) => {
      const signal = createSignal();
      const entry: KeyEntry = {
        name,
        fingerprint,
        operation: call.operation.id,
        requestId: call.requestId,
        claimedAt: call.service.clock.monotonic(),
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

/** `malformed` is for services that ask for a form, such as a UUID; this one takes any. */
export type KeyFault = 'absent' | 'blank' | 'doubled' | 'malformed' | 'too-long';
export type ReadKey = { readonly key: string } | { readonly fault: KeyFault };
export type Claim = { readonly entry: KeyEntry; readonly mine: boolean };
/** `again` looks the key up once more; `execute` runs the command as though it were new. */
export type Duplicate = Refusal | 'again' | 'execute';

/** Commands are deduplicated by Idempotency-Key (Limits, 2). */
export type KeyDecisions = {
  readonly readKey: (call: Call) => ReadKey;
  readonly keyRequired: (call: Call) => boolean;
  readonly refuseKey: (call: Call, fault: KeyFault) => Refusal;
  readonly deduplicates: (call: Call) => boolean;
  /** Equal keys in different spaces are different keys. */
  readonly keySpace: (call: Call) => string;
  /** Under which name the key is remembered in its space. */
  readonly keyName: (call: Call, key: string) => string;
  /** Equal for requests that are the same request. */
  readonly fingerprint: (call: Call) => string;
  /** Forgets what is no longer retained; run before each claim. */
  readonly evict: (call: Call, keys: Keys) => void;
  /** Finds the entry of that name or makes one, in one go. */
  readonly claim: (call: Call, name: string, fingerprint: string) => Claim | Promise<Claim>;
  readonly matches: (call: Call, entry: KeyEntry, fingerprint: string) => boolean;
  readonly onDuplicateFinished: (
    call: Call,
    entry: KeyEntry,
    answer: Answer,
  ) => Duplicate | Promise<Duplicate>;
  readonly onDuplicateInFlight: (call: Call, entry: KeyEntry) => Duplicate | Promise<Duplicate>;
  /** Another request came under a key that is in use. */
  readonly onKeyMismatch: (call: Call, entry: KeyEntry) => Duplicate | Promise<Duplicate>;
  /** What the key of a request that ended with this answer stays bound to; undefined releases it. */
  readonly keep: (call: Call, answer: Answer) => Answer | undefined;
  /** The client is gone before its answer. */
  readonly onDisconnect: (call: Call) => void;
};

export const keyDecisions: KeyDecisions = {
  readKey: (call) => {
    const lines = headerValues(call.request, 'Idempotency-Key');
    const key = lines[0]?.trim();
    if (key === undefined) return { fault: 'absent' };
    if (lines.length > 1) return { fault: 'doubled' };
    if (key === '') return { fault: 'blank' };
    return key.length > call.service.settings.keyLength ? { fault: 'too-long' } : { key };
  },
  keyRequired: (call) => call.operation.kind === 'command',
  refuseKey: (call, fault) => {
    const message = because(fault, call.service.settings.keyLength);
    return problem(422, `The header Idempotency-Key ${message}.`, {
      findings: [{ in: 'header', at: 'Idempotency-Key', keyword: fault, message }],
    });
  },
  deduplicates: (call) => call.operation.kind === 'command',
  keySpace: (call) => JSON.stringify([callerOf(call).scope, callerOf(call).identity]),
  keyName: (_call, key) => key,
  // The query is left out: what a command does not define cannot make it another command.
  fingerprint: (call) => {
    const { version } = call.operation;
    const sent = version?.carrier.in === 'header' ? headerValues(call.request, version.carrier.name) : [];
    const body = bodyOf(call);
    const content = body.ok ? canonicalJson(body.value ?? null) : '';
    return createHash('sha256')
      .update(JSON.stringify([call.operation.id, concretePath(call), sent, content]))
      .digest('base64');
  },
  evict: () => {},
  claim: (call, name, fingerprint) => {
    const { keys } = call.service;
    const found = keys.find(name);
    return found === undefined
      ? { entry: keys.insert(name, call, fingerprint), mine: true }
      : { entry: found, mine: false };
  },
  matches: (_call, entry, fingerprint) => entry.fingerprint === fingerprint,
  onDuplicateFinished: (_call, _entry, answer) => ({
    ...answer,
    headers: [...answer.headers, ['Idempotent-Replayed', 'true']],
  }),
  onDuplicateInFlight: async (_call, entry): Promise<Duplicate> => {
    await entry.settled;
    return 'again';
  },
  onKeyMismatch: () =>
    problem(409, 'The Idempotency-Key was used for another request.', {
      members: { conflict: 'idempotency' },
    }),
  // An effect is never forgotten, whatever became of the answer; nothing else is worth remembering.
  keep: (call, answer) => {
    if (answer.status < 300) return answer;
    return call.result === undefined ? undefined : call.service.behaviour.renderSuccess(call, call.result);
  },
  onDisconnect: () => {},
};

function because(fault: KeyFault, length: number): string {
  if (fault === 'absent') return 'is required';
  if (fault === 'blank') return 'must not be blank';
  if (fault === 'doubled') return 'must be sent once';
  if (fault === 'malformed') return 'must have the form that is asked for';
  return `must not be longer than ${length} characters`;
}

/** Stage: 422 where a command has no usable key. */
export function checkKey(call: Call): Refusal | undefined {
  const { keyRequired, readKey, refuseKey } = call.service.behaviour;
  if (!keyRequired(call)) return undefined;
  const read = readKey(call);
  return 'fault' in read ? refuseKey(call, read.fault) : undefined;
}

/** The full name under which a key is remembered. */
export function entryName(call: Call, key: string): string {
  const { keyName, keySpace } = call.service.behaviour;
  return JSON.stringify([keySpace(call), keyName(call, key)]);
}

/** Stage: claims the key, or answers from what is bound to it. Does nothing where key or body cannot be read. */
export async function deduplicate(call: Call): Promise<Refusal | undefined> {
  const { behaviour, keys } = call.service;
  const read = behaviour.readKey(call);
  if ('fault' in read || !behaviour.deduplicates(call) || !bodyOf(call).ok) return undefined;
  const name = entryName(call, read.key);
  const fingerprint = behaviour.fingerprint(call);
  for (;;) {
    behaviour.evict(call, keys);
    const claim = await behaviour.claim(call, name, fingerprint);
    if (claim.mine) {
      call.entry = claim.entry;
      return undefined;
    }
    const outcome = await answerDuplicate(call, claim.entry, fingerprint);
    if (outcome === 'execute') return undefined;
    if (outcome !== 'again') return outcome;
  }
}

async function answerDuplicate(call: Call, entry: KeyEntry, fingerprint: string): Promise<Duplicate> {
  const { matches, onDuplicateFinished, onDuplicateInFlight, onKeyMismatch } = call.service.behaviour;
  if (!matches(call, entry, fingerprint)) return onKeyMismatch(call, entry);
  if (entry.answer === undefined) return onDuplicateInFlight(call, entry);
  call.replayOf = entry;
  return onDuplicateFinished(call, entry, entry.answer);
}

/** When a request ends: its key stays bound to what is worth keeping, or is released. */
export function settleKey(call: Call, answer: Answer): void {
  const { behaviour, keys } = call.service;
  if (call.entry === undefined) return;
  const kept = behaviour.keep(call, answer);
  if (kept === undefined) keys.release(call.entry);
  else keys.bind(call.entry, kept);
}
