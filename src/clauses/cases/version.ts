import type { Deviation, How } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, missing, negative, record, reuse } from './trace.ts';

const made: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
const on = { operation: 'updateCase', on: 'made' } as const;
type Version = How<'version'>;
const version = (how: Version): Deviation => ({
  kind: 'version',
  how,
});
/** A read of the target before and after. */
const read = (id: string, value: string): Line => ({
  id,
  role: 'readback',
  operation: 'getCase',
  on: 'made',
  status: 200,
  body: record('case_7', { version: value }),
});
const observed = (observes: 'before' | 'after', value: string): Line => ({
  ...read(observes, value),
  observes,
});
const current = (step: string): Pick<Line, 'version'> => ({
  version: { use: 'of', ref: { step, at: '/version' } },
});
/** A change with the version that `step` showed. */
const change = (id: string, step: string, status: number | undefined, more: Partial<Line> = {}): Line => ({
  id,
  ...on,
  status,
  ...current(step),
  ...more,
});
const race = (one: number, other: number | undefined, more: Partial<Line> = {}): Case['trace'] => [
  made,
  read('seen', '1'),
  [change('one', 'seen', one), change('two', 'seen', other, more)],
];
const again = (status: number): Line =>
  change('again', 'seen', status, { role: 'test', key: 'first', deviations: [reuse('first')] });
const before = observed('before', '2');
const retried = (status: number, after: string): Case['trace'] => [
  made,
  read('seen', '1'),
  change('first', 'seen', 200),
  before,
  again(status),
  observed('after', after),
];

const second: Line = { ...made, id: 'second', result: 'case_8' };
const wrong = (how: Version, status: number, control: Partial<Line> = {}): Case['trace'] => [
  made,
  ...negative(version(how), status, on, control),
];
/** A refused command between two reads of its target, the second of which shows `after`. */
const around = (how: Version, status: number, after: string): Case['trace'] => [
  made,
  before,
  ...negative(version(how), status, on).slice(0, 1),
  observed('after', after),
  ...negative(version(how), status, on).slice(1),
];
const alsoInvalid = (how: Version): Case['trace'] => [made, ...negative([version(how), missing], 422, on)];
const invalid: Case['trace'] = [made, ...negative(missing, 422, on)];
/** One command moves the version on; then it is read, and sent. */
const afterwards = (status: number, first: Partial<Line> = {}, more: Partial<Line> = {}): Case['trace'] => [
  made,
  change('a', 'made', 200, first),
  read('moved', '2'),
  change('b', 'moved', status, more),
];
/** One command moves the version on; then the old one is sent. */
const old = (status: number, first: Partial<Line> = {}, how: Version = 'stale'): Case['trace'] => [
  made,
  second,
  change('a', 'made', 200, first),
  change('b', 'made', status, { role: 'test', deviations: [version(how)], at: 40 }),
];

const third = change('c', 'made', 200, { controls: 'b', at: 60 });

/** The version of another record, which a command moved on to 2, is sent; the target had 1, and its result shows `after`. */
const borrowed = (after: string): Case['trace'] => [
  { ...made, body: record('case_7', { version: '1' }) },
  second,
  { ...read('look', '2'), on: 'second' },
  read('seen', '1'),
  change('b', 'look', 200, {
    role: 'test',
    deviations: [version('foreign')],
    body: record('case_7', { version: after }),
  }),
];

/** One command was to move on the version that was read; then it is read again, and the old one is sent. */
const unmoved = (first: Partial<Line>, seen: Line['body'], status = 200): Case['trace'] => [
  made,
  read('seen', '1'),
  change('a', 'seen', 200, first),
  { ...observed('before', '1'), body: seen ?? {} },
  change('b', 'seen', status, { role: 'test', deviations: [version('stale')] }),
];
const asBefore = record('case_7', { version: '1' });
const unmovedCases: readonly Case[] = ['VER-1', 'VER-6', 'ERR-1'].flatMap((clause) => {
  const both = clause === 'VER-6' ? 'b a' : 'b';
  const doubted = clause === 'ERR-1' ? [] : [`inconclusive ${both}`];
  return [
    says(clause, 'the command before is queued', unmoved({ status: 202 }, asBefore), ...doubted),
    says(clause, 'the command before left all as it was', unmoved({}, asBefore), ...doubted),
    ...(
      [
        ['the command before changed the record alone', record('case_7', { version: '1', subject: 'new' })],
        ['the version has moved', record('case_7', { version: '2' })],
      ] as const
    ).map(([when, seen]) => says(clause, when, unmoved({}, seen), `violated ${both} (conclusive)`)),
  ];
});

