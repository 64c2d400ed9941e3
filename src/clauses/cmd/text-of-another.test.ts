import { expect, test } from 'vitest';
import type { JsonObject } from '../../model/json.ts';
import { readById } from '../cases/read-by-id.ts';
import { type Line, trace } from '../cases/trace.ts';
import { textOfAnother } from './text-of-another.ts';

const [own, later, foreign] = ['asy-000000000000000a', 'asy-000000000000000b', 'asy-00000000000000ff'];

type Parts = {
  readonly made?: Partial<Line>;
  readonly read?: Partial<Line>;
  /** Whether another scenario shows that records of the same values have texts of their own. */
  readonly isApart?: boolean;
  readonly between?: readonly Line[];
};

const made = (id: string, name: string, result: string, marker: string): Line => ({
  ...{
    id,
    name,
    role: 'setup',
    status: 201,
    result,
    sent: JSON.stringify({ id: 'case_7', subject: `A text ${marker}` }),
  },
  body: { id: result, subject: `A text ${marker}` },
});
const [first, second] = ['asy-0000000000000001', 'asy-0000000000000002'];
const two = trace(
  [
    made('first', 'first', 'case_1', first ?? ''),
    made('second', 'second', 'case_2', second ?? ''),
    {
      ...{ id: 'look', operation: 'getCase', on: 'first', role: 'readback', status: 200 },
      body: { id: 'case_1', subject: `A text ${first}` },
    },
  ],
  { id: 'u' },
);
const twoRecords = { ...two, bound: { ...two.bound, markers: { first: first ?? '', second: second ?? '' } } };

/** The verdict on a record that was made with a text of its own, and is read with this one. */
function verdicts(
  subject: string,
  { between = [], isApart = true, made = {}, read = {} }: Parts = {},
): readonly string[] {
  const body: JsonObject = { id: 'case_7', subject: `A text ${own}` };
  const all = trace([
    {
      ...{ id: 'a', name: 'one', role: 'setup', status: 201, sent: JSON.stringify(body), body },
      result: 'case_7',
      ...made,
    },
    ...between,
    {
      ...{ id: 'read', operation: 'getCase', on: 'a', role: 'readback', status: 200 },
      ...{ body: { ...body, subject }, ...read },
    },
  ]);
  const bound = { ...all.bound, markers: { one: own ?? '', two: later ?? '' } };
  const fold = textOfAnother();
  return [{ ...all, bound }, ...(isApart ? [twoRecords] : [])].flatMap((each) =>
    [...fold.see(readById, each)].map(
      (ruling) => `${ruling.verdict}${'conclusive' in ruling ? ' (conclusive)' : ''}`,
    ),
  );
}

test('a record does not show, in place of its own text, one that no command on it sent', () => {
  expect(verdicts(`A text ${foreign}`)).toEqual(['violated (conclusive)']);
  expect(verdicts(`A text ${own}`)).toEqual([]);
  // Another case, a mask, and what a later command of the scenario sent.
  expect(verdicts(`a text ${(own ?? '').toUpperCase()}`)).toEqual([]);
  expect(verdicts('***')).toEqual([]);
  expect(verdicts(`A text ${later}`)).toEqual([]);
  expect(verdicts(`${own}, then ${foreign}`)).toEqual([]);
});

test('records of the same values may all show what was last said of one thing', () => {
  expect(verdicts(`A text ${foreign}`, { isApart: false })).toEqual([]);
  // The elder of two shows the text of the younger one.
  const shared = { ...two.bound, markers: { first: first ?? '', second: second ?? '' } };
  const look = two.exchanges.map((each) =>
    each.step === 'look' && each.answer !== undefined
      ? { ...each, answer: { ...each.answer, body: JSON.stringify({ id: 'case_1', subject: second }) } }
      : each,
  );
  const doubt = trace([
    made('a', 'one', 'case_7', own ?? ''),
    {
      ...{ id: 'read', operation: 'getCase', on: 'a', role: 'readback', status: 200 },
      body: { id: 'case_7', subject: foreign ?? '' },
    },
  ]);
  const fold = textOfAnother();
  const found = [
    { ...doubt, bound: { ...doubt.bound, markers: { one: own ?? '' } } },
    { ...two, bound: shared, exchanges: look },
  ];
  expect(found.flatMap((each) => [...fold.see(readById, each)])).toEqual([]);
});

test('a record may show the texts of others in members of their own', () => {
  const body = { id: 'case_7', subject: `A text ${own}`, previous: { subject: foreign ?? '' } };
  expect(verdicts('', { read: { body } })).toEqual([]);
});

test('nothing follows from the read of another record, or of one that was there before', () => {
  const other = { id: 'case_8', subject: foreign ?? '' };
  expect(verdicts('', { read: { body: other } })).toEqual([]);
  expect(verdicts('', { read: { status: 404, body: {} } })).toEqual([]);
  expect(verdicts(foreign ?? '', { made: { body: { id: 'case_7', subject: foreign ?? '' } } })).toEqual([]);
  expect(verdicts(foreign ?? '', { made: { status: 202 } })).toEqual([]);
});
