import type { How } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, missing, negative, record } from './trace.ts';

const made: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
const other: Line = { id: 'other', role: 'setup', status: 201, result: 'case_8' };
const on = { operation: 'approveCase', on: 'made' } as const;
const wrong = (
  how: How<'verification'>,
  status: number | undefined,
  control: Partial<Line> = {},
): Case['trace'] => [made, ...negative({ kind: 'verification', how }, status, on, control)];
const approval = (id: string, target: string, status: number, more: Partial<Line> = {}): Line => ({
  id,
  operation: 'approveCase',
  on: target,
  status,
  verification: { use: 'hook', step: `hook-${id}` },
  ...more,
});
/** A plain value in place of the hook's verification. */
const plain: Partial<Line> = { verification: { use: 'literal', value: 'v' } };
const read = (id: 'before' | 'after', approvals: number): Line => ({
  id,
  observes: id,
  role: 'readback',
  operation: 'getCase',
  on: 'made',
  status: 200,
  body: record('case_7', { approvals }),
});
const around = (how: How<'verification'>, after: number): Case['trace'] => [
  made,
  read('before', 0),
  ...wrong(how, 403).slice(1, 2),
  read('after', after),
  ...wrong(how, 403).slice(2),
];
const invalid: Case['trace'] = [made, ...negative(missing, 422, on)];
const alsoInvalid: Case['trace'] = [
  made,
  ...negative([{ kind: 'verification', how: 'absent' }, missing], 422, on),
];
/** Two commands with verifications of their own, on targets of their own: the first is accepted. */
const two = (status: number, one: Partial<Line> = {}, more: Partial<Line> = {}): Case['trace'] => [
  made,
  other,
  approval('a', 'made', 200, one),
  approval('b', 'other', status, more),
];
/** A command is accepted on a record; then another one comes with its verification. */
const usedUp = (first: string, status: number): Case['trace'] => [
  made,
  other,
  approval('first', first, 200, { controls: 'probe' }),
  approval('probe', 'made', status, {
    role: 'test',
    deviations: [{ kind: 'verification', how: 'used' }],
    verification: { use: 'hook', step: 'hook-first' },
  }),
];
/** Two commands at once with one verification, on records of their own. */
const atOnce = (
  one: number | undefined,
  two: number | undefined,
  more: Partial<Line> = {},
): Case['trace'] => {
  const line = (id: string, target: string, status: number | undefined): Line => ({
    ...approval(id, target, 200),
    role: 'test',
    status,
    deviations: [{ kind: 'verification', how: 'shared' }],
    verification: { use: 'hook', step: 'hook' },
  });
  return [made, other, [line('one', 'made', one), { ...line('two', 'other', two), ...more }]];
};

