import { byOffset, made, read } from './list-lines.ts';
import { says } from './says.ts';
import { type Case, type Line, page } from './trace.ts';

const ab = [made('a'), made('b')];
/** A list on one large page, on small ones, and on a large one again. */
const apart = (
  before: readonly string[],
  small: readonly (readonly string[])[],
  after: readonly string[] = before,
  more: Partial<Line> = {},
  pause = 6000,
): Case['trace'] => [
  ...ab,
  read('page-0', page(before), { observes: 'page', at: 100 }),
  ...small.map((ids, index) =>
    read(`part-${index}`, page(ids, index + 1 < small.length || ids.length === 3 ? 'x' : null), {
      observes: 'small-page',
      at: 110 + pause + index * 10,
      ...more,
    }),
  ),
  read('again', page(after), { observes: 'page-again', at: 200 + 2 * pause }),
];
const one = 'inconclusive page-0';
const [o, p, a, b] = ['case_o', 'case_p', 'case_a', 'case_b'];
const [c, d, q, r] = ['case_c', 'case_d', 'case_q', 'case_r'];
const eachOnce = 'holds part-0 part-1 part-2';
const passed = 'holds part-0 part-1';
const unended = 'inconclusive part-0 part-1';
const lost = 'violated part-0 part-1 page-0 again';
const small = [
  read('page-0', page([o, a], 'x'), { observes: 'page' }),
  read('page-1', page([b]), { observes: 'page' }),
];
const whole = (ids: readonly string[]): Case['trace'] => [
  ...ab,
  ...small,
  read('whole', page(ids), { observes: 'page-again' }),
];
export const smallPageCases: readonly Case[] = [
  ...(
    [
      ['nothing else', [o, a, b], 'violated'],
      ['something made', [p, o, a, b], 'inconclusive'],
      ['something deleted', [a, b], 'inconclusive'],
      ['another order', [a, o, b], 'inconclusive'],
      ['that record on none either', [o, a], 'inconclusive'],
    ] as const
  ).map(([what, ids, verdict]) =>
    says(
      'RDS-4',
      `a record is on no small page, and a large page shows ${what} afterwards`,
      [
        ...ab,
        read('page-0', page([o, a], 'x'), { observes: 'page' }),
        read('page-1', page([]), { observes: 'page' }),
        read('whole', page(ids), { observes: 'page-again', query: 'limit=100' }),
      ],
      `${verdict} page-0 page-1`,
    ),
  ),
  says('RDS-4', 'a large page shows each once', whole([o, a, b]), 'holds page-0 page-1'),
  says('RDS-4', 'a large page shows one twice', whole([o, a, a]), 'holds page-0 page-1', 'violated whole'),
  says('RDS-4', 'a large page shows what others made twice', whole([o, o, a]), 'holds page-0 page-1'),
  says('RDS-4', 'small pages show each once', apart([o, a, b], [[o, a], [b]]), one, 'holds part-0 part-1'),
  says(
    'RDS-4',
    'small pages by offset overlap once, as where the first item is number 1',
    byOffset(apart([o, a, b], [[o, a], [a, b], []])),
    one,
    'inconclusive part-0 part-1 part-2',
  ),
  says(
    'RDS-4',
    'small pages by offset show a record on the first and on the last',
    byOffset(apart([o, a, b], [[o, a], [b, a], []])),
    one,
    'violated part-0 part-1 part-2 page-0 again',
  ),
  says('RDS-4', 'in another order', apart([o, a, b], [[b, a], [o]]), one, 'holds part-0 part-1'),
  says(
    'RDS-4',
    'small pages end one record early',
    apart([o, a, b], [[o, a], []]),
    one,
    'violated part-0 part-1 page-0 again',
  ),
  says(
    'RDS-4',
    'small pages end before what others made last, as those of a replica that lags',
    apart([a, b, o], [[a, b], []]),
    one,
    'inconclusive part-0 part-1',
  ),
  ...(
    [
      ['shows in the order of making', [c, d, o, a, b], 'violated part-0 part-1 page-0 again'],
      ['shows newest first', [b, a, o, d, c], 'violated part-0 part-1 page-0 again'],
      ['shows in no order', [c, a, o, d, b], 'inconclusive part-0 part-1'],
    ] as const
  ).map(([when, ids, ruling]) =>
    says(
      'RDS-4',
      `small pages lose what others made and the list ${when}`,
      [made('c'), made('d'), ...apart(ids, [ids.slice(0, 2), ids.slice(3)])],
      one,
      ruling,
    ),
  ),
  ...(
    [
      ['oldest first', [o, a, b], 'violated part-0 part-1 part-2 page-0 again'],
      ['newest first, as where replicas lag', [b, a, o], 'inconclusive part-0 part-1 part-2'],
    ] as const
  ).map(([when, ids, ruling]) =>
    says(
      'RDS-4',
      `small pages that are counted lose a record, ${when}`,
      apart(ids, [ids.slice(0, 1), ids.slice(2), []]).map((line) => ({
        ...line,
        operation: 'role' in line && line.role === 'setup' ? 'createNote' : 'listNotes',
      })),
      one,
      ruling,
    ),
  ),
  // The last page of three leads on.
  ...(
    [
      [
        'shows them all on several pages',
        [
          [a, b],
          [c, o, p],
        ],
        undefined,
        passed,
      ],
      [
        'shows them all on several pages, and another one on two that follow each other',
        [
          [a, o],
          [o, b, c],
          [p, r, d],
        ],
        [q, a, b, c, o, p, r],
        `${passed} part-2`,
      ],
      [
        'shows them all on several pages, and one of them on two that follow each other, as others make records',
        [
          [a, b],
          [b, c],
          [o, p, r],
        ],
        [q, a, b, c, o, p, r],
        `${passed} part-2`,
      ],
      [
        'shows them all on several pages, and begins each with the last record of the one before',
        [
          [a, b],
          [b, c],
          [c, o, p],
        ],
        [q, a, b, c, o, p, r],
        `${unended} part-2`,
      ],
      [
        'shows them all on several pages, and another one on two that are apart',
        [
          [a, o],
          [b, c],
          [o, p, r],
        ],
        [q, a, b, c, o, p, r],
        `${unended} part-2`,
      ],
      [
        'shows them all on several pages, and one of them on two',
        [
          [a, b],
          [b, c, o],
          [p, q, r],
        ],
        undefined,
        `${lost.replace('part-1', 'part-1 part-2')}`,
      ],
      [
        'shows them all on one page',
        [
          [a, b, c],
          [o, p, r],
        ],
        undefined,
        unended,
      ],
      [
        'shows them last',
        [
          [o, a],
          [p, b, c],
        ],
        undefined,
        unended,
      ],
      ['leaves one out', [[a], [c, o, p]], undefined, lost],
      [
        'leaves one out, behind a new one',
        [
          [q, a],
          [c, o, p],
        ],
        [q, a, b, c, o, p, r],
        lost,
      ],
      ['leaves the first one out', [[b], [c, o, p]], undefined, unended],
      [
        'leaves one out while another one went',
        [
          [q, a],
          [c, o, p],
        ],
        undefined,
        unended,
      ],
      [
        'leaves one out while another one moved',
        [
          [o, a],
          [c, p, r],
        ],
        [a, b, c, p, r, o],
        unended,
      ],
      ['leaves one out that is gone', [[a], [c, o, p]], [a, c, o, p, r], unended],
    ] as const
  ).map(([when, parts, after, ruling]) =>
    says(
      'RDS-4',
      `a long list, in small pages, ${when}`,
      [made('c'), ...apart([a, b, c, o, p, r], parts, after)],
      one,
      ruling,
    ),
  ),
  ...(
    [
      ['an older record out', undefined, lost],
      ['an older record out that is gone', [o, q, r, c, d, a, b], unended],
      ['an older record out that moved', [o, q, p, r, c, d, a, b], unended],
    ] as const
  ).map(([what, after, ruling]) =>
    says(
      'RDS-4',
      `a long list, in small pages, leaves ${what}`,
      [
        ...['r', 'c', 'd'].map((id) => made(id)),
        ...apart(
          [o, p, q, r, c, d, a, b],
          [
            [o, q],
            [r, c, d],
          ],
          after,
        ),
      ],
      one,
      ruling,
    ),
  ),
  ...(
    [
      ['an older record', false, [r, a, b, c, d], [o, p], 'inconclusive part-0 part-1'],
      ['an own record', false, [r, o, p], [o, p], lost],
      ['an own record of a numbered list', true, [r, o, p], [o, p], 'inconclusive part-0 part-1'],
    ] as const
  ).map(([what, isNumbered, own, [, skipped], ruling]) => {
    const list = [o, p, q, r, c, d, a, b];
    const rest = list.filter((id) => id !== skipped);
    const trace = [
      ...own.filter((id) => id !== a && id !== b).map((id) => made(id.slice('case_'.length))),
      ...apart(list, [rest.slice(0, 4), rest.slice(4)], list, {}, 0),
    ];
    return says(
      'RDS-4',
      `small pages leave out ${what}, between large pages of a replica that may lag`,
      isNumbered ? byOffset(trace) : trace,
      one,
      ruling,
    );
  }),
  says(
    'RDS-4',
    'small pages overlap',
    apart([a, b, o, p], [[a, b], [b, o], [p]]),
    one,
    'violated part-0 part-1 part-2 page-0 again',
  ),
  says(
    'RDS-4',
    'a small page shows a record twice',
    apart(
      [a, b, o, p],
      [
        [a, b],
        [o, o],
      ],
    ),
    one,
    'violated part-0 part-1 page-0 again',
  ),
  says(
    'RDS-4',
    'a list that begins with what others made meanwhile moves its records on to the next page',
    apart(
      [a, b, o],
      [
        [a, b],
        [b, o],
      ],
      ['case_new', a, b, o],
    ),
    one,
    'inconclusive part-0 part-1',
  ),
  says(
    'RDS-4',
    'a record of others was deleted meanwhile, which left one page',
    apart([a, b, o], [[a, b], []], [a, b]),
    one,
    'inconclusive part-0 part-1',
  ),
  ...(
    [
      ['ends early on a large page', [b, a, d, c, o], undefined, 'violated part-0 part-1 part-2 page-0'],
      ['had one record less when it was read first', [b, a, d, c, o], [b, a, d, c, o, p], eachOnce],
      ['shows what was made last in the end', [c, d, a, b, o], undefined, eachOnce],
    ] as const
  ).map(([when, ids, after, ruling]) =>
    says(
      'RDS-4',
      `a list that ${when}`,
      [made('c'), made('d'), ...apart(ids, [ids.slice(0, 2), ids.slice(2, 4), [...ids.slice(4), p]], after)],
      one,
      ruling,
    ),
  ),
  says('RDS-4', 'small pages that do not end', apart([a, b, o], [[a, b, o]]), one, 'inconclusive part-0'),
  says('RDS-4', 'one small page', apart([a, b], [[a, b]]), one, 'inconclusive part-0'),
  says(
    'RDS-4',
    'a small page is refused',
    apart([a, b, o], [[a, b]], [a, b, o], { status: 422 }),
    one,
    'inconclusive part-0',
  ),
];
