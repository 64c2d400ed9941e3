import { made, pages, read } from './list-lines.ts';
import { overlapCases } from './list-overlaps.ts';
import { listSeamCases } from './list-seams.ts';
import { smallPageCases } from './list-small-pages.ts';
import { says } from './says.ts';
import { type Case, type Line, lacking, page, record } from './trace.ts';

const ab = [made('a'), made('b')];
const walks: readonly Case[] = [
  says(
    'RDS-4',
    'each once',
    [...ab, ...pages(page(['case_a'], 'x'), page(['case_b']))],
    'holds page-0 page-1',
  ),
  says(
    'RDS-4',
    'each once, on a last page that names no cursor',
    [...ab, ...pages(page(['case_b'], 'x'), { items: [record('case_a')] })],
    'holds page-0 page-1',
  ),
  says(
    'RDS-4',
    'each once, and an empty cursor',
    [...ab, ...pages(page(['case_a'], 'x'), page(['case_b'], ''))],
    'holds page-0 page-1',
  ),
  says(
    'RDS-4',
    'the record that the others are within is not listed',
    [
      made('a'),
      made('whole'),
      read('look', record('case_whole'), { operation: 'getCase', role: 'setup', on: 'whole' }),
      ...pages(page(['case_a'], 'x'), page(['case_o'])),
    ],
    'holds page-0 page-1',
  ),
  ...(
    [
      ['that the others are within is not listed', 'listParts', page(['case_x']), 'holds'],
      ['is read, and on no page', 'getCase', record('case_whole'), 'violated'],
    ] as const
  ).map(([what, operation, shown, expected]) => {
    const target = { caseId: { chosen: 'whole' } };
    return says(
      'RDS-4',
      `the record under an ID of choice ${what}`,
      [
        made('whole', { operation: 'keepCase', target }),
        read('look', shown, { operation, role: 'setup', target }),
        ...ab,
        ...pages(page(['case_a'], 'x'), page(['case_b'])),
      ],
      `${expected} page-0 page-1`,
    );
  }),
  says(
    'RDS-4',
    'what is made under a record with an ID of choice, each once',
    [
      made('whole', { operation: 'keepCase', target: { caseId: { chosen: 'whole' } } }),
      made('a', { operation: 'addStep', target: { caseId: { chosen: 'whole' } } }),
      made('b', { operation: 'addStep', target: { caseId: { chosen: 'whole' } } }),
      ...pages(page(['case_a'], 'x'), page(['case_b'])),
    ],
    'holds page-0 page-1',
  ),
  says('RDS-4', 'all on one page', [...ab, ...pages(page(['case_a', 'case_b']))], 'inconclusive page-0'),
  says(
    'RDS-4',
    'a record under an ID of choice, whose result says nothing',
    [made('a', { body: {}, operation: 'keepCase', status: 200 }), ...pages(page(['case_1', 'case_2']))],
    'violated page-0',
  ),
  says(
    'RDS-4',
    'all on one page, and an empty one',
    [...ab, ...pages(page(['case_a', 'case_b'], 'x'), page())],
    'inconclusive page-0 page-1',
  ),
  says(
    'RDS-4',
    'one twice',
    [...ab, ...pages(page(['case_a'], 'x'), page(['case_a', 'case_b']))],
    'violated page-0 page-1',
  ),
  says(
    'RDS-4',
    'one twice, before the end',
    [...ab, ...pages(page(['case_a', 'case_a'], 'x'))],
    'violated page-0',
  ),
  says(
    'RDS-4',
    'one of others twice',
    [...ab, ...pages(page(['case_o', 'case_a', 'case_o'], 'x'), page(['case_b']))],
    'holds page-0 page-1',
  ),
  says(
    'RDS-4',
    'one on two pages in turn, among records of others',
    [...ab, ...pages(page(['case_b', 'case_a'], 'x'), page(['case_a', 'case_o']))],
    'inconclusive page-0 page-1',
  ),
  says(
    'RDS-4',
    'one twice on a page, among records of others',
    [...ab, ...pages(page(['case_b'], 'x'), page(['case_a', 'case_a', 'case_o']))],
    'violated page-0 page-1',
  ),
  says(
    'RDS-4',
    'one on the first page and the third, among records of others',
    [...ab, ...pages(page(['case_a'], 'x'), page(['case_b', 'case_o'], 'y'), page(['case_a']))],
    'violated page-0 page-1 page-2',
  ),
  says(
    'RDS-4',
    'one on none of two pages, among records of others',
    [...ab, ...pages(page(['case_b'], 'x'), page(['case_o']))],
    'inconclusive page-0 page-1',
  ),
  says(
    'RDS-4',
    'items with IDs of another name',
    [...ab, ...pages({ items: [{ number: 'case_a' }, { number: 'case_b' }] })],
    'inconclusive page-0',
  ),
  says(
    'RDS-4',
    'items that show what was sent, under IDs of their own: the results name jobs',
    [
      made('a', { name: 'a' }),
      ...pages({
        items: [
          { id: 'report_1', subject: 'asy-t-a' },
          { id: 'report_2', subject: 'other' },
        ],
      }),
    ],
    'inconclusive page-0',
  ),
  says(
    'RDS-4',
    'one on no page, among items whose IDs are spelled otherwise',
    [...ab, ...pages({ items: [{ Id: 'case_a' }, { Id: 'case_o' }] })],
    'violated page-0',
  ),
  says(
    'RDS-4',
    'each once, with IDs that are spelled otherwise',
    [...ab, ...pages({ items: [{ Id: 'case_a' }], nextCursor: 'x' }, { items: [{ case_id: 'case_b' }] })],
    'holds page-0 page-1',
  ),
  says(
    'RDS-4',
    'what another command made first, on a record that the others name, is not of the list',
    [
      made('made-ready-createCase', { result: 'deposit_1' }),
      made('made-ready-createCase-2', { result: 'deposit_2' }),
      ...ab,
      ...pages(page(['case_a'], 'x'), page(['case_b'])),
    ],
    'holds page-0 page-1',
  ),
  says('RDS-4', 'one on no page', [...ab, ...pages(page(['case_b', 'case_o']))], 'violated page-0'),
  says(
    'RDS-4',
    'within a record: the result names a batch',
    [
      made('a'),
      { id: 'add', operation: 'addParts', on: 'a', status: 201, body: { parts: [{ id: 'batch_1' }] } },
      read('page-0', { items: [{ id: 'part_1' }] }, { observes: 'page', operation: 'listPieces', on: 'a' }),
      read('page-1', { items: [] }, { observes: 'page', operation: 'listPieces', on: 'a' }),
    ],
    'inconclusive page-0 page-1',
  ),
  says('RDS-4', 'one not yet seen', [...ab, ...pages(page(['case_b'], 'x'))], 'inconclusive page-0'),
  says(
    'RDS-4',
    'all seen, and no end yet',
    [...ab, ...pages(page(['case_a', 'case_b'], 'x'))],
    'inconclusive page-0',
  ),
  says(
    'RDS-4',
    'a page of others again',
    [...pages(page(['case_x', 'case_y'], 'x'), page(['case_z'], 'y'), page(['case_x', 'case_y'], 'x'))],
    'violated page-0 page-1 page-2',
  ),
  says(
    'RDS-4',
    'pages of others that begin alike',
    [...pages(page(['case_x', 'case_y'], 'x'), page(['case_x'], 'y'))],
    'inconclusive page-0 page-1',
  ),
  says(
    'RDS-4',
    'empty pages on the way',
    [...pages(page([], 'x'), page([], 'y'))],
    'inconclusive page-0 page-1',
  ),
  says(
    'RDS-4',
    'a page of others again, at the end',
    [...pages(page(['case_x'], 'x'), page(['case_x']))],
    'inconclusive page-0 page-1',
  ),
  says(
    'RDS-4',
    'a refused command left nothing that could be lost',
    [made('a', { status: 422, body: { id: 'case_a' } }), ...pages(page())],
    'inconclusive page-0',
  ),
  says(
    'RDS-4',
    'a read made nothing',
    [{ id: 'seen', operation: 'getCase', status: 200, body: record('case_z') }, ...pages(page())],
    'inconclusive page-0',
  ),
  says(
    'RDS-4',
    'a result without an ID cannot be lost',
    [made('a', { body: {} }), ...pages(page())],
    'inconclusive page-0',
  ),
  ...(
    [
      ['none of the records', [], 'inconclusive'],
      ['one of two records', ['case_a'], 'violated'],
    ] as const
  ).map(([what, ids, ruling]) =>
    says(
      'RDS-4',
      `a filter leaves ${what}`,
      [...ab, read('page-0', page(ids), { observes: 'page', query: 'status=open' })],
      `${ruling} page-0`,
    ),
  ),
  ...(
    [
      ['none of the records', [], 'inconclusive'],
      ['one of two records', ['case_a'], 'violated'],
    ] as const
  ).map(([what, ids, ruling]) =>
    says(
      'RDS-4',
      `a query field that the list requires leaves ${what}`,
      [
        ...ab,
        read('page-0', page(ids), { operation: 'listEntries', observes: 'page', query: 'day=x' }),
        read('page-1', page([]), { operation: 'listEntries', observes: 'page', query: 'day=x&offset=2' }),
      ],
      `${ruling} page-0 page-1`,
    ),
  ),
  says('RDS-4', 'no list', [...ab, ...pages({ items: {} })], 'violated page-0'),
  says(
    'RDS-4',
    'items without ids',
    [
      ...ab,
      ...pages(
        { items: [null, 'case_a', { id: 7 }, record('case_a')], nextCursor: 'x' },
        { items: [record('case_b')] },
      ),
    ],
    'holds page-0 page-1',
  ),
  says(
    'RDS-4',
    'a page is refused',
    [...ab, ...pages(page(['case_a'], 'x')), read('page-1', undefined, { observes: 'page', status: 429 })],
    'inconclusive page-1',
  ),
  says('RDS-4', 'no pages: others read, a control, a fault, a cursor, a read of one', [
    ...ab,
    read('read', page()),
    read('page-a', page(), { role: 'readback' }),
    read('page-b', page(), { observes: 'page', deviations: [lacking] }),
    read('page-c', page(), { observes: 'page', deviations: [{ kind: 'cursor', how: 'tampered' }] }),
    { id: 'page-d', observes: 'page', operation: 'getCase', role: 'test', status: 200 },
  ]),
  says(
    'RDS-4',
    'a long walk is shown by its first pages',
    pages(...Array.from({ length: 13 }, (_, index) => page([`case_${index}`], index < 12 ? 'x' : null))),
    `inconclusive ${Array.from({ length: 12 }, (_, index) => `page-${index}`).join(' ')}`,
  ),
];

