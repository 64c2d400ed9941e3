import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { type NamedRecord, operationOf } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
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
