import { made, read } from './list-lines.ts';
import { says } from './says.ts';
import { type Case, type Line, page } from './trace.ts';

const ab = [made('a'), made('b')];
/** The beginning of a list on one page, and twice on two small ones, of which a round is given. */
const seams = (
  whole: readonly string[],
  first: Line['body'],
  second?: Line['body'],
  more: { readonly later?: readonly string[]; readonly once?: true; readonly pause?: number } = {},
): Case['trace'] =>
  [0, 1].flatMap((round) => [
    ...(round === 0 ? [read('whole-0', page(whole), { observes: 'whole-page' })] : []),
    read(`half-${round}-0`, first, {
      observes: 'part-of-page',
      query: 'limit=2',
      at: 100 + round * (more.pause ?? 6000),
    }),
    ...(second === undefined
      ? []
      : [
          read(`half-${round}-1`, more.once && round === 1 ? page(['case_c']) : second, {
            observes: 'part-of-page',
            at: 110 + round * (more.pause ?? 6000),
          }),
        ]),
    read(`whole-${round + 1}`, page(more.later ?? whole), { observes: 'whole-page' }),
  ]);
const abc = ['case_a', 'case_b', 'case_c'];
const begun = page(['case_a', 'case_b'], 'x');
/** The same on small pages that are given. */
const inThree = (whole: readonly string[], ...pages: readonly Line['body'][]): Case['trace'] => [
  read('whole-0', page(whole), { observes: 'whole-page' }),
  ...[0, 1].flatMap((round) => [
    ...pages.map((body, index) =>
      read(`half-${round}-${index}`, body, {
        observes: 'part-of-page',
        query: 'limit=2',
        at: 100 + index * 10 + round * 6000,
      }),
    ),
    read(`whole-${round + 1}`, page(whole), { observes: 'whole-page' }),
  ]),
];
const byOffset = (trace: Case['trace']): Case['trace'] =>
  trace.map((part) => ('observes' in part ? { ...part, operation: 'listNotes' } : part));
/** A list to which no known command adds, up to its end. */
const asThere = (
  whole: readonly string[],
  pages: readonly Line['body'][],
  later: readonly string[] = whole,
): Case['trace'] =>
  inThree(whole, ...pages).map((part) =>
    !('observes' in part)
      ? part
      : part.observes === 'part-of-page'
        ? { ...part, observes: 'part-of-list' }
        : part.id === 'whole-2'
          ? { ...part, body: page(later) }
          : part,
  );