const note = (id: string): Line => made(id, { operation: 'createNote' });
const counted = (...ids: readonly (readonly string[])[]): Case['trace'] => [
  note('a'),
  note('b'),
  ...ids.map((each, index) =>
    read(
      `page-${index}`,
      { items: each.map((id) => record(id)) },
      { operation: 'listNotes', observes: 'page' },
    ),
  ),
];
const countedPages: readonly Case[] = [
  says(
    'RDS-4',
    'pages by offset, to an empty one',
    counted(['case_a'], ['case_b'], []),
    'holds page-0 page-1 page-2',
  ),
  says('RDS-4', 'pages by offset that lose one', counted(['case_a'], []), 'violated page-0 page-1'),
  says('RDS-4', 'pages by offset that were not read to the end', counted(['case_a']), 'inconclusive page-0'),
  ...[404, 416].map((status) =>
    says(
      'RDS-4',
      `pages by offset, to one behind the last that returns ${status}`,
      [
        ...counted(['case_a'], ['case_b']),
        read('page-2', undefined, { operation: 'listNotes', observes: 'page', status, query: 'offset=2' }),
      ],
      'holds page-0 page-1 page-2',
    ),
  ),
  says(
    'RDS-4',
    'pages by offset, of which the first returns 404',
    [note('a'), read('page-0', undefined, { operation: 'listNotes', observes: 'page', status: 404 })],
    'inconclusive page-0',
  ),
  says(
    'RDS-4',
    'a page behind a cursor returns 404',
    [
      ...ab,
      ...pages(page(['case_a'], 'x')),
      read('page-1', undefined, { observes: 'page', status: 404, query: 'cursor=x' }),
    ],
    'inconclusive page-1',
  ),
  says(
    'RDS-4',
    'an offset may count from 1',
    counted(['case_a', 'case_b'], ['case_b'], []),
    'inconclusive page-0 page-1 page-2',
  ),
  says(
    'RDS-4',
    'the offset is not regarded',
    counted(['case_a'], ['case_a'], ['case_a']),
    'violated page-0 page-1 page-2',
  ),
  says(
    'RDS-4',
    'pages by offset, newest first, of which a later one comes again as where others made as many',
    counted(['case_o', 'case_b'], ['case_p', 'case_a'], ['case_p', 'case_a']),
    'inconclusive page-0 page-1 page-2',
  ),
  says(
    'RDS-4',
    'each page by offset shows others that the first one shows',
    counted(['case_x', 'case_y'], ['case_x', 'case_y'], ['case_x', 'case_y']),
    'violated page-0 page-1 page-2',
  ),
  ...(
    [
      ['three pages in turn', ['case_p', 'case_a'], 'inconclusive'],
      ['two pages, and not on the one between', ['case_p'], 'violated'],
    ] as const
  ).map(([where, between, verdict]) =>
    says(
      'RDS-4',
      `pages by offset, among records of others: one is on ${where}`,
      counted(['case_o', 'case_a'], between, ['case_q', 'case_a', 'case_b'], []),
      `${verdict} page-0 page-1 page-2 page-3`,
    ),
  ),
  says(
    'RDS-4',
    'pages by offset overlap twice',
    counted(['case_a', 'case_b'], ['case_b'], ['case_b'], []),
    'violated page-0 page-1 page-2 page-3',
  ),
];

