import type { Json } from '../../model/json.ts';
import { made, read } from './list-lines.ts';
import { listPageCases } from './list-pages.ts';
import { apart, says } from './says.ts';
import { type Case, type Line, lacking, page, record, reuse } from './trace.ts';

const filtered = (
  query: string,
  records: readonly Line['body'][],
  more: Partial<Line> = {},
): Case['trace'] => [
  read('read', { items: records.map((one) => one ?? null), nextCursor: null }, { query, ...more }),
];

const items = (ids: readonly string[]): Json => ({ items: ids.map((id) => ({ id })) });
/** The list within one record before and after something is made within another one, and the list there. */
const elsewhere = (
  before: readonly string[],
  after: readonly string[],
  own: readonly string[] = ['case_one'],
  one: Partial<Line> = { body: { id: 'case_one' } },
): Case['trace'] => [
  read('before', items(before), { observes: 'elsewhere-before', role: 'control' }),
  made('one', one),
  read('look', items(after), { observes: 'elsewhere' }),
  read('own', items(own), { role: 'control', controls: 'look' }),
];

/** The same, where the list of the other one has items too. */
function between(shown: readonly string[]): Case['trace'] {
  const parts = (id: string, on: string, ids: readonly string[], more: Partial<Line>): Line => ({
    ...read(id, items(ids), more),
    operation: 'listParts',
    on,
  });
  const add = (id: string, on: string, part: string): Line => ({
    ...made(id, { body: { id: part } }),
    operation: 'addPart',
    on,
  });
  return [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    { id: 'b', role: 'setup', status: 201, result: 'case_8' },
    parts('before', 'b', [], { observes: 'elsewhere-before', role: 'control' }),
    add('one', 'a', 'part_1'),
    add('twin', 'b', 'part_2'),
    parts('look', 'b', shown, { observes: 'elsewhere' }),
    parts('own', 'a', ['part_1'], { role: 'control', controls: 'look' }),
  ];
}

const lists: readonly Case[] = [
  says('RDS-3', 'listed within its own record', elsewhere(['case_x'], ['case_x']), 'holds look own'),
  says('RDS-3', 'listed within another one', elsewhere([], ['case_one']), 'violated before look'),
  says(
    'RDS-3',
    'listed within another one that has items',
    between(['part_2', 'part_1']),
    'violated before look',
  ),
  says('RDS-3', 'the other one has items of its own', between(['part_2']), 'holds look own'),
  says('RDS-3', 'it was listed there before', elsewhere(['case_one'], ['case_one']), 'inconclusive look'),
  says('RDS-3', 'listed nowhere', elsewhere([], [], []), 'inconclusive look'),
  says(
    'RDS-3',
    'nothing shows which record is its own',
    elsewhere([], [], ['case_x'], { body: {}, sent: '{"notes":[]}' }),
    'inconclusive look',
  ),
];

/** A list without and with a filter, after a record was made that is open. */
const narrowed = (
  wide: readonly Json[],
  narrow: readonly Json[],
  more: Partial<Line> = {},
  next: string | null = null,
  sent: Partial<Line> = {},
): Case['trace'] => [
  made('a', { body: record('case_a'), ...sent }),
  read('wide', { items: wide, nextCursor: null }, { query: 'limit=9', role: 'control' }),
  read(
    'narrow',
    { items: narrow, nextCursor: next },
    { query: 'limit=9&status=open', role: 'control', ...more },
  ),
];
const wideAgain: Line = {
  id: 'wide-again',
  operation: 'listCases',
  role: 'control',
  query: 'limit=9',
  status: 200,
};
const [ours, closed] = [record('case_a'), record('case_b', { status: 'closed' })];

