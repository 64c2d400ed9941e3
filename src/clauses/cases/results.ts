import { changeCases } from './changes.ts';
import { says } from './says.ts';
import { type Case, type Line, lacking, page, record, reuse } from './trace.ts';

const made = (more: Partial<Line> = {}): Line => ({ id: 'a', status: 201, ...more });
const body = (value: Line['body'], more: Partial<Line> = {}): readonly Line[] => [
  made({ ...(value === undefined ? {} : { body: value }), ...more }),
];
const change = (more: Partial<Line> = {}): Line => ({
  id: 'change',
  operation: 'closeCase',
  on: 'a',
  status: 200,
  ...more,
});
/** Answers that are for other clauses, or for none. */
const others: readonly Line[] = [
  { id: 'a', status: 422, body: [] },
  { id: 'read', operation: 'listCases', status: 200, body: [], type: 'x' },
  made({ id: 'again', role: 'test', body: [], type: 'x', deviations: [reuse('a')] }),
  { id: 'lost', status: undefined },
];
const commands = (first: Partial<Line>, second: Partial<Line>): readonly Line[] => [
  made({ result: 'case_1', ...first }),
  made({ id: 'b', result: 'case_1', ...second }),
];
const shows = (one: Case, records: Case['shows'] = { body: [] }, partly = false): Case => ({
  ...one,
  shows: records ?? {},
  ...(partly ? { partly: true } : {}),
});

const readback = (id: 'before' | 'after' | 'made', status: number, state: string): Line => ({
  id,
  observes: id,
  operation: 'getCase',
  on: 'a',
  role: 'readback',
  status,
  ...(status === 200 ? { body: record('case_0', { status: state }) } : {}),
});

/** The first page of the list after a deletion. */
const listed = (...ids: readonly string[]): Line => ({
  id: 'listed',
  observes: 'list-after',
  operation: 'listCases',
  role: 'readback',
  status: 200,
  body: page(ids),
});
const removal = (after: number, ...more: readonly Line[]): Case['trace'] => [
  made({ result: 'case_7' }),
  readback('before', 200, 'open'),
  { id: 'wipe', operation: 'wipeCase', on: 'a', role: 'test', status: 204 },
  readback('after', after, 'deleted'),
  ...more,
];

/** A deletion, and the statuses of the reads of its target before and after. */
const deletion = (
  when: string,
  [before, after, state = 'open']: readonly [number, number, string?],
  ...rulings: readonly string[]
): Case =>
  says(
    'CMD-6',
    when,
    [
      made(),
      readback('before', before, 'open'),
      { id: 'wipe', operation: 'wipeCase', on: 'a', role: 'test', status: 204 },
      readback('after', after, state),
    ],
    ...rulings,
  );

const noted = (value: Line['body']): readonly Line[] => body(value, { operation: 'createNote' });

