import { problem } from '../answer.ts';
import type { Call, VerificationFault } from '../behaviour.ts';
import { conforming } from '../conforming.ts';
import { commit } from '../execute.ts';
import type { ServiceResponse } from '../message.ts';
import { carried } from '../version.ts';
import { at, type SeededFault } from './fault.ts';
import { pause } from './pause.ts';
import { write } from './written.ts';

/** The command that closes a case stands for those that a state forbids. */
const nothingDone = (call: Call): ServiceResponse => ({
  kind: 'answer',
  status: 200,
  headers: [['Content-Type', 'application/json']],
  body: JSON.stringify({ id: call.target?.id ?? '', status: 'closed', note: 'nothing to do' }),
});

function versionPasses(
  passes: (fault: 'absent' | 'stale' | undefined, sent: string | undefined) => boolean,
): SeededFault['change'] {
  return {
    checkVersion: (call, record, sent) => {
      const fault = conforming.checkVersion(call, record, sent);
      return passes(fault, sent) ? undefined : fault;
    },
  };
}

/** A version counts as what is made of it. */
function versionReadAs(read: (sent: string) => string): SeededFault['change'] {
  return {
    checkVersion: (call, record, sent) =>
      conforming.checkVersion(call, record, sent === undefined ? undefined : read(sent)),
  };
}

function verificationPasses(
  passes: (fault: VerificationFault | undefined, sent: string | undefined, call: Call) => boolean,
): SeededFault['change'] {
  return {
    checkVerification: (call, sent) => {
      const fault = conforming.checkVerification(call, sent);
      return passes(fault, sent, call) ? undefined : fault;
    },
  };
}

const conflictFaults: readonly SeededFault[] = [
  {
    id: 'C01',
    describes: 'A conflict of state returns 422.',
    breaks: 'CNF-1',
    also: 'IDM-5 VER-7',
    change: { refuseConflict: () => problem(422, 'The case is closed.') },
  },
  {
    id: 'C02',
    describes: 'A conflict of state returns 200, but nothing is done.',
    breaks: 'CNF-1',
    also: 'ERR-1 CMD-1 CMD-3 CMD-4',
    change: { refuseConflict: (call) => nothingDone(call) },
  },
  {
    id: 'C80',
    describes: 'A conflict of state returns 409, but what was sent is written.',
    breaks: 'CNF-1',
    change: {
      refuseConflict: (call, record) => {
        write(call, record);
        return conforming.refuseConflict(call, record);
      },
    },
  },
];

const versionFaults: readonly SeededFault[] = [
  {
    id: 'C04',
    describes: 'A stale version is accepted: the last write wins.',
    breaks: 'VER-1',
    also: 'VER-4 VER-5 VER-6 ERR-1',
    change: versionPasses((fault) => fault === 'stale'),
  },
  {
    id: 'C06',
    describes: 'A stale version returns 409, but the command takes effect.',
    breaks: 'VER-1',
    also: 'VER-4 VER-5 VER-6 CNF-1 PRE-4',
    change: {
      refuseVersion: (call, record, fault) => {
        if (fault === 'stale') commit(call);
        return conforming.refuseVersion(call, record, fault);
      },
    },
  },
  {
    id: 'C81',
    describes: 'A stale version returns 409, but what was sent is written.',
    breaks: 'VER-1',
    also: 'VER-4 VER-5 VER-6 CNF-1 PRE-4',
    change: {
      refuseVersion: (call, record, fault) => {
        if (fault === 'stale') write(call, record);
        return conforming.refuseVersion(call, record, fault);
      },
    },
  },
  {
    id: 'C07',
    describes: 'A command without a version is accepted.',
    breaks: 'VER-3',
    also: 'ERR-1',
    change: versionPasses((fault) => fault === 'absent'),
  },
  {
    id: 'C09',
    describes: 'The version * matches every version.',
    breaks: 'VER-4',
    also: 'ERR-1',
    change: versionPasses((_, sent) => sent === '*'),
  },
  {
    id: 'C70',
    describes: 'A version is compared only by the number that it begins with.',
    breaks: 'VER-4',
    also: 'ERR-1',
    change: versionReadAs((sent) => /^\d+/.exec(sent)?.[0] ?? sent),
  },
  {
    id: 'C71',
    describes: 'An empty version, or version 0, is not checked.',
    breaks: 'VER-3 VER-4',
    also: 'ERR-1',
    change: versionPasses((_, sent) => sent === '' || sent === '0' || sent === '""'),
  },
  {
    id: 'C72',
    describes: 'Versions are compared in 32 bits.',
    breaks: 'VER-4',
    also: 'ERR-1',
    change: versionReadAs((sent) => (/^\d+$/.test(sent) ? String(Number(sent) % 2 ** 32) : sent)),
  },
  {
    id: 'C11',
    describes: 'The record is written a moment after its version is checked.',
    breaks: 'VER-5',
    // What the state allows is checked as early.
    also: 'IDM-8 CNF-1',
    change: { lockOn: () => undefined, beforeCommit: (call) => pause(call, 25) },
  },
  {
    id: 'C12',
    describes: 'The version never changes.',
    breaks: 'VER-6',
    also: 'VER-1 VER-5 ERR-1',
    change: { advanceVersion: (_, version) => version },
  },
  {
    id: 'C14',
    describes: 'The version of any other record is accepted.',
    breaks: 'VER-1',
    also: 'VER-4 VER-5 VER-6 ERR-1',
    change: versionPasses((fault, sent) => fault === 'stale' && /^[1-9]$/.test(sent ?? '')),
  },
  {
    id: 'C60',
    describes: 'After a command has changed the version, the current one is refused as stale.',
    breaks: 'VER-2',
    also: 'CMD-1 PRM-2 VAL-8 VAL-15',
    change: {
      checkVersion: (call, record, sent) =>
        conforming.checkVersion(call, record, sent) ?? (record.version === '1' ? undefined : 'stale'),
    },
  },
  {
    id: 'C62',
    describes: 'The version is part of the key: a duplicate with a newer version runs again.',
    breaks: 'VER-7',
    // The catalogue declares that keys are unique for a caller, whatever the operation (G18).
    also: 'IDM-6 IDM-13 ERR-1',
    change: {
      keyName: (call, key) => {
        const { version } = call.operation;
        return version === undefined ? key : `${key} ${carried(call, version.carrier) ?? ''}`;
      },
    },
  },
  {
    id: 'C61',
    describes: 'A duplicate of a versioned command runs again.',
    breaks: 'VER-7',
    also: 'IDM-4 IDM-5 IDM-17 IDM-18 IDM-19 IDM-20 IDM-24 IDM-22 IDM-8 IDM-15 IDM-16',
    change: {
      onDuplicateFinished: (call, entry, answer) => {
        if (call.operation.version !== undefined) {
          call.target = call.service.records.find(Object.values(call.pathValues)[0] ?? '');
          commit(call);
        }
        return conforming.onDuplicateFinished(call, entry, answer);
      },
    },
  },
];

