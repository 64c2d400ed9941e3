import type { Deviation } from '../../model/scenario.ts';
import { nothingThereCases } from './nothing-there.ts';
import { apart, says } from './says.ts';
import { absent, type Case, type Line, missing, negative, record, reuse } from './trace.ts';

const oddKey = (status: number, value = 'k'): Case['trace'] =>
  negative({ kind: 'key', how: 'odd' }, status, { key: { use: 'literal', value } }, { key: 'other' });

const read = { operation: 'getCase' } as const;
const noise: Deviation = { kind: 'header-noise', header: 'X-Other' };
const refused: Line = { id: 'refused', status: 422 };
const first: Line = { id: 'first', status: 201, key: 'k', result: 'case_7' };
const bound = (status: number): readonly Line[] =>
  negative(reuse('first', 'request'), status, { key: 'k' }, { key: 'control' });

const faults: readonly Case[] = [
  says('ERR-1', 'it is refused', negative(missing, 422), 'holds probe'),
  says('ERR-1', 'it is served', negative(missing, 201), 'violated probe (conclusive)'),
  ...[500, 599].map((status) =>
    says('ERR-1', `the service fails with ${status}`, negative(missing, status), 'violated probe'),
  ),
  {
    ...says(
      'ERR-1',
      'a key that breaks the declared form makes the service fail',
      oddKey(500),
      'violated probe',
    ),
    declares: { G17: 'uuid' },
  },
  {
    ...says('ERR-1', 'a key of the declared form', oddKey(500)),
    declares: { G17: { maxLength: 64 } },
  },
  says('ERR-1', 'no form of keys is declared', oddKey(500)),
  {
    ...says('ERR-1', 'a UUID without hyphens', oddKey(201, '0a1b2c3d4e5f46789abc0123456789ab')),
    declares: { G17: 'uuid' },
  },
  says('ERR-1', '499 is a refusal', negative(missing, 499), 'holds probe'),
  says(
    'ERR-1',
    'the service fails at the valid request as well',
    negative(missing, 500, {}, { status: 500 }),
    'inconclusive probe',
  ),
  says(
    'ERR-1',
    'the service fails, and nothing else was sent',
    negative(missing, 500).slice(0, 1),
    'inconclusive probe',
  ),
  ...(['violated', undefined] as const).map((verdict) =>
    says(
      'ERR-1',
      `a read of what is not there ${verdict === undefined ? 'shows that there is nothing' : 'makes the service fail'}`,
      negative({ kind: 'target', how: 'absent' }, verdict === undefined ? 200 : 500, read, {
        ...read,
        status: 200,
      }),
      ...(verdict === undefined ? [] : ['violated probe']),
    ),
  ),
  ...(
    [
      [500, 'makes the service fail', 'violated probe'],
      [404, 'is refused', 'holds probe'],
      [422, 'is refused as invalid', 'holds probe'],
      [200, 'is accepted'],
    ] as const
  ).map(([status, what, ...rulings]) =>
    says(
      'ERR-1',
      `a command on a record that does not exist ${what}`,
      negative(
        { kind: 'target', how: 'absent' },
        status,
        { operation: 'closeCase', given: 'case_none', body: status === 200 ? record('case_7') : {} },
        { key: 'other', given: 'case_7', body: record('case_7'), status: 200 },
      ),
      ...rulings,
    ),
  ),
  ...[
    {
      shows: 'the record that its control reads',
      body: record('case_7'),
      ruling: ['violated probe control'],
    },
    { shows: 'another record than its control', body: record('case_6'), ruling: ['violated probe control'] },
    { shows: 'one of the ID that was asked for', body: record('case_none'), ruling: [] },
    { shows: 'the ID in another spelling', body: record('CASE-NONE'), ruling: [] },
    { shows: 'what it may fall back on', body: record('en'), ruling: [] },
    { shows: 'nothing', body: {}, ruling: [] },
    { shows: 'which record is near', body: { found: false, near: 'case_7' }, ruling: [] },
  ].flatMap(({ body, ruling, shows }) =>
    // Several absent records may share a control.
    [{}, { controls: '*' }].map((more) =>
      says(
        'ERR-1',
        `a read of what is not there shows ${shows}${'controls' in more ? ', next to others' : ''}`,
        negative(
          { kind: 'target', how: 'absent' },
          200,
          { ...read, given: 'case_none', body },
          { ...read, given: 'case_7', body: record('case_7'), status: 200, ...more },
        ),
        ...ruling,
      ),
    ),
  ),
  ...(
    [
      ['an unusual query', { kind: 'query', field: 'status', keyword: 'odd' }, 'listCases'],
      ['an unknown query field', { kind: 'query', field: 'x', keyword: 'unknown' }, 'listCases'],
      ['another media type', { kind: 'media-type' }, 'seekCases'],
    ] as const
  ).flatMap(([what, fault, operation]) => [
    says('ERR-1', `a read fails on ${what}`, negative(fault, 500, { operation }), 'violated probe'),
    says('ERR-1', `a read refuses ${what}`, negative(fault, 400, { operation })),
    says('ERR-1', `a read takes ${what}`, negative(fault, 200, { operation })),
    says(
      'ERR-1',
      `a read fails on ${what}, and without it`,
      negative(fault, 500, { operation }, { status: 500 }),
      'inconclusive probe',
    ),
  ]),
  says('ERR-1', 'it is throttled', negative(missing, 429)),
  says('ERR-1', 'a valid request', apart(negative([], 201), negative([], 500), negative([], 422))),
  says('ERR-1', 'no probe', negative(missing, 201, { role: 'control' })),
  says('ERR-1', 'noise that the service serves', negative(noise, 201)),
  says('ERR-1', 'noise at which the service fails', negative(noise, 500), 'violated probe'),
  says(
    'ERR-1',
    'noise, and the service fails without it too',
    negative(noise, 500, {}, { status: 503 }),
    'inconclusive probe',
  ),
  says('ERR-1', 'noise that the service refuses', negative(noise, 422)),
  ...[201, 400].map((status) =>
    says('ERR-1', `an unknown member: ${status}`, negative({ kind: 'unknown-member', at: '/x' }, status)),
  ),
  says(
    'ERR-1',
    'an unknown member at which the service fails',
    negative({ kind: 'unknown-member', at: '/x' }, 500),
    'violated probe',
  ),
  says('ERR-1', 'a fault that may succeed', negative({ kind: 'media-type' }, 201)),
  says(
    'ERR-1',
    'one fault that may succeed, and one that may not',
    negative([{ kind: 'media-type' }, missing], 201),
    'violated probe (conclusive)',
  ),
  says('ERR-1', 'another request under a used key', [first, ...bound(201)], 'violated probe (conclusive)'),
  says('ERR-1', 'another request under a used key is refused', [first, ...bound(409)], 'holds probe'),
  says('ERR-1', 'the key was not used, since its command was throttled', [
    { ...first, status: 429 },
    ...bound(201),
  ]),
  says('ERR-1', 'the key was used by another step', [{ ...first, id: 'other' }, ...bound(201)]),
  {
    ...says(
      'ERR-1',
      'an unknown member, as declared',
      negative({ kind: 'unknown-member', at: '/x' }, 422),
      'holds probe',
    ),
    declares: { G7: 'refuse' },
  },
];

