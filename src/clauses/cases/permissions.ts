import type { Json } from '../../model/json.ts';
import type { Deviation, How } from '../../model/scenario.ts';
import { countedCases } from './counted-records.ts';
import { apart, says } from './says.ts';
import { absent, type Case, type Line, lacking, missing, negative, record } from './trace.ts';

export const permission = (how: How<'permission'>): Deviation => ({ kind: 'permission', how });
const nobody = { as: 'nobody' } as const;

const hows: readonly (readonly [string, How<'permission'>])[] = [
  ['PRM-1', 'none'],
  ['PRM-3', 'near-miss'],
  ['PRM-4', 'sibling'],
  ['PRM-10', 'withdrawn'],
];
const byHow = hows.flatMap(([clause, how]): readonly Case[] => [
  says(clause, `${how}: it is refused`, negative(permission(how), 403), 'holds probe'),
  says(clause, `${how}: it is served`, negative(permission(how), 201), 'violated probe (conclusive)'),
  says(clause, `${how}: the credential is said to be bad`, negative(permission(how), 401), 'violated probe'),
  says(
    clause,
    `not ${how}, for other clauses`,
    apart(...hows.flatMap(([, other]) => (other === how ? [] : [negative(permission(other), 201)]))),
  ),
]);

const broad: Line = { id: 'broad', status: 201 };
const exact = (status: number | undefined, more: Partial<Line> = {}): Line => ({
  id: 'exact',
  as: 'exact',
  role: 'test',
  status,
  ...more,
});
const reads = (id: string, as: string, status: number, on?: string): Line => ({
  id,
  as,
  ...(id === 'exact' ? { role: 'test' } : {}),
  operation: 'getCase',
  status,
  ...(on === undefined ? {} : { on }),
});
const proven = (one: Case): Case => ({ ...one, proven: ['exact', 'nobody', 'reader', 'closer'] });

const tokens: readonly Case[] = [
  says(
    'PRM-1',
    'a token that was accepted nowhere is unauthorised',
    negative(lacking, 401, nobody),
    'inconclusive probe',
  ),
  proven(
    says('PRM-1', 'a token that was accepted elsewhere is', negative(lacking, 401, nobody), 'violated probe'),
  ),
  says(
    'PRM-1',
    'a token that was accepted nowhere is refused otherwise',
    negative(lacking, 404, nobody),
    'violated probe',
  ),
  says('PRM-1', 'another fault as well, for PRE-2', negative([lacking, missing], 201)),
];

const own = (at: number, more: Partial<Line> = {}): Case['trace'] => [
  { id: 'own', operation: 'listCases', as: 'nobody', status: 200, at, ...more },
];
const said401 = (at: number, control = 201): Case['trace'] =>
  negative(lacking, 401, { ...nobody, at }, { at: at + 10, status: control });
const open = { operation: 'listNotes' } as const;
const doubts = ['inconclusive probe~1', 'inconclusive probe~2'];
/** The token of a caller that preflight saw succeed nowhere. */
const around: readonly Case[] = (
  [
    ['before and after', [own(0), said401(50), said401(100), own(150)], ['violated probe~1 (conclusive)']],
    ['before alone', [own(0), said401(50), said401(100)], []],
    ['after alone', [own(150), said401(50), said401(100)], []],
    ['long before', [own(0), said401(70_000), said401(70_100), own(70_200)], []],
    ['between', [own(75), said401(50), said401(100)], []],
    ['by an open operation', [own(0, open), said401(50), said401(100), own(150, open)], []],
    ['as a refreshed one', [own(0, { as: 'peer' }), said401(50), said401(100), own(150)], []],
  ] as const
).map(([when, traces, rulings]) =>
  says(
    'PRM-1',
    `two are unauthorised, and the token is accepted ${when}`,
    apart(...traces),
    ...doubts,
    ...rulings,
  ),
);

