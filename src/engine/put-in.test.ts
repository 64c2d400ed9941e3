import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { type NamedRecord, operationOf } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import type { Ref } from '../model/ref.ts';
import type { Deviation, Step } from '../model/scenario.ts';

import { withRecords } from './put-in.ts';

const acting: NamedRecord = { at: '/id', acts: true, field: { name: 'id', schema: {}, source: undefined } };

/** A body as it is sent to a command that puts a record into a collection. */
function sent(body: Json, deviations: readonly Deviation[] = [], named: NamedRecord = acting): Json {
  const operation = { ...operationOf(contract, 'createCase'), method: 'PUT', named: [named] };
  const step: Step = {
    ...{ id: 'test', operation: operation.id, as: 'full', role: 'test', key: { use: 'none' } },
    body: { use: 'named', name: 'body' },
    target: { id: { step: 'make', at: '/id' } },
    deviations,
  };
  return withRecords(body, step, { operation, plain: { subject: 'x' }, resolve: () => 'case_1' });
}

test('a body says which record it is of, whether or not its schema requires that', () => {
  expect(sent({ subject: 'x' })).toEqual({ subject: 'x', id: 'case_1' });
  expect(sent({ subject: 'x', state: 'OPEN' })).toEqual({ subject: 'x', state: 'OPEN', id: 'case_1' });
  expect(sent({})).toEqual({ id: 'case_1' });
  expect(sent([])).toEqual([]);
});

test('a record that a command does not act on is not named where it may be left out', () => {
  const { acts: _, ...other } = acting;
  expect(sent({ subject: 'x' }, [], other)).toEqual({ subject: 'x' });
});

test('an ID that is left out as the fault stays away', () => {
  expect(sent({ subject: 'x' }, [{ kind: 'body', at: '/id', keyword: 'required' }])).toEqual({
    subject: 'x',
  });
});

test.each<[string, Json, Partial<Step>, boolean, Json]>([
  [
    'items that were copied name the record that was made',
    { lines: [{ item: 1 }, { item: 1 }, { item: 7 }] },
    {},
    true,
    { lines: [{ item: 5 }, { item: 5 }, { item: 7 }] },
  ],
  [
    'so do drawn ones, where no other body is to differ',
    { lines: [{ item: 3 }, { item: 7 }, { note: 'x' }] },
    {},
    false,
    { lines: [{ item: 5 }, { item: 5 }, { note: 'x' }] },
  ],
  [
    'an item that is about a fault stays',
    { lines: [{ item: 1 }, { item: 1 }] },
    { deviations: [{ kind: 'body', at: '/lines/1/item', keyword: 'minimum' }] },
    false,
    { lines: [{ item: 5 }, { item: 1 }] },
  ],
  [
    'and so does one that an edit sets',
    { lines: [{ item: 1 }, { item: 9 }] },
    { body: { use: 'named', name: 'body', edit: { at: '/lines/1/item', set: 9 } } },
    false,
    { lines: [{ item: 5 }, { item: 9 }] },
  ],
  [
    'the second item may have a record of its own',
    { lines: [{ item: 1 }, { item: 1 }] },
    { target: { 'lines/0/item': { step: 'make', at: '/id' }, 'lines/1/item': { step: 'other', at: '/id' } } },
    false,
    { lines: [{ item: 5 }, { item: 6 }] },
  ],
])('in lists, %s', (_, body, parts, compares, expected) => {
  const source = { operation: 'make', at: '/id' };
  const first: NamedRecord = { at: '/lines/0/item', field: { name: 'lines/0/item', schema: {}, source } };
  const second: NamedRecord = {
    ...{ at: '/lines/1/item', field: { name: 'lines/1/item', schema: {}, source } },
    second: true,
  };
  const operation = { ...operationOf(contract, 'createCase'), named: [first, second] };
  const step: Step = {
    ...{ id: 'test', operation: operation.id, as: 'full', role: 'test', key: { use: 'none' } },
    body: { use: 'named', name: 'body' },
    target: { 'lines/0/item': { step: 'make', at: '/id' } },
    deviations: [],
    ...parts,
  };
  const resolve = (ref: Ref): string => ('step' in ref && ref.step === 'other' ? '6' : '5');
  const plain = { lines: [{ item: 1 }] };
  expect(withRecords(body, step, { operation, plain, resolve, compares })).toEqual(expected);
});