/** What a filter lets pass is shown with it as well. */
const losses: readonly Case[] = [
  says(
    'RDS-3',
    'the filter loses a record that is there before and after',
    [...narrowed([ours, closed], []), { ...wideAgain, body: page(['case_a']) }],
    'violated wide narrow',
  ),
  says(
    'RDS-3',
    'the record has gone on by then',
    [...narrowed([ours, closed], []), { ...wideAgain, body: page([]) }],
    'inconclusive wide narrow',
  ),
  says('RDS-3', 'it may have gone on', narrowed([ours, closed], []), 'inconclusive wide narrow'),
  says(
    'RDS-3',
    'the filter loses a record by a value that was sent',
    narrowed([ours, closed], [], {}, null, { sent: '{"subject":"a","status":"open"}' }),
    'violated wide narrow',
  ),
  says('RDS-3', 'the filter keeps it', narrowed([ours, closed], [ours]), 'holds wide narrow'),
  says('RDS-3', 'it may be on the next page', narrowed([ours], [record('case_c')], {}, 'c1')),
  says('RDS-3', 'a record of another trace may have changed by then', narrowed([record('case_x')], [])),
  says('RDS-3', 'it has another value', narrowed([record('case_a', { status: 'Open' })], [])),
  says('RDS-3', 'another caller may see other records', narrowed([ours], [], { as: 'peer' })),
  says('RDS-3', 'a command came between', [
    ...narrowed([ours], []).slice(0, 2),
    { id: 'change', operation: 'closeCase', on: 'a', status: 200 },
    ...narrowed([ours], []).slice(2),
  ]),
];

/** A list that leaves out the filtered member, which was asked for by a text that records of the trace alone have. */
const hidden = (one: Json): Pick<Case, 'trace' | 'declares'> => ({
  declares: { G15: { seconds: 0 } },
  trace: [made('a', { body: record('case_a') }), ...filtered('status=asy-t-body', [one])],
});
const withoutMember: readonly Case[] = [
  {
    ...says('RDS-3', 'another record, by its marker', [], 'violated read'),
    ...hidden({ id: 'case_x', subject: 'A asy-0123456789abcdef' }),
  },
  {
    ...says('RDS-3', 'a record without a marker', [], 'inconclusive read'),
    ...hidden({ id: 'case_x', subject: 'A' }),
  },
  {
    ...says('RDS-3', 'a record that shows the marker elsewhere', [], 'inconclusive read'),
    ...hidden({ id: 'case_x', subject: 'asy-0123456789abcdef of asy-t-body' }),
  },
  {
    ...says('RDS-3', 'a record of the trace, with another marker by now', [], 'inconclusive read'),
    ...hidden({ id: 'case_a', subject: 'A asy-0123456789abcdef' }),
  },
];

