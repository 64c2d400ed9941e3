import { expect, test } from 'vitest';
import type { Budget } from '../../src/model/configured.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import validCommands from '../valid-commands.ts';

const text = { type: 'string' };
const room = object({ id: text, name: text }, ['id', 'name']);
const tags: JsonObject = { type: 'array', items: { type: 'string', minLength: 1 } };

/** The steps of scenarios with a record that has all that it may have, and the body that makes it. */
async function found(of: string, budget: Budget, more: JsonObject = { tags, large: { type: 'boolean' } }) {
  const contract = await contractOf(
    operation('POST /rooms', 'addRoom', {
      governed: { effect: { read: 'seeRoom', list: 'rooms' } },
      body: { ...object({ name: text }, ['name']), properties: { name: text, ...more } },
      result: room,
    }),
    operation('GET /rooms', 'rooms', { result: object({ items: { type: 'array', items: room } }) }),
    operation('GET /rooms/{roomId}', 'seeRoom', { result: room }),
    operation('DELETE /rooms/{roomId}', 'dropRoom', { governed: { effect: { read: 'seeRoom' } } }),
    operation('POST /rooms/{roomId}/close', 'closeRoom', { governed: { effect: { read: 'seeRoom' } } }),
    operation('POST /rooms/{roomId}/desks', 'addDesk', {
      governed: { effect: { read: 'seeDesk' } },
      body: { ...object({ name: text }, ['name']), properties: { name: text, ...more } },
      result: room,
    }),
    operation('GET /rooms/{roomId}/desks/{deskId}', 'seeDesk', { result: room }),
    operation('DELETE /rooms/{roomId}/desks/{deskId}', 'dropDesk', {
      governed: { effect: { read: 'seeDesk' } },
    }),
  );
  return planned(validCommands, contract, { budget })
    .probes({ probe: 'plain', operation: of })
    .flatMap(({ scenarios }) => scenarios)
    .filter(({ title }) => title.includes('all that its body may have'))
    .map(({ bodies, waves }) => ({
      steps: stepsOf(waves).map(({ id }) => id),
      made: Object.entries(bodies).flatMap(([name, { value }]) =>
        name.startsWith('make-') ? [[name, Object.keys(value as JsonObject).sort()]] : [],
      ),
    }));
}

test('a record with all that it may have is deleted, with reads before and after', async () => {
  expect(await found('dropRoom', 'quick')).toEqual([
    {
      steps: ['make-roomId', 'before', 'before-again', 'command', 'after', 'listed'],
      made: [['make-roomId', ['large', 'name', 'tags']]],
    },
  ]);
});

test('so is one within another record, which is made as ever', async () => {
  const [only] = await found('dropDesk', 'quick');
  expect(Object.fromEntries(only?.made ?? [])).toMatchObject({ 'make-deskId': ['large', 'name', 'tags'] });
});

test('above the quick budget other commands meet such a record as well', async () => {
  expect(await found('closeRoom', 'quick')).toEqual([]);
  expect((await found('closeRoom', 'standard')).map(({ steps }) => steps)).toEqual([
    ['make-roomId', 'before', 'before-again', 'command', 'after'],
  ]);
});

test('where a record has nothing more, there is no such record', async () => {
  expect(await found('dropRoom', 'quick', {})).toEqual([]);
});
