import type { Json } from '../../model/json.ts';
import { listFilterCases } from './list-filters.ts';
import { made, read } from './list-lines.ts';
import { listPageCases } from './list-pages.ts';
import { listScopeCases } from './list-scopes.ts';
import { apart, says } from './says.ts';
import { type Case, type Line, lacking, page, reuse } from './trace.ts';
import { unchangingReadCases } from './unchanging-reads.ts';

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

/** The same, where parts count within their case, and show it under this name. */
function counted(shown: readonly (readonly [string, number])[], name = 'caseId'): Case['trace'] {
  const part = ([within, id]: readonly [string, number]): Json => ({ id, [name]: within });
  const parts = (id: string, on: string, list: typeof shown, more: Partial<Line>): Line => ({
    ...read(id, { items: list.map(part) }, more),
    operation: 'listParts',
    on,
  });
  return [
    { id: 'a', role: 'setup', status: 201, result: 'case_7' },
    { id: 'b', role: 'setup', status: 201, result: 'case_8' },
    parts('before', 'b', [['case_8', 1]], { observes: 'elsewhere-before', role: 'control' }),
    { ...made('one', { body: part(['case_7', 1]), sent: '{}' }), operation: 'addPart', on: 'a' },
    parts('look', 'b', shown, { observes: 'elsewhere' }),
    parts('own', 'a', [['case_7', 1]], { role: 'control', controls: 'look' }),
  ];
}

const ofBoth = [
  ['case_8', 1],
  ['case_7', 1],
] as const;

const lists: readonly Case[] = [
  says('RDS-3', 'parts of both cases, which count', counted(ofBoth), 'violated before look'),
  says('RDS-3', 'parts of both, in another spelling', counted(ofBoth, 'case_id'), 'violated before look'),
  says('RDS-3', 'parts of one case, which count', counted([['case_8', 1]]), 'holds look own'),
  says('RDS-3', 'parts that show no case', counted(ofBoth, 'owner'), 'inconclusive look'),
  says('RDS-3', 'listed within its own record, by a list with filters', elsewhere(['case_x'], ['case_x'])),
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

/** The list within a record before something is made in it, and the same afterwards. */
const empty = (status: number, filled: Partial<Line> = {}): Case['trace'] => [
  { id: 'a', role: 'setup', status: 201, result: 'case_7' },
  { ...read('empty', items([])), operation: 'listParts', on: 'a', observes: 'empty-list', status },
  { ...made('one', { body: { id: 'part_1' } }), operation: 'addPart', on: 'a', role: 'setup' },
  {
    ...read('filled', items(['part_1'])),
    ...{ operation: 'listParts', on: 'a', role: 'control', controls: 'empty', ...filled },
  },
];
const whileEmpty: readonly Case[] = [
  says('RDS-1', 'a list in a record, while it is empty', empty(200), 'holds empty', 'holds filled'),
  says('RDS-1', '404 of a list in a record', empty(404), 'holds filled', 'violated empty filled'),
  says('RDS-1', '404 of a list in a record, afterwards as well', empty(404, { status: 404 })),
  says('RDS-1', '403 of a list in a record', empty(403), 'holds filled'),
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
    'other JSON that is declared, in its own shape',
    get({ body: ['case_1', 'open'], type: 'Application/List+JSON; charset=utf-8' }),
    'holds get',
  ),
  says(
    'RDS-1',
    'other JSON that is declared, in the shape of the first',
    get({ body: { id: 'case_1', status: 'open' }, type: 'application/list+json' }),
    'violated get',
  ),
  says(
    'RDS-1',
    'the shape of other JSON, under the first',
    get({ body: ['case_1', 'open'] }),
    'violated get',
  ),
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
  ...listFilterCases,
  ...permitted,
  ...listPageCases,
  ...listScopeCases,
  ...unchangingReadCases,
  ...sizes,
  ...whileEmpty,
  ...shapes,
];
