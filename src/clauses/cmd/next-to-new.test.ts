import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { readById } from '../cases/read-by-id.ts';
import { type Line, trace } from '../cases/trace.ts';
import { elderHit } from './next-to-new.ts';

const [one, two, three] = ['asy-000000000000000a', 'asy-000000000000000b', 'asy-000000000000000c'];
const first: JsonObject = { id: 'case_1', subject: one, seats: 1, open: true, position: 1 };
const elder: JsonObject = { id: 'case_2', subject: two, seats: 5, open: false, position: 2 };
const sent: JsonObject = { subject: three, seats: 1, open: true, position: 1 };

type States = {
  readonly was?: readonly [JsonObject, JsonObject];
  readonly is: readonly [JsonObject, JsonObject];
  readonly command?: Partial<Line>;
  readonly between?: readonly Line[];
};

/** The verdicts on the first record and on the elder one, after a third was made. */
function verdicts({ between = [], command = {}, is, was = [first, elder] }: States): readonly string[] {
  const look = (
    on: 'first' | 'elder',
    observes: 'neighbour-before' | 'neighbour',
    body: JsonObject,
  ): Line => ({
    ...{ id: `${on}-${observes}`, observes, operation: 'getCase', on, role: 'readback', status: 200, body },
  });
  const made = (id: string, name: string, body: JsonObject): Line => ({
    ...{ id, name, role: 'setup', status: 201, sent: JSON.stringify(body), body, result: String(body['id']) },
  });
  const all = trace([
    made('first', 'one', first),
    made('elder', 'two', elder),
    look('first', 'neighbour-before', was[0]),
    look('elder', 'neighbour-before', was[1]),
    { ...made('command', 'three', sent), role: 'test', body: { ...sent, id: 'case_3' }, ...command },
    ...between,
    look('elder', 'neighbour', is[1]),
    look('first', 'neighbour', is[0]),
  ]);
  const markers = { one: one ?? '', two: two ?? '', three: three ?? '' };
  return [...elderHit(readById, { ...all, bound: { ...all.bound, markers } })].map(({ verdict }) => verdict);
}

test('a command that makes a record leaves older ones as they were', () => {
  expect(verdicts({ is: [first, elder] })).toEqual(['holds', 'holds']);
  expect(verdicts({ is: [first, { ...elder, subject: three ?? '' }] })).toEqual(['violated', 'holds']);
  // The first record has the seats of the new one, and may be of the same thing.
  expect(verdicts({ is: [{ ...first, subject: three ?? '' }, elder] })).toEqual(['holds', 'inconclusive']);
  const [mine, its] = [
    { id: 'case_1', subject: one },
    { id: 'case_1', subject: three ?? '' },
  ];
  expect(
    verdicts({ was: [mine, elder], is: [its, elder], command: { sent: JSON.stringify({ subject: three }) } }),
  ).toEqual(['holds', 'violated']);
  // The two differed there before, so that records need not share it.
  expect(verdicts({ is: [first, { ...elder, seats: 1 }] })).toEqual(['violated', 'holds']);
});

test('a value that all records show alike may follow the newest one', () => {
  const shared = [
    { ...first, seats: 9 },
    { ...elder, seats: 9 },
  ] as const;
  expect(
    verdicts({
      was: shared,
      is: [
        { ...first, seats: 1 },
        { ...elder, seats: 1 },
      ],
    }),
  ).toEqual(['inconclusive', 'inconclusive']);
});

test.each<[string, JsonObject]>([
  ['a flag that only one may have', { open: true }],
  ['its place among the others', { position: 1 }],
  ['a version, a time and a sum', { version: 2, updatedAt: '2027-01-01', seats: 6 }],
  ['a member of its own', { latest: false, closedBy: 'case_9' }],
])('of an older record, %s may move', (_, moved) => {
  expect(verdicts({ is: [first, { ...elder, ...moved }] })).toEqual(['holds', 'holds']);
});

test('nothing follows where the two know of each other, none was made, or others wrote', () => {
  const taken = { ...elder, subject: three ?? '' };
  expect(verdicts({ is: [first, { ...taken, next: 'case_3' }] })).toEqual(['holds']);
  expect(verdicts({ is: [first, taken], command: { body: { ...taken, id: 'case_2' } } })).toEqual(['holds']);
  expect(verdicts({ is: [first, taken], command: { status: 409, body: {} } })).toEqual([]);
  const naming = JSON.stringify({ ...sent, replaces: 'case_2' });
  expect(verdicts({ is: [first, taken], command: { sent: naming } })).toEqual(['holds']);
  const close: Line = { id: 'close', operation: 'closeCase', on: 'elder', status: 200, body: {} };
  expect(verdicts({ is: [first, taken], between: [close] })).toEqual([]);
});
