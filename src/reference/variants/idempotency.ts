import { createHash } from 'node:crypto';
import { isObject, parseJson } from '../../model/json.ts';
import { problem } from '../answer.ts';
import { conforming } from '../conforming.ts';
import type { SeededVariant } from './variant.ts';

function duplicateConflict(withId: boolean): SeededVariant['change'] {
  return {
    onDuplicateFinished: (_call, _entry, answer) => {
      const body = parseJson(String(answer.body ?? ''));
      const id = isObject(body) && typeof body['id'] === 'string' ? body['id'] : undefined;
      return problem(409, 'This command was carried out already.', {
        members: { conflict: 'duplicate', ...(withId && id !== undefined ? { existing: id } : {}) },
      });
    },
  };
}

export const idempotencyVariants: readonly SeededVariant[] = [
  {
    id: 'W01',
    group: 'replay',
    describes: 'A duplicate returns the first response, byte for byte, including its request ID.',
    change: {
      onDuplicateFinished: (_call, _entry, answer) => answer,
      attachRequestId: (incoming, answer) => ({
        ...answer,
        headers: [...answer.headers, ['X-Request-Id', incoming.replayOf?.requestId ?? incoming.requestId]],
      }),
    },
    declares: { G1: 'replay', G3: 'stored' },
  },
  {
    id: 'W02',
    group: 'replay',
    describes: 'A duplicate returns the stored result with a new request ID and Idempotent-Replayed.',
    change: {},
    declares: { G1: 'replay' },
  },
  {
    id: 'W04',
    group: 'replay',
    describes: 'A duplicate returns 409 with the ID of the existing record.',
    change: duplicateConflict(true),
    declares: { G1: 'conflict' },
  },
  {
    id: 'W05',
    group: 'replay',
    describes: 'A duplicate returns 409 without the ID.',
    change: duplicateConflict(false),
    declares: { G1: 'conflict' },
  },
  {
    id: 'W07',
    group: 'race',
    describes: "A client that loses a race waits and gets the winner's result.",
    // It is what the reference service does, as are the next ones without a change.
    change: { beforeCommit: (call) => call.service.clock.sleep(40, call.service.closing) },
  },
  {
    id: 'W08',
    group: 'race',
    describes: 'A client that loses a race gets 409 with Retry-After.',
    change: {
      beforeCommit: (call) => call.service.clock.sleep(40, call.service.closing),
      onDuplicateInFlight: () =>
        problem(409, 'The command is in flight.', { headers: [['Retry-After', '1']] }),
    },
    // Finished duplicates may be replayed or not: the service mixes both, which is worth an advisory alone.
  },
  {
    id: 'W10',
    group: 'refusal',
    describes: 'A refusal is not stored: the corrected body runs under the same key.',
    change: {},
  },
  {
    id: 'W11',
    group: 'failure',
    describes: 'A 5xx is stored under its key and replayed.',
    change: { keep: (call, answer) => (answer.status >= 500 ? answer : conforming.keep(call, answer)) },
    declares: { G12: 'stored' },
  },
  {
    id: 'W12',
    group: 'failure',
    describes: 'A 5xx before anything is done releases its key.',
    change: {},
  },
  {
    id: 'W13',
    group: 'key form',
    describes: 'Keys must be UUIDs; others return 422.',
    change: {
      readKey: (call) => {
        const read = conforming.readKey(call);
        return 'key' in read && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(read.key)
          ? { fault: 'malformed' }
          : read;
      },
    },
  },
  {
    id: 'W14',
    group: 'key form',
    describes: 'Keys have up to 64 characters; longer ones return 422.',
    change: {},
    settings: { keyLength: 64 },
  },
  {
    id: 'W14b',
    group: 'key form',
    describes: 'Keys have up to 36 characters; longer ones return 422.',
    change: {},
    settings: { keyLength: 36 },
  },
  {
    id: 'W15b',
    group: 'key space',
    describes: 'A key is unique within a tenant.',
    change: { keySpace: ({ principal }) => principal?.scope ?? '' },
    declares: { G18: 'tenant' },
  },
  {
    id: 'W15c',
    group: 'key space',
    describes: 'A key is unique within a tenant and an operation.',
    change: { keySpace: ({ operation, principal }) => `${principal?.scope} ${operation.id}` },
    declares: { G18: 'tenant-operation' },
  },
  {
    id: 'W17b',
    group: 'fingerprint',
    describes: 'Requests are compared byte by byte: a re-serialised body is another request.',
    change: {
      fingerprint: (call) =>
        createHash('sha256').update(conforming.fingerprint(call)).update(call.request.body).digest('base64'),
    },
  },
  {
    id: 'W18',
    group: 'missing key',
    describes: 'A missing key returns 400.',
    change: {
      refuseKey: (call, fault) => {
        const usual = conforming.refuseKey(call, fault);
        return usual.kind === 'problem' && (fault === 'absent' || fault === 'blank')
          ? { ...usual, status: 400 }
          : usual;
      },
    },
  },
];
