import type { Deviation } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, lacking, missing, negative, record } from './trace.ts';

const closed = { operation: 'closeCase', on: 'made' } as const;
const made: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
const conflict: Deviation = { kind: 'conflict' };
/** A case that is closed is closed again. */
const again = (status: number, control: Partial<Line> = {}): Case['trace'] => [
  made,
  ...negative(conflict, status, closed, control),
];
const read = (id: string, status: string): Line => ({
  id,
  role: 'readback',
  operation: 'getCase',
  on: 'made',
  status: 200,
  body: record('case_7', { status }),
});
const around = (observes: 'before' | 'after', status: string): Line => ({
  ...read(observes, status),
  observes,
});
const answer = (body: Line['body'], more: Partial<Line> = {}): Case['trace'] => [
  { id: 'a', status: 409, ...(body === undefined ? {} : { body }), ...more },
];

/** An open case is closed twice at once. */
const twice = (first: number, second: number, more: Partial<Line> = {}): Case['trace'] => [
  made,
  [
    { ...closed, id: 'one', role: 'test', status: first },
    { ...closed, id: 'rival', role: 'test', status: second, ...more },
  ],
];
const races: readonly Case[] = [
  says('CNF-1', 'a case is closed twice at once', twice(200, 200), 'violated rival one (conclusive)'),
  says('CNF-1', 'of two closures at once one is a conflict', twice(409, 200), 'holds rival one'),
  says('CNF-1', 'two closures at once are queued', twice(202, 202)),
  says('CNF-1', 'two closures at once are conflicts', twice(409, 409)),
  says('CNF-1', 'of two closures at once one is throttled', twice(200, 429)),
  says('CNF-1', 'one closure is sent twice at once', twice(200, 200, { key: 'one' })),
  says('CNF-1', 'two cases are closed at once', [
    { ...made, id: 'else', result: 'case_8' },
    ...twice(200, 200, { on: 'else' }),
  ]),
  says('CNF-1', 'one closure of two lacks the permission', twice(200, 200, { deviations: [lacking] })),
];

/** A case is closed, and then closed again. */
const afterwards = (first: number, status: number): Case['trace'] => [
  made,
  { ...closed, id: 'first', role: 'setup', status: first },
  ...negative(conflict, status, closed, { on: 'else' }),
];
/** A case is closed; the second closure is refused, and the case is read around it. */
const closedAround = (first: number): Case['trace'] => [
  made,
  { ...closed, id: 'first', role: 'setup', status: first },
  around('before', 'open'),
  ...negative(conflict, 409, closed, { on: 'else' }).slice(0, 1),
  around('after', 'closed'),
];
const queued: readonly Case[] = [
  says(
    'CNF-1',
    'the closure before is queued, and seen late',
    closedAround(202),
    'inconclusive probe',
    'inconclusive probe first',
  ),
  says(
    'CNF-1',
    'the closure before was done',
    closedAround(200),
    'inconclusive probe',
    'violated probe before after',
  ),
];
/** A case whose making was queued is read twice; the closure is refused, and what it sent is on the case. */
const writtenBy = (maker: number, subject: string): Case['trace'] => [
  { ...made, status: maker, sent: '{"subject":"mine"}' },
  { ...around('before', 'closed'), id: 'before-1', body: record('case_7', { subject: 'mine' }) },
  { ...around('before', 'closed'), body: record('case_7', { subject: 'mine' }) },
  ...negative(conflict, 409, { ...closed, sent: '{"reason":"a","subject":"theirs"}' }).slice(0, 1),
  { ...around('after', 'closed'), body: record('case_7', { subject }) },
];
const queuedMakers: readonly Case[] = [201, 202].flatMap((maker) => [
  says(
    'CNF-1',
    `the refused closure writes what it sent on a case made with ${maker}`,
    writtenBy(maker, 'theirs'),
    'inconclusive probe',
    'violated probe before after',
  ),
  says(
    'CNF-1',
    `the case, made with ${maker}, shows something else after a refused closure`,
    writtenBy(maker, 'Mine, a case'),
    'inconclusive probe',
    maker === 201 ? 'violated probe before after' : 'inconclusive probe made',
  ),
]);
const queuedOthers: readonly Case[] = ['CNF-1', 'ERR-1'].flatMap((clause) => [
  says(
    clause,
    'the command that was to forbid it is queued',
    afterwards(202, 200),
    ...(clause === 'CNF-1' ? ['inconclusive probe first'] : []),
  ),
  says(clause, 'the command that forbids it is done', afterwards(200, 200), 'violated probe (conclusive)'),
]);

