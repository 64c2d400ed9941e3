import { canonicalJson, isObject, parseJson, valueAt, withValueAt } from '../../../model/json.ts';
import { idPointer } from '../../../model/result-id.ts';
import { problem } from '../../answer.ts';
import type { Call } from '../../behaviour.ts';
import { bodyValue } from '../../body.ts';
import { conforming } from '../../conforming.ts';
import { commit } from '../../execute.ts';
import type { ServiceResponse } from '../../message.ts';
import { remember } from '../../records.ts';
import type { SeededFault } from '../fault.ts';
import { pause } from '../pause.ts';
import { bound, twice } from './consequences.ts';
import { hash } from './hash.ts';

/** The response with another ID, as though the command had run again. */
function renamed(answer: ServiceResponse, call: Call): ServiceResponse {
  const body = parseJson(String(answer.body ?? ''));
  const at = idPointer(call.operation);
  const id = valueAt(body, at);
  if (body === undefined || typeof id !== 'string') return answer;
  const other = `${id.replace(/_.*/, '_')}${hash(`${call.ordinal}`).slice(0, 24)}`;
  return { ...answer, body: JSON.stringify(withValueAt(body, at, other)) };
}

/** A service that compares bytes, and runs again what has other bytes of the same value. */
const comparesBytes: SeededFault['change'] = {
  fingerprint: (call) =>
    hash(`${call.operation.id} ${call.request.path} ${Buffer.from(call.request.body).toString()}`),
  onKeyMismatch: (call, entry) => {
    const { notes } = call.service;
    const value = canonicalJson(bodyValue(call) ?? null);
    return notes.get(`value ${entry.name}`) === value ? 'execute' : conforming.onKeyMismatch(call, entry);
  },
  claim: async (call, name, fingerprint) => {
    const claim = await conforming.claim(call, name, fingerprint);
    if (claim.mine) call.service.notes.set(`value ${name}`, canonicalJson(bodyValue(call) ?? null));
    return claim;
  },
};

