import { byOffset, read } from './list-lines.ts';
import { says } from './says.ts';
import { type Case, type Line, page } from './trace.ts';

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
/** A list that goes on behind its small pages, and is read to its end on larger ones. */
const long = (pages: readonly Line['body'][], others: readonly Line['body'][] = pages): Case['trace'] => [
  ...asThere(abc, [begun, page(['case_c', 'case_d'], 'y')]).slice(0, 4),
  ...[pages, others].flatMap((walk, size) =>
    walk.map((body, index) =>
      read(`${size === 0 ? 'larger' : 'other'}-${index}`, body, {
        observes: 'part-of-list',
        query: `limit=${4 - size}`,
        at: 8000 + size * 100 + index * 10,
      }),
    ),
  ),
];
const [four, fifth] = [page([...abc, 'case_d'], 'z'), page(['case_e'])];
const [three, others] = [page(abc, 'z'), page(['case_d', 'case_e'])];
const longCases: readonly Case[] = [
  says(
    'RDS-4',
    'a long list ends at one record on larger pages of two sizes',
    long([four, fifth], [three, others]),
    'holds whole-0 larger-0 larger-1',
  ),
  says('RDS-4', 'a long list is not read on', long([]), 'inconclusive whole-0 half-0-0 half-0-1'),
  says(
    'RDS-4',
    'a long list is read on pages of one size only',
    long([four, fifth], []),
    'inconclusive whole-0 larger-0 larger-1',
  ),
  says(
    'RDS-4',
    'a long list ends otherwise on pages of another size',
    long([four, fifth], [three, page(['case_d'])]),
    'inconclusive whole-0 larger-0 larger-1',
  ),
  says(
    'RDS-4',
    'a long list does not end on larger pages',
    long([four, page(['case_e'], 'x')]),
    'inconclusive whole-0 larger-0 larger-1',
  ),
  says(
    'RDS-4',
    'larger pages of a long list show a record twice',
    long([four, page(['case_d'])]),
    'inconclusive whole-0 larger-0 larger-1',
  ),
  says(
    'RDS-4',
    'all of a long list is on one larger page',
    long([page(abc)]),
    'inconclusive whole-0 larger-0',
  ),
];
const there: readonly Case[] = [
  ...longCases,
  says(
    'RDS-4',
    'the last record of a list that nothing adds to is on no small page',
    asThere([...abc, 'case_d', 'case_e'], [begun, page(['case_c', 'case_d'])]),
    'violated whole-0 half-0-0 half-0-1 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'small pages show all that is there',
    asThere(abc, [begun, page(['case_c'])]),
    'holds whole-0 half-1-0 half-1-1',
  ),
  says(
    'RDS-4',
    'small pages show all that is there, and were read once',
    asThere(abc, [begun, page(['case_c'])]).slice(0, 4),
    'holds whole-0 half-0-0 half-0-1',
  ),
  says(
    'RDS-4',
    'of what is there one is left out, and nothing was read again',
    asThere([...abc, 'case_d'], [begun, page(['case_d'])]).slice(0, 4),
    'inconclusive whole-0 half-0-0 half-0-1',
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
export const listSeamCases: readonly Case[] = [
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
    'a small page repeats the end of the one before, and nothing was read again',
    seams(abc, begun, page(['case_b', 'case_c'])).slice(0, 4),
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
