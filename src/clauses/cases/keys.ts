import type { Deviation, How, KeySpec } from '../../model/scenario.ts';
import { first } from './repeats.ts';
import { says } from './says.ts';
import { absent, type Case, type Line, lacking, missing, type Part, reuse } from './trace.ts';

export const key = (how: How<'key'>): Deviation => ({ kind: 'key', how });
const near = (status: number | undefined, more: Partial<Line> = {}): Line => ({
  id: 'near',
  role: 'test',
  key: { use: 'near', name: 'key', edit: { kind: 'upper-case' } },
  name: 'own',
  status,
  result: 'case_2',
  ...more,
});
const long = (last: string): KeySpec => ({
  use: 'near',
  name: 'key',
  edit: { kind: 'suffix', length: 60, last },
});
const undashed: Partial<Line> = { key: { use: 'near', name: 'key', edit: { kind: 'without-dashes' } } };
const taken: Partial<Line> = { result: 'case_1' };

const again = (status: number): Line => near(status, { id: 'again', role: 'control' });
const plainKey: Line = { id: 'plain', controls: 'near', status: 201 };
const formed = (status: number): Line => ({
  id: 'formed',
  role: 'control',
  controls: 'near',
  key: { use: 'near', name: 'unlike', edit: { kind: 'upper-case' } },
  name: 'other',
  status,
  result: 'case_3',
});

/** The first record within each of two that the bodies name, and the text that the second result shows. */
const mentions = (shown: string): Case['trace'] => {
  const line = (of: string, marker: string): Partial<Line> => ({
    operation: 'mention',
    on: of,
    sent: `{"case":"${of}","text":"asy-t-${marker}"}`,
    status: 201,
  });
  return [
    { id: 'made', role: 'setup', status: 201, result: 'case_7' },
    { id: 'other', role: 'setup', status: 201, result: 'case_8' },
    { ...first, ...line('made', 'body'), body: { id: 1, text: 'asy-t-body' } },
    near(201, { ...line('other', 'own'), body: { id: 1, text: `asy-t-${shown}` } }),
  ];
};