/** The command before sends the marked text that the record has, and another number; the version is the same. */
const oneMember = (shows: Readonly<Record<string, number>>): Case['trace'] =>
  unmoved({ sent: '{"subject":"asy-t-body","seeds":2}' }, record('case_7', { ...marked, ...shows })).map(
    (part) => ('id' in part && part.id === 'seen' ? { ...part, body: record('case_7', marked) } : part),
  );
const marked = { version: '1', subject: 'asy-t-body', seeds: 1 };
const oneMemberCases: readonly Case[] = ['VER-1', 'VER-6', 'ERR-1'].flatMap((clause) => {
  const both = clause === 'VER-6' ? 'b a' : 'b';
  const doubted = clause === 'ERR-1' ? [] : [`inconclusive ${both}`];
  return [
    says(clause, 'a number alone was changed', oneMember({ seeds: 2 }), `violated ${both} (conclusive)`),
    says(clause, 'the number was not changed', oneMember({}), ...doubted),
    says(clause, 'a count that was not sent has moved by itself', oneMember({ views: 7 }), ...doubted),
  ];
});

/** The command before sets a value without a marker, and nobody reads the record before the old version is sent. */
const unread = (result: Line['body'], more: Partial<Line> = {}): Case['trace'] => [
  made,
  read('seen', '1'),
  change('a', 'seen', 200, { sent: '{"subject":"a"}', body: result ?? '', ...more }),
  change('b', 'seen', 200, { role: 'test', deviations: [version('stale')] }),
];
const unreadCases: readonly Case[] = [
  says('VER-1', 'the command before may have changed nothing', unread(''), 'inconclusive b'),
  says('VER-6', 'its result shows the old version', unread(asBefore), 'inconclusive b a'),
  says(
    'VER-1',
    'its result shows a new version',
    unread(record('case_7', { version: '2' })),
    'violated b (conclusive)',
  ),
  says(
    'VER-1',
    'it set a text of its own',
    unread('', { sent: '{"subject":"asy-t-body"}' }),
    'violated b (conclusive)',
  ),
];

