import { problem } from '../../answer.ts';
import { conforming } from '../../conforming.ts';
import type { SeededFault } from '../fault.ts';

export const missingKeyFaults: readonly SeededFault[] = [
  {
    id: 'I01',
    describes: 'A command without a key is accepted.',
    breaks: 'IDM-1',
    also: 'IDM-2 IDM-3 IDM-22 PRE-3 ERR-1',
    change: { keyRequired: () => false },
  },
  {
    id: 'I03',
    describes: 'A missing key makes the service fail.',
    breaks: 'IDM-2',
    also: 'ERR-1 IDM-1 IDM-3 PRE-3 PRE-4',
    change: {
      refuseKey: (call, fault) =>
        fault === 'absent' ? problem(500, 'key is undefined') : conforming.refuseKey(call, fault),
    },
  },
  {
    id: 'I04',
    describes: 'An empty key is accepted as a key.',
    breaks: 'IDM-3',
    also: 'IDM-1 ERR-1',
    change: {
      readKey: (call) => {
        const read = conforming.readKey(call);
        return 'fault' in read && read.fault === 'blank' ? { key: '' } : read;
      },
    },
  },
  {
    id: 'I46',
    describes: 'Reads require a key.',
    breaks: 'IDM-21',
    also: 'RDS-1 RDS-3 RDS-4 RDS-5 RDS-6 PRM-2 CMD-6 VAL-12 RDS-7',
    change: { keyRequired: () => true },
    operations: ['getCase'],
  },
];
