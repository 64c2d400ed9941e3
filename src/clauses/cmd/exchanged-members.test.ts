import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { withCaseBody } from '../cases/case-body.ts';
import { type Line, trace } from '../cases/trace.ts';
import { exchangedMembers } from './exchanged-members.ts';

const number: JsonObject = { type: 'number' };
const date: JsonObject = { type: 'string', format: 'date' };
const place: JsonObject = {
  type: 'object',
  properties: { lat: number, lon: number, fuzzy: { type: 'boolean' } },
};
const address: JsonObject = { type: 'object', properties: { street: { type: 'string' } } };
const stop: JsonObject = { type: 'object', properties: { address, at: date } };
const properties: JsonObject = {
  subject: { type: 'string' },
  place,
  ready: date,
  due: date,
  nextDue: date,
  available: number,
  capacity: number,
  pickup: stop,
  delivery: stop,
  nick: { type: 'string' },
  name: { type: 'string' },
};

const context = withCaseBody(properties);

type Pairs = readonly (readonly [sent: JsonObject, shown: JsonObject])[];

/** The members of which something is said, for what commands sent and what reads show. */
function rulings(pairs: Pairs, subject = 'a case'): readonly string[] {
  const fold = exchangedMembers();
  return pairs.flatMap(([sent, is], index) => {
    const shown = { id: 'case_7', status: 'open', subject, ...is };
    const lines: readonly Line[] = [
      {
        id: 'a',
        status: 201,
        result: 'case_7',
        sent: JSON.stringify({ subject: 'a case', ...sent }),
        body: shown,
      },
      {
        ...{ id: 'read', status: 200, operation: 'getCase', observes: 'made', on: 'a', role: 'readback' },
        body: shown,
      },
    ];
    return [...fold.see(context, trace(lines, { id: `t${index}` }))].flatMap((one) =>
      one.verdict === 'violated' ? [`t${index} ${one.actual}`] : [],
    );
  });
}

const at = (lat: number, lon: number): JsonObject => ({ place: { lat, lon } });
const swapped: Pairs = [
  [at(10.5, 20), at(20, 10.5)],
  [at(40, -7), at(-7, 40)],
];

test('two numbers are stored the other way round', () => {
  expect(rulings(swapped)).toEqual(['t1 -7 at /place/lat', 't1 40 at /place/lon']);
});

test('a member shows what was sent for another one, be it earlier or later', () => {
  const pairs: Pairs = [
    [
      { ready: '2026-01-02', due: '2026-02-02' },
      { ready: '2026-01-02', due: '2026-01-02' },
    ],
    [
      { ready: '2026-03-02', due: '2026-02-05' },
      { ready: '2026-03-02', due: '2026-03-02' },
    ],
  ];
  expect(rulings(pairs)).toEqual(['t1 "2026-03-02" at /due']);
  // What comes next is worked out.
  const named: Pairs = pairs.map(([sent, is]) => [
    { ready: sent['ready'] ?? null, nextDue: sent['due'] ?? null },
    { ready: is['ready'] ?? null, nextDue: is['due'] ?? null },
  ]);
  expect(rulings(named)).toEqual([]);
});

test('an object shows what was sent for the one next to it', () => {
  const stops = (from: string, to: string): JsonObject => ({
    pickup: { address: { street: from }, at: '2026-01-01' },
    delivery: { address: { street: to }, at: '2026-01-02' },
  });
  const shown = (from: string): JsonObject => stops(from, from);
  expect(
    rulings([
      [stops('North', 'South'), shown('North')],
      [stops('East', 'West'), shown('East')],
    ]),
  ).toEqual(['t1 {"street":"East"} at /delivery/address']);
});

test.each<[string, Pairs]>([
  ['as they were sent', swapped.map(([sent]) => [sent, sent])],
  ['the other way round, but for one', [[at(1, 2), at(1, 2)], ...swapped]],
  ['the other way round, once', swapped.slice(1)],
  [
    'in order',
    [
      [at(20, 10), at(10, 20)],
      [at(40, -7), at(-7, 40)],
      [at(1, 2), at(1, 2)],
    ],
  ],
  [
    'in order, where none was in order',
    [
      [at(20, 10), at(10, 20)],
      [at(40, -7), at(-7, 40)],
    ],
  ],
  [
    'as a flag says',
    swapped.map(([sent, is]) => [
      { place: { ...Object(sent['place']), fuzzy: true } },
      { place: { ...Object(is['place']), fuzzy: true } },
    ]),
  ],
  [
    'as what is left of another number',
    [
      [
        { available: 3, capacity: 5 },
        { available: 5, capacity: 5 },
      ],
      [
        { available: 9, capacity: 4 },
        { available: 4, capacity: 4 },
      ],
    ],
  ],
  [
    'as a text that is made of another one',
    [
      [
        { nick: 'b', name: 'a' },
        { nick: 'a', name: 'a' },
      ],
      [
        { nick: 'c', name: 'd' },
        { nick: 'd', name: 'd' },
      ],
    ],
  ],
])('members are stored %s: nothing is violated', (_, pairs) => {
  expect(rulings(pairs)).toEqual([]);
});

test('nothing is said where another member is not as it was sent', () => {
  expect(rulings(swapped, 'quite another text')).toEqual([]);
});