const exactly: readonly Case[] = [
  says('PRM-2', 'the exact holder is served', [exact(201)], 'holds exact'),
  proven(
    says('PRM-2', 'it is refused where a broader one is served', [exact(403), broad], 'violated exact broad'),
  ),
  ...(
    [
      [
        'saw the record before',
        [reads('broad', 'full', 200), reads('exact', 'reader', 403)],
        'violated exact broad',
      ],
      [
        'sees it only afterwards',
        [reads('exact', 'reader', 403), reads('broad', 'full', 200)],
        'inconclusive exact',
      ],
      [
        'saw another record',
        [{ id: 'made', status: 201 }, reads('broad', 'full', 200, 'made'), reads('exact', 'reader', 403)],
        'inconclusive exact',
      ],
    ] as const
  ).map(([when, trace, ruling]) =>
    proven(says('PRM-2', `a read is refused, and the broader one ${when}`, [...trace], ruling)),
  ),
  ...(
    [
      [
        'a caller of its own set',
        [exact(403), { ...broad, as: 'alike' }],
        'inconclusive exact',
        'holds broad',
      ],
      ['a caller of another scope', [exact(403), { ...broad, as: 'abroad' }], 'inconclusive exact'],
      ['a broader one before', [broad, exact(403)], 'inconclusive exact'],
      [
        'a broader one with noise',
        [exact(403), { ...broad, deviations: [{ kind: 'pace' }] }],
        'inconclusive exact',
      ],
      [
        'a broader one only',
        [exact(403, { role: 'control' }), exact(403, { id: 'again' })],
        'inconclusive again',
      ],
    ] as const
  ).map(([who, trace, ...rulings]) => proven(says('PRM-2', `${who} is served`, [...trace], ...rulings))),
  ...(
    [
      ['a third caller made', 'peer', 'closer', 'closeCase', 'violated exact broad'],
      ['it made itself', 'closer', 'closer', 'closeCase', 'violated exact broad'],
      ['the broader one made', 'full', 'closer', 'closeCase', 'inconclusive exact'],
      ['another token of the broader one made', 'renewed', 'closer', 'closeCase', 'inconclusive exact'],
      ['another scope made', 'abroad', 'closer', 'closeCase', 'inconclusive exact'],
    ] as const
  ).map(([whose, by, as, operation, ruling]) =>
    proven(
      says(
        'PRM-2',
        `a command is refused on a record that ${whose}`,
        [
          { id: 'made', role: 'setup', as: by, status: 201 },
          { id: 'exact', role: 'test', as, operation, on: 'made', status: 403 },
          { id: 'broad', operation, on: 'made', status: 200 },
        ],
        ruling,
      ),
    ),
  ),
  ...[undefined, 403, 409].map((declared): Case => {
    const on = { operation: 'approveCase', on: 'made' } as const;
    const verification = { use: 'hook', step: 'verified' } as const;
    const one = says(
      'PRM-2',
      `a command with a stronger verification is refused, whose lack returns ${declared ?? 'what is not declared'}`,
      [
        { id: 'made', role: 'setup', as: 'peer', status: 201 },
        { id: 'exact', role: 'test', as: 'approver', ...on, verification, status: 403 },
        { id: 'broad', ...on, verification, status: 200 },
      ],
      declared === 409 ? 'violated exact broad' : 'inconclusive exact broad',
    );
    return {
      ...one,
      proven: ['approver'],
      ...(declared === undefined ? {} : { declares: { G4: declared } }),
    };
  }),
  says('PRM-2', 'its token was accepted nowhere', [exact(403), broad], 'inconclusive exact broad'),
  proven(says('PRM-2', 'nobody is served', [exact(403), { ...broad, status: 403 }], 'inconclusive exact')),
  proven(
    says(
      'PRM-2',
      'the broader one is served elsewhere',
      [exact(403), { id: 'broad', operation: 'listCases', status: 200 }],
      'inconclusive exact',
    ),
  ),
  proven(
    says(
      'PRM-2',
      'it is served itself, another time',
      [exact(403), exact(201, { id: 'again' })],
      'inconclusive exact',
      'holds again',
    ),
  ),
  proven(
    says('PRM-2', 'a setup, a fault, no response, another refusal', [
      exact(201, { id: 'setup', role: 'setup' }),
      exact(201, { id: 'faulty', deviations: [missing] }),
      exact(undefined, { id: 'lost' }),
      exact(422),
      broad,
    ]),
  ),
  says('PRM-2', 'noise is no fault', [exact(201, { deviations: [{ kind: 'pace' }] })], 'holds exact'),
  says('PRM-2', 'a broader holder, one of another permission, and nobody', [
    broad,
    { id: 'reader', as: 'reader', status: 201 },
    { id: 'nobody', as: 'nobody', status: 201 },
    { id: 'stranger', as: 'stranger', status: 201 },
  ]),
  says('PRM-2', 'the credential of the exact holder is expired', [exact(201, { as: 'lapsed' })]),
  ...[
    ['approver', 'holds a'],
    ['half', undefined],
  ].map(([as, ruling]) =>
    says(
      'PRM-2',
      `${as}, where two are needed`,
      [{ id: 'a', operation: 'approveCase', status: 200, ...(as === undefined ? {} : { as }) }],
      ...(ruling === undefined ? [] : [ruling]),
    ),
  ),
  says('PRM-2', 'an operation that needs none', [
    { id: 'ping', operation: 'ping', as: 'nobody', status: 202 },
  ]),
];