const result = { id: 'case_7', status: 'open' };
const conflict = (more: Partial<Line> = {}, ...before: readonly Line[]): Case['trace'] => [
  ...before,
  { id: 'conflict', status: 409, body: result, ...more },
];
const closing = { operation: 'closeCase', on: 'first' } as const;
const results: readonly Case[] = [
  says('ERR-2', 'a refusal without a result', [refused], 'holds refused'),
  says(
    'ERR-2',
    'a refusal with the members of the result, whose ID is that of the request',
    [{ ...refused, body: result, requestId: 'case_7' }],
    'holds refused',
  ),
  says('ERR-2', 'a refusal with the result', [{ ...refused, body: result }], 'violated refused'),
  says(
    'ERR-2',
    'the result of an accepted command',
    [first, { ...refused, body: result }],
    'violated refused',
  ),
  says('ERR-2', 'an object of another shape', [{ ...refused, body: { id: 'case_7' } }], 'holds refused'),
  says(
    'ERR-2',
    'a part of the result, of a record that nobody made',
    conflict({ ...closing, body: { id: 'case_9', status: 'open' } }, first),
    'violated conflict',
  ),
  says(
    'ERR-2',
    'a part of the result, of the record that was made',
    conflict({ ...closing, body: { id: 'case_7', status: 'open' } }, first),
    'holds conflict',
  ),
  says(
    'ERR-2',
    'an ID and a member that no result has',
    conflict({ ...closing, body: { id: 'case_9', why: 'closed' } }, first),
    'holds conflict',
  ),
  says('ERR-2', 'a failure', [{ ...refused, status: 500, body: result }], 'violated refused'),
  says('ERR-2', 'an array', [{ ...refused, body: [result] }], 'holds refused'),
  says(
    'ERR-2',
    'an object of the declared shape that names no record',
    [{ ...refused, operation: 'createNote', status: 400, body: { title: 'no' } }],
    'holds refused',
  ),
  says(
    'ERR-2',
    'an ID that is no text',
    [{ ...refused, operation: 'createNote', status: 400, body: { id: 7 } }],
    'holds refused',
  ),
  says('ERR-2', 'a conflict refers to the record', conflict({}, first), 'holds conflict'),
  says(
    'ERR-2',
    'a conflict refers to a record that nobody made',
    conflict({}, { ...first, result: 'case_8' }),
    'violated conflict',
  ),
  says(
    'ERR-2',
    'the record was refused',
    conflict({}, { ...first, status: 422, body: { id: 'case_7' } }),
    'holds first',
    'violated conflict',
  ),
  says(
    'ERR-2',
    'a conflict refers to a record that may have been made',
    conflict({}, { ...first, status: undefined }),
    'inconclusive conflict',
  ),
  says(
    'ERR-2',
    'a refusal, and another answer was lost',
    [
      { ...first, status: undefined },
      { ...refused, body: result },
    ],
    'violated refused',
  ),
  says('ERR-2', 'accepted, redirected, or without a declared result', [
    first,
    { ...first, id: 'moved', status: 399 },
    { ...refused, operation: 'ping', body: result },
  ]),
  says('ERR-2', '400 is a refusal', [{ ...refused, status: 400, body: result }], 'violated refused'),
];

