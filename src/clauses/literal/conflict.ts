import type { Case } from './trace.ts';
import { negative } from './trace.ts';

const closed = { operation: 'closeCase', on: 'made' } as const;
const made = { id: 'made', role: 'setup', status: 201, result: 'case_7' } as const;

export const conflictCases: readonly Case[] = [
  {
    clause: 'CNF-1',
    kind: 'holds',
    when: 'a closed case is closed again: 409',
    trace: [made, ...negative({ kind: 'conflict' }, 409, { ...closed, body: { message: 'is closed' } })],
  },
  {
    clause: 'CNF-1',
    kind: 'violates',
    when: 'it is accepted',
    trace: [made, ...negative({ kind: 'conflict' }, 200, closed)],
  },
  {
    clause: 'CNF-1',
    kind: 'violates',
    when: 'it is answered in another class, and an open case can be closed',
    trace: [made, ...negative({ kind: 'conflict' }, 422, closed)],
  },
  {
    clause: 'CNF-1',
    kind: 'silent',
    when: 'no case can be closed at all',
    trace: [made, ...negative({ kind: 'conflict' }, 422, closed, { status: 422 })],
  },
  {
    clause: 'CNF-2',
    kind: 'holds',
    when: 'a text in the body',
    trace: [{ id: 'a', status: 409, body: { error: { message: 'key is bound to another request' } } }],
  },
  {
    clause: 'CNF-2',
    kind: 'holds',
    when: 'plain text',
    trace: [{ id: 'a', status: 409, type: 'text/plain', body: 'conflict' }],
  },
  { clause: 'CNF-2', kind: 'violates', when: 'an empty body', trace: [{ id: 'a', status: 409, body: '' }] },
  {
    clause: 'CNF-2',
    kind: 'violates',
    when: 'JSON without any text',
    trace: [{ id: 'a', status: 409, body: { code: 7, details: [''] } }],
  },
  { clause: 'CNF-2', kind: 'silent', when: 'no conflict', trace: [{ id: 'a', status: 422, body: '' }] },
];
