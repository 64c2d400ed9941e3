import { expect, test } from 'vitest';
import type { NamedRecord, Operation } from '../../model/contract.ts';
import type { JsonObject } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { eachNamed } from './each-named.ts';

const field = { name: 'caseId', schema: { type: 'string' }, source: { operation: 'createCase', at: '/id' } };
const named: readonly NamedRecord[] = [
  { at: '/cases/0', read: 'getCase', field, acts: true },
  { at: '/cases/1', read: 'getCase', field: { ...field, name: 'caseId2' }, second: true },
];
const context = makeContext({
  contract: {
    ...contract,
    operations: contract.operations.map(
      (operation): Operation => (operation.id === 'escalate' ? { ...operation, named } : operation),
    ),
  },
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

type Record = JsonObject | undefined;
const open = { state: 'open', version: 1 };
const held = { state: 'held', version: 2 };

/** Two cases that one command holds, as reads show them before it and after it. */
function said(
  after: readonly [Record, Record],
  { before = [open, open], ...more }: { readonly before?: readonly [Record, Record] } & Partial<Line> = {},
): readonly string[] {
  const look = (observes: 'neighbour-before' | 'neighbour', of: 'a' | 'b', record: Record): Line => ({
    ...{ id: `${observes}-${of}`, observes, operation: 'getCase', role: 'readback', on: of },
    ...(record === undefined ? { status: 404 } : { status: 200, body: { id: `case_${of}`, ...record } }),
  });
  const lines: readonly Line[] = [
    { id: 'a', role: 'setup', status: 201, result: 'case_a' },
    { id: 'b', role: 'setup', status: 201, result: 'case_b' },
    look('neighbour-before', 'a', before[0]),
    look('neighbour-before', 'b', before[1]),
    {
      ...{ id: 'hold', operation: 'escalate', role: 'test', status: 200, body: {} },
      sent: '{"cases":["case_a","case_b"]}',
      ...more,
    },
    look('neighbour', 'a', after[0]),
    look('neighbour', 'b', after[1]),
  ];
  return [...eachNamed(context, trace(lines))].map(({ because, verdict }) => `${verdict}: ${because}`);
}

const naming = 'The command named case_a and case_b, and was accepted, but';

test('a command changes each record that its body names', () => {
  expect(said([held, held])).toEqual(['holds: The command changed both records that it names.']);
  expect(said([undefined, undefined])).toHaveLength(1);
  expect(said([held, open])).toEqual([`violated: ${naming} case_b reads as before.`]);
  expect(said([open, held])).toEqual([
    'violated: The command named case_b and case_a, and was accepted, but case_a reads as before.',
  ]);
  const alike = { results: ['case_a', 'case_b'].map((id) => ({ id, outcome: 'held', revision: id.length })) };
  expect(said([held, open], { body: alike })).toEqual([`violated: ${naming} case_b reads as before.`]);
  expect(said([undefined, open])).toEqual([`violated: ${naming} case_b reads as before.`]);
});

test.each<[string, ReturnType<typeof said>, readonly string[]]>([
  ['it changes none', said([open, open]), []],
  ['a version alone is another', said([{ ...open, version: 2 }, open]), []],
  ['it is only queued', said([held, open], { status: 202 }), []],
  ['its result is one for each', said([held, open], { status: 207 }), []],
  ['it is refused', said([held, open], { status: 409 }), []],
])('nothing is said where %s', (_, found, none) => expect(found).toEqual(none));

test.each<[string, ReturnType<typeof said>]>([
  [
    'the two differed before',
    said([held, { ...open, state: 'draft' }], { before: [open, { ...open, state: 'draft' }] }),
  ],
  ['the result names one of them', said([held, open], { body: { held: ['case_a'] } })],
  [
    'the result names each in another list',
    said([held, open], { body: { held: ['case_a'], left: ['case_b'] } }),
  ],
  [
    'the result has another word for one of them',
    said([held, open], {
      body: {
        results: [
          { id: 'case_a', outcome: 'held' },
          { id: 'case_b', outcome: 'skipped' },
        ],
      },
    }),
  ],
  ['the result counts one', said([held, open], { body: { held: 1, skipped: 1 } })],
])('it is open whether it should, where %s', (_, found) => {
  expect(found).toEqual([expect.stringMatching(/^inconclusive: /)]);
});
