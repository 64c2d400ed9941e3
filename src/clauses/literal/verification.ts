import type { Deviation } from '../../model/scenario.ts';
import { type Case, type Line, negative, record } from './trace.ts';

const made: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
const other: Line = { id: 'other', role: 'setup', status: 201, result: 'case_8' };
const on = { operation: 'approveCase', on: 'made' } as const;
type How = Extract<Deviation, { kind: 'verification' }>['how'];
const wrong = (how: How, status: number, control: Partial<Line> = {}): Case['trace'] => [
  made,
  ...negative({ kind: 'verification', how }, status, on, control),
];
const approval = (id: string, target: string, status: number, hook = `hook-${id}`): Line => ({
  id,
  operation: 'approveCase',
  on: target,
  status,
  verification: { use: 'hook', step: hook },
});
const read = (id: string, approvals: number): Line => ({
  id,
  role: 'readback',
  operation: 'getCase',
  on: 'made',
  status: 200,
  body: record('case_7', { approvals }),
});

export const verificationCases: readonly Case[] = [
  ...[401, 403, 409, 422].map(
    (status): Case => ({
      clause: 'STV-1',
      kind: 'holds',
      when: `without it the command is answered ${status}, of which the contract shows none (G4)`,
      trace: wrong('absent', status),
    }),
  ),
  { clause: 'STV-1', kind: 'violates', when: 'without it the command runs', trace: wrong('absent', 200) },
  { clause: 'STV-1', kind: 'violates', when: 'any value will do', trace: wrong('wrong', 200) },
  { clause: 'STV-1', kind: 'violates', when: 'the service fails', trace: wrong('absent', 500) },
  {
    clause: 'STV-1',
    kind: 'violates',
    when: 'it is refused otherwise than declared',
    declares: { G4: 403 },
    trace: wrong('absent', 401),
  },
  {
    clause: 'STV-1',
    kind: 'violates',
    when: 'it is refused, and the target is changed',
    trace: [made, read('before', 0), ...wrong('absent', 403).slice(1, 2), read('after', 1)],
  },
  {
    clause: 'STV-1',
    kind: 'silent',
    when: 'the command fails with a valid one as well',
    trace: wrong('absent', 500, { status: 500 }),
  },
  { clause: 'STV-2', kind: 'holds', when: 'an expired one is refused', trace: wrong('expired', 401) },
  { clause: 'STV-2', kind: 'holds', when: "another caller's is refused", trace: wrong('foreign', 403) },
  {
    clause: 'STV-2',
    kind: 'violates',
    when: 'one for another command is accepted',
    trace: wrong('other-command', 200),
  },
  { clause: 'STV-2', kind: 'silent', when: 'it is throttled', trace: wrong('expired', 429) },
  {
    clause: 'STV-3',
    kind: 'holds',
    when: 'the command is accepted',
    trace: [made, approval('a', 'made', 200)],
  },
  {
    clause: 'STV-3',
    kind: 'violates',
    when: 'of two commands with verifications of their own one is refused',
    trace: [made, other, approval('a', 'made', 200), approval('b', 'other', 403)],
  },
  {
    clause: 'STV-3',
    kind: 'silent',
    when: 'no verification is accepted: the hook may not work',
    trace: [made, approval('a', 'made', 403)],
  },
  {
    clause: 'STV-3',
    kind: 'holds',
    when: 'the second command bore the verification of the first',
    trace: [made, other, approval('a', 'made', 200, 'hook'), approval('b', 'other', 403, 'hook')],
  },
  { clause: 'STV-4', kind: 'holds', when: 'a used one is refused', trace: wrong('used', 409) },
  { clause: 'STV-4', kind: 'violates', when: 'a used one is accepted', trace: wrong('used', 200) },
  {
    clause: 'STV-4',
    kind: 'silent',
    when: 'there was no answer',
    trace: [made, ...negative({ kind: 'verification', how: 'used' }, undefined, on)],
  },
];