const stacks: readonly (readonly [string, string])[] = [
  ['JavaScript', 'Error: no\n    at Object.run (/srv/app.js:10:5)'],
  ['JavaScript, without a name', 'Error: no\n    at node:internal/main:95:52'],
  ['JavaScript, of Windows', 'Error: no\r\n\tat run (app.js:1:2)'],
  ['Python', 'Traceback (most recent call last):'],
  ['Java', 'java.lang.Error\n\tat com.acme.Cases$1.create(Cases.java:77)'],
  ['Java, a constructor', 'java.lang.Error\n    at acme/com.Cases.<init>(Cases.java:7)'],
  ['Go', 'goroutine 17 [running]:'],
  ['Kotlin', 'java.lang.Error\n\tat com.acme.Cases.create(Cases.kt:77)'],
  ['PHP', 'Stack trace:\n#0 /srv/app/Cases.php(77): Cases->create()'],
  ['PHP in Laravel', '{"trace":[{"file":"/srv/app/Cases.php","line":77,"function":"create"}]}'],
  ['Ruby', "app/models/case.rb:12:in `create'"],
  ['Rust', 'stack backtrace:\n   0: rust_begin_unwind'],
  ['Elixir', '** (MatchError) no match\n    (acme 0.1.0) lib/acme/cases.ex:12: Acme.Cases.create/1'],
  ['C#', '   at Acme.Cases.Create() in /srv/Cases.cs:line 42'],
];
const plainTexts = [
  'Try again\n  at 2027-01-01 12:30:05',
  'Try again\nat noon:10:5',
  'look at app.js:10:5',
  'a goroutine is busy',
  'goroutine [running]',
  'Cases.cs line 42',
  'see Cases.php(77)',
  'case.rb:12',
  'no backtrace',
  'see Cases.java',
];
const stackCases = stacks.flatMap(([language, text]): readonly Case[] => [
  says('ERR-3', `a stack trace of ${language}`, [{ ...refused, body: text }], 'violated refused'),
  says(
    'ERR-3',
    `a stack trace of ${language} in JSON`,
    [{ ...refused, body: { detail: text } }],
    'violated refused',
  ),
  says('ERR-4', `a stack trace of ${language}`, [failed({ body: { detail: text } })], 'violated failed'),
]);