const sized = (
  query: string | undefined,
  ids: readonly string[],
  more: Partial<Line> = {},
): Case['trace'] => [read('read', page(ids), { ...(query === undefined ? {} : { query }), ...more })];
const sizes: readonly Case[] = [
  says('RDS-5', 'as many as were asked for', sized('limit=2', ['a', 'b']), 'holds read'),
  says('RDS-5', 'fewer, and no more', sized('status=open&limit=12', ['a', 'b']), 'inconclusive read'),
  ...(
    [
      ['limit=3', 'holds read', 'holds next'],
      ['limit=3&status=open', 'inconclusive read', 'inconclusive next'],
    ] as const
  ).map(([query, ...rulings]) =>
    says(
      'RDS-5',
      `a smaller page than was asked for, and others on a page of ${query}`,
      [...sized('limit=3', ['a', 'b']), read('next', page(['c']), { query })],
      ...rulings,
    ),
  ),
  says('RDS-5', 'one more', sized('limit=1', ['a', 'b']), 'violated read'),
  says('RDS-5', 'none were asked for', sized('limit=0', ['a']), 'violated read'),
  says('RDS-5', 'no limit, or one that is no number', [
    ...sized(undefined, ['a']),
    ...sized('status=1', ['a'], { id: 'b' }),
    ...sized('limit=-1', ['a'], { id: 'c' }),
    ...sized('limit=1x', ['a', 'b'], { id: 'd' }),
    ...sized('limit=', ['a'], { id: 'e' }),
  ]),
  says('RDS-5', 'refused, or with a fault', [
    ...sized('limit=0', ['a'], { status: 422 }),
    ...sized('limit=0', ['a'], { id: 'faulty', deviations: [lacking] }),
  ]),
];

