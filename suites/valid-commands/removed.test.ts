import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import validCommands from '../valid-commands.ts';

const text = { type: 'string' };
const query = (name: string, schema: JsonObject, governed?: JsonObject): JsonObject => ({
  ...{ name, in: 'query', schema },
  ...(governed === undefined ? {} : { 'x-governed': governed }),
});

/** What the list is asked for behind a deletion. */
async function asked(filters: JsonObject | undefined, least = 1): Promise<readonly unknown[]> {
  const room = object({ id: text, name: text }, ['id', 'name']);
  const contract = await contractOf(
    operation('POST /rooms', 'addRoom', {
      governed: { effect: { read: 'seeRoom', list: 'rooms' } },
      body: object({ name: text }, ['name']),
      result: room,
    }),
    operation('GET /rooms', 'rooms', {
      governed: { pagination: { limit: 'limit', cursor: 'cursor', items: '/items', next: '/next' } },
      parameters: [
        query('limit', { type: 'integer', minimum: least, maximum: 50 }),
        query('cursor', text),
        query('name', text, filters),
      ],
      result: object({ items: { type: 'array', items: room }, next: text }, ['items']),
    }),
    operation('GET /rooms/{roomId}', 'seeRoom', { result: room }),
    operation('DELETE /rooms/{roomId}', 'dropRoom', { governed: { effect: { read: 'seeRoom' } } }),
  );
  return planned(validCommands, contract)
    .probes({ probe: 'plain', operation: 'dropRoom' })
    .flatMap(({ scenarios }) => scenarios.flatMap(({ waves }) => stepsOf(waves)))
    .flatMap(({ id, observes, query: of = [] }) => (observes === 'removed-page' ? [[id, ...of]] : []));
}

/** As the engine is given it, which puts the marker in. */
const marked = ['Conformance probe $', '{marker:make-roomId}'].join('');

test('small pages of what is like the deleted record are read', async () => {
  const own = ['name', marked];
  const next = { step: 'removed-0', at: '/next', cursor: 'cursor' };
  const followed = {
    ...{ step: 'removed-0', followed: 'name', address: '/next' },
    otherwise: marked,
  };
  expect(await asked({ filters: '/name' })).toEqual([
    ['removed-0', ['limit', '1'], own],
    ['removed-1', ['limit', '1'], ['name', followed], ['cursor', next]],
  ]);
});

test('where no filter leaves them alone, or no page is so small, none is read', async () => {
  expect(await asked(undefined)).toEqual([]);
  expect(await asked({ filters: '/name' }, 10)).toEqual([]);
});

/** What the list is asked for before the deletion of a record that it alone shows. */
async function askedBefore(filters: JsonObject | undefined): Promise<readonly unknown[]> {
  const room = object({ id: text, name: text }, ['id', 'name']);
  const contract = await contractOf(
    operation('POST /rooms', 'addRoom', {
      governed: { effect: { list: 'rooms' } },
      body: object({ name: text }, ['name']),
      result: room,
    }),
    operation('GET /rooms', 'rooms', {
      governed: { pagination: { limit: 'limit', cursor: 'offset', style: 'offset', items: '/items' } },
      parameters: [
        query('limit', { type: 'integer', minimum: 1, maximum: 50 }),
        query('offset', { type: 'integer', minimum: 0 }),
        query('name', text, filters),
      ],
      result: object({ items: { type: 'array', items: room } }, ['items']),
    }),
    operation('DELETE /rooms/{roomId}', 'dropRoom', { governed: { effect: { list: 'rooms' } } }),
  );
  return planned(validCommands, contract)
    .probes({ probe: 'plain', operation: 'dropRoom' })
    .flatMap(({ scenarios }) => scenarios.flatMap(({ waves }) => stepsOf(waves)))
    .flatMap(({ id, observes, query: of = [] }) => (observes === 'list-before' ? [[id, ...of]] : []));
}

test('a list that alone shows what is deleted is read page by page', async () => {
  const [first, second, ...more] = await askedBefore(undefined);
  expect(first).toEqual(['list-before-0', ['limit', '50']]);
  expect(second).toEqual([
    'list-before-1',
    ['limit', '50'],
    ['offset', { step: 'list-before-0', behind: 'items', field: 'offset', items: '/items', first: 0 }],
  ]);
  expect(more).toHaveLength(8);
});

test('a filter that leaves the record alone needs one page', async () => {
  expect(await askedBefore({ filters: '/name' })).toEqual([
    ['list-before', ['limit', '50'], ['name', marked]],
  ]);
});
