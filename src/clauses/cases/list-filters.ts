import type { Json } from '../../model/json.ts';
import { listAgeCases } from './list-ages.ts';
import { made, read } from './list-lines.ts';
import { says } from './says.ts';
import { type Case, type Line, lacking, page, record } from './trace.ts';

const filtered = (
  query: string,
  records: readonly Line['body'][],
  more: Partial<Line> = {},
): Case['trace'] => [
  read('read', { items: records.map((one) => one ?? null), nextCursor: null }, { query, ...more }),
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

/** Records that are made closed, and pages of those that are. */
const lostOnPages = (
  when: string,
  pages: readonly (readonly string[])[],
  ruling: string | undefined,
  more: Partial<Line> = {},
  then: readonly Line[] = [],
): Case =>
  says(
    'RDS-4',
    `three records that are made with one value: ${when}`,
    [
      ...['a', 'b', 'c'].map((id) =>
        made(id, {
          sent: JSON.stringify({ subject: id, status: 'closed' }),
          body: record(`case_${id}`, { status: 'closed' }),
          ...(id === 'c' ? more : {}),
        }),
      ),
      ...then,
      ...pages.map((ids, index) =>
        read(
          `part-${index}`,
          {
            items: ids.map((id) => record(id, { status: 'closed' })),
            nextCursor: index < pages.length - 1 ? 'next' : null,
          },
          { query: `limit=2&status=closed${index > 0 ? '&cursor=next' : ''}` },
        ),
      ),
    ],
    ...(ruling === undefined ? [] : [ruling]),
  );
const two = ['case_a', 'case_b'];
const madeAndLost: readonly Case[] = [
  lostOnPages('all are there', [two, ['case_c']], undefined),
  lostOnPages('the last page lacks one', [two, []], 'violated part-0 part-1 c'),
  lostOnPages('there is one page', [two], undefined),
  lostOnPages('two are not there', [['case_a'], []], undefined),
  lostOnPages('the one is only queued', [two, []], undefined, { status: 202 }),
  lostOnPages('its result shows another value', [two, []], undefined, {
    body: record('case_c', { status: 'open' }),
  }),
  lostOnPages('another caller made it', [two, []], undefined, { as: 'peer' }),
  lostOnPages('another command was run on it', [two, []], undefined, {}, [
    { id: 'close', operation: 'closeCase', on: 'c', status: 200 },
  ]),
];

/** Small pages of a list with a filter, and one large page without it. */
function smallPages(pages: readonly (readonly Json[])[], wide: readonly Json[]): Case['trace'] {
  const sent = '{"subject":"a","status":"open"}';
  return [
    made('a', { body: record('case_a'), sent }),
    made('d', { body: record('case_d'), sent }),
    ...pages.map((items, at) =>
      read(
        `page-${at + 1}`,
        { items, nextCursor: at + 1 === pages.length ? null : `c${at}` },
        { query: `limit=2&status=open${at === 0 ? '' : `&cursor=c${at - 1}`}`, role: 'control' },
      ),
    ),
    { ...wideAgain, body: { items: wide, nextCursor: null } },
  ];
}

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
  says(
    'RDS-3',
    'a page is cut off before it is filtered, so the pages end early',
    smallPages([[ours]], [ours, closed, record('case_d')]),
    'violated wide-again page-1',
  ),
  says(
    'RDS-3',
    'a page is cut off before it is filtered, and the next one goes on',
    smallPages([[ours], [record('case_d')]], [ours, closed, record('case_d')]),
    'holds wide-again page-1',
  ),
  says('RDS-3', 'there is nothing to leave out', narrowed([ours], [ours])),
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
  says(
    'RDS-3',
    'the same page without the filter shows a record that it left out',
    [
      read('whole', { items: [record('case_1'), closed] }, { query: 'limit=9', role: 'readback' }),
      ...filtered('limit=9&status=open', [record('case_1')]),
    ],
    'holds read',
  ),
  says(
    'RDS-3',
    'another page without the filter proves nothing of this one',
    [
      read('whole', { items: [closed] }, { query: 'limit=9&cursor=c1', role: 'readback' }),
      ...filtered('limit=9&status=open', [record('case_1')]),
    ],
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
    'no record, where one that matches was sent, though no result shows it',
    [
      made('a', { body: { id: 'case_a' }, sent: '{"subject":"a","status":"open"}' }),
      made('b', { body: record('case_b', { status: 'closed' }) }),
      read('whole', { items: [{ id: 'case_a' }], nextCursor: null }, { role: 'control' }),
      ...filtered('status=open', []),
    ],
    'inconclusive read',
  ),
  says('RDS-3', 'all records, as the value of the filter says', [
    made('a', { body: record('case_a') }),
    ...filtered('status=all', [record('case_a'), record('case_b', { status: 'closed' })]),
  ]),
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

export const listFilterCases: readonly Case[] = [...filters, ...twoFilters, ...madeAndLost, ...listAgeCases];
