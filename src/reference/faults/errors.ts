import { parseJson } from '../../model/json.ts';
import { problem } from '../answer.ts';
import type { Call } from '../behaviour.ts';
import { conforming } from '../conforming.ts';
import { headerValues } from '../message.ts';
import { moved } from '../phases.ts';
import type { SeededFault } from './fault.ts';

function hasInvalidBody(call: Call): boolean {
  const { body } = call.operation;
  const value = parseJson(Buffer.from(call.request.body).toString()) ?? null;
  return body !== undefined && conforming.validateBody(call, value, body.schema).length > 0;
}

export const errorFaults: readonly SeededFault[] = [
  {
    id: 'E01',
    describes: 'An unknown header makes the service fail.',
    breaks: 'ERR-1',
    change: {
      onReceived: (call) => {
        if (headerValues(call.request, 'X-Forwarded-For').some((value) => value.includes(',')))
          throw new Error('not an address');
      },
    },
  },
  {
    id: 'E63',
    describes: 'An unknown member of a body makes the service fail.',
    breaks: 'ERR-1',
    // NaN and Infinity are sent as its value.
    also: 'VAL-13',
    change: {
      onReceived: ({ request }) => {
        if (Buffer.from(request.body).includes('"assayUnknown"')) throw new TypeError('Unknown column');
      },
    },
    operations: ['createCase'],
  },
  {
    id: 'E02',
    describes: 'A 409 looks like a success with a new ID.',
    breaks: 'ERR-2',
    also: 'IDM-12 IDM-13',
    change: {
      onKeyMismatch: (call) =>
        problem(409, 'used', { members: { id: `case_${call.ordinal}x`, status: 'open' } }),
    },
  },
  {
    id: 'E03',
    describes: 'A 401 echoes the token.',
    breaks: 'ERR-3',
    change: {
      refuseCredential: (call) =>
        problem(401, `The credential ${headerValues(call.request, 'Authorization')[0] ?? ''} is not valid.`),
    },
  },
  {
    id: 'E04',
    describes: 'The body is validated before the permission is checked.',
    breaks: 'PRE-2',
    change: {
      order: moved(['parse', 'validate'], 'authorise'),
    },
    declares: { G11: 403 },
  },
  {
    id: 'E07',
    describes: 'A missing key is reported before the credential is checked.',
    breaks: 'PRE-1',
    also: 'PRE-2 AUT-11',
    change: {
      order: moved(['key'], 'authenticate'),
    },
  },
  {
    id: 'E60',
    describes: 'An invalid body under a used key returns 404.',
    breaks: 'PRE-3',
    also: 'PRE-4 VAL-10',
    change: {
      onKeyMismatch: (call, entry) => {
        if (hasInvalidBody(call)) return problem(404, 'There is no such command.');
        return conforming.onKeyMismatch(call, entry);
      },
    },
  },
  {
    id: 'E61',
    describes: 'An invalid body without a key makes the service fail.',
    breaks: 'PRE-4',
    also: 'ERR-1 PRE-3',
    change: {
      onRefusal: (call, refused) => {
        const keyless = headerValues(call.request, 'Idempotency-Key').length === 0;
        if (refused.status === 422 && keyless && hasInvalidBody(call))
          throw new Error('errors is not iterable');
      },
    },
  },
  {
    id: 'E62',
    describes: 'A failure shows a stack trace and the record of the command.',
    breaks: 'ERR-4',
    also: 'ERR-2 ERR-3',
    change: {
      refuseCrash: (incoming, error) =>
        problem(500, error instanceof Error ? (error.stack ?? '') : String(error), {
          members: incoming.result === undefined ? {} : { result: incoming.result.value ?? null },
        }),
    },
  },
  {
    id: 'E05',
    describes: 'The state of the record is checked before the permission.',
    breaks: 'PRE-2',
    // The first command closed the case: what repeats it meets the same state.
    also: 'PRM-8 PRM-10',
    change: {
      refusePermission: (call, missing) => {
        const record = call.service.records.find(call.pathValues['caseId'] ?? '');
        return record !== undefined && conforming.checkConflict(call, record)
          ? conforming.refuseConflict(call, record)
          : conforming.refusePermission(call, missing);
      },
    },
    operations: ['closeCase'],
  },
];