/** The old version is refused with the plain body, and sent again with one of another shape. */
export const inOtherShape = (status: number): Case['trace'] => [
  ...old(409),
  change('shape', 'made', status, { role: 'test', deviations: [version('stale')], at: 50, name: 'shape' }),
  third,
];
export const versionCases: readonly Case[] = [
  ...unreadCases,
  ...unmovedCases,
  ...oneMemberCases,
  says(
    'VER-1',
    'the record reads as before, and the old version is refused all the same',
    [...unmoved({}, asBefore, 409), change('c', 'seen', 200, { controls: 'b' })],
    'holds b',
    'holds b (ids only)',
  ),
  says('VER-1', 'an old version: 409', wrong('stale', 409), 'holds probe', 'holds probe (ids only)'),
  says('VER-1', 'it gets 412, as RFC 9110 has it for If-Match', wrong('stale', 412), 'violated probe'),
  says('VER-1', 'no version is accepted', wrong('stale', 412, { status: 412 }), 'inconclusive probe'),
  says(
    'VER-1',
    'the version of another record is accepted',
    wrong('foreign', 200),
    'violated probe (conclusive)',
  ),
  ...(
    [
      ['the target had moved on to it by itself', '3', []],
      ['the target moved on by one', '2', ['violated b (conclusive)']],
      ['versions are no numbers that count up', '9', ['violated b (conclusive)']],
    ] as const
  ).map(([when, after, rulings]) =>
    says('VER-1', `another record's version is accepted: ${when}`, borrowed(after), ...rulings),
  ),
  says(
    'VER-1',
    'the target reads the same after the refusal',
    around('stale', 409, '2'),
    'holds probe',
    'holds probe before after',
  ),
  says(
    'VER-1',
    'the refused command changed the target',
    around('stale', 409, '3'),
    'holds probe',
    'violated probe before after',
  ),
  says(
    'VER-1',
    'the one with the version of another record changed it',
    around('foreign', 409, '3'),
    'holds probe',
    'violated probe before after',
  ),
  says('VER-1', 'not found, and then there', wrong('stale', 404), 'violated probe'),
  says('VER-1', 'not found, as where the first command was a deletion', old(404), 'inconclusive b'),
  says(
    'VER-1',
    'not found, and read afterwards',
    [...old(404, { controls: 'b' }), { ...read('later', '2'), at: 60 }],
    'violated b',
  ),
  says('VER-1', 'a missing version is no old one', wrong('absent', 422)),
  says('VER-1', 'another fault', invalid),
  says('VER-1', 'another fault as well', alsoInvalid('stale')),

  says(
    'VER-2',
    'an accepted request has the key, which is bound to another version',
    [
      made,
      read('seen', '1'),
      change('anonymous', 'seen', 200, {
        role: 'test',
        key: 'k',
        deviations: [{ kind: 'credential', how: 'absent' }],
      }),
      read('moved', '2'),
      change('control', 'moved', 409, { key: 'k' }),
      change('later', 'moved', 200),
    ],
    'inconclusive control',
    'holds later',
  ),
  says(
    'VER-2',
    'the version that was read is accepted',
    [made, read('seen', '1'), change('a', 'seen', 200)],
    'holds a',
  ),
  says(
    'VER-2',
    'it is refused although nothing came between',
    afterwards(409),
    'holds a',
    'violated b moved a',
  ),
  says(
    'VER-2',
    'it is refused, but asks for a value that the accepted one left alone',
    [
      made,
      read('seen', '1'),
      change('b', 'seen', 409, { sent: '{"subject":"first","kind":"large"}' }),
      change('a', 'seen', 200, { sent: '{"subject":"first"}' }),
    ],
    'inconclusive b',
    'holds a',
  ),
  says(
    'VER-2',
    'it is refused, but asks for another value than the accepted one',
    [
      made,
      read('seen', '1'),
      change('b', 'seen', 409, { sent: '{"kind":["large"]}' }),
      change('a', 'seen', 200, { sent: '{"kind":["small"]}' }),
    ],
    'inconclusive b',
    'holds a',
  ),
  says(
    'VER-2',
    'it is refused, and asks for no more than the accepted one',
    [
      made,
      read('seen', '1'),
      change('b', 'seen', 409, { sent: '{"kind":["large"]}' }),
      change('a', 'seen', 200, { sent: '{"kind":["large"],"subject":"first"}' }),
    ],
    'violated b seen a',
    'holds a',
  ),
  says('VER-2', 'it gets another class', afterwards(422), 'holds a', 'inconclusive b'),
  says('VER-2', 'a precondition is said to fail', afterwards(412), 'holds a', 'violated b moved'),
  says('VER-2', 'a precondition is said to be missing', afterwards(428), 'holds a', 'violated b moved'),
  says(
    'VER-2',
    'a precondition is said to fail, of the version that a record was made with',
    [made, change('a', 'made', 412)],
    'violated a made',
  ),
  says('VER-2', 'the loser of a race gets another class', race(200, 412), 'holds one', 'inconclusive two'),
  says(
    'VER-2',
    'the command before it ended as the read began',
    afterwards(409, { took: 10 }),
    'holds a',
    'violated b moved a',
  ),
  says(
    'VER-2',
    'the command before it ended after the read began',
    afterwards(409, { took: 11 }),
    'holds a',
    'inconclusive b',
  ),
  says(
    'VER-2',
    'another command came between',
    [
      made,
      change('a', 'made', 200),
      read('moved', '2'),
      { id: 'close', operation: 'closeCase', on: 'made', status: 200 },
      change('b', 'moved', 409),
    ],
    'holds a',
    'inconclusive b',
  ),
  says(
    'VER-2',
    'another command began as it ended',
    [...afterwards(409), { id: 'close', operation: 'closeCase', on: 'made', status: 200, at: 45 }],
    'holds a',
    'violated b moved a',
  ),
  says(
    'VER-2',
    'another command began before it ended',
    [...afterwards(409), { id: 'close', operation: 'closeCase', on: 'made', status: 200, at: 44 }],
    'holds a',
    'inconclusive b',
  ),
  says(
    'VER-2',
    'its key was refused before, with an old version',
    [
      made,
      read('seen', '1'),
      change('a', 'seen', 200),
      { ...change('old', 'seen', 409), key: 'k', deviations: [{ kind: 'version', how: 'stale' }] },
      read('moved', '2'),
      change('b', 'moved', 409, { key: 'k' }),
    ],
    'holds a',
    'inconclusive b',
  ),
  says(
    'VER-2',
    'no version was ever accepted: a conflict of state, perhaps',
    [made, read('seen', '1'), change('a', 'seen', 409)],
    'inconclusive a',
  ),
  says(
    'VER-2',
    'only another operation was accepted on the target',
    [
      made,
      { id: 'close', operation: 'closeCase', on: 'made', status: 200 },
      read('seen', '2'),
      change('a', 'seen', 409),
    ],
    'inconclusive a',
  ),
  says(
    'VER-2',
    'the operation was accepted on another target only',
    [made, second, change('a', 'second', 200, { on: 'second' }), read('seen', '1'), change('b', 'seen', 409)],
    'holds a',
    'inconclusive b',
  ),
  says(
    'VER-2',
    'the version was not read',
    afterwards(409, {}, { version: { use: 'of', ref: { literal: '2' } } }),
    'holds a',
    'inconclusive b',
  ),
  says(
    'VER-2',
    'it stood in the result of the command before',
    afterwards(409, {}, current('a')),
    'holds a',
    'inconclusive b',
  ),
  says(
    'VER-2',
    'the version moves later although nothing was accepted: what another trace sent was seen late',
    [...afterwards(409), read('late', '3'), change('c', 'late', 200)],
    'holds a',
    'inconclusive b late',
    'holds c',
  ),
  says(
    'VER-2',
    'the version stays until a command is accepted',
    [...afterwards(409), read('still', '2'), change('c', 'still', 200), read('after', '3')],
    'holds a',
    'violated b moved a',
    'holds c',
  ),
  says('VER-2', 'it is throttled', [made, read('seen', '1'), change('a', 'seen', 429)]),
  says('VER-2', 'the command has a fault', [
    made,
    read('seen', '1'),
    change('a', 'seen', 422, { deviations: [missing] }),
  ]),
  says('VER-2', 'a version that was made up', [
    made,
    { id: 'a', ...on, status: 412, version: { use: 'literal', value: '1' } },
  ]),
  says('VER-2', 'no version', [made, { id: 'a', ...on, status: 412 }]),
  says(
    'VER-2',
    'the one before had no version',
    [made, { id: 'a', ...on, status: 200 }, read('moved', '2'), change('b', 'moved', 409)],
    'inconclusive b',
  ),

  says('VER-3', 'no version: 422', wrong('absent', 422), 'holds probe', 'holds probe (ids only)'),
  says('VER-3', '428', wrong('absent', 428), 'holds probe (advisory)', 'holds probe (ids only)'),
  says('VER-3', 'the last write wins', wrong('absent', 200), 'violated probe (conclusive)'),
  says(
    'VER-3',
    'the refused command changed the target',
    around('absent', 422, '3'),
    'holds probe',
    'violated probe before after',
  ),
  says('VER-3', 'an old version is not a missing one', wrong('stale', 409)),
  says('VER-3', 'another fault', invalid),
  says('VER-3', 'another fault as well', alsoInvalid('absent')),

  says('VER-4', 'a version that never was is a conflict', wrong('garbage', 409), 'holds probe'),
  says('VER-4', 'it does not match the schema', wrong('garbage', 422), 'holds probe'),
  says('VER-4', '* is taken for any version', wrong('garbage', 200), 'violated probe (conclusive)'),
  says('VER-4', 'an old version was one', wrong('stale', 409)),
  says('VER-4', 'another fault', invalid),

  says('VER-5', 'one wins, the other is a conflict', race(200, 409), 'holds one two'),
  says('VER-5', 'both win', race(200, 200), 'violated one two (conclusive)'),
  says('VER-5', 'both are queued', race(202, 202), 'inconclusive one two'),
  says('VER-5', 'one is queued', race(200, 202), 'inconclusive one two'),
  ...(
    [
      ['none moved on', '1', 'inconclusive one two'],
      ['the first moved on', '2', 'violated one two (conclusive)'],
    ] as const
  ).map(([which, shown, ruling]) => {
    const sent = { sent: '{"subject":"low"}', body: record('case_7', { version: shown }) };
    return says(
      'VER-5',
      `both set the same value, and have a version that ${which}`,
      [made, read('seen', '1'), [change('one', 'seen', 200, sent), change('two', 'seen', 200, sent)]],
      ruling,
    );
  }),
  says('VER-5', 'neither sends a version', [
    made,
    [
      { id: 'one', ...on, status: 200 },
      { id: 'two', ...on, status: 200 },
    ],
  ]),
  says('VER-5', 'the loser gets another class', race(200, 412), 'violated one two'),
  says('VER-5', 'the other is throttled, so there was no race', race(200, 429), 'inconclusive one two'),
  says('VER-5', 'nobody wins', race(409, 409), 'inconclusive one two'),
  says('VER-5', 'nobody wins, and nobody learns why', race(412, 412), 'inconclusive one two'),
  says(
    'VER-5',
    'the loser finds nothing, as where the winner was a deletion',
    race(200, 404),
    'inconclusive one two',
  ),
  says(
    'VER-5',
    'the loser finds nothing, and the record is there',
    [...race(200, 404), { ...read('later', '2'), at: 60 }],
    'violated one two',
  ),
  says(
    'VER-5',
    'the second was sent when the first had ended',
    race(200, 409, { at: 100 }),
    'inconclusive one two',
  ),
  says('VER-5', 'one had no response', race(200, undefined)),
  says('VER-5', 'one has a fault', race(200, 422, { deviations: [missing] })),
  says('VER-5', 'the other is another operation', race(200, 200, { operation: 'closeCase' })),
  says('VER-5', 'two on targets of their own', [second, ...race(200, 200, { on: 'second' })]),
  says(
    'VER-5',
    'a third on a target of its own',
    [
      made,
      second,
      { wait: 5 },
      [
        change('one', 'made', 200),
        change('two', 'made', 409),
        change('three', 'second', 200, { on: 'second' }),
      ],
    ],
    'holds one two',
  ),
  says('VER-5', 'nothing at once, or nothing with a version', [
    [made, second],
    change('one', 'made', 200),
    change('two', 'made', 200),
  ]),

  says('VER-6', 'after a success the old version is refused', [...old(409), third], 'holds b a'),
  says('VER-6', 'so is the current one, and no read shows that it moved', old(409), 'inconclusive b a'),
  says(
    'VER-6',
    'so is the current one, and a read shows that it moved',
    unmoved({}, record('case_7', { version: '2' }), 409),
    'holds b a',
  ),
  says(
    'VER-6',
    'so is the current one, and only the command that was to move it on is a control',
    old(409, { controls: 'b' }),
    'inconclusive b a',
  ),
  says(
    'VER-6',
    'it is refused, but a read shows it next to what was changed',
    unmoved({}, record('case_7', { version: '1', subject: 'new' }), 409),
    'violated b a before',
  ),
  ...(
    [
      ['moves by itself', 8, 'inconclusive b a'],
      ['stays', 7, 'violated b a before'],
    ] as const
  ).map(([what, views, ruling]) =>
    says(
      'VER-6',
      `it is refused, and what was changed without being sent ${what}`,
      [
        made,
        read('seen', '1'),
        change('a', 'seen', 200),
        { ...observed('before', '1'), body: record('case_7', { version: '1', views: 7 }) },
        { ...observed('before', '1'), id: 'before-again', body: record('case_7', { version: '1', views }) },
        change('b', 'seen', 409, { role: 'test', deviations: [version('stale')] }),
      ],
      ruling,
    ),
  ),
  says(
    'VER-6',
    'it is refused, and a read shows the record as it was',
    unmoved({}, asBefore, 409),
    'inconclusive b a',
  ),
  says('VER-6', 'it is accepted', old(200), 'violated b a (conclusive)'),
  says('VER-6', 'it is sent as the success comes', [...old(409, { took: 10 }), third], 'holds b a'),
  says('VER-6', 'it is sent before the success comes', old(200, { took: 11 })),
  says('VER-6', 'the success was on another target', old(200, { on: 'second' })),
  says('VER-6', 'the success was of another operation', old(200, { operation: 'closeCase' })),
  says('VER-6', 'the command that was to move it on was refused', old(200, { status: 409 })),
  says('VER-6', 'the version of another record', old(200, {}, 'foreign')),
  says('VER-6', 'throttled', old(429)),
  says('VER-6', 'the service fails', old(500)),
  says('VER-6', 'no version at all is sent', [
    made,
    change('a', 'made', 200),
    { id: 'b', ...on, status: 200 },
  ]),

  says(
    'VER-7',
    'the stored result is replayed',
    retried(200, '2'),
    'holds again first',
    'holds again first before after',
  ),
  says(
    'VER-7',
    'the retry is a conflict',
    retried(409, '2'),
    'holds again first',
    'holds again first before after',
  ),
  says(
    'VER-7',
    'the retry changes the target again',
    retried(200, '3'),
    'holds again first',
    'violated again first before after',
  ),
  says(
    'VER-7',
    'the old version of the retry gets a class of its own',
    [made, read('seen', '1'), change('first', 'seen', 200), again(412)],
    'violated again first',
    'holds again first (ids only)',
  ),
];
