import type { Json } from '../../model/json.ts';
import { made, read } from './list-lines.ts';
import { near } from './reads.ts';
import { apart, says } from './says.ts';
import { type Case, type Line, lacking, page, record } from './trace.ts';

const scope = { kind: 'scope' } as const;
const target = (status: number, more: Partial<Line> = {}): Case['trace'] => [
  made('theirs', { as: 'abroad' }),
  { id: 'read', operation: 'getCase', role: 'test', on: 'theirs', status, deviations: [scope], ...more },
];
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
export const listScopeCases: readonly Case[] = [
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
        near,
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
