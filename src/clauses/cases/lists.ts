import type { Json } from '../../model/json.ts';
import { apart, says } from './says.ts';
import { type Case, type Line, lacking, page, record, reuse } from './trace.ts';

const read = (id: string, body: Line['body'] | undefined, more: Partial<Line> = {}): Line => ({
  id,
  operation: 'listCases',
  role: 'probe',
  status: 200,
  ...(body === undefined ? {} : { body }),
  ...more,
});
const made = (id: string, more: Partial<Line> = {}): Line => ({
  id,
  role: 'setup',
  status: 201,
  result: `case_${id}`,
  ...more,
});
const filtered = (
  query: string,
  records: readonly Line['body'][],
  more: Partial<Line> = {},
): Case['trace'] => [
  read('read', { items: records.map((one) => one ?? null), nextCursor: null }, { query, ...more }),
];

const filters: readonly Case[] = [
  says('RDS-3', 'all match', filtered('status=open', [record('case_1'), record('case_2')]), 'holds read'),
  says('RDS-3', 'no record', filtered('status=open', []), 'inconclusive read'),
  says(
    'RDS-3',
    'the record that was made is excluded',
    [made('a'), ...filtered('status=closed', [])],
    'holds read',
  ),
  says(
    'RDS-3',
    'the second does not match',
    filtered('status=open', [record('case_1'), record('case_2', { status: 'closed' })]),
    'violated read',
  ),
  says(
    'RDS-3',
    'a record without the member',
    filtered('limit=2&status=open', [{ id: 'case_1' }]),
    'violated read',
  ),
  says('RDS-3', 'the value in another case', filtered('status=Open', [record('case_1')]), 'violated read'),
  says(
    'RDS-3',
    'a number in the record',
    filtered('status=7', [record('case_1', { status: 7 })]),
    'holds read',
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

const ab = [made('a'), made('b')];
const pages = (...bodies: readonly Line['body'][]): readonly Line[] =>
  bodies.map((body, index) => read(`page-${index}`, body));
const walks: readonly Case[] = [
  says(
    'RDS-4',
    'each once',
    [...ab, ...pages(page(['case_a'], 'x'), page(['case_b']))],
    'holds page-0 page-1',
  ),
  says(
    'RDS-4',
    'each once, on pages that name no cursor',
    [...ab, ...pages({ items: [record('case_b'), record('case_a')] })],
    'holds page-0',
  ),
  says(
    'RDS-4',
    'each once, and an empty cursor',
    [...ab, ...pages(page(['case_a', 'case_b'], ''))],
    'holds page-0',
  ),
  says(
    'RDS-4',
    'the record that the others are within is not listed',
    [
      made('a'),
      made('whole'),
      read('look', record('case_whole'), { operation: 'getCase', role: 'setup', on: 'whole' }),
      ...pages(page(['case_a'])),
    ],
    'holds page-0',
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
    [...ab, ...pages(page(['case_o', 'case_a', 'case_o', 'case_b']))],
    'holds page-0',
  ),
  says('RDS-4', 'one on no page', [...ab, ...pages(page(['case_b', 'case_o']))], 'violated page-0'),
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
    'a result without an id cannot be lost',
    [made('a', { body: {} }), ...pages(page())],
    'inconclusive page-0',
  ),
  says('RDS-4', 'no list', [...ab, ...pages({ items: {} })], 'violated page-0'),
  says(
    'RDS-4',
    'items without ids',
    [...ab, ...pages({ items: [null, 'case_a', { id: 7 }, record('case_a'), record('case_b')] })],
    'holds page-0',
  ),
  says(
    'RDS-4',
    'a page is refused',
    [...ab, ...pages(page(['case_a'], 'x')), read('page-1', undefined, { status: 429 })],
    'inconclusive page-1',
  ),
  says('RDS-4', 'no pages: others read, a control, a fault, a cursor, a read of one', [
    ...ab,
    read('read', page()),
    read('page-a', page(), { role: 'readback' }),
    read('page-b', page(), { deviations: [lacking] }),
    read('page-c', page(), { deviations: [{ kind: 'cursor', how: 'tampered' }] }),
    { id: 'page-d', operation: 'getCase', role: 'probe', status: 200 },
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
    read(`page-${index}`, { items: each.map((id) => record(id)) }, { operation: 'listNotes' }),
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
  says('RDS-4', 'the offset is not regarded', counted(['case_a'], ['case_a']), 'violated page-0 page-1'),
];

const sized = (
  query: string | undefined,
  ids: readonly string[],
  more: Partial<Line> = {},
): Case['trace'] => [read('read', page(ids), { ...(query === undefined ? {} : { query }), ...more })];
const sizes: readonly Case[] = [
  says('RDS-5', 'as many as were asked for', sized('limit=2', ['a', 'b']), 'holds read'),
  says('RDS-5', 'fewer', sized('status=open&limit=12', ['a', 'b']), 'holds read'),
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
  says('RDS-6', 'own data', cursor(200, page(['case_ours', 'case_x'])), 'holds read'),
  says(
    'RDS-6',
    'data of another scope',
    cursor(200, page(['case_ours', 'case_theirs'])),
    'violated read (conclusive)',
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

const scope = { kind: 'scope' } as const;
const target = (status: number, more: Partial<Line> = {}): Case['trace'] => [
  made('theirs', { as: 'abroad' }),
  { id: 'read', operation: 'getCase', role: 'probe', on: 'theirs', status, deviations: [scope], ...more },
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
const scopes: readonly Case[] = [
  ...[403, 404].map((status) => says('RDS-7', `it gets ${status}`, [...target(status), near], 'holds read')),
  says('RDS-7', 'it is read', target(200), 'violated read (conclusive)'),
  says('RDS-7', 'it gets something else', target(200, { body: record('case_0') }), 'holds read'),
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
    'an id that begins alike is listed',
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
  says('RDS-7', 'the command in the other scope was refused', [
    made('theirs', { as: 'abroad', status: 409 }),
    read('read', page(['case_theirs'])),
  ]),
];

const keyed = (read: Partial<Line>, command: Partial<Line>, fresh: Partial<Line> = {}): Case['trace'] => [
  { id: 'read', operation: 'listCases', role: 'probe', status: 200, key: 'k', ...read },
  { id: 'command', role: 'probe', status: 409, key: 'k', ...command },
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
  says('RDS-8', 'throttled', keyed({}, { status: 429 })),
  says('RDS-8', 'another key', keyed({}, { key: 'other' })),
  says('RDS-8', 'a key that is no plain one', keyed({}, { key: { use: 'literal', value: 'k' } })),
  says(
    'RDS-8',
    'the read has no key, or is no probe',
    apart(keyed({ key: 'none' }, {}), keyed({ role: 'control' }, {})),
  ),
  says('RDS-8', 'another read has the key', [
    { id: 'read', operation: 'listCases', role: 'probe', status: 200, key: 'k' },
    { id: 'second', operation: 'listCases', role: 'control', status: 200, key: 'k' },
  ]),
];

const get = (more: Partial<Line>): readonly Line[] => [
  { id: 'get', operation: 'getCase', status: 200, ...more },
];
const shapes: readonly Case[] = [
  says('RDS-1', 'no declared shape', [read('read', 'text', { operation: 'listNotes' })], 'holds read'),
  says('RDS-1', 'no JSON', get({ body: 'a case' }), 'violated get'),
  says('RDS-1', 'another status', get({ status: 206 }), 'violated get'),
  says('RDS-1', 'refused, or with a fault', [
    ...get({ status: 404, body: 'x' }),
    ...get({ id: 'b', body: 'x', deviations: [lacking] }),
    ...get({ id: 'c', body: 'x', deviations: [reuse('get')] }),
  ]),
];

export const listCases: readonly Case[] = [
  ...filters,
  ...twoFilters,
  ...permitted,
  ...walks,
  ...countedPages,
  ...sizes,
  ...cursors,
  ...scopes,
  ...keys,
  ...shapes,
];
