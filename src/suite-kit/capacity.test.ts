import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { operationValues } from './values.ts';

const result = object({ id: { type: 'string' } }, ['id']);

/** The smallest body of a command that makes workshops, or of one that changes them. */
async function plainOf(properties: JsonObject, id = 'addWorkshop', example?: Json): Promise<unknown> {
  const body = object(properties, Object.keys(properties));
  const contract = await contractOf(
    operation('POST /workshops', 'addWorkshop', { body, result }),
    operation('PATCH /workshops/{workshopId}', 'changeWorkshop', { body, result }),
  );
  return operationValues(operationOf(contract, id), example === undefined ? [] : [example]).plain;
}

const count = (more: JsonObject = {}): JsonObject => ({ type: 'integer', minimum: 1, ...more });

test.each<[string, JsonObject, number]>([
  ['seats', count(), 100],
  ['maxParticipants', count({ maximum: 30 }), 25],
  ['room_capacity', count({ maximum: 7 }), 5],
  ['stock', count({ minimum: 0, multipleOf: 4 }), 100],
  ['seats', count({ maximum: 3 }), 1],
  ['amount', count(), 1],
  ['seatsTaken', count(), 1],
])('%s as %j begins with %i', async (name, schema, expected) => {
  expect(await plainOf({ [name]: schema })).toEqual({ [name]: expected });
});

test('a change, and an example of the configuration, stay as they are', async () => {
  expect(await plainOf({ seats: count() }, 'changeWorkshop')).toEqual({ seats: 1 });
  expect(await plainOf({ seats: count() }, 'addWorkshop', { seats: 2 })).toEqual({ seats: 2 });
});
