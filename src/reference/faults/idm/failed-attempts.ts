import { problem } from '../../answer.ts';
import type { Call } from '../../behaviour.ts';
import { conforming } from '../../conforming.ts';
import { headerValues, type ServiceResponse } from '../../message.ts';
import { resultOf } from '../../present.ts';
import type { SeededFault } from '../fault.ts';
import { pause } from '../pause.ts';
import { hastyAlone } from '../throttling.ts';

/** The result of a command as though it had been carried out. */
const done = (call: Call): ServiceResponse | undefined =>
  call.target === undefined
    ? undefined
    : conforming.renderSuccess(call, call.result ?? resultOf(call, call.target, call.target));

export const failedAttemptFaults: readonly SeededFault[] = [
  {
    id: 'I32',
    describes: 'A 429 is stored under its key.',
    breaks: 'IDM-14',
    also: 'THR-4',
    change: {
      ...hastyAlone,
      onRefusal: (call, refused) => {
        const key = headerValues(call.request, 'Idempotency-Key')[0];
        if (refused.status === 429 && key !== undefined) call.service.notes.set(`throttled ${key}`, true);
      },
      refuseKey: (call, fault) =>
        fault === 'malformed'
          ? problem(429, 'The integration sends too quickly.', { headers: [['Retry-After', '1']] })
          : conforming.refuseKey(call, fault),
      readKey: (call) => {
        const read = conforming.readKey(call);
        return 'key' in read && call.service.notes.get(`throttled ${read.key}`) === true
          ? { fault: 'malformed' }
          : read;
      },
    },
    settings: { rateLimit: 40, rateWindowMs: 1500 },
  },
  {
    id: 'I33',
    describes: 'A failure after the commit releases the key.',
    breaks: 'IDM-15',
    also: 'IDM-4',
    change: { keep: (call, answer) => (answer.status >= 500 ? undefined : conforming.keep(call, answer)) },
  },
  {
    id: 'I80',
    describes:
      'A failure after an approval is committed releases the key, and verifications are never used up.',
    breaks: 'IDM-15',
    also: 'IDM-4 STV-4 ERR-1',
    change: {
      spendVerification: () => {},
      keep: (call, answer) => (answer.status >= 500 ? undefined : conforming.keep(call, answer)),
    },
    operations: ['approveCase'],
  },
  {
    id: 'I81',
    describes: 'The retry of an approval that failed before its commit returns success without running it.',
    breaks: 'CMD-6',
    change: {
      keep: (call, answer) => (answer.status >= 500 ? done(call) : conforming.keep(call, answer)),
    },
    operations: ['approveCase'],
  },
  {
    id: 'I35',
    describes: 'If the client hangs up, its key is released while the command still runs.',
    breaks: 'IDM-16',
    also: 'IDM-4',
    change: {
      beforeCommit: (call) => pause(call, 150),
      onDisconnect: (call) => {
        if (call.entry !== undefined) call.service.keys.release(call.entry);
      },
    },
  },
  {
    id: 'I36',
    describes: 'If the client hangs up, its key stays in flight forever.',
    breaks: 'IDM-16',
    change: {
      beforeCommit: async (call) => {
        await pause(call, 150);
        // A request that gave up its key does not go on, and does not hold up the next one on its record.
        if (call.entry === undefined) throw new Error('the client hung up');
      },
      onDisconnect: (call) => {
        call.entry = undefined;
      },
      onDuplicateInFlight: () => problem(409, 'The command is in flight.'),
    },
  },
];