export const resultCases: readonly Case[] = [
  says(
    'CMD-6',
    'a deleted record is in no list',
    removal(404, listed('case_6', 'case_8')),
    'holds wipe before after listed',
  ),
  says(
    'CMD-6',
    'a deleted record is still listed',
    removal(404, listed('case_6', 'case_7')),
    'violated wipe before after listed',
  ),
  says(
    'CMD-6',
    'what is kept as deleted may be listed',
    removal(200, listed('case_7')),
    'holds wipe before after',
  ),
  says(
    'CMD-6',
    'a deleted record is listed as deleted',
    removal(404, {
      ...listed(),
      body: { items: [{ id: 'case_7', status: 'deleted' }], nextCursor: null },
    }),
    'holds wipe before after listed',
  ),
  ...changeCases,
  says('CMD-6', 'the record is read by its id', [made(), readback('made', 200, 'open')], 'holds a made'),
  ...[404, 410].map((status) =>
    says(
      'CMD-6',
      `nothing is read under the id: ${status}`,
      [made(), readback('made', status, 'open')],
      'violated a made',
    ),
  ),
  says(
    'CMD-6',
    'what was taken in is not there yet',
    [made({ status: 202 }), readback('made', 404, 'open')],
    'inconclusive a made',
  ),
  says('CMD-6', 'the record may not be read', [made(), readback('made', 403, 'open')], 'inconclusive a made'),
  says('CMD-6', 'a read by the id fails', [made(), readback('made', 503, 'open')]),
  says('CMD-6', 'a refused command has no record', [made({ status: 409 }), readback('made', 404, 'open')]),
  says('CMD-1', 'the declared status', [made()], 'holds a'),
  says('CMD-1', 'another success', [made({ status: 200 })], 'violated a'),
  says(
    'CMD-1',
    'the status of another operation',
    [made(), change({ status: 201 })],
    'holds a',
    'violated change',
  ),
  says('CMD-1', 'noise is no fault', [made({ status: 202, deviations: [{ kind: 'pace' }] })], 'violated a'),
  says('CMD-1', 'answers of another kind', others),
  says('CMD-1', 'a replay with 200 to the one of two at once that came second', [
    [made({ status: 200 }), made({ id: 'b', key: 'a', deviations: [reuse('a')] })],
  ]),
  says(
    'CMD-1',
    'no one of two at once has the declared status',
    [[made({ status: 200 }), made({ id: 'b', key: 'a', status: 200, deviations: [reuse('a')] })]],
    'violated a',
  ),
  says(
    'CMD-1',
    'another status, and a replay later that has the declared one',
    [made({ status: 200 }), made({ id: 'b', key: 'a', deviations: [reuse('a')] })],
    'violated a',
  ),
  says(
    'CMD-1',
    'another status under a key that was refused before',
    [{ id: 'b', key: 'a', status: 401, role: 'test' }, made({ status: 200 })],
    'violated a',
  ),
  says('CMD-1', 'a replay with 200 where the first answer was lost', [
    made({ status: 200, earlier: [undefined] }),
  ]),
  says('CMD-1', '200 after a throttled try', [made({ status: 200, earlier: [429] })], 'violated a'),

  says('CMD-2', 'the declared form', body({ id: 'case_/Ä', status: 'open', more: 1 }), 'holds a'),
  says('CMD-2', 'no id', body({ status: 'open' }), 'violated a'),
  says('CMD-2', 'an id that is a number', body({ id: 1, status: 'open' }), 'violated a'),
  says('CMD-2', 'another prefix', body({ id: 'Case_1', status: 'open' }), 'violated a'),
  says('CMD-2', 'the prefix alone', body({ id: 'case_', status: 'open' }), 'violated a'),
  says('CMD-2', 'no object', body([{ id: 'case_1', status: 'open' }]), 'violated a'),
  says('CMD-2', 'another member is wrong, which is for CMD-3', body({ id: 'case_1', status: 7 }), 'holds a'),
  says('CMD-2', 'no JSON, which is for CMD-4', body('created')),
  says('CMD-2', 'no declared result', body({ id: 1 }, { operation: 'ping', status: 202 })),
  says('CMD-2', 'answers of another kind', others),
  says('CMD-2', 'where the contract does not say where the id stands', noted({ id: 1 }), 'violated a'),

  says('CMD-3', 'the declared value', body({ id: 'case_1', status: 'open' }), 'holds a'),
  says('CMD-3', 'the value in upper case', body({ id: 'case_1', status: 'OPEN' }), 'violated a'),
  says('CMD-3', 'no value', body({ id: 'case_1' }), 'violated a'),
  says('CMD-3', 'the id alone is wrong, which is for CMD-2', body({ id: 1, status: 'open' }), 'holds a'),
  says(
    'CMD-3',
    'a value out of several',
    [change({ body: record('case_1', { status: 'shut' }) })],
    'violated change',
  ),
  says(
    'CMD-3',
    'one of several is missing',
    [change({ body: { id: 'case_1', subject: '', version: '1' } })],
    'violated change',
  ),
  says(
    'CMD-3',
    'another member is wrong, which is for CMD-4',
    [change({ body: record('case_1', { version: 1 }) })],
    'holds change',
  ),
  says('CMD-3', 'no object, or no JSON', [...body([]), made({ id: 'b', body: 'created' })]),
  says('CMD-3', 'no declared result', body({ status: 1 }, { operation: 'ping', status: 202 })),
  says('CMD-3', 'answers of another kind', others),
  says('CMD-3', 'a value below the first level', noted({ id: '', of: { kind: 'x' } }), 'violated a'),
  says('CMD-3', 'one of several below the first level', noted({ id: '', of: { tone: 'x' } }), 'violated a'),
  says('CMD-3', 'a member that may be anything', noted({ id: '', of: 1 }), 'holds a'),

  says('CMD-4', 'one object as JSON', body(undefined), 'holds a'),
  ...['Application/JSON; charset=utf-8', 'application/vnd.case+json', 'application/json ; q=1'].map((type) =>
    says('CMD-4', `as ${type}`, body(undefined, { type }), 'holds a'),
  ),
  ...['text/plain', 'text/case+json', 'application/jsonx', 'application/json+xml', ''].map((type) =>
    says('CMD-4', `as '${type}'`, body(undefined, { type }), 'violated a'),
  ),
  says('CMD-4', 'an empty body', body(''), 'violated a'),
  says('CMD-4', 'no JSON', body('created'), 'violated a'),
  says('CMD-4', 'longer than the harness keeps', body('{"id":', { truncated: true }), 'holds a'),
  says('CMD-4', 'an array', body([]), 'violated a'),
  says('CMD-4', 'null', body('null'), 'violated a'),
  says(
    'CMD-4',
    'id and status are wrong, which is for CMD-2 and CMD-3',
    body({ id: 1, status: 'OPEN' }),
    'holds a',
  ),
  says(
    'CMD-4',
    'a member of another type',
    [change({ body: record('case_1', { version: 1 }) })],
    'violated change',
  ),
  says(
    'CMD-4',
    'a member is missing',
    [change({ body: { id: 'case_1', status: 'open', subject: '' } })],
    'violated change',
  ),
  says('CMD-4', 'no declared result', body('', { operation: 'wipeCase', status: 204 })),
  says('CMD-4', 'answers of another kind', others),
  says('CMD-4', 'no media type', body(undefined, { type: null }), 'violated a'),
  says(
    'CMD-4',
    'any object where no shape is declared',
    [made({ operation: 'ping', status: 202, body: { at: 1 } })],
    'holds a',
  ),
  says('CMD-4', 'values that are for CMD-3', noted({ id: 1, of: { kind: 'x', tone: 'x' } }), 'holds a'),

  says('CMD-5', 'ids of their own', commands({}, { result: 'case_2' }), 'holds a', 'holds b'),
  says('CMD-5', 'one id', commands({}, {}), 'holds a', 'violated a b (conclusive)'),
  {
    ...says(
      'CMD-5',
      'one id in two traces',
      [made({ id: 'b', result: 'case_1' })],
      'holds a',
      'violated a b (conclusive)',
    ),
    after: [[made({ result: 'case_1' })]],
  },
  says(
    'CMD-5',
    'one key, so that the second is a replay',
    commands({ key: 'k' }, { key: 'k' }),
    'holds a',
    'holds b',
  ),
  says(
    'CMD-5',
    'each scope counts its own records',
    commands({ body: { id: 17 } }, { as: 'abroad', body: { id: 17 } }),
    'holds a',
    'holds b',
  ),
  says(
    'CMD-5',
    'one number in one scope',
    commands({ body: { id: 17 } }, { body: { id: 17 } }),
    'holds a',
    'violated a b (conclusive)',
  ),
  says(
    'CMD-5',
    'a refusal refers to the record',
    commands({}, { status: 409, body: { id: 'case_1' } }),
    'holds a',
  ),
  says('CMD-5', 'a duplicate, for IDM-5', commands({}, { deviations: [reuse('a')] }), 'holds a'),
  says('CMD-5', 'a fault that was accepted', commands({}, { deviations: [lacking] }), 'holds a'),
  says(
    'CMD-5',
    'a key that is no plain one',
    commands({}, { key: { use: 'literal', value: 'x' } }),
    'holds a',
  ),
  says('CMD-5', 'no id', commands({ body: {} }, { body: {} })),
  says('CMD-5', 'commands on one target', [
    change(),
    change({ id: 'b' }),
    { id: 'read', operation: 'getCase', on: 'a', status: 200 },
  ]),
  says(
    'CMD-5',
    'ids of two operations are compared apart',
    commands({}, { operation: 'ping', status: 202, body: { id: 'case_1' } }),
    'holds a',
    'holds b',
  ),

  shows(says('CMD-6', 'the read shows it', [made()], 'holds a read-1 read-2 read-3'), {
    body: ['case_9', 'case_0'],
  }),
  shows(says('CMD-6', 'the read shows nothing', [made()], 'violated a read-1 read-2 read-3')),
  ...(
    [
      ['another caller of the scope, which may see its own records alone', 'peer', 'inconclusive a'],
      ['the caller that reads, with another token', 'renewed', 'violated a read-1 read-2 read-3'],
    ] as const
  ).map(([who, as, ruling]) =>
    shows(says('CMD-6', `the read shows nothing of ${who}`, [made({ as })], ruling)),
  ),
  shows(says('CMD-6', 'the read shows another id', [made()], 'violated a read-1 read-2 read-3'), {
    body: ['case_9'],
  }),
  shows(says('CMD-6', 'the read did not reach its end', [made()], 'inconclusive a'), { body: [] }, true),
  shows(
    says('CMD-6', 'the read did not reach its end, but the record', [made()], 'holds a read-1 read-2 read-3'),
    { body: ['case_0'] },
    true,
  ),
  shows(
    says(
      'CMD-6',
      'two sendings of one step',
      [made(), made({ ordinal: 1 })],
      'holds a read-1 read-2 read-3',
      'violated a#1 read-1 read-2 read-3',
    ),
    { body: ['case_0'], 'body#1': [] },
  ),
  says('CMD-6', 'no read was made', [made()]),
  shows(says('CMD-6', 'no list shows it', [made({ operation: 'createNote' })])),
  shows(says('CMD-6', 'the read did not look for it', [made()]), {}),
  shows(says('CMD-6', 'the answer names no id', [made({ body: {} })])),
  shows(says('CMD-6', 'another command was run on it', [made(), change()])),
  shows(
    says(
      'CMD-6',
      'another command was run on another one',
      [made(), made({ id: 'other', name: 'other' }), change({ on: 'other', name: 'reason' })],
      'violated a read-1 read-2 read-3',
    ),
    { body: [], other: [] },
  ),
  shows(
    says(
      'CMD-6',
      'it was read',
      [made(), { id: 'read', operation: 'getCase', on: 'a', status: 200 }],
      'violated a read-1 read-2 read-3',
    ),
  ),
  deletion('the deleted record is gone', [200, 404], 'holds wipe before after'),
  deletion('it reads as before', [200, 200], 'violated wipe before after'),
  ...[
    { moved: { version: 'v2' }, status: 204, ruling: 'violated wipe before after' },
    {
      moved: { version: 'v2', updatedAt: '2026-01-02T00:00:00Z' },
      status: 200,
      ruling: 'violated wipe before after',
    },
    // It says that something was done to the record.
    {
      moved: { version: 'v2', deletedAt: '2026-01-02T00:00:00Z' },
      status: 204,
      ruling: 'holds wipe before after',
    },
    { moved: { revisions: ['v1'] }, status: 204, ruling: 'holds wipe before after' },
    { moved: { version: 'v2' }, status: 202, ruling: 'inconclusive wipe before after' },
  ].map(({ moved, ruling, status }) =>
    says(
      'CMD-6',
      `after ${status} it reads as before, with other ${Object.keys(moved).join(' and ')}`,
      [
        made(),
        { ...readback('before', 200, 'open'), body: record('case_0', { version: 'v1' }) },
        { id: 'wipe', operation: 'wipeCase', on: 'a', role: 'test', status },
        { ...readback('after', 200, 'open'), body: record('case_0', { version: 'v1', ...moved }) },
      ],
      ruling,
    ),
  ),
  deletion('it is marked as deleted', [200, 200, 'deleted'], 'holds wipe before after'),
  deletion('the read fails', [200, 503], 'inconclusive wipe before after'),
  deletion('it was not there before', [404, 404]),
  shows(
    says('CMD-6', 'refused, lost, a duplicate, a fault; a command on a target', [
      made({ status: 422 }),
      made({ id: 'lost', status: undefined }),
      made({ id: 'again', deviations: [reuse('a')] }),
      made({ id: 'faulty', deviations: [lacking] }),
      change({ on: 'elsewhere' }),
    ]),
  ),
];