const verificationFaults: readonly SeededFault[] = [
  {
    id: 'S01',
    describes: 'Stronger verification is not required.',
    breaks: 'STV-1',
    also: 'STV-2 STV-4 ERR-1',
    change: { checkVerification: () => undefined },
  },
  {
    id: 'S02',
    describes: 'Any value is accepted as a stronger verification.',
    breaks: 'STV-1 STV-2',
    also: 'STV-4 ERR-1',
    change: {
      checkVerification: (_, sent) => (sent === undefined || sent === '' ? 'absent' : undefined),
    },
  },
  {
    id: 'S03',
    describes: 'An expired verification is accepted.',
    breaks: 'STV-2',
    also: 'ERR-1',
    change: verificationPasses((fault) => fault === 'expired'),
  },
  {
    id: 'S04',
    describes: "Another caller's verification is accepted.",
    breaks: 'STV-2',
    also: 'ERR-1',
    change: verificationPasses((fault) => fault === 'foreign'),
  },
  {
    id: 'S62',
    describes: 'A verification for another target is accepted.',
    breaks: 'STV-2',
    // One that was used on its own target serves on the other as well.
    also: 'STV-4 ERR-1',
    change: verificationPasses(
      (fault, sent, { operation, service }) =>
        fault === 'other-command' && service.verifications.get(sent ?? '')?.operation === operation.id,
    ),
  },
  {
    id: 'S63',
    describes: 'A verification is compared by its first 16 characters.',
    breaks: 'STV-2',
    also: 'ERR-1',
    change: {
      checkVerification: (call, sent) => {
        const issued = [...call.service.verifications.keys()];
        const like = issued.find((one) => sent !== undefined && one.slice(0, 16) === sent.slice(0, 16));
        return conforming.checkVerification(call, like ?? sent);
      },
    },
  },
  {
    id: 'S07',
    describes: 'A missing verification makes the service fail.',
    breaks: 'STV-1 ERR-1',
    change: {
      refuseVerification: (call, fault) =>
        fault === 'absent' ? problem(500, 'no verification') : conforming.refuseVerification(call, fault),
    },
  },
  {
    id: 'S60',
    describes: 'A single-use verification is accepted again.',
    breaks: 'STV-4',
    also: 'ERR-1',
    change: { spendVerification: () => {} },
  },
  {
    id: 'S64',
    describes: 'A verification is marked as used a moment after it is checked.',
    breaks: 'STV-4',
    change: { lockOn: () => undefined, beforeCommit: (call) => pause(call, 25) },
  },
  {
    id: 'S61',
    describes: 'Every second valid verification is refused.',
    breaks: 'STV-3',
    also:
      'CMD-1 PRM-2 PRM-6 AUT-10 VAL-8 VAL-14 VAL-15 VER-2 CNF-1 STV-1 STV-2 STV-4 ' +
      'IDM-5 IDM-10 IDM-11 IDM-12 IDM-13 IDM-14 IDM-18 IDM-20 THR-6',
    change: {
      checkVerification: (call, sent) => {
        const { notes } = call.service;
        const fault = conforming.checkVerification(call, sent);
        if (fault !== undefined) return fault;
        const odd = notes.get('odd') !== true;
        notes.set('odd', odd);
        return odd ? undefined : 'unknown';
      },
    },
  },
];

export const targetFaults: readonly SeededFault[] = [
  ...at('closeCase', conflictFaults),
  {
    id: 'C03',
    describes: 'A 409 has an empty body.',
    breaks: 'CNF-2',
    change: {
      finish: (_, answer) =>
        answer.status === 409
          ? {
              ...answer,
              headers: answer.headers.filter(([name]) => name !== 'Content-Type'),
              body: undefined,
            }
          : answer,
    },
  },
  ...at('updateCase', versionFaults),
  ...at('approveCase', verificationFaults),
];