/** A closed case is closed again, for the same reason and then for another one. */
const because = (reason: string) => record('case_7', { reason });
const sent = (reason: string): Pick<Line, 'sent'> => ({ sent: JSON.stringify({ reason }) });
const withOther = (status: number, left: string, control: number = 200): Case['trace'] => [
  made,
  { ...around('before', ''), body: because('one') },
  ...negative(conflict, 409, { ...closed, ...sent('one') }).slice(0, 1),
  { ...around('after', ''), body: because('one') },
  { ...closed, ...sent('two'), id: 'otherwise', role: 'test', status },
  { ...around('after', ''), id: 'otherwise-after', body: because(left) },
  { ...closed, ...sent('one'), id: 'control', controls: 'probe', on: 'else', status: control },
];
const others: readonly Case[] = [
  says(
    'CNF-1',
    'neither what it had nor other values are written',
    withOther(409, 'one'),
    'holds probe',
    'holds probe before after (ids only)',
    'holds otherwise before otherwise-after',
  ),
  says(
    'CNF-1',
    'other values are written, although they are refused',
    withOther(409, 'two'),
    'holds probe',
    'holds probe before after (ids only)',
    'violated otherwise before otherwise-after',
  ),
  ...[200, 202, 422, 429, 500].map((status) =>
    says(
      'CNF-1',
      `other values are no conflict: ${status}`,
      withOther(status, status < 300 ? 'two' : 'one'),
      'holds probe',
      'holds probe before after (ids only)',
    ),
  ),
  says(
    'CNF-1',
    'other values are refused as well, and no case can be changed',
    withOther(409, 'one', 409),
    'inconclusive probe',
    'inconclusive probe',
    'inconclusive otherwise',
  ),
];

export const conflictCases: readonly Case[] = [
  ...races,
  ...queued,
  ...queuedOthers,
  ...queuedMakers,
  ...others,
  says('CNF-1', 'a closed case is closed again: 409', again(409), 'holds probe', 'holds probe (ids only)'),
  says('CNF-1', 'it is accepted, and nothing is known to forbid it', again(200), 'inconclusive probe'),
  says('CNF-1', 'it gets another class, and an open case can be closed', again(422), 'violated probe'),
  says('CNF-1', 'no case can be closed at all', again(422, { status: 422 }), 'inconclusive probe'),
  says(
    'CNF-1',
    'the refused command opens the case',
    [
      made,
      around('before', 'closed'),
      ...negative(conflict, 409, closed).slice(0, 1),
      around('after', 'open'),
    ],
    'inconclusive probe',
    'violated probe before after',
  ),
  ...[404, 410].map((status) =>
    says(
      'CNF-1',
      `the refused command takes the case away: ${status}`,
      [
        made,
        around('before', 'closed'),
        ...negative(conflict, 409, closed).slice(0, 1),
        { ...around('after', 'closed'), status, body: {} },
      ],
      'inconclusive probe',
      'violated probe before after',
    ),
  ),
  ...[404, 410].flatMap((status) => [
    says(
      'CNF-1',
      `what forbids the command removed its target, as a read shows: ${status}`,
      [made, { ...read('look', 'closed'), status, body: {} }, ...negative(conflict, status, closed)],
      'inconclusive probe look',
    ),
    says(
      'CNF-1',
      `the target can be read, and the command returns ${status}`,
      [made, read('look', 'closed'), ...negative(conflict, status, closed)],
      'violated probe',
    ),
    says(
      'CNF-1',
      `no read shows whether the target is there, and the command returns ${status}`,
      again(status),
      'inconclusive probe',
    ),
  ]),
  says(
    'CNF-1',
    'the first of two closes removed its target',
    [
      made,
      { id: 'provoking', role: 'setup', status: 200, ...closed },
      { ...read('look', 'closed'), status: 404, body: {} },
      ...negative(conflict, 404, closed),
    ],
    'inconclusive probe look',
  ),
  says('CNF-1', 'no conflict', [made, ...negative(missing, 422, closed)]),
  says('CNF-1', 'another fault as well', [made, ...negative([conflict, missing], 422, closed)]),

  says('CNF-2', 'a text in the body', answer({ error: { message: 'the key is taken' } }), 'holds a'),
  says(
    'CNF-2',
    'a text among others that are empty',
    answer({ title: '', details: [' ', 'closed'] }),
    'holds a',
  ),
  says('CNF-2', 'plain text', answer('conflict', { type: 'text/plain' }), 'holds a'),
  says('CNF-2', 'an empty body', answer(''), 'violated a'),
  says('CNF-2', 'an empty line', answer(' \r\n', { type: 'text/plain' }), 'violated a'),
  says('CNF-2', 'JSON without any text', answer({ code: 7, details: ['', ' ', null, true] }), 'violated a'),
  says('CNF-2', 'null', answer('null'), 'violated a'),
  says('CNF-2', 'not what Content-Encoding says', answer('conflict', { miscoded: true }), 'violated a'),
  says('CNF-2', 'no conflict', answer('', { status: 422 })),
  says('CNF-2', 'a conflict of a read', answer('', { operation: 'listCases' })),
];
