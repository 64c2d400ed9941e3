import { isArray, isObject, parseJson } from '../../model/json.ts';
import { problem } from '../answer.ts';
import type { Call } from '../behaviour.ts';
import { conforming } from '../conforming.ts';
import { entryName } from '../keys.ts';
import { headerValues, type ServiceResponse } from '../message.ts';
import { remember } from '../records.ts';
import type { SeededFault } from './fault.ts';

function reshaped(change: (body: Record<string, unknown>) => unknown): SeededFault['change'] {
  return {
    renderSuccess: (call, result) => {
      const answer = conforming.renderSuccess(call, result);
      const body = parseJson(String(answer.body ?? ''));
      return call.operation.kind === 'command' && isObject(body)
        ? { ...answer, body: JSON.stringify(change(body)) }
        : answer;
    },
  };
}

/** A request that is like this makes the service fail. */
function failingOn(fits: (call: Call) => boolean, message: string): SeededFault['change'] {
  return {
    onReceived: (call) => {
      if (fits(call)) throw new Error(message);
    },
  };
}

const hasIdLike = (call: Call, fits: (id: string) => boolean): boolean =>
  Object.values(call.pathValues).some(fits);

const queryNames = ({ request }: Call): readonly string[] => [...new URLSearchParams(request.query).keys()];

/** An operation of this kind fails on an absent record. */
function failingOnAbsent(kind: 'command' | 'read'): SeededFault['change'] {
  return {
    refuseTarget: (call, reason) =>
      call.operation.kind === kind && reason === 'absent'
        ? problem(500, 'Cannot read properties of undefined')
        : conforming.refuseTarget(call, reason),
  };
}