const scope: Deviation = { kind: 'scope' };
const onTarget = { operation: 'closeCase', on: 'made', as: 'abroad' } as const;
/** The target of a command. */
export const made: Line = { id: 'made', role: 'setup', status: 201, result: 'case_7' };
const scopes: readonly Case[] = [
  ...[403, 404].map((status) =>
    says('PRM-5', `it gets ${status}`, [made, ...negative(scope, status, onTarget)], 'holds probe'),
  ),
  says('PRM-5', 'it is served', [made, ...negative(scope, 200, onTarget)], 'violated probe (conclusive)'),
  says('PRM-5', 'a conflict is reported', [made, ...negative(scope, 409, onTarget)], 'violated probe'),
  says(
    'PRM-5',
    'another fault as well, or another',
    apart([made], negative([scope, missing], 200, onTarget), negative(lacking, 200, onTarget)),
  ),
];

/** The first scope puts a record under an ID of its choice; another scope puts one under the same ID. */
const chosen = (status: number, after: Json | undefined, probe: Partial<Line> = {}): Case['trace'] => {
  const read = (id: 'before' | 'after', body: Json | undefined): Line => ({
    id,
    observes: id,
    role: 'readback',
    operation: 'getCase',
    on: 'made',
    status: body === undefined ? 404 : 200,
    ...(body === undefined ? {} : { body }),
  });
  const put = { operation: 'keepCase', on: 'made' } as const;
  return [
    {
      id: 'made',
      role: 'setup',
      status: 201,
      result: 'case_7',
      operation: 'keepCase',
      on: 'made',
      name: 'made',
    },
    read('before', record('case_7', { subject: 'first' })),
    { id: 'probe', role: 'test', status, ...put, as: 'abroad', deviations: [scope], ...probe },
    read('after', after),
    { id: 'control', controls: 'probe', status: 200, ...put },
  ];
};
const unchanged = record('case_7', { subject: 'first' });
const upserts: readonly Case[] = [
  says(
    'PRM-5',
    'an ID of its own choice: a record of its own',
    chosen(201, unchanged),
    'holds probe before after',
  ),
  says(
    'PRM-5',
    'an ID of its own choice: the record of the other scope is replaced',
    chosen(200, record('case_7', { subject: 'second' })),
    'violated probe before after',
  ),
  says(
    'PRM-5',
    'an ID of its own choice: the record of the other scope is gone',
    chosen(201, undefined),
    'violated probe before after (conclusive)',
  ),
  says(
    'PRM-5',
    'an ID of its own choice: the response shows what the other scope wrote',
    chosen(200, unchanged, { body: record('case_7', { subject: 'asy-t-made' }) }),
    'violated probe made (conclusive)',
  ),
  says(
    'PRM-5',
    'an ID of its own choice: nothing was read',
    chosen(201, unchanged).filter((part) => !('role' in part) || part.role !== 'readback'),
    'inconclusive probe',
  ),
  ...[403, 404, 409].map((status) =>
    says('PRM-5', `an ID of its own choice: it gets ${status}`, chosen(status, unchanged), 'holds probe'),
  ),
  says('PRM-5', 'an ID of its own choice: it is invalid', chosen(422, unchanged), 'violated probe'),
  says('ERR-1', 'an ID of its own choice: a record of its own', chosen(201, unchanged)),
];