const filters: readonly Case[] = [
  ...losses,
  ...withoutMember,
  says(
    'RDS-3',
    'all match, and a record that was made does not',
    [
      made('a', { body: record('case_a', { status: 'closed' }) }),
      ...filtered('status=open', [record('case_1'), record('case_2')]),
    ],
    'holds read',
  ),
  says(
    'RDS-3',
    'all match, as all do that were made',
    [
      made('a', { body: record('case_a') }),
      ...filtered('limit=9&status=open', [record('case_1'), record('case_a')]),
    ],
    'inconclusive read',
  ),
  says(
    'RDS-3',
    'all match, and a page that has room does not show what was made',
    [made('a', { body: { id: 'case_a' } }), ...filtered('limit=9&status=open', [record('case_1')])],
    'holds read',
  ),
  says(
    'RDS-3',
    'all match, and what was made may be on the next page',
    [made('a', { body: { id: 'case_a' } }), ...filtered('limit=1&status=open', [record('case_1')])],
    'inconclusive read',
  ),
  says('RDS-3', 'no record', filtered('status=open', []), 'inconclusive read'),
  says(
    'RDS-3',
    'no record, where one was made that matches, and one that does not',
    [
      made('a', { body: record('case_a') }),
      made('b', { body: record('case_b', { status: 'closed' }) }),
      ...filtered('status=open', []),
    ],
    'inconclusive read',
  ),
  says(
    'RDS-3',
    'the record that was made is excluded, and the list shows it otherwise',
    [made('a'), read('whole', page(['case_a']), { role: 'control' }), ...filtered('status=closed', [])],
    'holds read',
  ),
  says(
    'RDS-3',
    'a list that is always empty excludes nothing',
    [made('a'), read('whole', page([]), { role: 'control' }), ...filtered('status=closed', [])],
    'inconclusive read',
  ),
  {
    ...says(
      'RDS-3',
      'the second does not match',
      filtered('status=open', [record('case_1'), record('case_2', { status: 'closed' })]),
      'violated read',
    ),
    declares: { G15: { seconds: 0 } },
  },
  says(
    'RDS-3',
    'the second may have been changed meanwhile by another scenario',
    filtered('status=open', [record('case_1'), record('case_2', { status: 'closed' })]),
    'inconclusive read',
  ),
  says(
    'RDS-3',
    'the second was made in the trace, and does not match',
    [
      made('a', { body: record('case_2', { status: 'closed' }) }),
      ...filtered('status=open', [record('case_1'), record('case_2', { status: 'closed' })]),
    ],
    'violated read',
  ),
  says(
    'RDS-3',
    'most do not match, which a late list does not explain',
    filtered('status=open', [
      record('case_1'),
      ...['case_2', 'case_3', 'case_4'].map((id) => record(id, { status: 'closed' })),
    ]),
    'violated read',
  ),
  says(
    'RDS-3',
    'a record without the member',
    [
      made('a', { body: record('case_a', { status: 'closed' }) }),
      ...filtered('limit=2&status=open', [{ id: 'case_1' }]),
    ],
    'inconclusive read',
  ),
  ...(
    [
      ['the value in another case', 'Open', 'open', 'holds'],
      ['the value with blanks around it', '%20open', 'open', 'holds'],
      ['the number in another form', '12.5', '12.50', 'holds'],
      ['the moment in another form', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05.000+00:00', 'holds'],
      ['another date', '2026-01-02', '2026-01-03', 'violated'],
      ['no value', 'open', null, 'violated'],
      ['a list with the value', 'open', ['new', 'open'], 'holds'],
      ['a list without the value', 'open', ['new', 'held'], 'violated'],
      ['an empty list', 'open', [], 'violated'],
      ['an object', 'open', { name: 'open' }, 'inconclusive'],
    ] as const
  ).map(([what, wanted, status, ruling]) => ({
    ...says(
      'RDS-3',
      what,
      [
        made('a', { body: record('case_a', { status: 'closed' }) }),
        ...filtered(`status=${wanted}`, [{ id: 'case_1', status: status as Json }]),
      ],
      `${ruling} read`,
    ),
    declares: { G15: { seconds: 0 } },
  })),
  says(
    'RDS-3',
    'a number in the record',
    [made('a', { body: record('case_a') }), ...filtered('status=7', [record('case_1', { status: 7 })])],
    'holds read',
  ),
  says(
    'RDS-3',
    'few on each page, and many on all of them',
    [1, 2].flatMap((page) => {
      const closed = [1, 2].map((at) => record(`case_${page}${at}`, { status: 'closed' }));
      return filtered(`limit=2&status=open&page=${page}`, closed, { id: `page-${page}` });
    }),
    'violated page-1',
    'violated page-2',
  ),
  says(
    'RDS-3',
    'the same few again and again',
    [1, 2].flatMap((page) => {
      const closed = [1, 2].map((at) => record(`case_${at}`, { status: 'closed' }));
      return filtered(`limit=2&status=open`, closed, { id: `page-${page}` });
    }),
    'inconclusive page-1',
    'inconclusive page-2',
  ),
  says('RDS-3', 'a field that filters nothing', filtered('limit=2&cursor=x', [record('case_1')])),
  says('RDS-3', 'no query', [read('read', page(['case_1']))]),
  says('RDS-3', 'refused, or with a fault', [
    ...filtered('status=open', [record('case_1', { status: 'closed' })], { status: 422 }),
    ...filtered('status=open', [record('case_1', { status: 'closed' })], {
      id: 'faulty',
      deviations: [lacking],
    }),
  ]),
];

const found = (...records: readonly Json[]): Case['trace'] => [
  made('a', { body: { id: 'case_a', title: 'u' } }),
  read('read', { items: records }, { operation: 'findNotes', query: 'title=t&tone=low' }),
];
const twoFilters: readonly Case[] = [
  says('RDS-3', 'both filters match', found({ title: 't', of: { tone: 'low' } }), 'holds read'),
  says(
    'RDS-3',
    'the first filter alone matches',
    found({ title: 't', of: { tone: 'high' } }),
    'violated read',
  ),
  says(
    'RDS-3',
    'the second filter alone matches',
    found({ title: 'u', of: { tone: 'low' } }),
    'violated read',
  ),
];

const permitted: readonly Case[] = [
  says(
    'RDS-2',
    'another fault, or another as well',
    apart(
      [read('read', {}, { deviations: [{ kind: 'query', field: 'limit', keyword: 'type' }] })],
      [read('read', {}, { deviations: [lacking, { kind: 'cursor', how: 'tampered' }] })],
    ),
  ),
];

const scope = { kind: 'scope' } as const;
const target = (status: number, more: Partial<Line> = {}): Case['trace'] => [
  made('theirs', { as: 'abroad' }),
  { id: 'read', operation: 'getCase', role: 'test', on: 'theirs', status, deviations: [scope], ...more },
];
/** The record is there for its own scope. */
const near: Line = {
  id: 'near',
  operation: 'getCase',
  on: 'theirs',
  as: 'abroad',
  controls: 'read',
  status: 200,
};
/** The same where the vendor gave the record, which the other scope reads as well. */
const given = (theirs: Json): readonly Line[] => {
  const seed = { operation: 'getCase', given: 'case_seed', status: 200 } as const;
  return [
    made('theirs', { as: 'abroad' }),
    { ...seed, id: 'read', role: 'test', deviations: [scope], body: record('case_seed') },
    { ...seed, id: 'near', as: 'abroad', controls: 'read', body: theirs },
  ];
};
const born = { createdAt: '2026-11-23T10:00:00.123Z' };
/** The record as its scope reads it before, then a refusal with this body. */
const refusedWith = (body: Json, as: Json = record('case_theirs', born)): Case['trace'] => {
  const seen: Line = { id: 'seen', operation: 'getCase', on: 'theirs', as: 'abroad', status: 200, body: as };
  return [...target(404).slice(0, 1), seen, ...target(404, { body }).slice(1), near];
};
const inRefusals: readonly Case[] = [
  ...(
    [
      ['what its scope wrote', { detail: 'No "asy-t-body" here.' }],
      ['its members, with a moment that no other record has', { data: record('x', born) }],
    ] as const
  ).map(([what, body]) =>
    says('RDS-7', `a refusal shows ${what}`, refusedWith(body), 'holds read', 'violated read (conclusive)'),
  ),
  ...(
    [
      ['the ID that was asked for', { id: 'case_theirs', detail: 'no case_theirs' }, undefined],
      ['members that any record may have', record('x'), undefined],
      ['fewer members', { status: 'open', ...born }, undefined],
      [
        'members that each response has',
        { apiVersion: '1', env: 'test', instance: '6f1c0e5a-0000-4000-8000-7d1f00c1a2b3' },
        { id: 'case_theirs', apiVersion: '1', env: 'test', instance: '6f1c0e5a-0000-4000-8000-7d1f00c1a2b3' },
      ],
    ] as const
  ).map(([what, body, as]) => says('RDS-7', `a refusal shows ${what}`, refusedWith(body, as), 'holds read')),
];
const scopes: readonly Case[] = [
  ...inRefusals,
  says('RDS-7', 'a record that was given, as its scope', given(record('case_seed')), 'inconclusive read'),
  says(
    'RDS-7',
    'a record that was given, and another one than its scope',
    given(record('case_seed', { subject: 'theirs' })),
    'holds read',
  ),
  ...[403, 404].map((status) => says('RDS-7', `it gets ${status}`, [...target(status), near], 'holds read')),
  says('RDS-7', 'it is read', target(200), 'violated read (conclusive)'),
  says('RDS-7', 'it gets something else', [...target(200, { body: record('case_0') }), near], 'holds read'),
  says(
    'RDS-7',
    'everyone gets the same',
    [...target(200, { body: {} }), { ...near, body: {} }],
    'inconclusive read',
  ),
  says(
    'RDS-7',
    'a list that is always empty',
    [
      made('theirs', { as: 'abroad' }),
      read('read', page([])),
      read('near', page([]), { as: 'abroad', controls: 'read', role: 'control' }),
    ],
    'inconclusive read',
  ),
  says(
    'RDS-7',
    'other refusals, of another fault, and no probe',
    apart(
      target(409),
      target(403, { id: 'b', deviations: [] }),
      target(403, { id: 'c', deviations: [scope, lacking] }),
      target(200, { id: 'd', role: 'control' }),
    ),
  ),
  says(
    'RDS-7',
    'it is listed',
    [made('theirs', { as: 'abroad' }), read('read', page(['case_theirs']))],
    'violated read (conclusive)',
  ),
  says(
    'RDS-7',
    'an ID that begins alike is listed',
    [made('7', { as: 'abroad' }), read('read', page(['case_70']))],
    'holds read',
  ),
  says(
    'RDS-7',
    'the first page alone was read of a list that has more',
    [made('theirs', { as: 'abroad' }), read('read', page(['case_1'], 'x'))],
    'inconclusive read',
  ),
  says(
    'RDS-7',
    'the second page shows it',
    [
      made('theirs', { as: 'abroad' }),
      read('read', page(['case_1'], 'x')),
      read('more', page(['case_theirs']), { query: 'cursor=x' }),
    ],
    'violated more (conclusive)',
  ),
  says(
    'RDS-7',
    'the list was read to its end',
    [
      made('theirs', { as: 'abroad' }),
      read('read', page(['case_1'], 'x')),
      read('more', page(['case_2']), { query: 'cursor=x' }),
    ],
    'holds read more',
  ),
  says(
    'RDS-7',
    'with a filter it was read to its end, and without one it was not',
    [
      made('theirs', { as: 'abroad' }),
      read('read', page(['case_1'], 'x')),
      read('filtered', page(), { query: 'status=open' }),
    ],
    'inconclusive read',
  ),
  says('RDS-7', 'records of the same scope alone were made', [
    made('ours', { as: 'peer' }),
    read('read', page(['case_ours'])),
  ]),
  ...(['asy-t-theirs', 'asy-t-other'] as const).map((subject) =>
    says(
      'RDS-7',
      `a read shows ${subject === 'asy-t-theirs' ? 'what a command of the other scope wrote' : 'something else'}`,
      [
        { id: 'keep', operation: 'keepCase', on: 'theirs', as: 'abroad', name: 'theirs', status: 200 },
        read('read', record('case_9', { subject }), { operation: 'getCase' }),
        { id: 'near', operation: 'getCase', on: 'theirs', as: 'abroad', controls: 'read', status: 200 },
      ],
      subject === 'asy-t-theirs' ? 'violated read (conclusive)' : 'holds read',
    ),
  ),
  says('RDS-7', 'a read shows what both scopes have sent', [
    { id: 'keep', operation: 'keepCase', on: 'theirs', as: 'abroad', name: 'theirs', status: 200 },
    { id: 'own', operation: 'keepCase', on: 'theirs', name: 'theirs', status: 200 },
    read('read', record('case_9', { subject: 'asy-t-theirs' }), { operation: 'getCase' }),
  ]),
  ...(
    [
      ['finds it in its own scope alone', [], ['case_theirs'], 'holds afar'],
      ['finds it in no scope', [], [], 'inconclusive afar'],
      ['shows it', ['case_theirs'], ['case_theirs'], 'violated afar (conclusive)'],
    ] as const
  ).map(([what, far, near, ruling]) =>
    says(
      'RDS-7',
      `a search ${what}`,
      [
        made('theirs', { as: 'abroad' }),
        read('afar', page([...far]), { operation: 'seekCases' }),
        read('near', page([...near]), {
          operation: 'seekCases',
          as: 'abroad',
          role: 'control',
          controls: 'afar',
        }),
      ],
      ruling,
    ),
  ),
  ...(
    [
      ['repeats what it was asked for, and finds it in its own scope', [], ['case_theirs'], 'holds afar'],
      ['repeats what it was asked for, and finds it by its text', [], ['case_9'], 'holds afar'],
      ['repeats what it was asked for in both scopes', [], [], 'inconclusive afar'],
      ['repeats what it was asked for, and shows it', ['case_theirs'], [], 'violated afar (conclusive)'],
    ] as const
  ).map(([what, far, near, ruling]) => {
    const sought = (id: string, found: readonly string[], more: Partial<Line> = {}): Line =>
      read(
        id,
        {
          words: 'asy-t-theirs',
          found: found.map((each) => record(each, each === 'case_9' ? { subject: 'asy-t-theirs' } : {})),
        },
        { operation: 'seekCases', sent: '{"words":"asy-t-theirs"}', ...more },
      );
    return says(
      'RDS-7',
      `a search ${what}`,
      [
        made('theirs', { as: 'abroad', name: 'theirs' }),
        sought('afar', far),
        sought('near', near, { as: 'abroad', role: 'control', controls: 'afar' }),
      ],
      ruling,
    );
  }),
  says('RDS-7', 'the command in the other scope was refused', [
    made('theirs', { as: 'abroad', status: 409 }),
    read('read', page(['case_theirs'])),
  ]),
];

const keyed = (read: Partial<Line>, command: Partial<Line>, fresh: Partial<Line> = {}): Case['trace'] => [
  { id: 'read', operation: 'listCases', role: 'test', status: 200, key: 'k', ...read },
  { id: 'command', role: 'test', status: 409, key: 'k', ...command },
  { id: 'fresh', controls: 'command', status: 201, ...fresh },
];
const keys: readonly Case[] = [
  says('RDS-8', 'the key is free', keyed({}, { status: 201 }), 'holds read command'),
  says('RDS-8', 'the key is spent', keyed({}, {}), 'violated read command'),
  says(
    'RDS-8',
    'the fresh key is refused as well',
    keyed({}, {}, { status: 409 }),
    'inconclusive read command',
  ),
  says(
    'RDS-8',
    'the fresh key is for another probe',
    keyed({}, {}, { controls: 'other' }),
    'inconclusive read command',
  ),
  says('RDS-8', 'the read is refused', keyed({ status: 404 }, { status: 201 }), 'inconclusive read command'),
  says('RDS-8', 'a refused read spends the key', keyed({ status: 404 }, {}), 'violated read command'),
  says('RDS-8', 'throttled', keyed({}, { status: 429 })),
  says('RDS-8', 'another key', keyed({}, { key: 'other' })),
  says('RDS-8', 'a key that is no plain one', keyed({}, { key: { use: 'literal', value: 'k' } })),
  says(
    'RDS-8',
    'the read has no key, or is no probe',
    apart(keyed({ key: 'none' }, {}), keyed({ role: 'control' }, {})),
  ),
  says('RDS-8', 'another read has the key', [
    { id: 'read', operation: 'listCases', role: 'test', status: 200, key: 'k' },
    { id: 'second', operation: 'listCases', role: 'control', status: 200, key: 'k' },
  ]),
];

/** A record that is read three times, and a command with the version of the first read; then one with that of a last read. */
const readAgain = (
  when: string,
  versions: readonly [number, number, number],
  [status, control]: readonly [number, number?],
  ...rulings: readonly string[]
): Case => {
  const look = (id: string, version: number): Line => ({
    id,
    operation: 'getCase',
    on: 'a',
    role: 'setup',
    status: 200,
    body: record('case_7', { version }),
  });
  const put = (id: string, from: string, of: number): Line => ({
    id,
    operation: 'updateCase',
    on: 'a',
    status: of,
    version: { use: 'of', ref: { step: from, at: '/version' } },
  });
  const [one, two, three] = versions;
  return says(
    'RDS-8',
    `the version of a read: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      ...[look('one', one), look('two', two), look('three', three)],
      { ...put('command', 'one', status), role: 'test' },
      ...(control === undefined
        ? []
        : [look('last', three + 1), { ...put('control', 'last', control), controls: 'command' }]),
    ],
    ...rulings,
  );
};
const versions: readonly Case[] = [
  readAgain('it is still good', [1, 1, 1], [200], 'holds two command'),
  readAgain('it is shown in another form each time', [1, 2, 3], [200], 'holds two command'),
  readAgain('each read moves it on', [1, 2, 3], [409, 200], 'violated two command control'),
  readAgain('the last one is refused as well', [1, 2, 3], [409, 409], 'inconclusive two command'),
  readAgain('it moved on once, by itself', [1, 2, 2], [409, 200], 'inconclusive two command'),
  readAgain('it is refused, and did not move', [1, 1, 1], [409, 200]),
];

/** A record that is read several times in turn, the last time after a pause. */
const readOften = (
  when: string,
  versions: readonly number[],
  ruling: string | undefined,
  { at = '/version', pause = 1500 }: { readonly at?: string; readonly pause?: number } = {},
): Case =>
  says(
    'RDS-8',
    `read four times: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      ...versions.map(
        (version, index): Line => ({
          id: `read-${index + 1}`,
          operation: 'getCase',
          on: 'a',
          status: 200,
          at: (index + 2) * 10 + (index === 3 ? pause : 0),
          ...(at === 'ETag' ? { headers: [[at, `"${version}"`]] } : {}),
          body: record('case_7', { version: 'a', ...(at === 'ETag' ? {} : { [at.slice(1)]: version }) }),
        }),
      ),
    ],
    ...(ruling === undefined ? [] : [`${ruling} read-1 read-2 read-3 read-4`]),
  );
const often: readonly Case[] = [
  readOften('its version is the same', [5, 5, 5, 5], 'holds'),
  readOften('its version rises each time', [5, 6, 7, 8], 'violated'),
  readOften('its ETag rises each time', [5, 6, 7, 8], 'violated', { at: 'ETag' }),
  readOften('its version rises with time', [5, 6, 7, 90], undefined),
  readOften('its version rises, and nobody waited', [5, 6, 7, 8], undefined, { pause: 0 }),
  readOften('it counts its views', [5, 6, 7, 8], undefined, { at: '/views' }),
  readOften('it was read three times', [5, 6, 7], undefined),
];

/** A list that is asked for a page of a size, and the same without it. */
const sizedPage = (
  when: string,
  size: string,
  status: number,
  more: Partial<Line>,
  ...rulings: readonly string[]
): Case =>
  says(
    'RDS-1',
    `the size of a page: ${when}`,
    [
      { ...read('largest', page([])), query: `limit=${size}`, asks: [['limit', size]], status },
      { ...read('control', page([])), role: 'control', controls: 'largest', ...more },
    ],
    ...rulings,
  );
const sizes: readonly Case[] = [
  sizedPage('it is allowed', '100', 200, {}, 'holds largest', 'holds control'),
  sizedPage('it is refused', '100', 422, {}, 'violated largest control', 'holds control'),
  sizedPage('it is none', 'many', 422, {}, 'holds control'),
  sizedPage('the list is refused without it as well', '100', 422, { status: 422 }),
  sizedPage('another caller may be shown it', '100', 422, { as: 'peer' }, 'holds control'),
];

const get = (more: Partial<Line>): readonly Line[] => [
  { id: 'get', operation: 'getCase', status: 200, ...more },
];
const shapes: readonly Case[] = [
  says('RDS-1', 'no declared shape', [read('read', 'text', { operation: 'listNotes' })], 'holds read'),
  says('RDS-1', 'no JSON', get({ body: 'a case' }), 'violated get'),
  says('RDS-1', 'text behind a byte order mark', get({ body: '\ufeffa case' }), 'violated get'),
  {
    ...says(
      'RDS-1',
      'another form that is declared',
      get({ body: 'id,status', type: 'text/csv; charset=utf-8' }),
      'holds get (advisory)',
    ),
    advisory: true,
  },
  says(
    'RDS-1',
    'another form that is not declared',
    get({ body: 'a case', type: 'text/html' }),
    'violated get',
  ),
  says(
    'RDS-1',
    'a field of the query may have asked for another form',
    get({ body: 'a case', deviations: [{ kind: 'parameter', name: 'fields' }] }),
  ),
  ...(
    [
      ['fields=id', 'inconclusive'],
      ['fields%5Bcases%5D=id', 'inconclusive'],
      ['other=id', 'violated'],
    ] as const
  ).map(([query, ruling]) =>
    says('RDS-1', `another shape, asked with ${query}`, [read('look', {}, { query })], `${ruling} look`),
  ),
  says(
    'RDS-1',
    'the declared shape, asked with fields',
    [read('look', page([]), { query: 'fields=id' })],
    'holds look',
  ),
  says('RDS-1', 'another status', get({ status: 206 }), 'violated get'),
  says('RDS-1', 'refused, or with a fault', [
    ...get({ status: 404, body: 'x' }),
    ...get({ id: 'b', body: 'x', deviations: [lacking] }),
    ...get({ id: 'c', body: 'x', deviations: [reuse('get')] }),
  ]),
];

export const listCases: readonly Case[] = [
  ...lists,
  ...filters,
  ...twoFilters,
  ...permitted,
  ...listPageCases,
  ...scopes,
  ...keys,
  ...versions,
  ...often,
  ...sizes,
  ...shapes,
];