export const resultFaults: readonly SeededFault[] = [
  {
    id: 'M01',
    describes: 'A command that creates a record returns 200.',
    breaks: 'CMD-1',
    also: 'IDM-25 THR-6',
    change: {
      successStatus: (call) => (call.operation.kind === 'command' ? 200 : conforming.successStatus(call)),
    },
  },
  {
    id: 'M02',
    describes: 'The ID has no prefix.',
    breaks: 'CMD-2',
    also: 'CMD-4 CMD-6 IDM-25',
    change: reshaped((body) => ({ ...body, id: String(body['id']).replace('case_', '') })),
  },
  {
    id: 'M04',
    describes: 'A new case has the status OPEN.',
    breaks: 'CMD-3',
    also: 'CMD-4 IDM-25',
    change: reshaped((body) => ({ ...body, status: 'OPEN' })),
  },
  {
    id: 'M05',
    describes: 'The result is an array.',
    breaks: 'CMD-4',
    also: 'IDM-4 IDM-10 CMD-2 CMD-3 IDM-5 IDM-25 CMD-5 CMD-6',
    change: reshaped((body) => [body]),
  },
  {
    id: 'M07',
    describes: 'The command is accepted, but nothing is stored.',
    breaks: 'CMD-6',
    also: 'IDM-4 RDS-3 RDS-4 IDM-5 IDM-6 IDM-8 IDM-10 IDM-11 IDM-12 IDM-13',
    change: { insert: () => {} },
  },
  {
    id: 'M08',
    describes: 'A deletion is accepted, but the record stays.',
    breaks: 'CMD-6',
    change: { remove: () => {} },
    operations: ['deleteContact'],
  },
  {
    id: 'M09',
    describes: 'A deleted record can no longer be read, but stays in the list.',
    breaks: 'CMD-6',
    change: {
      remove: (call, record) => {
        call.service.notes.set(`deleted ${record.id}`, true);
      },
      reaches: (call, record) =>
        !call.service.notes.has(`deleted ${record.id}`) && conforming.reaches(call, record),
    },
    operations: ['deleteContact'],
  },
  {
    id: 'M60',
    describes: 'Different commands return the same ID.',
    breaks: 'CMD-5',
    also: 'IDM-25 IDM-4 IDM-10 IDM-11 IDM-12 IDM-13 CMD-6 RDS-4 PRM-8 IDM-5 IDM-6 IDM-8',
    change: reshaped((body) => ({ ...body, id: 'case_0001' })),
  },
  {
    id: 'G87',
    describes: 'Reading an absent record makes the service fail.',
    breaks: 'ERR-1',
    change: failingOnAbsent('read'),
    operations: ['getCase'],
  },
  {
    id: 'G93',
    describes: 'A command on an absent record makes the service fail.',
    breaks: 'ERR-1',
    change: failingOnAbsent('command'),
    operations: ['closeCase'],
  },
  {
    id: 'G90',
    describes: 'Reading an ID that contains a quote makes the service fail.',
    breaks: 'ERR-1',
    change: failingOn((call) => hasIdLike(call, (id) => id.includes("'")), 'near "\'"'),
    operations: ['getCase'],
  },
  {
    id: 'G95',
    describes: 'Reading an ID of more than 255 characters makes the service fail.',
    breaks: 'ERR-1',
    change: failingOn((call) => hasIdLike(call, (id) => id.length > 255), 'Data too long'),
    operations: ['getCase'],
  },
  {
    id: 'G96',
    describes: 'A command on an ID that contains a null character makes the service fail.',
    breaks: 'ERR-1',
    change: failingOn(
      (call) => hasIdLike(call, (id) => id.includes('\u0000')),
      'invalid byte sequence: 0x00',
    ),
    operations: ['closeCase'],
  },
  {
    id: 'G91',
    describes: 'A repeated query field makes the service fail.',
    breaks: 'ERR-1',
    change: failingOn(
      (call) => new Set(queryNames(call)).size < queryNames(call).length,
      'status.trim is not a function',
    ),
    operations: ['listCases'],
  },
  {
    id: 'G92',
    describes: 'An unknown query field makes the service fail.',
    breaks: 'ERR-1',
    // So does a token in the query.
    also: 'AUT-6',
    change: failingOn(
      (call) =>
        queryNames(call).some((sent) => !call.operation.queryFields.some(({ name }) => name === sent)),
      'Unknown column',
    ),
    operations: ['listCases'],
  },
  {
    id: 'G11',
    describes: 'A read uses up the key that it carries.',
    breaks: 'RDS-8',
    // The command under that key has the version that the read showed.
    also: 'VER-2',
    change: {
      readEffect: (call) => {
        const key = headerValues(call.request, 'Idempotency-Key')[0];
        if (key !== undefined) call.service.keys.insert(entryName(call, key), call, 'of the read');
      },
    },
    operations: ['getCase'],
  },
  {
    id: 'G12',
    describes: 'A read changes the version of its record.',
    breaks: 'RDS-8',
    also: 'VER-1 VER-2 ERR-1',
    change: {
      readEffect: (call) => {
        const { target } = call;
        if (target === undefined) return;
        target.version = conforming.advanceVersion(call, target.version);
        remember(target, call.service.clock.monotonic(), call.service.settings.readLagMs);
      },
    },
    operations: ['getCase', 'updateCase'],
  },
  {
    id: 'G13',
    describes: 'The largest page size that the contract allows is refused.',
    breaks: 'RDS-1',
    change: {
      validateQuery: (call) => {
        const found = conforming.validateQuery(call);
        return call.request.query.get('limit') === '100'
          ? [...found, { in: 'query', at: 'limit', keyword: 'maximum', message: 'must be < 100' }]
          : found;
      },
    },
    operations: ['listCases'],
  },
  {
    id: 'G60',
    describes: 'A read returns a shape other than the published one.',
    breaks: 'RDS-1',
    also: 'CMD-6 RDS-4 RDS-3 RDS-5',
    change: {
      renderSuccess: (call, result): ServiceResponse => {
        const answer = conforming.renderSuccess(call, result);
        return call.operation.id === 'getCase'
          ? { ...answer, body: JSON.stringify({ data: parseJson(String(answer.body ?? '')) ?? null }) }
          : answer;
      },
    },
    operations: ['getCase'],
  },
  {
    id: 'G97',
    describes: 'An empty list is not found.',
    breaks: 'RDS-1',
    also: 'RDS-3 RDS-4 RDS-7',
    change: {
      finish: (incoming, answer) => {
        const shown =
          incoming.operation?.pagination === undefined ? undefined : parseJson(String(answer.body ?? ''));
        return isObject(shown) && isArray(shown['items']) && shown['items'].length === 0
          ? { ...answer, status: 404, body: '{"code":"not_found"}' }
          : answer;
      },
    },
    operations: ['createContact', 'listContacts'],
  },
];
