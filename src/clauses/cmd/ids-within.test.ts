import { expect, test } from 'vitest';
import type { Trace } from '../../model/exchange.ts';
import type { Json } from '../../model/json.ts';
import { makeContext } from '../../oracle/context.ts';
import { parsedDeclaration } from '../../oracle/open-points/declared.ts';
import { contract, principals } from '../cases/contract.ts';
import { type Line, trace } from '../cases/trace.ts';
import { idsWithin } from './ids-within.ts';

const context = makeContext({
  contract,
  declared: parsedDeclaration({}),
  principals,
  proven: new Set(['full']),
});

const add = (id: string, part: string, sent: Json, shown: Json = sent, more: Partial<Line> = {}): Line => ({
  id,
  operation: 'addPart',
  target: { caseId: { literal: 'case_7' } },
  role: 'test',
  status: 201,
  sent: JSON.stringify(sent),
  body: { id: part, shown },
  ...more,
});

const [one, two] = ['the first', 'the second'];

/** Two commands at once that return one ID. */
const atOnce = (more: { readonly size?: Json; readonly shows?: readonly Json[] } = {}): readonly Line[] => {
  const size = more.size ?? 'A4';
  const [first, second] = more.shows ?? [one, two];
  return [
    add('one', '1', { subject: one, size }, first ?? null),
    add('two', '1', { subject: two, size }, second ?? null),
  ];
};

/** Two commands in turn that return different IDs. */
const inTurn = (sent: readonly [Json, Json]): readonly Line[] => [
  add('three', '1', sent[0]),
  add('four', '2', sent[1]),
];
const equal = inTurn([
  { subject: 'x', size: 'A4' },
  { subject: 'x', size: 'A4' },
]);

/** A trace whose requests have the bodies of their lines, though the contract of the cases describes none. */
const withBodies = (id: string, lines: readonly Line[]): Trace => {
  const { exchanges, ...rest } = trace([lines], { id });
  return {
    ...rest,
    exchanges: exchanges.map((each, index) => ({
      ...each,
      request: { ...each.request, body: lines[index]?.sent },
    })),
  };
};

const verdicts = (
  ...traces: readonly (readonly [id: string, lines: readonly Line[]])[]
): readonly string[] => {
  const fold = idsWithin();
  return traces.flatMap(([id, lines]) =>
    [...fold.see(context, withBodies(id, lines))].map((ruling) => {
      const within = ruling.verdict === 'violated' ? ruling.within : undefined;
      return `${ruling.verdict} ${within?.id ?? id}`;
    }),
  );
};

test('one ID for two records that each result shows as its own, where equal bodies get two records elsewhere', () => {
  expect(verdicts(['turn', equal], ['burst', atOnce()])).toEqual([
    'holds turn',
    'inconclusive burst',
    'violated burst',
  ]);
  expect(verdicts(['burst', atOnce()], ['turn', equal])).toEqual([
    'inconclusive burst',
    'holds turn',
    'violated burst',
  ]);
});

test.each<[string, readonly Line[], readonly Line[]]>([
  ['nothing says that others get records of their own', [], atOnce()],
  [
    'those who do have less in common: their size may name the record',
    inTurn([
      { subject: 'x', size: 'A4' },
      { subject: 'y', size: 'A5' },
    ]),
    atOnce(),
  ],
  [
    'their size is the same in another case',
    inTurn([
      { subject: 'x', size: 'A4' },
      { subject: 'x', size: 'a4' },
    ]),
    atOnce(),
  ],
  [
    'there is one for each day',
    inTurn([
      { subject: 'x', size: '2026-05-01T10:00:00Z' },
      { subject: 'x', size: '2026-05-02T10:00:00Z' },
    ]),
    [
      add('one', '1', { subject: one, size: '2026-05-01T10:00:00Z' }),
      add('two', '1', { subject: two, size: '2026-05-01T11:00:00Z' }),
    ],
  ],
  ['the result shows both: one was added to the other', equal, atOnce({ shows: [one, [one, two]] })],
  ['the result shows the first of two: it was running already', equal, atOnce({ shows: [one, one] })],
  ['the result shows neither', equal, atOnce({ shows: ['x', 'x'] })],
  ['they are queued', equal, atOnce().map((line) => ({ ...line, status: 202 }))],
])('two commands return one ID, and %s: that is inconclusive', (_, others, both) => {
  const said = verdicts(['turn', others], ['burst', both]);
  expect(said.filter((each) => each.endsWith(' burst'))).toEqual(['inconclusive burst']);
});

test('two commands return one ID within records of their own', () => {
  const [first, second] = atOnce();
  if (first === undefined || second === undefined) throw new Error('two lines');
  const there = { ...second, target: { caseId: { literal: 'case_8' } } };
  expect(verdicts(['turn', equal], ['burst', [first, there]])).toEqual(['holds turn']);
});