const nearKeys: readonly Case[] = [
  says('IDM-11', 'two results', [first, near(201)], 'holds near first'),
  says('IDM-11', 'one result', [first, near(201, taken)], 'violated near first (conclusive)'),
  says('IDM-11', 'the first of each record that bodies name', mentions('own'), 'holds near first'),
  says('IDM-11', 'the first of another record', mentions('body'), 'violated near first (conclusive)'),
  says(
    'IDM-11',
    'a conflict that stays',
    [first, near(409), plainKey, again(409)],
    'violated near first again',
  ),
  says('IDM-11', 'a conflict that may pass', [first, near(409), plainKey], 'inconclusive near first'),
  says(
    'IDM-11',
    'a conflict that passes',
    [first, near(409), plainKey, again(201)],
    'inconclusive near first',
  ),
  says(
    'IDM-11',
    'a conflict, and one of another key as well',
    [first, near(409), { ...plainKey, status: 409 }],
    'inconclusive near first',
  ),
  says(
    'IDM-11',
    'a conflict that stays, while another key of its form is accepted',
    [first, near(409), formed(201), again(409)],
    'violated near first again',
  ),
  says(
    'IDM-11',
    'a conflict, also for another key of its form',
    [first, near(409), formed(409), plainKey, again(409)],
    'inconclusive near first',
  ),
  says(
    'IDM-11',
    'the form of the key is refused',
    [first, near(422), formed(422), plainKey],
    'holds near first',
  ),
  says(
    'IDM-11',
    'the key is refused, while another one of its form is accepted',
    [first, near(422), formed(201)],
    'inconclusive near first',
  ),
  says('IDM-11', 'a conflict, and no other was tried', [first, near(409)], 'inconclusive near first'),
  { ...says('IDM-11', 'one UUID in capitals', [first, near(409)]), declares: { G17: 'uuid' } },
  { ...says('IDM-11', 'one UUID without dashes', [first, near(409, undashed)]), declares: { G17: 'uuid' } },
  says(
    'IDM-11',
    'one key without dashes',
    [first, near(409, undashed), plainKey, { ...again(409), ...undashed }],
    'violated near first again',
  ),
  {
    ...says(
      'IDM-11',
      'a conflict, where keys are UUIDs',
      [first, near(409, { key: long('b') }), plainKey, { ...again(409), key: long('b') }],
      'violated near first again',
    ),
    declares: { G17: 'uuid' },
  },
  says(
    'IDM-11',
    'a conflict after a try whose answer was lost',
    [first, near(409, { earlier: [undefined] })],
    'inconclusive near first',
  ),
  says('IDM-11', 'the key is refused as such', [first, near(422), plainKey], 'holds near first'),
  says('IDM-11', 'it is refused, and no other was tried', [first, near(422)], 'inconclusive near first'),
  ...[429, 500, 503, undefined].map((status) =>
    says('IDM-11', `it comes to ${status}`, [first, near(status)], 'inconclusive near first'),
  ),
  says('IDM-11', 'no IDs', [{ ...first, body: '' }, near(201, { body: '' })], 'holds near first'),
  says('IDM-11', 'no second id', [first, near(201, { body: '' })], 'holds near first'),
  ...[409, undefined].map((status) =>
    says('IDM-11', `the first one came to ${status}`, [{ ...first, status }, near(409)]),
  ),
  says('IDM-11', 'the other one came later', [near(201, taken), first]),
  says('IDM-11', 'the same key came again', [first, near(409, { key: 'key' })]),
  says('IDM-11', 'it is no probe', [first, near(409, { role: 'control' })]),
  says('IDM-11', 'no edited key', [first, near(409, { key: 'k' })]),
  says('IDM-11', 'another key was edited', [{ ...first, key: 'k' }, near(409)]),
  says('IDM-11', 'nothing but a literal key came before', [
    { ...first, key: { use: 'literal', value: 'key' } },
    near(409),
  ]),
  says('IDM-11', 'nothing but a doubled key came before', [
    { ...first, key: { use: 'doubled', name: 'key', second: 'k', form: 'folded' } },
    near(409),
  ]),
  says(
    'IDM-11',
    'two long keys that differ at their ends',
    [
      near(201, { id: 'one', role: 'control', key: long('a'), ...taken }),
      near(201, { key: long('b'), ...taken }),
    ],
    'violated near one (conclusive)',
  ),
  ...(
    [
      ['the results are alike', { id: 1 }, { id: 1 }, 'inconclusive near first'],
      [
        'the second one shows its target',
        { id: 1, of: 'case_7' },
        { id: 1, of: 'case_8' },
        'holds near first',
      ],
      ['words for numbers', { id: 'line-1' }, { id: 'line-1' }, 'inconclusive near first'],
      [
        'an ID that is given once',
        { id: '8d1f6f0e-5a53-4c40-9a3d-2f0c7d1a9b11' },
        { id: '8d1f6f0e-5a53-4c40-9a3d-2f0c7d1a9b11' },
        'violated near first (conclusive)',
      ],
      ['the ID of the first target', { id: 'case_7' }, { id: 'case_7' }, 'violated near first (conclusive)'],
    ] as const
  ).map(([when, one, other, ruling]) =>
    says(
      'IDM-11',
      `each target may count its own records: ${when}`,
      [
        { id: 'made', role: 'setup', status: 201, result: 'case_7' },
        { ...first, operation: 'closeCase', on: 'made', status: 200, body: one },
        { id: 'other', role: 'setup', status: 201, result: 'case_8' },
        near(200, { operation: 'closeCase', on: 'other', body: other }),
      ],
      ruling,
    ),
  ),
  ...(
    [
      ['it has moved on', { id: 'case_7', version: 4 }, { id: 'case_7', version: 5 }, 'holds near first'],
      ['nothing shows which command it is of', { id: 'case_7' }, { id: 'case_7' }, 'inconclusive near first'],
      ['by its number', { id: 7 }, { id: 7 }, 'inconclusive near first'],
    ] as const
  ).map(([when, one, other, ruling]) =>
    says(
      'IDM-11',
      `both results name the one record that both commands were run on: ${when}`,
      [
        { id: 'made', role: 'setup', status: 201, result: 'case_7' },
        { ...first, operation: 'closeCase', on: 'made', status: 200, body: one },
        near(200, { operation: 'closeCase', on: 'made', body: other }),
        { id: 'later', operation: 'closeCase', on: 'made', status: 200, body: other, controls: 'near' },
      ],
      ruling,
    ),
  ),
];