export const repeatedCommandFaults: readonly SeededFault[] = [
  {
    id: 'I06',
    describes: 'Commands are not deduplicated.',
    breaks: 'IDM-4 IDM-5 IDM-6 IDM-8',
    also: `${twice} ${bound} IDM-13`,
    change: { deduplicates: () => false },
  },
  {
    id: 'I07',
    describes: 'A duplicate runs the command again and returns the first result.',
    breaks: 'IDM-4',
    also: twice,
    change: {
      onDuplicateFinished: (call, entry, answer) => {
        commit(call);
        return conforming.onDuplicateFinished(call, entry, answer);
      },
    },
  },
  {
    id: 'I08',
    describes: 'A duplicate creates nothing and returns a new ID.',
    breaks: 'IDM-5',
    also: `${twice} IDM-7 CMD-6 IDM-6`,
    change: { onDuplicateFinished: (call, _, answer) => renamed(answer, call) },
  },
  {
    id: 'I10',
    describes: 'A duplicate makes the service fail.',
    breaks: 'IDM-5',
    also: `${twice} ${bound}`,
    change: { onDuplicateFinished: () => problem(500, 'Cannot read properties of undefined') },
  },
  {
    id: 'I18',
    describes: 'A key is stored a moment after it is looked up.',
    breaks: 'IDM-8',
    also: 'IDM-4 IDM-5 IDM-6 IDM-9 IDM-13 IDM-16',
    change: {
      claim: async (call, name, fingerprint) => {
        const found = call.service.keys.find(name);
        if (found !== undefined) return { entry: found, mine: false };
        await pause(call, 25);
        return { entry: call.service.keys.insert(name, call, fingerprint), mine: true };
      },
    },
  },
  {
    id: 'I20',
    describes: 'A client that loses the race gets 503.',
    breaks: 'IDM-8',
    also: 'ERR-1 IDM-16',
    change: {
      beforeCommit: (call) => pause(call, 60),
      onDuplicateInFlight: () => problem(503, 'The key is locked.'),
    },
  },
  {
    id: 'I21',
    describes: 'A client that loses the race gets 201 with another ID.',
    breaks: 'IDM-8',
    // The ID is of no record, and where the first sender loses, later duplicates have another one than it got.
    also: 'IDM-5 IDM-16 CMD-6 IDM-4',
    change: {
      beforeCommit: (call) => pause(call, 60),
      onDuplicateInFlight: async (call, entry) => {
        await entry.settled;
        return entry.answer === undefined ? 'again' : renamed(entry.answer, call);
      },
    },
  },
  {
    id: 'I38',
    describes: 'The token is part of the key: a duplicate with a refreshed token runs again.',
    breaks: 'IDM-18',
    change: { keySpace: ({ principal }) => principal?.name ?? '' },
  },
  {
    id: 'I86',
    describes: 'A duplicate undoes later changes of the record that its command created.',
    breaks: 'IDM-19',
    also: twice,
    change: {
      onDuplicateFinished: (call, entry, answer) => {
        const { clock, records, settings } = call.service;
        const result = parseJson(String(answer.body ?? '')) ?? null;
        const record = records.find(String(valueAt(result, idPointer(call.operation))));
        if (record !== undefined && isObject(result)) {
          record.fields = { ...record.fields, ...result };
          remember(record, clock.monotonic(), settings.readLagMs);
        }
        return conforming.onDuplicateFinished(call, entry, answer);
      },
    },
    operations: ['createCase'],
  },
  {
    id: 'I39',
    describes: 'Only the last 50 keys are remembered.',
    breaks: 'IDM-19',
    // Where much goes on at once, any key may be forgotten before it is sent again.
    also: `${twice} ${bound} IDM-13`,
    change: {
      evict: (_, keys) => {
        for (const entry of keys.entries.values()) {
          if (keys.entries.size <= 50) return;
          if (entry.answer !== undefined) keys.release(entry);
        }
      },
    },
  },
  {
    id: 'I40',
    describes: 'Keys are forgotten after five seconds.',
    breaks: 'IDM-19',
    // On a slow machine any key may be that old before it is sent again.
    also: `${twice} ${bound} IDM-13`,
    change: {
      evict: (call, keys) => {
        for (const entry of keys.entries.values())
          if (entry.answer !== undefined && call.service.clock.monotonic() - entry.claimedAt > 5000)
            keys.release(entry);
      },
    },
  },
  {
    id: 'I41',
    describes: 'Only POST is deduplicated.',
    breaks: 'IDM-20',
    // The catalogue declares that keys are unique for a caller, whatever the operation (G18).
    also: `${twice} ${bound} IDM-12 IDM-13 IDM-22 VER-7`,
    change: {
      deduplicates: (call) => call.operation.method === 'POST' && conforming.deduplicates(call),
    },
    operations: ['deleteContact', 'updateCase'],
  },
  {
    id: 'I43',
    describes: 'The query string is part of the key.',
    breaks: 'IDM-24',
    change: { keyName: (call, key) => `${key} ${call.request.query}` },
  },
  {
    id: 'I44',
    describes: 'A replayed result has no request ID.',
    breaks: 'IDM-25',
    also: 'RID-1 RID-3',
    change: {
      attachRequestId: (incoming, answer) =>
        incoming.replayOf === undefined ? conforming.attachRequestId(incoming, answer) : answer,
    },
  },
  {
    id: 'I47',
    describes: 'A duplicate deletion runs again.',
    breaks: 'IDM-5',
    also: `${twice} ${bound}`,
    change: {
      onDuplicateFinished: (call, entry, answer) =>
        call.operation.method === 'DELETE' ? 'execute' : conforming.onDuplicateFinished(call, entry, answer),
    },
    operations: ['deleteContact'],
  },
  {
    id: 'I48',
    describes: 'Two workers do not share their keys.',
    breaks: 'IDM-8',
    also: `${twice} ${bound} IDM-13`,
    change: {
      keySpace: (call) => `${conforming.keySpace(call)} ${call.request.connection % 2}`,
    },
  },
  {
    id: 'I61',
    describes: 'A duplicate with reformatted JSON runs again.',
    breaks: 'IDM-17',
    // The value of the body alone decides, whatever the operation.
    also: 'IDM-13',
    change: comparesBytes,
  },
  {
    id: 'I82',
    describes: 'A duplicate approval with reformatted JSON runs again, and verifications are never used up.',
    breaks: 'IDM-17',
    also: 'IDM-6 STV-4 ERR-1',
    change: { ...comparesBytes, spendVerification: () => {} },
    operations: ['approveCase'],
  },
];
