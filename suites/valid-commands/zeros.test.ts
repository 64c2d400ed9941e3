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
    .filter(({ title }) => /: set.*, and then/.test(title));
}

test('numbers are set, set lower and set to zero, and flags to false, with a read after each', async () => {
  const found = await zerosOf({ beds: { type: 'integer' }, open: { type: 'boolean' } });
  expect(found.map(({ title }) => title)).toEqual([
    '/beds: set, set lower, and then zero',
    '/open: set to true, and then to false',
  ]);
  const steps = found.map(({ waves }) =>
    stepsOf(waves)
      .filter(({ role }) => role !== 'setup')
      .map(({ id, observes }) => [id, observes]),
  );
  const last = [
    ['before', 'before'],
    ['command', undefined],
    ['after', 'after'],
  ];
  expect(steps).toEqual([
    [['first', undefined], ['set', 'after'], ['second', undefined], ...last],
    [['start', 'before'], ['first', undefined], ...last],
  ]);
  const sent = found.map(({ bodies }) => ['first', 'second', 'body'].map((name) => bodies[name]?.value));
  expect(sent).toMatchObject([
    [
      { beds: 13, open: true },
      { beds: 11, open: true },
      { beds: 0, open: true },
    ],
    [{ open: true }, undefined, { open: false }],
  ]);
});

test('texts and lists are set, set otherwise and emptied', async () => {
  const found = await zerosOf({
    note: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    open: { type: 'boolean' },
  });
  expect(found.map(({ title }) => title)).toEqual([
    '/note, /tags: set, set otherwise, and then emptied',
    '/open: set to true, and then to false',
  ]);
  expect(['first', 'second', 'body'].map((name) => found[0]?.bodies[name]?.value)).toMatchObject([
    { note: 'A passing remark', tags: ['A passing remark'], open: true },
    { note: 'A lasting remark', tags: ['A lasting remark'], open: true },
    { note: '', tags: [], open: true },
  ]);
});

test('what the schema bounds, and names of records, are left alone', async () => {
  expect(await zerosOf({ beds: { type: 'integer', minimum: 1 }, roomId: { type: 'integer' } })).toEqual([]);
  expect(await zerosOf({ open: { const: true }, note: { type: 'string', minLength: 1 } })).toEqual([]);
  expect(await zerosOf({ open: { type: 'boolean' } }, 'quick')).toEqual([]);
});
