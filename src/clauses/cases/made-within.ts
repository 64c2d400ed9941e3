import type { Json } from '../../model/json.ts';
import { says } from './says.ts';
import { type Case, type Line, reuse } from './trace.ts';

const list = (id: 'list-before' | 'list-after', body: Json, more: Partial<Line>): Line => ({
  id,
  observes: id,
  operation: 'listParts',
  role: 'readback',
  on: 'a',
  status: 200,
  body,
  ...more,
});

/** A record made within another one, and the list there before and after. */
const made = (
  when: string,
  [before, after]: readonly [Json, Json],
  ruling: string | undefined,
  more: { readonly command?: Partial<Line>; readonly look?: Partial<Line> } = {},
): Case =>
  says(
    'CMD-6',
    `a record within another one: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      { id: 'b', role: 'setup', status: 201, result: 'case_8' },
      list('list-before', before, {}),
      {
        id: 'add',
        operation: 'addPart',
        on: 'a',
        role: 'test',
        status: 201,
        body: { id: 'part_1' },
        ...more.command,
      },
      list('list-after', after, more.look ?? {}),
    ],
    ...(ruling === undefined ? [] : [ruling]),
  );

const part = { id: 'part_1' } as const;
const partOf = (number: number): Json => ({ id: `part_${number}` });
const other = { id: 'part_0' };
const [shown, missing, unsure] = [
  'holds add list-after',
  'violated add list-before list-after',
  'inconclusive add list-after',
];

/** CMD-6: what the list shows that a record was made in. */
export const madeWithinCases: readonly Case[] = [
  made('the list shows it', [[], [part]], shown),
  made('the list has it within its one member', [{ parts: [] }, { parts: [other, part] }], shown),
  made('the list shows it by what was sent', [[], [{ id: 2, subject: 'note-t' }]], shown, {
    command: { sent: '{"subject":"note-t"}', body: {} },
  }),
  made('the list shows it twice', [[], [part, other, part]], 'violated add list-after'),
  made('the list shows two states of it', [[], [part, { ...part, state: 'old' }]], shown),
  made('the list showed it twice before', [[part], [part, part]], shown),
  made('the list does not show it', [[], []], missing),
  made('the list does not show it next to others', [[other], [other]], missing),
  made('the list shows another one more', [[], [other]], unsure),
  made('the result names no record', [[], []], unsure, { command: { body: {} } }),
  made('the result names no record, and the list shows one more', [[], [part]], shown, {
    command: { body: {} },
  }),
  made('the list is of another record', [[], []], undefined, { command: { given: 'case_8' } }),
  made('it was only queued', [[], []], unsure, { command: { status: 202 } }),
  ...(
    [
      ['the list shows the first', [part], 'holds add list-after'],
      ['the list shows none', [], missing],
    ] as const
  ).map(([when, after, ruling]) =>
    made(`several at once: ${when}`, [[], [...after]], ruling, {
      command: { operation: 'addParts', body: { parts: [{ id: 'part_1' }] } },
    }),
  ),
  ...(
    [
      ['the list shows all of them', [1, 2, 3], shown],
      ['the list shows the first alone', [1], 'violated add list-after'],
      ['the list shows the last alone', [3], 'violated add list-after'],
    ] as const
  ).map(([when, after, ruling]) =>
    made(`three at once: ${when}`, [[other], [other, ...after.map(partOf)]], ruling, {
      command: {
        operation: 'addParts',
        sent: JSON.stringify({ parts: [1, 2, 3].map((number) => ({ subject: `asy-t-body ${number}` })) }),
        body: { parts: [1, 2, 3].map(partOf) },
      },
    }),
  ),
  made('another caller reads, who may be shown less', [[], []], unsure, { look: { as: 'peer' } }),
  made('a control made it within yet another one', [[], []], undefined, {
    command: { role: 'control', on: 'b' },
  }),
  made('the list could not be read', [[], []], unsure, { look: { status: 503 } }),
  made(
    'the list has no items where they are looked for',
    [
      { a: [], b: [] },
      { a: [], b: [] },
    ],
    unsure,
  ),
];

/** A command that failed, its retry, and the list before and after both. */
const retried = (when: string, first: Partial<Line>, after: Json, ...rulings: readonly string[]): Case =>
  says(
    'CMD-6',
    `the retry of a record within another one: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      list('list-before', [other], {}),
      { id: 'first', operation: 'addPart', on: 'a', role: 'test', status: 500, key: 'k', ...first },
      {
        id: 'again',
        operation: 'addPart',
        on: 'a',
        role: 'test',
        key: 'k',
        status: 201,
        body: { id: 'part_1' },
        deviations: [reuse('first')],
      },
      list('list-after', after, {}),
    ],
    ...rulings,
  );

/** CMD-6: a retry that returns success has made the record, or found it made. */
export const retriedWithinCases: readonly Case[] = [
  retried('it was made', {}, [other, part], 'holds again list-after'),
  retried('it was not made', {}, [other], 'violated again list-before list-after'),
  retried(
    'the first had no response',
    { status: undefined },
    [other],
    'violated again list-before list-after',
  ),
];

const add = (id: string, result: string, more: Partial<Line> = {}): Line => ({
  id,
  operation: 'addPart',
  target: { caseId: { literal: 'case_7' } },
  role: 'test',
  status: 201,
  body: { id: result },
  ...more,
});

/** Two commands within one record, and the list there after them. */
const ids = (when: string, two: readonly [Line, Line], after: Json, ...rulings: readonly string[]): Case =>
  says('CMD-5', `within another record: ${when}`, [two, list('list-after', after, {})], ...rulings);

/** CMD-6: the records of commands that were sent at once. */
export const togetherWithinCases: readonly Case[] = (
  [
    ['all of them', [1, 2, 3], []],
    ['two of them', [1, 3], ['violated two list-after']],
    ['one of them', [3], []],
  ] as const
).map(([when, shown, rulings]) =>
  says(
    'CMD-6',
    `three within another record at once, and the list shows ${when}`,
    [
      [add('one', 'part_1'), add('two', 'part_2'), add('three', 'part_3')],
      list('list-after', shown.map(partOf), {}),
    ],
    ...rulings,
  ),
);

/** CMD-5: ids that are unique within a record. */
const within = (seat: string): NonNullable<Line['target']> => ({
  caseId: { literal: 'case_7' },
  seatId: { literal: seat },
});

export const idsWithinCases: readonly Case[] = [
  ids('each has its ID', [add('one', '1'), add('two', '2')], [], 'holds two one'),
  ids(
    'two records have one id',
    [add('one', '1'), add('two', '1')],
    [{ id: '1' }, { id: '1' }],
    'violated two one list-after',
  ),
  ids(
    'what was sent may be added to a record',
    [add('one', '1'), add('two', '1')],
    [{ id: '1' }],
    'inconclusive two one',
  ),
  ids(
    'a duplicate has the ID of its result',
    [add('one', '1', { key: 'k' }), add('two', '1', { key: 'k' })],
    [{ id: '1' }],
  ),
  ids(
    'bodies that name different records',
    [add('one', '1', { target: within('1') }), add('two', '2', { target: within('2') })],
    [],
    'holds two one',
  ),
  ids(
    'two records have one id, and name different ones',
    [add('one', '1', { target: within('1') }), add('two', '1', { target: within('2') })],
    [{ id: '1' }, { id: '1' }],
    'violated two one list-after',
  ),
  ids(
    'another record counts its own',
    [add('one', '1'), add('two', '1', { target: { caseId: { literal: 'case_8' } } })],
    [{ id: '1' }],
  ),
];
