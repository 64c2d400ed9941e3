import { expect, test } from 'vitest';
import { first } from '../../clauses/cases/repeats.ts';
import { type SightCase, sighted } from '../../clauses/cases/sight.ts';
import { type Line, negative, type Part } from '../../clauses/cases/trace.ts';

const strange = (status: number): readonly Part[] =>
  negative({ kind: 'unknown-member', at: '/strange' }, status);
const free = (status: number): readonly Part[] =>
  negative({ kind: 'unknown-member', at: '/strange', free: true }, status);
const strangeQuery = (status: number): readonly Part[] =>
  negative({ kind: 'query', field: 'strange', keyword: 'unknown' }, status, { operation: 'listCases' });
const stale = (operation: string): readonly Part[] =>
  negative({ kind: 'version', how: 'stale' }, 412, { operation });
const pace: Line = { id: 'burst', role: 'test', status: 201, deviations: [{ kind: 'pace' }] };
const poll = (at: number, status: number, more: Partial<Line> = {}): readonly Part[] => [
  first,
  {
    id: 'poll-made',
    observes: 'arrival',
    operation: 'getCase',
    role: 'readback',
    on: 'first',
    at,
    status,
    ...more,
  },
];

/** A read of a record under a literal ID, within one that the first command made. */
const within: Omit<Line, 'status'> = {
  id: 'poll-made',
  observes: 'arrival',
  operation: 'getCase',
  role: 'readback',
  target: { teamId: { step: 'first', at: '/id' }, caseId: { literal: '7' } },
  at: 1015,
};

