import { conforming } from '../../conforming.ts';
import { commit } from '../../execute.ts';
import { headerValues } from '../../message.ts';
import type { SeededFault } from '../fault.ts';
import { hash } from './hash.ts';

/** Clauses about commands with keys of their own: where keys collide by chance, any of them may be refused. */
const anyCommand =
  'AUT-10 CMD-1 CMD-2 CMD-5 CMD-6 IDM-2 IDM-4 IDM-8 IDM-10 IDM-14 PRM-6 RDS-8 THR-6 ' +
  'VAL-1 VAL-2 VAL-3 VAL-5 VAL-6 VAL-7 VAL-8 VAL-13 VAL-14 VAL-15';

export const keyFormFaults: readonly SeededFault[] = [
  {
    id: 'I24',
    describes: 'Keys are stored in lower case.',
    breaks: 'IDM-11',
    change: { keyName: (_, key) => key.toLowerCase() },
  },
  {
    id: 'I25',
    describes: 'Keys are truncated to 64 characters.',
    breaks: 'IDM-11',
    change: { keyName: (_, key) => key.slice(0, 64) },
  },
  {
    id: 'I64',
    describes: 'Only the last 24 characters of keys are compared.',
    breaks: 'IDM-11',
    change: { keyName: (_, key) => key.slice(-24) },
  },
  {
    id: 'I67',
    describes: 'Dashes in keys are ignored.',
    breaks: 'IDM-11',
    change: { keyName: (_, key) => key.replaceAll('-', '') },
  },
  {
    id: 'I68',
    describes: 'Quotes around keys are ignored.',
    breaks: 'IDM-11',
    change: { keyName: (_, key) => key.replaceAll('"', '') },
  },
  {
    id: 'I69',
    describes: 'Keys are percent-decoded.',
    breaks: 'IDM-11',
    change: {
      keyName: (_, key) =>
        key.replaceAll(/%([0-9a-f]{2})/gi, (_text, digits: string) =>
          String.fromCharCode(Number.parseInt(digits, 16)),
        ),
    },
  },
  {
    id: 'I78',
    describes: 'What follows a semicolon in a key is ignored.',
    breaks: 'IDM-11',
    change: { keyName: (_, key) => key.split(';')[0] ?? key },
  },
  {
    id: 'I27',
    describes: 'Keys are hashed to 16 bits.',
    breaks: 'IDM-11',
    also: anyCommand,
    change: { keyName: (_, key) => hash(key).slice(0, 4) },
  },
  {
    id: 'I50',
    describes: 'A key longer or shorter than a UUID makes the service fail.',
    breaks: 'IDM-23',
    also: 'ERR-1 IDM-3 IDM-22',
    change: {
      readKey: (call) => {
        const read = conforming.readKey(call);
        if ('key' in read && read.key.length !== 36) throw new Error('value too long');
        return read;
      },
    },
  },
  {
    id: 'I72',
    describes: 'Keys are declared to be UUIDs, but other keys make the service fail.',
    breaks: 'ERR-1',
    also: 'IDM-3 IDM-22',
    change: {
      readKey: (call) => {
        const read = conforming.readKey(call);
        if ('key' in read && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(read.key))
          throw new Error('invalid input syntax for type uuid');
        return read;
      },
    },
    declares: { G17: 'uuid' },
  },
  {
    id: 'I62',
    describes: 'A request with two keys uses the first key, and its retry the second.',
    breaks: 'IDM-22',
    change: {
      readKey: (call) => {
        const keys = headerValues(call.request, 'Idempotency-Key')
          .flatMap((line) => line.split(','))
          .map((key) => key.trim());
        const { notes } = call.service;
        if (keys.length < 2 || keys.some((key) => key.length !== 36)) return conforming.readKey(call);
        const first = notes.get(`first ${keys.join()}`) ?? call.ordinal;
        notes.set(`first ${keys.join()}`, first);
        return { key: keys[first === call.ordinal ? 0 : 1] ?? '' };
      },
    },
  },
  {
    id: 'I84',
    describes: 'A request with two keys returns 422, but the command takes effect.',
    breaks: 'VAL-7',
    also: 'IDM-22',
    change: {
      refuseKey: (call, fault) => {
        if (fault === 'doubled' && call.operation.pathFields.length === 0) commit(call);
        return conforming.refuseKey(call, fault);
      },
    },
  },
];
