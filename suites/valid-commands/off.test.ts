import { expect, test } from 'vitest';
import { contract } from '../../src/clauses/cases/contract.ts';
import type { Operation } from '../../src/model/contract.ts';
import { operationOf } from '../../src/model/contract.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { offBody } from './off.ts';

const createCase = operationOf(contract, 'createCase');
const withMembers = (properties: JsonObject, more: Partial<Operation> = {}): Operation => ({
  ...createCase,
  ...(createCase.body === undefined
    ? {}
    : {
        body: { ...createCase.body, schema: { type: 'object', properties: { subject: {}, ...properties } } },
      }),
  ...more,
});
const off = (properties: JsonObject, more?: Partial<Operation>) =>
  offBody(withMembers(properties, more), { marker: '/subject', plain: { subject: 'x' } });

test('flags are off and numbers zero where the contract declares another default', () => {
  expect(
    off({
      on: { type: 'boolean', default: true },
      off: { type: 'boolean', default: false },
      open: { type: 'boolean' },
      seats: { type: 'integer', default: 40 },
      none: { type: 'integer', default: 0 },
      rows: { type: 'integer', default: 3, minimum: 1 },
    }),
  ).toEqual({ subject: 'x', on: false, seats: 0 });
});

test('there is no such body without such a member, or where nothing is made', () => {
  expect(off({ open: { type: 'boolean' } })).toBeUndefined();
  expect(off({ on: { type: 'boolean', default: true } }, { method: 'PATCH' })).toBeUndefined();
});