const there: readonly Case[] = [
  says(
    'RDS-4',
    'small pages show all that is there',
    asThere(abc, [begun, page(['case_c'])]),
    'holds whole-0 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'small pages show all that is there, and more',
    asThere(['case_a', 'case_b'], [begun, page(['case_c'])]),
    'holds whole-0 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'of what is there one is left out',
    asThere([...abc, 'case_d'], [begun, page(['case_d'])]),
    'violated whole-0 half-0-0 half-0-1 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'items without an ID are known by what they show',
    asThere(abc, [begun, page(['case_c'])]).map((part) =>
      'observes' in part && typeof part.body === 'object'
        ? { ...part, body: JSON.parse(JSON.stringify(part.body).replaceAll('"id"', '"code"')) }
        : part,
    ),
    'holds whole-0 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'what is there is on one page',
    asThere(['case_a'], [page(['case_a'])]),
    'inconclusive whole-0 half-1-0',
  ),
  says(
    'RDS-4',
    'what is there has more pages',
    asThere(abc, [begun, page(['case_c'], 'y')]),
    'inconclusive whole-0 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'what is there comes in another order',
    asThere(abc, [page(['case_b', 'case_a'], 'x'), page(['case_c'])]),
    'inconclusive whole-0 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'what is there changes meanwhile',
    asThere(abc, [begun, page(['case_c'])], [...abc, 'case_d']),
    'inconclusive whole-0 whole-1 whole-2',
  ),
];
const seam: readonly Case[] = [
  ...there,
  says(
    'RDS-4',
    'a small page by offset repeats the end of the first, as where that is number 1',
    byOffset(seams(abc, page(['case_a', 'case_b']), page(['case_b', 'case_c']))),
  ),
  says(
    'RDS-4',
    'a small page repeats the end of the one before',
    seams(abc, begun, page(['case_b', 'case_c'])),
    'violated whole-0 half-0-0 half-0-1 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'a small page leaves one out',
    seams([...abc, 'case_d'], begun, page(['case_d'])),
    'violated whole-0 half-0-0 half-0-1 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'a small page leads nowhere, and a larger one goes on',
    seams(abc, page(['case_a', 'case_b'])),
    'violated whole-0 half-0-0 half-1-0',
  ),
  says(
    'RDS-4',
    'a small page leaves one out in two rounds, in which a replica may be behind',
    seams([...abc, 'case_d'], begun, page(['case_d']), { pause: 100 }),
  ),
  says('RDS-4', 'a small page goes on where the one before ends', seams(abc, begun, page(['case_c']))),
  says(
    'RDS-4',
    'a small page in another order',
    seams([...abc, 'case_d'], begun, page(['case_d', 'case_c'])),
  ),
  says('RDS-4', 'a small page of none', seams(abc, begun, page([]))),
  says('RDS-4', 'small pages that begin otherwise', seams(abc, page(['case_c'], 'x'), page(['case_c']))),
  says('RDS-4', 'one page holds them all', seams(['case_a', 'case_b'], begun, page(['case_b']))),
  says(
    'RDS-4',
    'a list that changes meanwhile',
    seams(abc, begun, page(['case_b']), { later: ['case_n', ...abc] }),
  ),
  says('RDS-4', 'a small page by offset that is not full', [
    ...['whole-0', 'half-0-0', 'half-0-1', 'whole-1'].map((id, index) =>
      read(id, page(index % 3 === 0 ? abc : [['case_a'], ['case_a', 'case_b']][index - 1]), {
        operation: 'listNotes',
        observes: id.startsWith('whole') ? 'whole-page' : 'part-of-page',
        query: 'limit=2',
      }),
    ),
  ]),
  says(
    'RDS-4',
    'the second small page is called the last one, and a larger one goes on',
    inThree([...abc, 'case_d', 'case_e'], begun, page(['case_c', 'case_d'])),
    'violated whole-0 half-0-0 half-0-1 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'the second small page leads to itself',
    inThree(
      [...abc, 'case_d', 'case_e'],
      begun,
      page(['case_c', 'case_d'], 'y'),
      page(['case_c', 'case_d'], 'y'),
    ),
    'violated whole-0 half-0-0 half-0-1 half-0-2 half-1-0 half-1-1 half-1-2',
  ),
  says(
    'RDS-4',
    'the third small page leaves one out',
    inThree([...abc, 'case_d', 'case_e', 'case_f'], begun, page(['case_c', 'case_d'], 'y'), page(['case_f'])),
    'violated whole-0 half-0-0 half-0-1 half-0-2 half-1-0 half-1-1 half-1-2',
  ),
  says(
    'RDS-4',
    'three small pages in turn, the last one with more than the large one',
    inThree(
      [...abc, 'case_d', 'case_e'],
      begun,
      page(['case_c', 'case_d'], 'y'),
      page(['case_e', 'case_f'], 'z'),
    ),
  ),
  says(
    'RDS-4',
    'a second small page that is not full, and a third one',
    inThree([...abc, 'case_d'], begun, page(['case_c'], 'y'), page(['case_d'])),
  ),
  says(
    'RDS-4',
    'a small page shows its first record again in place of its last one',
    inThree([...abc, 'case_d', 'case_e', 'case_f'], begun, page(['case_c', 'case_c'], 'y')),
    'violated whole-0 half-0-0 half-0-1 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'a list of events shows one record several times',
    inThree([...abc, 'case_c', 'case_d', 'case_d'], begun, page(['case_c', 'case_c'], 'y')),
  ),
  says('RDS-4', 'one round of two departs', seams(abc, begun, page(['case_b']), { once: true })),
];

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
const inParts: readonly Case[] = [
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

export const listSeamCases: readonly Case[] = [...seam, ...inParts];
