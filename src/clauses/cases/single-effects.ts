import type { Json, JsonObject } from '../../model/json.ts';
import { again, closed, first, made, second, secondAgain, thrice, token } from './repeats.ts';
import { says } from './says.ts';
import { type Case, type Line, missing, record, reuse, type Shown } from './trace.ts';

const seenTo = (shows: Shown, one: Case): Case => ({ ...one, shows });
const read = 'read-1 read-2 read-3';

/** One effect of all that was sent under one key. */
const effects: readonly Case[] = [
  says('IDM-4', 'equal IDs, and no read', [first, again(201)], 'holds again first (ids only)'),
  says(
    'IDM-4',
    'no IDs, and no read',
    [{ ...first, body: {} }, again(201, { body: {} })],
    'not-tested again first',
  ),
  ...[
    {
      when: 'two results without an ID that differ',
      other: { ticket: 'b' },
      ruling: 'inconclusive again first',
    },
    { when: 'equal results without an ID', other: { ticket: 'a' }, ruling: 'holds again first' },
  ].map(({ when, other, ruling }) =>
    says('IDM-5', when, [{ ...first, body: { ticket: 'a' } }, again(201, { body: other })], ruling),
  ),
  says(
    'IDM-4',
    'two IDs, and no read',
    [first, again(201, { result: 'case_2' })],
    'violated again first (conclusive, ids only)',
  ),
  says(
    'IDM-4',
    'an ID in the response to a request with another fault, and no read',
    [first, again(409), { id: 'b', status: 201, result: 'case_2', deviations: [missing] }],
    'holds again first b (ids only)',
  ),
  seenTo(
    { body: ['case_1'] },
    says('IDM-4', 'a read shows one record', [first, again(409)], `holds again first ${read}`),
  ),
  seenTo(
    { body: [] },
    says('IDM-4', 'it shows none', [first, again(201)], `holds again first ${read} (ids only)`),
  ),
  seenTo(
    { body: ['case_1', 'case_2'] },
    says(
      'IDM-4',
      'it shows two, and the answers are equal',
      [first, again(201)],
      `violated again first ${read} (conclusive)`,
    ),
  ),
  {
    ...says('IDM-4', 'it did not reach its end', [first, again(201)], 'inconclusive again first'),
    shows: { body: ['case_1'] },
    partly: true,
  },
  {
    ...says(
      'IDM-4',
      'it did not reach its end, and shows two',
      [first, again(201)],
      `violated again first ${read} (conclusive)`,
    ),
    shows: { body: ['case_1', 'case_2'] },
    partly: true,
  },
  says(
    'IDM-4',
    'a command that was sent three times is counted once',
    [first, again(201), thrice(201)],
    'holds again first thrice (ids only)',
  ),
  says(
    'IDM-4',
    'two commands',
    [first, second, again(201), secondAgain],
    'holds again first (ids only)',
    'holds b second (ids only)',
  ),
  says(
    'IDM-4',
    'of many requests twelve are named',
    [first, ...Array.from({ length: 13 }, (_, at) => again(201, { id: `d${at}` }))],
    'holds d0 first d1 d2 d3 d4 d5 d6 d7 d8 d9 d10 (ids only)',
  ),
  says(
    'IDM-4',
    'a command without a body, whose result has no ID',
    [
      { id: 'first', operation: 'ping', status: 202, key: 'key', body: {} },
      again(202, { operation: 'ping', body: {} }),
    ],
    'not-tested again first',
  ),
  says(
    'IDM-4',
    'a command without a body, and equal ids',
    [
      { ...first, operation: 'ping', status: 202, result: 'ping_1' },
      again(202, { operation: 'ping', result: 'ping_1' }),
    ],
    'holds again first (ids only)',
  ),
  says(
    'IDM-4',
    'a command without a body, and two ids',
    [
      { ...first, operation: 'ping', status: 202, result: 'ping_1' },
      again(202, { operation: 'ping', result: 'ping_2' }),
    ],
    'violated again first (conclusive, ids only)',
  ),
  says(
    'IDM-4',
    'a command without a body, and another ID for another caller under the same key',
    [
      { ...first, operation: 'ping', status: 202, result: 'ping_1' },
      again(202, { operation: 'ping', result: 'ping_1' }),
      {
        ...again(202, { operation: 'ping', result: 'ping_2', deviations: [reuse('first', 'caller')] }),
        id: 'other',
        as: 'peer',
      },
    ],
    'holds again first (ids only)',
  ),
  says('IDM-4', 'both at once', [[first, again(201)]]),
  says('IDM-4', 'the duplicate has a fault', [first, again(422, { deviations: [reuse('first'), missing] })]),
  says('IDM-4', 'the first one was never sent', [again(201)]),
  says('IDM-4', 'another token', [first, again(201, token)]),
];