/** Commands with keys and bodies of their own. */
export const many = (count: number, id = 'c'): readonly Line[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${id}${at}`, name: `${id}${at}`, status: 201 }));
export const fresh = (status: number, more: Partial<Line> = {}): Line => ({
  id: 'fresh',
  name: 'fresh',
  status,
  ...more,
});
const one = 'violated fresh (conclusive)';
/** Among many like it that are accepted, one command with a key and a body of its own. */
const among = (when: string, trace: readonly Part[], ...rulings: readonly string[]): Case =>
  says('IDM-11', when, trace, ...rulings);

/** As many that are accepted after it. */
const more = many(20, 'e');

const collisions: readonly Case[] = [
  among('a conflict after twenty', [...many(20), fresh(409), ...more], one),
  among('a conflict that has passed when the command is sent again', [
    ...many(20),
    fresh(409),
    fresh(201, { id: 'again', key: 'fresh', deviations: [reuse('fresh')] }),
    ...more,
  ]),
  {
    ...among('a conflict where others pass', [...many(20), fresh(409), ...more]),
    after: [
      [
        fresh(409, { id: 'a', name: 'a' }),
        fresh(201, { id: 'b', name: 'a', key: 'a', deviations: [reuse('a')] }),
      ],
    ],
  },
  among(
    'a conflict again when the command is sent again',
    [
      ...many(20),
      fresh(409),
      fresh(409, { id: 'again', key: 'fresh', deviations: [reuse('fresh')] }),
      ...more,
    ],
    one,
  ),
  { ...among('a value may exist once', [...many(20), fresh(409), ...more]), declares: { G19: 'conflict' } },
  among(
    'a body chooses the ID of a record that is there',
    [...many(20), fresh(409), ...more].map((line) => ({ ...line, operation: 'shelve' })),
  ),
  { ...among('twenty in other traces', [fresh(409), ...more], one), after: [many(12), many(8)] },
  among('a conflict of another caller, to whom what is named may be unknown', [
    ...many(20),
    fresh(409, { as: 'abroad' }),
    ...more,
  ]),
  among('a conflict of a body that says something else', [
    ...many(20),
    fresh(409, { sent: '{"subject":"asy-t-fresh","parent":"case_9"}' }),
    ...more,
  ]),
  among(
    'a conflict of a body that was accepted with another marker',
    [
      ...many(20),
      { id: 'like', name: 'like', status: 201, sent: '{"subject":"asy-t-like","parent":"case_9"}' },
      fresh(409, { sent: '{"subject":"asy-t-fresh","parent":"case_9"}' }),
      ...many(20, 'd').map((line) => ({
        ...line,
        sent: `{"subject":"asy-t-${line.name}","parent":"case_9"}`,
      })),
    ],
    one,
  ),
  among('a conflict after nineteen', [...many(19), fresh(409), ...more]),
  among('a conflict after a try whose answer was lost', [
    ...many(20),
    fresh(409, { earlier: [undefined] }),
    ...more,
  ]),
  among('a conflict after a throttled try', [...many(20), fresh(409, { earlier: [429] }), ...more]),
  among('a conflict before twenty', [fresh(409), ...many(20)]),
  among('another refusal', [...many(20), fresh(422)]),
  among('others were refused', [
    ...many(19),
    fresh(422, { id: 'other', name: 'other' }),
    fresh(409),
    ...more,
  ]),
  among('it has a fault', [...many(20), fresh(409, { deviations: [missing] }), ...more]),
  among('its key was used before', [
    ...many(20),
    fresh(429, { id: 'b', name: 'b', key: 'fresh' }),
    fresh(409),
    ...more,
  ]),
  among('a key like it was used before', [
    ...many(20),
    fresh(429, { id: 'b', name: 'b', key: { use: 'near', name: 'fresh', edit: { kind: 'upper-case' } } }),
    fresh(409),
    ...more,
  ]),
  among('its body was used before', [...many(20), fresh(429, { id: 'b', key: 'b' }), fresh(409), ...more]),
  among(
    'its key and its body are used again later',
    [...many(20), fresh(409), fresh(429, { id: 'b' }), ...more],
    one,
  ),
  among('its key was made up', [
    ...many(20),
    fresh(409, { key: { use: 'literal', value: 'fresh' } }),
    ...more,
  ]),
  among(
    'keys that are none, or made up, are other keys',
    [
      ...many(20),
      { id: 'none', name: 'none', key: 'none', status: 422 },
      { id: 'literal', name: 'literal', key: { use: 'literal', value: 'fresh' }, status: 422 },
      fresh(409),
      ...more,
    ],
    one,
  ),
  among('a command on a target', [
    { id: 'made', status: 201, result: 'case_7' },
    ...many(20).map((line) => ({ ...line, operation: 'wipeCase', on: 'made' })),
    fresh(409, { operation: 'wipeCase', on: 'made' }),
    ...more.map((line) => ({ ...line, operation: 'wipeCase', on: 'made' })),
  ]),
  among('a command without a body', [
    ...many(20).map((line) => ({ ...line, operation: 'ping' })),
    fresh(409, { operation: 'ping' }),
    ...more.map((line) => ({ ...line, operation: 'ping' })),
  ]),
  among('others of another operation', [...many(20), fresh(409, { operation: 'createNote' }), ...more]),
  among('a quota is used up: nothing is accepted after it', [...many(20), fresh(409)]),
  among('and few are', [...many(20), fresh(409), ...many(19, 'd')]),
  among('a quota lets in what others give up', [
    ...many(20),
    ...many(25, 'd').map((line, at): Line => (at % 5 === 0 ? line : { ...line, status: 409 })),
    ...more,
  ]),
];

const doubled = (id: string, status: number, more: Partial<Line> = {}): Line => ({
  id,
  role: 'test',
  key: { use: 'doubled', name: 'key', second: 'k', form: 'two-lines' },
  status,
  result: 'case_1',
  deviations: [key('doubled')],
  ...more,
});
const repeated = (status: number, more: Partial<Line> = {}): Line =>
  doubled('again', status, { deviations: [key('doubled'), reuse('probe')], ...more });
const control = (status: number): Line => ({ id: 'control', controls: 'probe', status });
const other: Partial<Line> = { result: 'case_2' };

const onRead = (records: readonly string[], one: Case): Case => ({ ...one, shows: { body: records } });

const doubledKeys: readonly Case[] = [
  says('IDM-22', 'refused', [doubled('probe', 422), control(201)], 'holds probe'),
  says('IDM-22', 'refused, and no other was tried', [doubled('probe', 422)], 'inconclusive probe'),
  says('IDM-22', 'accepted', [doubled('probe', 201)], 'holds probe'),
  says('IDM-22', 'one effect', [doubled('probe', 201), repeated(201)], 'holds probe', 'holds again'),
  says(
    'IDM-22',
    'two effects',
    [doubled('probe', 201), repeated(201, other)],
    'holds probe',
    'violated again probe (conclusive)',
  ),
  says('IDM-22', 'a conflict', [doubled('probe', 201), repeated(409)], 'holds probe', 'holds again'),
  says(
    'IDM-22',
    'refused, then accepted',
    [doubled('probe', 422), repeated(201, other)],
    'inconclusive probe',
    'holds again',
  ),
  says(
    'IDM-22',
    'another one was accepted',
    [doubled('probe', 422), doubled('second', 201), repeated(201, other)],
    'inconclusive probe',
    'holds second',
    'holds again',
  ),
  says(
    'IDM-22',
    'two results about one target',
    [
      { id: 'made', status: 201, result: 'case_7' },
      doubled('probe', 200, { operation: 'closeCase', on: 'made' }),
      repeated(200, { operation: 'closeCase', on: 'made', ...other }),
    ],
    'holds probe',
    'holds again',
  ),
  says(
    'IDM-22',
    'two records within one',
    [
      { id: 'made', status: 201, result: 'case_7' },
      doubled('probe', 201, { operation: 'addPart', on: 'made' }),
      repeated(201, { operation: 'addPart', on: 'made', ...other }),
    ],
    'holds probe',
    'violated again probe (conclusive)',
  ),
  says(
    'IDM-22',
    'one effect, and another one',
    [doubled('second', 201, other), doubled('probe', 201), repeated(201)],
    'holds second',
    'holds probe',
    'holds again',
  ),
  says('IDM-22', 'the service fails', [doubled('probe', 500), control(201)], 'violated probe'),
  says('IDM-22', 'it fails at one key as well', [doubled('probe', 500), control(500)], 'inconclusive probe'),
  says(
    'IDM-22',
    'it fails, and another is accepted',
    [doubled('probe', 500), { id: 'b', status: 201 }],
    'inconclusive probe',
  ),
  says('IDM-22', 'throttled', [doubled('probe', 429)]),
  onRead(
    ['case_1', 'case_2'],
    says(
      'IDM-22',
      'one result, and a record for each key',
      [doubled('probe', 201), repeated(201)],
      'holds probe',
      'holds again',
      'violated probe again read-1 read-2 read-3 (conclusive)',
    ),
  ),
  onRead(
    ['case_1', 'case_2'],
    says(
      'IDM-22',
      'its body came under a key of its own as well',
      [doubled('probe', 201), repeated(201), { id: 'b', key: 'k', status: 201, result: 'case_2' }],
      'holds probe',
      'holds again',
    ),
  ),
  onRead(
    ['case_1'],
    says(
      'IDM-22',
      'one result, and one record',
      [doubled('probe', 201), repeated(201)],
      'holds probe',
      'holds again',
    ),
  ),
  says('IDM-22', 'no credential', [
    doubled('probe', 500, { deviations: [key('doubled'), absent] }),
    control(201),
  ]),
  says(
    'IDM-22',
    'no permission',
    [doubled('probe', 403, { deviations: [key('doubled'), lacking] }), control(201)],
    'holds probe',
  ),
  says('IDM-22', 'an odd key', [doubled('probe', 500, { deviations: [key('odd')] }), control(201)]),
  says('IDM-22', 'a valid key', [doubled('probe', 500, { deviations: [] }), control(201)]),
];

const odd = (status: number, deviations: readonly Deviation[] = [key('odd')]): Line => ({
  id: 'odd',
  role: 'test',
  key: { use: 'literal', value: '"a"' },
  status,
  deviations,
});

const plain: Line = { id: 'plain', controls: '*', status: 201 };
const alike = (status: number, value = '"b"'): Line => ({
  id: 'alike',
  role: 'test',
  key: { use: 'literal', value },
  status,
  deviations: [key('odd')],
});

const oddKeys: readonly Case[] = [
  says('IDM-23', 'accepted', [odd(201)], 'holds odd'),
  says('IDM-23', 'refused', [odd(422), { id: 'plain', controls: 'odd', status: 201 }], 'holds odd'),
  says('IDM-23', 'refused, and no other was tried', [odd(422)], 'inconclusive odd'),
  ...[500, 503].flatMap((status) => [
    says('IDM-23', `${status}, and no other was tried`, [odd(status)], 'inconclusive odd'),
    says('IDM-23', `${status} once`, [odd(status), plain], 'inconclusive odd'),
    says(
      'IDM-23',
      `${status}, and a key of its form accepted`,
      [odd(status), plain, alike(201)],
      'inconclusive odd',
      'holds alike',
    ),
    says(
      'IDM-23',
      `${status}, and a key of its form as well`,
      [odd(status), plain, alike(status)],
      'violated odd alike',
    ),
    says(
      'IDM-23',
      `${status} of two keys, and no other was tried`,
      [odd(status), alike(status)],
      'inconclusive odd',
    ),
    says(
      'IDM-23',
      `${status} of two keys of other forms`,
      [odd(status), plain, alike(status, 'quoted')],
      'inconclusive odd',
      'inconclusive alike',
    ),
  ]),
  says('IDM-23', 'throttled', [odd(429)]),
  says('IDM-23', 'a doubled key', [odd(500, [key('doubled')])]),
  says('IDM-23', 'another fault', [odd(500, [missing])]),
  says('IDM-23', 'another fault as well', [odd(500, [key('odd'), missing])]),
];

export const keyFormCases: readonly Case[] = [...nearKeys, ...collisions, ...doubledKeys, ...oddKeys];