const rows: readonly SightCase[] = [
  { point: 'G6', when: 'a stale version', trace: stale('updateCase'), shows: 'If-Match, stale: 412' },
  { point: 'G6', when: 'a command without version', trace: stale('closeCase') },
  { point: 'G6', when: 'no fault', trace: [{ id: 'a', operation: 'updateCase', status: 412 }] },
  {
    point: 'G7',
    when: 'an unknown member is ignored',
    trace: strange(201),
    shows: 'body: ignored',
    reading: 'ignore',
    agrees: ['ignore'],
    contradicts: ['refuse'],
  },
  {
    point: 'G7',
    when: 'an unknown member is refused',
    trace: strange(422),
    shows: 'body: refused with 422',
    reading: 'refuse',
    agrees: ['refuse'],
    contradicts: ['ignore'],
  },
  {
    point: 'G7',
    when: 'an unknown query field is refused',
    trace: strangeQuery(499),
    shows: 'query: refused with 499',
    reading: 'refuse',
    agrees: ['refuse'],
    contradicts: ['ignore'],
  },
  {
    point: 'G7',
    when: 'an unknown query field is ignored',
    trace: strangeQuery(200),
    shows: 'query: ignored',
    reading: 'ignore',
  },
  {
    point: 'G7',
    when: 'the read is refused without the unknown query field as well',
    trace: [
      {
        id: 'odd',
        operation: 'listCases',
        role: 'test',
        status: 404,
        deviations: [{ kind: 'query', field: 'strange', keyword: 'unknown' }],
      },
      { id: 'plain', operation: 'listCases', controls: 'odd', status: 404 },
    ],
    shows: 'query: refused with 404',
  },
  { point: 'G7', when: 'the service fails', trace: strange(500) },
  { point: 'G7', when: 'the schema expressly lets any member be', trace: free(201) },
  {
    point: 'G7',
    when: 'a faulty query field',
    trace: negative({ kind: 'query', field: 'limit', keyword: 'type' }, 422, { operation: 'listCases' }),
  },
  {
    point: 'G8',
    when: 'a command is throttled in passing',
    trace: [{ id: 'a', status: 429 }],
    shows: '429 outside a burst',
    agrees: [{ maxStringLength: 100 }],
    contradicts: ['unthrottled'],
  },
  {
    point: 'G8',
    when: 'its second try was throttled',
    trace: [{ id: 'a', status: 201, earlier: [500, 429] }],
    shows: '429 outside a burst',
    contradicts: ['unthrottled'],
  },
  {
    point: 'G8',
    when: 'an odd command is throttled in passing',
    trace: [{ id: 'a', role: 'test', status: 429, deviations: [{ kind: 'text-noise', at: '/subject' }] }],
    shows: '429 outside a burst',
  },
  { point: 'G8', when: 'nothing is throttled', trace: [{ id: 'a', status: 201, earlier: [500, undefined] }] },
  {
    point: 'G8',
    when: 'a burst of three is throttled',
    trace: [
      { ...pace, ordinal: 0, at: 1000 },
      { ...pace, ordinal: 1, at: 1990 },
      { ...pace, ordinal: 2, at: 2000, status: 429 },
    ],
    shows: '429 after # requests within 2 s (2, smallest)',
    agrees: [{ maxStringLength: 100 }],
    contradicts: ['unthrottled'],
  },
  {
    point: 'G8',
    when: 'a burst within a second',
    trace: [
      { ...pace, ordinal: 0, at: 1000 },
      { ...pace, ordinal: 1, at: 1995, status: 429 },
    ],
    shows: '429 after # requests within 1 s (1, smallest)',
  },
  {
    point: 'G8',
    when: 'of a burst only what the same sender had accepted by then counts',
    trace: [
      { id: 'plain', status: 201, at: 10, deviations: [{ kind: 'text-noise', at: '/subject' }] },
      { ...pace, id: 'other', as: 'peer', at: 20 },
      { ...pace, ordinal: 0, at: 3000, status: 500 },
      { ...pace, ordinal: 1, at: 5000 },
      { ...pace, ordinal: 2, at: 5010, took: 20 },
      { ...pace, ordinal: 3, at: 5020, status: 429, took: 10 },
      { ...pace, ordinal: 4, at: 5020, took: 11 },
    ],
    shows: '429 after # requests within 1 s (2, smallest)',
  },
  {
    point: 'G8',
    when: 'the first request of a burst is throttled',
    trace: [{ ...pace, ordinal: 0, at: 1000, status: 429 }],
    shows: '429 after # requests within 1 s (0, smallest)',
  },
  { point: 'G8', when: 'a burst is accepted', trace: [pace] },
  { point: 'G8', when: 'the control of a burst', trace: [{ ...pace, role: 'control', status: 429 }] },
  {
    point: 'G15',
    when: 'a record is seen',
    trace: poll(115, 200),
    shows: 'seen after # ms (100, largest)',
    agrees: [{ seconds: 0.05 }, { seconds: 1 }],
  },
  {
    point: 'G15',
    when: 'a record is not yet seen',
    trace: poll(1015, 404),
    shows: 'not yet seen after # ms (1000, largest)',
    agrees: [{ seconds: 1 }, { seconds: 2 }, 'soon'],
    contradicts: [{ seconds: 0.999 }],
  },
  {
    point: 'G15',
    when: 'a record is not yet there for its reader',
    trace: poll(1015, 403),
    shows: 'not yet seen after # ms (1000, largest)',
  },
  { point: 'G15', when: 'the read fails', trace: poll(1015, 500) },
  { point: 'G15', when: 'a read that is no poll', trace: poll(1015, 200, { observes: undefined }) },
  {
    point: 'G15',
    when: 'the record was never made',
    trace: [{ ...first, status: 422 }, ...poll(1015, 404).slice(1)],
  },
  {
    point: 'G15',
    when: 'a record that nobody made, within one that was made',
    trace: [first, { ...within, status: 404 }],
  },
  {
    point: 'G15',
    when: 'what is below a record, and was never put there',
    trace: poll(1015, 404, { operation: 'listParts' }),
  },
  {
    point: 'G15',
    when: 'a record under a literal ID, seen in the end',
    trace: [first, { ...within, status: 404 }, { ...within, at: 2015, ordinal: 1, status: 200 }],
    shows: ['not yet seen after # ms (1000, largest)', 'seen after # ms (2000, largest)'],
  },
  {
    point: 'G15',
    when: 'a record made within one that was made earlier',
    trace: [first, { ...first, id: 'second', role: 'setup', at: 515 }, ...poll(1015, 404).slice(1)],
    shows: 'not yet seen after # ms (495, largest)',
  },
  {
    point: 'G15',
    when: 'a poll of a list',
    trace: poll(1015, 200, { operation: 'listCases', on: 'nothing' }),
  },
];

test.each(rows)('$point: $when', (row) => {
  const { actual, expected } = sighted(row);
  expect(actual).toEqual(expected);
});