export const verificationCases: readonly Case[] = [
  ...[401, 403, 409, 422].map((status) =>
    says(
      'STV-1',
      `without it the command gets ${status}, of which the contract shows none (G4)`,
      wrong('absent', status),
      'holds probe',
      'holds probe (ids only)',
    ),
  ),
  says('STV-1', 'without it the command runs', wrong('absent', 200), 'violated probe (conclusive)'),
  says('STV-1', 'any value will do', wrong('wrong', 200), 'violated probe (conclusive)'),
  says('STV-1', 'the service fails', wrong('absent', 500), 'violated probe'),
  {
    ...says('STV-1', 'it is refused otherwise than declared', wrong('absent', 401), 'violated probe'),
    declares: { G4: 403 },
  },
  ...(['absent', 'wrong'] as const).flatMap((how) => [
    says(
      'STV-1',
      `it is ${how}, and the target is changed`,
      around(how, 1),
      'holds probe',
      'violated probe before after',
    ),
    says(
      'STV-1',
      `it is ${how}, and the target is not changed`,
      around(how, 0),
      'holds probe',
      'holds probe before after',
    ),
  ]),
  says(
    'STV-1',
    'the command fails with a valid one as well',
    wrong('absent', 500, { status: 500 }),
    'inconclusive probe',
  ),
  says('STV-1', 'it was used before', wrong('used', 409)),
  says('STV-1', 'another fault', invalid),
  says('STV-1', 'another fault as well', alsoInvalid),

  says('STV-2', 'an expired one is refused', wrong('expired', 401), 'holds probe'),
  says('STV-2', "another caller's is refused", wrong('foreign', 403), 'holds probe'),
  says(
    'STV-2',
    'one for another command is accepted',
    wrong('other-command', 200),
    'violated probe (conclusive)',
  ),
  says('STV-2', 'an altered one is accepted', wrong('altered', 200), 'violated probe (conclusive)'),
  says('STV-2', 'an altered one is refused as such', wrong('altered', 409), 'holds probe'),
  {
    ...says(
      'STV-2',
      'an altered one has another form than the contract asks for',
      wrong('altered', 422),
      'holds probe',
    ),
    declares: { G4: 403 },
  },
  says('STV-2', 'it is throttled', wrong('expired', 429), 'inconclusive probe'),
  says('STV-2', 'it was used before', wrong('used', 409)),
  says('STV-2', 'another fault', invalid),

  says('STV-3', 'the command is accepted', [made, approval('a', 'made', 200)], 'holds a'),
  says('STV-3', 'of two commands one is refused', two(403), 'holds a', 'violated b a'),
  says(
    'STV-3',
    'of two commands that of another caller is refused',
    two(403, {}, { as: 'abroad' }),
    'holds a',
    'inconclusive b',
  ),
  says(
    'STV-3',
    'no verification is accepted: the hook may not work',
    [made, approval('a', 'made', 403)],
    'inconclusive a',
  ),
  says(
    'STV-3',
    'the second command had the verification of the first',
    two(403, {}, { verification: { use: 'hook', step: 'hook-a' } }),
    'holds a',
    'inconclusive b',
  ),
  says(
    'STV-3',
    'a refused command presented the verification first',
    [
      made,
      other,
      approval('a', 'made', 200),
      approval('probe', 'other', 409, {
        role: 'test',
        deviations: [{ kind: 'version', how: 'foreign' }],
        verification: { use: 'hook', step: 'hook-b' },
      }),
      approval('b', 'other', 403),
    ],
    'holds a',
    'inconclusive b',
  ),
  says(
    'STV-3',
    'a command with the key of another one ran on the target before',
    [
      made,
      other,
      approval('a', 'made', 200, { key: 'used' }),
      approval('mismatch', 'other', 200, {
        role: 'test',
        key: 'used',
        deviations: [{ kind: 'key-reuse', of: 'a', difference: 'target' }],
      }),
      approval('b', 'other', 409),
    ],
    'holds a',
    'inconclusive b',
  ),
  says(
    'STV-3',
    'a command that was sent later ran on the target first, since this one took longer',
    [
      made,
      other,
      approval('a', 'made', 200, { key: 'used' }),
      approval('b', 'other', 409, { took: 2000 }),
      approval('mismatch', 'other', 200, {
        role: 'test',
        key: 'used',
        deviations: [{ kind: 'key-reuse', of: 'a', difference: 'target' }],
      }),
    ],
    'holds a',
    'inconclusive b',
  ),
  says(
    'STV-3',
    'a command with the same key on another target came first, since this one took longer',
    [
      made,
      other,
      approval('slow', 'other', 409, { key: 'shared', took: 2000 }),
      approval('meanwhile', 'made', 200, {
        role: 'test',
        key: 'shared',
        deviations: [{ kind: 'key-reuse', of: 'slow', difference: 'target' }],
      }),
      approval('control', 'made', 200),
    ],
    'inconclusive slow',
    'holds control',
  ),
  says('STV-3', 'the second command had none of the hook', two(403, {}, plain), 'holds a', 'inconclusive b'),
  says('STV-3', 'the first command had none of the hook', two(403, plain), 'holds a', 'inconclusive b'),
  says(
    'STV-3',
    'the second command had none',
    [
      made,
      other,
      approval('a', 'made', 200),
      { id: 'b', operation: 'approveCase', on: 'other', status: 403 },
    ],
    'holds a',
    'inconclusive b',
  ),
  says(
    'STV-3',
    'the first command had none',
    [
      made,
      other,
      { id: 'a', operation: 'approveCase', on: 'made', status: 200 },
      approval('b', 'other', 403),
    ],
    'holds a',
    'inconclusive b',
  ),
  says(
    'STV-3',
    'the second has another body',
    two(422, {}, { name: 'different' }),
    'holds a',
    'inconclusive b',
  ),
  says(
    'STV-3',
    'one member of the body of the second is another one',
    two(422, {}, { edit: { at: '/reference', set: 'none' } }),
    'holds a',
    'inconclusive b',
  ),
  says('STV-3', 'one target is approved once', two(409, {}, { on: 'made' }), 'holds a', 'inconclusive b'),
  says('STV-3', 'the service fails', two(500), 'holds a', 'inconclusive b'),
  says('STV-3', 'it is throttled', two(429), 'holds a'),
  says('STV-3', 'a verification that does not fit', wrong('expired', 401), 'holds control'),

  says('STV-4', 'a used one is refused', wrong('used', 409), 'holds probe'),
  says('STV-4', 'a used one is accepted', wrong('used', 200), 'violated probe (conclusive)'),
  ...[404, 410].map((status) =>
    says(
      'STV-4',
      `the command that used it left a record that returns ${status}`,
      usedUp('made', status),
      'inconclusive probe first',
    ),
  ),
  {
    ...says(
      'STV-4',
      'the command that used it left a record that conflicts, and another status is declared',
      usedUp('made', 409),
      'inconclusive probe first',
    ),
    declares: { G4: 401 },
  },
  says('STV-4', 'another record returns 404', usedUp('other', 404), 'violated probe'),
  says('STV-4', 'the record is changed twice', usedUp('made', 200), 'violated probe (conclusive)'),
  says(
    'STV-4',
    'of two at once with one verification both are accepted',
    atOnce(200, 200),
    'violated one two (conclusive)',
  ),
  says(
    'STV-4',
    'both are accepted on one record',
    atOnce(200, 201, { on: 'made' }),
    'violated one two (conclusive)',
  ),
  ...[401, 403, 409, 422].map((status) =>
    says('STV-4', `one of two at once is refused with ${status}`, atOnce(200, status), 'holds one two'),
  ),
  says('STV-4', 'the first of two at once is refused', atOnce(409, 200), 'holds two one'),
  {
    ...says(
      'STV-4',
      'one of two at once loses with 409, and another status is declared',
      atOnce(200, 409),
      'holds one two',
    ),
    declares: { G4: 403 },
  },
  says('STV-4', 'the record of one of two at once is gone', atOnce(200, 404), 'inconclusive one two'),
  says('STV-4', 'both of two at once are refused', atOnce(409, 409), 'inconclusive one two'),
  says('STV-4', 'one of two at once is throttled', atOnce(200, 429), 'inconclusive one two'),
  says('STV-4', 'one of two at once fails', atOnce(200, 500), 'inconclusive one two'),
  says('STV-4', 'one of two at once gets no response', atOnce(200, undefined), 'inconclusive one two'),
  says('STV-4', 'one of two at once is queued', atOnce(200, 202), 'inconclusive one two'),
  says(
    'STV-4',
    'both are accepted, one after the other',
    atOnce(200, 200, { at: 900 }),
    'inconclusive one two',
  ),
  says(
    'STV-4',
    'one of two is refused, one after the other',
    atOnce(200, 409, { at: 900 }),
    'inconclusive one two',
  ),
  says('STV-3', 'two at once share a verification', atOnce(409, 200)),
  says('STV-4', 'there was no response', wrong('used', undefined), 'inconclusive probe'),
  says('STV-4', 'it has expired', wrong('expired', 401)),
  says('STV-4', 'another fault', invalid),
];
