import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { linkTo, object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import validCommands from '../valid-commands.ts';

const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];

async function zerosOf(properties: JsonObject, budget: 'quick' | 'standard' = 'standard') {
  const contract = await contractOf(
    operation('POST /rooms', 'add', {
      result: { properties: { id: { type: 'string' } } },
      links: { ...linkTo('change', 'id', '/id'), ...linkTo('see', 'id', '/id') },
    }),
    operation('PATCH /rooms/{id}', 'change', {
      governed: { effect: { read: 'see' } },
      parameters,
      body: object({ name: { type: 'string' }, ...properties }, ['name']),
      result: true,
    }),
    operation('GET /rooms/{id}', 'see', { parameters, result: true }),
  );
  return planned(validCommands, contract, { budget })
    .scenarios({ probe: 'plain', operation: 'change' })
    .filter(({ title }) => title.endsWith('and then zero or false'));
}

test('numbers are set, set lower and set to zero, then flags to false, with a read after each', async () => {
  const [one, ...others] = await zerosOf({ beds: { type: 'integer' }, open: { type: 'boolean' } });
  expect(others).toEqual([]);
  expect(one?.title).toBe('/beds, /open: set, and then zero or false');
  const steps = stepsOf(one?.waves ?? []).filter(({ role }) => role !== 'setup');
  expect(steps.map(({ id, observes }) => [id, observes])).toEqual([
    ['start', 'before'],
    ['first', undefined],
    ['set', 'after'],
    ['second', undefined],
    ['before', 'before'],
    ['command', undefined],
    ['after', 'after'],
    ['off', undefined],
    ['later', 'later'],
  ]);
  const sent = ['first', 'second', 'body', 'off'].map((name) => one?.bodies[name]?.value);
  expect(sent).toMatchObject([
    { beds: 13, open: true },
    { beds: 11, open: true },
    { beds: 0, open: true },
    { beds: 11, open: false },
  ]);
});

test('what the schema bounds, and names of records, are left alone', async () => {
  expect(await zerosOf({ beds: { type: 'integer', minimum: 1 }, roomId: { type: 'integer' } })).toEqual([]);
  expect(await zerosOf({ open: { const: true }, note: { type: 'string' } })).toEqual([]);
  expect(await zerosOf({ open: { type: 'boolean' } }, 'quick')).toEqual([]);
});