/** A record that the vendor gave by its name, read from another scope and from its own. */
const called = (id: string, body: Json, own: Json): Case['trace'] => [
  {
    id: 'probe',
    role: 'test',
    operation: 'getCase',
    status: 200,
    as: 'abroad',
    deviations: [scope],
    given: id,
    body,
  },
  { id: 'control', operation: 'getCase', status: 200, controls: 'probe', given: id, body: own },
];
const dated = record('default', { at: '2026-11-21T10:00:00.123Z' });
const long = '5f0c8f6e-9f43-4c1e-8f0a-1d2b3c4d5e6f';
const givenNames: readonly Case[] = [
  says(
    'PRM-5',
    'a given name: each scope has a record of that name',
    called('default', record('default', { subject: 'here' }), record('default', { subject: 'there' })),
    'holds probe control',
  ),
  says('ERR-1', 'a given name: each scope has one', called('default', dated, record('default'))),
  says(
    'PRM-5',
    'a given name: both read the same',
    called('default', record('default'), record('default')),
    'inconclusive probe control',
  ),
  says(
    'PRM-5',
    'a given name: both read what was made at one moment',
    called('default', dated, dated),
    'violated probe control (conclusive)',
  ),
  says(
    'PRM-5',
    'a given ID that no two records have',
    called(long, record(long, { subject: 'here' }), record(long, { subject: 'there' })),
    'violated probe (conclusive)',
  ),
];

const probes = (...statuses: readonly (number | undefined)[]): Case['trace'] =>
  statuses.map((status, index) => ({ id: `p${index}`, role: 'test', status, deviations: [lacking] }));
const callers = (...statuses: readonly number[]): Case['trace'] =>
  statuses.map((status, index) => ({
    id: `as-${index}`,
    as: ['nobody', 'reader'][index] ?? '',
    role: 'test',
    status,
    deviations: [lacking],
  }));
const served: Line = { id: 'served', controls: '*', status: 201 };
const stable: readonly Case[] = [
  says('PRM-7', '403 each time', [...probes(403, 403), served], 'holds p0 p1'),
  says('PRM-7', '403 to everybody', probes(403, 403), 'inconclusive p0 p1'),
  says('PRM-7', 'then 401', probes(403, 401), 'violated p0 p1'),
  says('PRM-7', 'then it is served', probes(403, 403, 200), 'violated p0 p1 p2 (conclusive)'),
  says('PRM-7', 'then it redirects', probes(403, 300), 'violated p0 p1'),
  says('PRM-7', 'a throttled one between', [...probes(403, 429, 403), served], 'holds p0 p2'),
  says('PRM-7', 'a lost one between', [...probes(403, undefined, 403), served], 'holds p0 p2'),
  says('PRM-7', 'another class each time, which is for PRM-1', probes(404, 404)),
  says('PRM-7', 'one answer is none to compare', probes(403, 429)),
  says('PRM-7', 'several callers, each refused in its way', [...callers(403, 200), served]),
  says('PRM-7', 'one caller among others', [...probes(403, 401), ...callers(403), served], 'violated p0 p1'),
  says(
    'PRM-7',
    'no probes, and other faults',
    apart(
      negative(lacking, 201, { role: 'control' }),
      negative([lacking, missing], 201),
      negative(absent, 201),
      probes(403),
    ),
  ),
];

const noises: readonly Deviation[] = [
  { kind: 'path-noise' },
  { kind: 'header-noise', header: 'X-HTTP-Method-Override' },
];
const quiet = says('PRM-9', 'no noise', negative(lacking, 403));
const obeyed: readonly Deviation[] = [
  lacking,
  { kind: 'path-noise' },
  { kind: 'header-noise', header: 'X-HTTP-Method-Override' },
];
const overridden = [400, 404, 405].flatMap((status): readonly Case[] => [
  says('PRM-1', `another method is asked for, and the response is ${status}`, negative(obeyed, status)),
  says(
    'PRM-9',
    `another method is asked for, and the response is ${status}`,
    negative(obeyed, status),
    'holds probe',
  ),
]);
const noisy = noises.flatMap((noise): readonly Case[] => [
  says('PRM-9', `${noise.kind}: it is refused`, negative([lacking, noise], 403), 'holds probe'),
  says(
    'PRM-9',
    `${noise.kind}: it is served`,
    negative([lacking, noise], 201),
    'violated probe (conclusive)',
  ),
  says('PRM-9', `${noise.kind}: no such path`, negative([lacking, noise], 404), 'holds probe'),
  says('PRM-9', `${noise.kind}: it is throttled`, negative([lacking, noise], 429)),
  says('PRM-9', `${noise.kind}: by one who may`, negative(noise, 201)),
]);

/** Who is served, and who is refused. */
export const permissionCases: readonly Case[] = [
  ...byHow,
  ...tokens,
  ...around,
  ...exactly,
  ...scopes,
  ...upserts,
  ...countedCases,
  ...givenNames,
  ...stable,
  quiet,
  ...overridden,
  ...noisy,
];