function failed(more: Partial<Line> = {}): Line {
  return {
    id: 'failed',
    role: 'test',
    status: 500,
    deviations: [{ kind: 'fault', how: 'before-commit' }],
    ...more,
  };
}

const disclosed: readonly Case[] = [
  says('ERR-3', 'nothing is disclosed', [refused], 'holds refused'),
  ...plainTexts.map((text) =>
    says('ERR-3', `plain words: ${text}`, [{ ...refused, body: { text } }], 'holds refused'),
  ),
  says(
    'ERR-3',
    'the token in the body',
    [{ ...refused, body: { token: '$ASSAY_TOKEN_FULL' } }],
    'violated refused',
  ),
  says(
    'ERR-3',
    'the token in a header',
    negative(absent, 401, { headers: [['X-Debug', 'Bearer $ASSAY_TOKEN_FULL']] }),
    'violated probe',
  ),
  says('ERR-3', 'accepted, or redirected', [first, { id: 'a', status: 399, body: '$ASSAY_TOKEN_FULL' }]),
  says(
    'ERR-3',
    '400 is a refusal',
    [{ ...refused, status: 400, body: '$ASSAY_TOKEN_FULL' }],
    'violated refused',
  ),
  ...stackCases,
];

const written = { id: 'case_7', status: 'open', subject: 'Late', version: '1' };

const failures: readonly Case[] = [
  says('ERR-4', 'the failure can be traced', [failed()], 'holds failed'),
  says(
    'ERR-4',
    'after the commit',
    [failed({ deviations: [{ kind: 'fault', how: 'after-commit' }] })],
    'holds failed',
  ),
  says('ERR-4', 'it has no request ID', [failed({ requestId: [] })], 'violated failed'),
  says('ERR-4', 'it names a record', [failed({ body: { id: 'case_7' } })], 'violated failed'),
  says(
    'ERR-4',
    'it has an ID, and those of records have no form of their own',
    [failed({ operation: 'createNote', body: { id: 'case_7' } })],
    'holds failed',
  ),
  says('ERR-4', 'it has an ID of its own', [failed({ body: { id: 'error_7' } })], 'holds failed'),
  says('ERR-4', 'it names a record in words', [failed({ body: { id: 'no case_7' } })], 'holds failed'),
  ...(
    [
      ['records in a list', { errors: [], nearby: [written] }, 'violated failed'],
      ['a record within an object', { error: { current: written } }, 'violated failed'],
      ['what an error may have', { error: { id: 'error_7', status: 'open' } }, 'holds failed'],
    ] as const
  ).map(([when, body, outcome]) => says('ERR-4', when, [failed({ body })], outcome)),
  says(
    'ERR-4',
    'the record that the request names',
    [failed({ operation: 'closeCase', given: 'case_7', body: { error: { current: written } } })],
    'holds failed',
  ),
  says(
    'ERR-4',
    'the ID that the request names',
    [failed({ operation: 'closeCase', given: 'case_7', body: { id: 'case_7', error: 'internal' } })],
    'holds failed',
  ),
  says('ERR-4', 'slow, served, refused, or not provoked', [
    failed({ id: 'slow', deviations: [{ kind: 'fault', how: 'slow' }] }),
    failed({ id: 'served', status: 201 }),
    failed({ id: 'refused', status: 499 }),
    failed({ id: 'own', deviations: [] }),
  ]),
];

export const errorCases: readonly Case[] = [
  ...faults,
  ...nothingThereCases,
  ...results,
  ...disclosed,
  ...failures,
];