const cursor = (status: number, body: Line['body'], more: Partial<Line> = {}): Case['trace'] => [
  made('theirs', { as: 'abroad' }),
  made('ours', { as: 'peer' }),
  read('read', body, {
    status,
    query: 'cursor=x',
    deviations: [{ kind: 'cursor', how: 'foreign' }],
    ...more,
  }),
];
/** The list without what was wrong. */
const plain: Line = { id: 'plain', operation: 'listCases', controls: 'read', status: 200 };
const cursors: readonly Case[] = [
  says('RDS-6', 'it is refused', [...cursor(400, {}), plain], 'holds read'),
  says('RDS-6', 'it is refused, as anything may be', cursor(400, {}), 'inconclusive read'),
  says('RDS-6', 'a list that shows nothing', cursor(200, page([])), 'inconclusive read'),
  says('RDS-6', 'own data', cursor(200, page(['case_ours', 'case_x'])), 'holds read'),
  says(
    'RDS-6',
    'data of another scope',
    cursor(200, page(['case_ours', 'case_theirs'])),
    'violated read (conclusive)',
  ),
  says(
    'RDS-6',
    'records that the other scope has under the cursor as well, and nobody knows whose they are',
    [
      ...cursor(200, page(['case_ours', 'case_x'])),
      read('own-next', page(['case_x', 'case_y']), {
        observes: 'own-page',
        as: 'abroad',
        role: 'control',
        query: 'cursor=x',
      }),
    ],
    'inconclusive read',
  ),
  says(
    'RDS-6',
    'other records than those that the other scope has under the cursor',
    [
      ...cursor(200, page(['case_ours'])),
      read('own-next', page(['case_x', '7']), {
        observes: 'own-page',
        as: 'abroad',
        role: 'control',
        query: 'cursor=x',
      }),
    ],
    'holds read',
  ),
  says('RDS-6', 'items without ids', cursor(200, { items: [{}, { id: 7 }] }), 'holds read'),
  says('RDS-6', 'the service fails', cursor(500, {}), 'violated read'),
  says('RDS-6', '499 is a refusal', [...cursor(499, {}), plain], 'holds read'),
  says('RDS-6', 'it is throttled', cursor(429, {})),
  says(
    'RDS-6',
    'another fault as well',
    cursor(500, {}, { deviations: [{ kind: 'cursor', how: 'foreign' }, lacking] }),
  ),
  says('RDS-6', 'no cursor at fault', cursor(500, {}, { deviations: [lacking] })),
];

export const listPageCases: readonly Case[] = [
  ...walks,
  ...countedPages,
  ...listSeamCases,
  ...smallPageCases,
  ...sizes,
  ...overlapCases,
  ...cursors,
];
