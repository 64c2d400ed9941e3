import { canonicalJson, isArray, isObject, type Json } from '../../../model/json.ts';
import { problem } from '../../answer.ts';
import { bodyOf, bodyValue } from '../../body.ts';
import { conforming } from '../../conforming.ts';
import type { SeededFault } from '../fault.ts';
import { bound } from './consequences.ts';
import { hash } from './hash.ts';

/** Requests are compared by this of their bodies. */
function comparedBy(compared: (body: Json) => string | number): SeededFault['change'] {
  return {
    fingerprint: (call) =>
      hash(`${call.operation.id} ${call.request.path} ${compared(bodyValue(call) ?? null)}`),
  };
}

export const borrowedKeyFaults: readonly SeededFault[] = [
  {
    id: 'I11',
    describes: 'A used key with another body returns the first result.',
    breaks: 'IDM-6',
    also: bound,
    change: {
      matches: (call, entry, fingerprint) =>
        entry.operation === call.operation.id || conforming.matches(call, entry, fingerprint),
    },
  },
  {
    id: 'I85',
    describes: 'After a replay, a used key returns the first result to any body.',
    breaks: 'IDM-6',
    also: bound,
    change: {
      matches: (call, entry, fingerprint) =>
        call.service.notes.has(`replayed ${entry.name}`) || conforming.matches(call, entry, fingerprint),
      onDuplicateFinished: (call, entry, answer) => {
        call.service.notes.set(`replayed ${entry.name}`, true);
        return conforming.onDuplicateFinished(call, entry, answer);
      },
    },
  },
  {
    id: 'I74',
    describes: 'Only the top-level strings and numbers of requests are compared.',
    breaks: 'IDM-6',
    also: `${bound} IDM-13`,
    change: {
      fingerprint: (call) => {
        const value = bodyValue(call);
        const members = isObject(value) ? Object.entries(value) : [];
        const compared = members.filter(([, member]) => !isObject(member) && !isArray(member));
        return hash(`${call.operation.id} ${canonicalJson(Object.fromEntries(compared))}`);
      },
    },
    operations: ['createContact'],
  },
  {
    id: 'I75',
    describes: 'The order of list items is ignored when requests are compared.',
    breaks: 'IDM-6',
    also: `${bound} IDM-13`,
    change: comparedBy((body) => canonicalJson(sorted(body))),
    operations: ['createContact'],
  },
  {
    id: 'I76',
    describes: 'Repeated list items are ignored when requests are compared.',
    breaks: 'IDM-6',
    also: `${bound} IDM-13`,
    change: comparedBy((body) => canonicalJson(once(body))),
    operations: ['createContact'],
  },
  {
    id: 'I12',
    describes: 'A used key with another body runs a second command.',
    breaks: 'IDM-6',
    // The first request again is another one than the last, and runs again.
    also: `${bound} IDM-5 IDM-13 IDM-8`,
    change: { onKeyMismatch: () => 'execute' },
  },
  {
    id: 'I73',
    describes: 'A used key with another body runs again if its version is current.',
    breaks: 'IDM-6',
    also: `${bound} IDM-13 VER-7`,
    change: {
      onKeyMismatch: (call, entry) =>
        call.operation.version === undefined ? conforming.onKeyMismatch(call, entry) : 'execute',
    },
    operations: ['updateCase'],
  },
  {
    id: 'I13',
    describes: 'A used key with another body returns 422, as in the IETF draft.',
    breaks: 'IDM-6',
    also: 'IDM-9 PRE-3 IDM-12 IDM-13',
    change: { onKeyMismatch: () => problem(422, 'The Idempotency-Key was used for another request.') },
  },
  {
    id: 'I15',
    describes: 'Bodies of equal length are treated as equal.',
    breaks: 'IDM-6',
    also: bound,
    change: comparedBy((body) => JSON.stringify(body).length),
  },
  {
    id: 'I65',
    describes: 'Bodies are compared case-insensitively.',
    breaks: 'IDM-6',
    also: bound,
    change: comparedBy((body) => JSON.stringify(body).toLowerCase()),
  },
  {
    id: 'I70',
    describes: 'Repeated spaces are ignored when bodies are compared.',
    breaks: 'IDM-6',
    also: 'ERR-1',
    change: comparedBy((body) => JSON.stringify(body).replaceAll(/ +/g, ' ')),
  },
  {
    id: 'I71',
    describes: 'Only the first 100 characters of bodies are compared.',
    breaks: 'IDM-6',
    also: 'ERR-1',
    change: comparedBy((body) => JSON.stringify(body).slice(0, 100)),
  },
  {
    id: 'I66',
    describes: 'A key is bound to the operation and the exact body, not to the target.',
    breaks: 'IDM-6',
    also: `${bound} IDM-12`,
    change: { fingerprint: (call) => `${call.operation.id} ${JSON.stringify(bodyValue(call) ?? null)}` },
    operations: ['closeCase', 'deleteContact'],
  },
  {
    id: 'I16',
    describes: 'The refusal of another body overwrites the stored result.',
    breaks: 'IDM-7',
    also: 'IDM-5 PRE-3 VER-7',
    change: {
      onKeyMismatch: (call, entry) => {
        const refused = conforming.onKeyMismatch(call, entry);
        if (entry.answer !== undefined && typeof refused === 'object' && 'status' in refused)
          entry.answer = {
            kind: 'answer',
            status: 422,
            headers: [['Content-Type', 'application/json']],
            body: JSON.stringify({ error: 'key mismatch' }),
          };
        return refused;
      },
    },
  },
  {
    id: 'I23',
    describes: 'Commands are deduplicated by body, not by key.',
    breaks: 'IDM-10',
    also: `${bound} IDM-12 CMD-5 IDM-1 IDM-11 IDM-14 VAL-8 PRM-6 AUT-10 IDM-22 RID-4 IDM-13`,
    change: {
      keyName: (call) =>
        hash(`${call.operation.id} ${call.request.path} ${canonicalJson(bodyValue(call) ?? null)}`),
    },
  },
  {
    id: 'I28',
    describes: 'All callers share keys and their stored results.',
    breaks: 'IDM-12',
    also: 'PRM-8 IDM-13 ERR-1',
    change: { keySpace: () => 'all' },
  },
  {
    id: 'I30',
    describes: 'A used key returns its stored result on any operation.',
    breaks: 'IDM-13',
    also: 'IDM-25 IDM-6',
    change: {
      matches: (call, entry, fingerprint) =>
        entry.operation !== call.operation.id || conforming.matches(call, entry, fingerprint),
    },
    operations: ['createContact'],
  },
  {
    id: 'I60',
    describes: 'Another request runs under a key whose command is in flight.',
    breaks: 'IDM-9',
    // The other request may be one of another operation, and its result replaces the stored one.
    also: 'IDM-6 IDM-8 IDM-13 ERR-1',
    change: {
      onKeyMismatch: (call, entry) =>
        entry.answer === undefined ? 'execute' : conforming.onKeyMismatch(call, entry),
    },
  },
  {
    id: 'I63',
    describes: 'A key is bound to the operation and the body, not to the target.',
    breaks: 'IDM-6',
    also: 'IDM-12 ERR-1',
    change: {
      fingerprint: (call) => {
        const body = bodyOf(call);
        return JSON.stringify([call.operation.id, body.ok ? canonicalJson(body.value ?? null) : '']);
      },
    },
    operations: ['deleteContact'],
  },
];

/** A value with the items of every list in one order. */
function sorted(value: Json): Json {
  return inLists(value, (items) =>
    [...items].sort((one, other) => (canonicalJson(one) < canonicalJson(other) ? -1 : 1)),
  );
}

/** A value with each item of a list once. */
function once(value: Json): Json {
  return inLists(value, (items) => [...new Map(items.map((item) => [canonicalJson(item), item])).values()]);
}

function inLists(value: Json, change: (items: readonly Json[]) => readonly Json[]): Json {
  if (isArray(value)) return change(value.map((item) => inLists(item, change)));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inLists(member, change)]));
}
