import { anotherRecordCases } from './another-record.ts';
import { changeCases } from './changes.ts';
import { clearedMemberCases } from './cleared-members.ts';
import { contradictionCases } from './contradictions.ts';
import { keptMemberCases } from './kept-members.ts';
import { madeRecordCases } from './made-records.ts';
import { madeWithinCases, retriedWithinCases } from './made-within.ts';
import { movedTogetherCases } from './moved-together.ts';
import { says } from './says.ts';
import { staleItemCases } from './stale-items.ts';
import { type Case, type Line, lacking, page, record, reuse } from './trace.ts';

export const made = (more: Partial<Line> = {}): Line => ({ id: 'a', status: 201, ...more });
export const change = (more: Partial<Line> = {}): Line => ({
  id: 'change',
  operation: 'closeCase',
  on: 'a',
  status: 200,
  ...more,
});
const reads = 'read-1 read-2 read-3';
const shows = (one: Case, records: Case['shows'] = { body: [] }, partly = false): Case => ({
  ...one,
  shows: records ?? {},
  ...(partly ? { partly: true } : {}),
});

const readback = (
  id: 'before' | 'after' | 'made',
  status: number,
  state: string,
  shown = 'case_0',
): Line => ({
  id,
  observes: id,
  operation: 'getCase',
  on: 'a',
  role: 'readback',
  status,
  ...(status === 200 ? { body: record(shown, { status: state }) } : {}),
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
  readback('before', 200, 'open', 'case_7'),
  { id: 'wipe', operation: 'wipeCase', on: 'a', role: 'test', status: 204 },
  readback('after', after, 'deleted', 'case_7'),
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

/** A deletion, and reads of another record before and after it. */
const nextTo = (
  when: string,
  statuses: readonly [number, number],
  rulings: readonly string[],
  more: Partial<Line> = {},
): Case => {
  const look = (observes: 'elsewhere-before' | 'elsewhere', status: number): Line => ({
    ...readback('made', status, 'open', 'case_6'),
    id: observes,
    observes,
    on: 'other',
  });
  const [first, before, wipe, after] = removal(404) as readonly [Line, Line, Line, Line];
  return says(
    'CMD-6',
    `next to the deleted record: ${when}`,
    [
      { ...first, id: 'other', result: 'case_6' },
      first,
      before,
      look('elsewhere-before', statuses[0]),
      { ...wipe, ...more },
      after,
      look('elsewhere', statuses[1]),
    ],
    ...rulings,
  );
};
/** A deletion that a list alone shows, with what that has before and after it. */
const unlisted = (
  when: string,
  [before, after]: readonly [Line['body'], Line['body']],
  ruling: string | undefined,
  more: Partial<Line> = {},
): Case =>
  unlistedOn(
    when,
    [[before], [after]],
    ruling === undefined ? [] : [`${ruling} drop list-before-0 list-after-0`],
    more,
  );
/** Likewise, on several pages. */
const unlistedOn = (
  when: string,
  [before, after]: readonly [readonly Line['body'][], readonly Line['body'][]],
  rulings: readonly string[],
  more: Partial<Line> = {},
): Case => {
  const looks = (observes: 'list-before' | 'list-after', pages: readonly Line['body'][]): readonly Line[] =>
    pages.map((body, index) => ({
      ...listed(),
      id: `${observes}-${index}`,
      observes,
      ...(body === undefined ? { status: 503, body: {} } : { body }),
    }));
  const drop: Line = { id: 'drop', operation: 'dropCase', on: 'a', role: 'test', status: 204, ...more };
  return says(
    'CMD-6',
    `a list is all that shows a deletion: ${when}`,
    [made({ result: 'case_7' }), ...looks('list-before', before), drop, ...looks('list-after', after)],
    ...rulings,
  );
};
const stillThere = 'holds wipe before after';

/** CMD-6: what the declared read shows after an accepted command. */
export const shownRecordCases: readonly Case[] = [
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
    'a deleted record is still listed, under another version',
    removal(404, {
      ...listed(),
      body: { items: [{ id: 'case_7', status: 'open', version: 9 }], nextCursor: null },
    }),
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
  unlisted('it is gone', [page(['case_6', 'case_7']), page(['case_6'])], 'holds'),
  unlisted('it is still there', [page(['case_7']), page(['case_7'])], 'violated'),
  unlisted(
    'it is there as deleted',
    [page(['case_7']), { items: [record('case_7', { status: 'deleted' })] }],
    'holds',
  ),
  ...(
    [
      [3, 'violated'],
      [null, 'holds'],
    ] as const
  ).map(([position, ruling]) =>
    unlisted(
      `it is there at the place ${position}`,
      [{ items: [record('case_7', { position: 2 })] }, { items: [record('case_7', { position })] }],
      ruling,
    ),
  ),
  unlisted('it was not there', [page(['case_6']), page(['case_6'])], undefined),
  unlisted('the list cannot be read', [page(['case_7']), undefined], undefined),
  unlistedOn(
    'it was on the second page, and is gone',
    [
      [page(['case_6']), page(['case_7'])],
      [page(['case_6']), page(['case_8'])],
    ],
    ['holds drop list-before-1 list-after-0'],
  ),
  unlistedOn(
    'it was on the second page, and is on the first one now',
    [
      [page(['case_6']), page(['case_7'])],
      [page(['case_7']), page([])],
    ],
    ['violated drop list-before-1 list-after-0'],
  ),
  unlistedOn(
    'it is still on the second page',
    [
      [page(['case_6']), page(['case_7'])],
      [page(['case_6']), page(['case_7'])],
    ],
    ['violated drop list-before-1 list-after-1'],
  ),
  unlistedOn(
    'it was on the second page, which can no longer be read',
    [
      [page(['case_6']), page(['case_7'])],
      [page(['case_6']), undefined],
    ],
    [],
  ),
  unlisted('it was only queued', [page(['case_7']), page(['case_7'])], 'inconclusive', { status: 202 }),
  unlisted('it is refused', [page(['case_7']), page(['case_7'])], undefined, { status: 409 }),
  nextTo('another one is still there', [200, 200], [stillThere]),
  nextTo('another one is gone', [200, 404], ['violated wipe elsewhere-before elsewhere', stillThere]),
  nextTo('another one was never there', [404, 404], [stillThere]),
  nextTo('another one may not be read', [200, 403], [stillThere]),
  nextTo('another one fails to be read', [200, 503], [stillThere]),
  nextTo('another one is gone, after a refused deletion', [200, 404], [], { status: 409 }),
  ...anotherRecordCases,
  ...changeCases,
  ...contradictionCases,
  ...keptMemberCases,
  ...clearedMemberCases,
  ...staleItemCases,
  ...madeRecordCases,
  ...movedTogetherCases,
  ...madeWithinCases,
  ...retriedWithinCases,
  says('CMD-6', 'the record is read by its ID', [made(), readback('made', 200, 'open')], 'holds a made'),
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
    'what was queued is not there yet',
    [made({ status: 202 }), readback('made', 404, 'open')],
    'inconclusive a made',
  ),
  says('CMD-6', 'a read of what was made within the record finds nothing', [
    made(),
    { ...readback('made', 404, 'open'), operation: 'listParts' },
  ]),
  says('CMD-6', 'the record may not be read', [made(), readback('made', 403, 'open')], 'inconclusive a made'),
  says('CMD-6', 'a read by the ID fails', [made(), readback('made', 503, 'open')]),
  says('CMD-6', 'a refused command has no record', [made({ status: 409 }), readback('made', 404, 'open')]),
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
  ...(
    [
      ['another record of it', 'peer', 'violated a read-1 read-2 read-3'],
      ['a record of a third caller', 'full', 'inconclusive a'],
    ] as const
  ).map(([what, as, ruling]) =>
    shows(
      says(
        'CMD-6',
        `the read shows nothing of another caller, and ${what}`,
        [made({ as: 'peer' }), made({ id: 'other', name: 'other', as, result: 'case_9' })],
        ruling,
        'holds other read-1 read-2 read-3',
      ),
      { body: [], other: ['case_9'] },
    ),
  ),
  shows(says('CMD-6', 'the read shows another ID', [made()], 'violated a read-1 read-2 read-3'), {
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
  shows(says('CMD-6', 'the answer names no ID', [made({ body: {} })], 'not-tested a')),
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
  ...[
    { when: 'the retry of a failed command', first: 503, kind: 'violated again' },
    { when: 'the retry of a lost command', first: undefined, kind: 'violated again' },
    { when: 'the retry, only queued,', first: 503, again: 202, kind: 'inconclusive again' },
  ].map(({ again = 201, first, kind, when }) =>
    shows(
      says(
        'CMD-6',
        `${when} was accepted, and no record is shown`,
        [made({ status: first }), made({ id: 'again', status: again, deviations: [reuse('a')], key: 'a' })],
        `${kind}${kind.startsWith('violated') ? ' read-1 read-2 read-3' : ''}`,
      ),
    ),
  ),
  ...[
    { when: 'its record is shown', one: ['x'], ruling: [`holds b ${reads}`] },
    { when: 'that of an earlier command alone is shown', one: [], ruling: [`violated b ${reads}`] },
    { when: 'it was only queued', one: [], status: 202, ruling: ['not-tested b'] },
  ].map(({ one, ruling, status = 201, when }) =>
    shows(
      says(
        'CMD-6',
        `a result without an ID: ${when}`,
        [made({ body: {}, name: 'first' }), made({ id: 'b', body: {}, status, name: 'second' })],
        `holds a ${reads}`,
        ...ruling,
      ),
      { first: ['w'], second: one },
    ),
  ),
  shows(
    says(
      'CMD-6',
      'a result without an ID: no record of any command is shown',
      [made({ body: {}, name: 'first' })],
      'not-tested a',
    ),
    { first: [] },
  ),
];
