import { createHash } from 'node:crypto';
import { canonicalJson } from '../model/json.ts';
import { problem } from './answer.ts';
import type { Call, DuplicateDecision, KeyDecisions, KeyFault } from './behaviour.ts';
import { bodyOf } from './body.ts';
import { callerOf, concretePath } from './call.ts';
import type { KeyEntry } from './key-store.ts';
import { headerValues, type Refusal, type ServiceResponse } from './message.ts';

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
  // Of the query only declared fields count: what a command does not define cannot make it another command.
  fingerprint: (call) => {
    const { queryFields, version } = call.operation;
    const asked = queryFields.map(({ name }) => call.request.query.getAll(name));
    const sent = version?.carrier.in === 'header' ? headerValues(call.request, version.carrier.name) : [];
    const body = bodyOf(call);
    const content = body.ok ? canonicalJson(body.value ?? null) : '';
    return createHash('sha256')
      .update(JSON.stringify([call.operation.id, concretePath(call), asked, sent, content]))
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
  onDuplicateInFlight: async (_call, entry): Promise<DuplicateDecision> => {
    await entry.settled;
    return 'again';
  },
  onKeyMismatch: () =>
    problem(409, 'The Idempotency-Key was used for another request.', {
      members: { conflict: 'idempotency' },
    }),
  // An effect is never forgotten, whatever became of the response; nothing else is worth remembering.
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

/** Phase: 422 where a command has no usable key. */
export function checkKey(call: Call): Refusal | undefined {
  const { keyRequired, readKey, refuseKey } = call.service.behaviour;
  if (!keyRequired(call)) return undefined;
  const read = readKey(call);
  return 'fault' in read ? refuseKey(call, read.fault) : undefined;
}

export function entryName(call: Call, key: string): string {
  const { keyName, keySpace } = call.service.behaviour;
  return JSON.stringify([keySpace(call), keyName(call, key)]);
}

/** Phase: claims the key, or responds with what is bound to it. Does nothing where key or body cannot be read. */
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

async function answerDuplicate(call: Call, entry: KeyEntry, fingerprint: string): Promise<DuplicateDecision> {
  const { matches, onDuplicateFinished, onDuplicateInFlight, onKeyMismatch } = call.service.behaviour;
  if (!matches(call, entry, fingerprint)) return onKeyMismatch(call, entry);
  if (entry.answer === undefined) return onDuplicateInFlight(call, entry);
  call.replayOf = entry;
  return onDuplicateFinished(call, entry, entry.answer);
}

/** When a request ends: its key stays bound to what is worth keeping, or is released. */
export function settleKey(call: Call, answer: ServiceResponse): void {
  const { behaviour, keys } = call.service;
  if (call.entry === undefined) return;
  const kept = behaviour.keep(call, answer);
  if (kept === undefined) keys.release(call.entry);
  else keys.bind(call.entry, kept);
}