const target = (
  id: `${'before' | 'after'}-${number}`,
  status: number | undefined,
  body: Json = record('case_7'),
): Line => ({
  id,
  observes: id.startsWith('before') ? 'before' : 'after',
  role: 'readback',
  operation: 'getCase',
  on: 'made',
  status,
  body,
});
const within = { operation: 'addPart', on: 'made', body: { id: 'part_1' } } as const;
const several = {
  operation: 'addParts',
  on: 'made',
  body: { parts: [{ id: 'part_1' }, { id: 'part_2' }] },
} as const;
const part = (number: string): Json => ({ id: `part_${number}` });
const listing = (id: 'list-before' | 'list-after', body: Json): Line => ({
  id,
  observes: id,
  role: 'readback',
  operation: 'listParts',
  on: 'made',
  status: 200,
  body,
});
/** A command on a target is sent twice; the target is read before and after the second time. */
const closedTwice = (
  before: readonly Line[],
  after: readonly Line[],
  more: Partial<Line> = {},
): Case['trace'] => [made, { ...first, ...closed, ...more }, ...before, again(200, closed), ...after];
/** The same without a target: the read names no record, and says so with an empty one. */
const onlyOneTwice = (more: JsonObject): Case['trace'] => {
  const { on: _command, ...command } = closed;
  const look = (id: 'before-1' | 'after-1', body: Json): Line => {
    const { on: _read, ...line } = target(id, 200, body);
    return { ...line, target: {} };
  };
  return [
    { ...first, ...command },
    look('before-1', record('case_7')),
    again(200, command),
    look('after-1', record('case_7', more)),
  ];
};
const one = target('before-1', 200);
const gone = target('before-1', 404, { message: 'gone' });

/** A command on a target leaves it, when it is repeated, as it was. */
const targets: readonly Case[] = [
  says('IDM-4', 'no read of the target', closedTwice([], []), 'holds again first (ids only)'),
  says(
    'IDM-4',
    'no read of the target, and the responses name two records',
    [made, { ...first, ...closed }, again(200, { ...closed, result: 'case_8' })],
    'inconclusive again first',
  ),
  says(
    'IDM-4',
    'a command that makes a record within its target names two',
    [made, { ...first, ...within }, again(201, { ...within, body: { id: 'part_2' } })],
    'violated again first (conclusive, ids only)',
  ),
  ...(
    [
      ['two records of one command', ['1', '2'], 'holds again first list-before list-after'],
      [
        'one record more than the results name',
        ['1', '2', '3'],
        'violated again first list-before list-after',
      ],
    ] as const
  ).map(([when, after, ruling]) =>
    says(
      'IDM-4',
      `of several made at once the list shows ${when}`,
      [
        made,
        listing('list-before', []),
        { ...first, ...several },
        again(201, several),
        {
          ...listing('list-after', after.map(part)),
          operation: 'listParts',
        },
      ],
      ruling,
    ),
  ),
  says('IDM-4', 'none before', closedTwice([], [target('after-1', 200)]), 'holds again first (ids only)'),
  says('IDM-4', 'none after', closedTwice([one], []), 'holds again first (ids only)'),
  says(
    'IDM-4',
    'the same state',
    closedTwice([one], [target('after-1', 200)]),
    'holds again first before-1 after-1',
  ),
  says(
    'IDM-4',
    'another state',
    closedTwice([one], [target('after-1', 200, record('case_7', { closures: 2 }))]),
    'violated again first before-1 after-1',
  ),
  says(
    'IDM-4',
    'another state, and the first command was queued',
    closedTwice([one], [target('after-1', 200, record('case_7', { closures: 2 }))], { status: 202 }),
    'inconclusive again first before-1 after-1',
  ),
  says(
    'IDM-4',
    'a deleted target is absent both times, whatever the words',
    [
      made,
      { id: 'found', role: 'readback', operation: 'getCase', on: 'made', status: 200 },
      ...closedTwice([gone], [target('after-1', 404, { message: 'still gone' })]).slice(1),
    ],
    'holds again first before-1 after-1',
  ),
  says(
    'IDM-4',
    'a target that no read ever shows',
    closedTwice([gone], [target('after-1', 404)]),
    'holds again first before-1 after-1 (ids only)',
  ),
  ...(
    [
      ['which another caller may not see', { status: 404, as: 'peer' }],
      ['which the reader may not read', { status: 403 }],
    ] as const
  ).map(([which, refused]) =>
    says(
      'IDM-4',
      `a target ${which}`,
      closedTwice([{ ...one, ...refused }], [{ ...target('after-1', 200), ...refused }]),
      'inconclusive again first before-1 after-1',
    ),
  ),
  says(
    'IDM-4',
    'the duplicate deletes it',
    closedTwice([one], [target('after-1', 404)]),
    'violated again first before-1 after-1',
  ),
  says(
    'IDM-4',
    'the duplicate brings it back',
    closedTwice([gone], [target('after-1', 200)]),
    'violated again first before-1 after-1',
  ),
  ...[429, 500, undefined].flatMap((status) => [
    says(
      'IDM-4',
      `${status} to the read before`,
      closedTwice([target('before-1', status)], [target('after-1', 200)]),
      'inconclusive again first before-1 after-1',
    ),
    says(
      'IDM-4',
      `${status} to the read after`,
      closedTwice([one], [target('after-1', status)]),
      'inconclusive again first before-1 after-1',
    ),
  ]),
  says(
    'IDM-4',
    'the first read before, and the last one after',
    closedTwice([one, target('before-2', 200, {})], [target('after-1', 200, {}), target('after-2', 200)]),
    'holds again first before-1 after-2',
  ),
  says(
    'IDM-4',
    'a read that is not compared',
    closedTwice([{ ...one, observes: undefined }], [target('after-1', 200)]),
    'holds again first (ids only)',
  ),
  says(
    'IDM-4',
    'another state of a record that no path field names',
    onlyOneTwice({ closures: 2 }),
    'violated again first before-1 after-1',
  ),
  says('IDM-4', 'the same state of such a record', onlyOneTwice({}), 'holds again first before-1 after-1'),
  says('IDM-4', 'the first command was refused', [
    made,
    { ...first, ...closed, status: 409 },
    one,
    again(200, closed),
    target('after-1', 200, {}),
  ]),
];

export const singleEffectCases: readonly Case[] = [...effects, ...targets];
