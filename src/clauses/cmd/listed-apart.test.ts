import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { object } from '../../selftest/shapes/document.ts';
import { contextOfListed } from '../../testing/listed-cases.ts';
import { type Line, trace } from '../cases/trace.ts';
import { listedApart } from './listed-apart.ts';

const words = { type: 'string' } as const;
const members = {
  title: words,
  currency: { enum: ['EUR', 'USD', 'CHF'] },
  status: { enum: ['draft', 'placed'] },
  fee: { type: 'integer' },
  days: { type: 'integer' },
  renewing: { type: 'boolean' },
  starts: { ...words, format: 'date' },
  ends: { ...words, format: 'date-time' },
  contact: object({ name: words, age: { type: 'integer' } }, []),
  labels: { type: 'array', items: words },
};
const item = object({ id: words, ...members, balance: { type: 'integer' }, count: { type: 'integer' } }, [
  ...['id', 'fee', 'renewing', 'balance'],
]);

const sent: JsonObject = {
  ...{ title: 'A fine one', currency: 'USD', status: 'placed', fee: 1250, days: 42, renewing: true },
  ...{ starts: '2026-05-04', ends: '2026-05-04T10:00:00Z' },
  ...{ contact: { name: 'Ada', age: 36 }, labels: ['a', 'b'] },
};

type Case = {
  /** What the list shows otherwise. */
  readonly is?: JsonObject;
  readonly omits?: string;
  readonly result?: JsonObject;
  readonly last?: JsonObject;
  readonly make?: Partial<Line>;
  readonly look?: Partial<Line>;
  readonly between?: readonly Line[];
  readonly shown?: JsonObject;
};

/** The verdicts on a record that is made, read by its ID, listed, and read again. */
async function verdicts({ between = [], is, last, look, make, omits, result, shown = item }: Case) {
  const record: JsonObject = { id: 'case_7', ...sent, balance: 1250, count: 42 };
  const listed = Object.entries({ ...record, ...is }).filter(([name]) => name !== omits);
  const read = { status: 200, operation: 'getCase', on: 'a', role: 'readback' } as const;
  const lines: readonly Line[] = [
    {
      ...{ id: 'a', status: 201, sent: JSON.stringify(sent), result: 'case_7' },
      body: { ...record, ...result },
      ...make,
    },
    { ...read, id: 'made', observes: 'made', body: record },
    ...between,
    {
      ...{ id: 'list', status: 200, operation: 'listCases', role: 'readback', observes: 'item' },
      body: [{ id: 'case_x' }, Object.fromEntries(listed)],
      ...look,
    },
    { ...read, id: 'again', observes: 'item-read', body: { ...record, ...last } },
  ];
  return [...listedApart(await contextOfListed({ members, item, shown }), trace(lines))].map(
    ({ verdict }) => verdict,
  );
}

test.each<[string, JsonObject]>([
  ['one currency for all', { currency: 'EUR' }],
  ['the default of a number', { days: 30 }],
  ['zero where a number must be', { fee: 0 }],
  ['false where a flag must be', { renewing: false }],
  ['the day before', { starts: '2026-05-03' }],
  ['another time', { ends: '2026-05-04T12:00:00Z' }],
  ['no balance', { balance: 0 }],
  ['another number within an object', { contact: { name: 'Ada', age: 18 } }],
])('a list shows %s, and the reads around it what was sent', async (_, is) => {
  expect(await verdicts({ is })).toEqual(['violated']);
});

test('a list shows what was sent', async () => {
  expect(await verdicts({})).toEqual(['holds']);
});

test.each<[string, Case]>([
  ['leaves a member out', { omits: 'currency' }],
  ['shows nothing of it', { is: { currency: null, days: null, title: '' } }],
  ['does not fill in a number that it need not have', { is: { days: 0 } }],
  ['shows a part of a list', { is: { labels: ['a'] } }],
  ['shows another form of a text', { is: { title: 'Case 7' } }],
  ['shows the same instant in another zone', { is: { ends: '2026-05-04T12:00:00+02:00' } }],
  ['does not fill in what it need not have', { is: { count: 7 } }],
  ['rounds a number', { is: { fee: 1251 } }],
  ['writes a choice in another case', { is: { currency: 'usd' } }],
  ['hides a choice', { is: { currency: '•••' } }],
  ['shows a coarser state', { is: { status: 'draft' } }],
])('a list that %s is fine', async (_, made) => {
  expect(await verdicts(made)).toEqual(['holds']);
});

test.each<[string, Case]>([
  ['the record goes on by itself', { is: { days: 30 }, last: { days: 30 } }],
  ['the result shows another value', { is: { days: 30 }, result: { days: 30 } }],
])('nothing is violated where %s', async (_, made) => {
  expect(await verdicts(made)).toEqual(['holds']);
});

test('a list may convert amounts into another currency', async () => {
  expect(await verdicts({ is: { currency: 'EUR', fee: 1120 } })).toEqual(['inconclusive']);
});

test.each<[string, Case]>([
  ['the list declares other items', { shown: object({ id: words, days: { type: 'integer' } }, ['id']) }],
  ['another caller reads the list', { look: { as: 'peer' } }],
  ['the command is queued', { make: { status: 202 } }],
  ['the list could not be read', { look: { status: 500 } }],
  [
    'another command was sent meanwhile',
    { between: [{ id: 'b', status: 201, sent: '{"title":"b"}', result: 'case_8' }] },
  ],
])('nothing is said where %s', async (_, made) => {
  expect(await verdicts({ is: { days: 30 }, ...made })).toEqual([]);
});
