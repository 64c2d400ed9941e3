import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { linkTo, object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import validCommands from '../valid-commands.ts';

const room = object({ name: { type: 'string' } });
const properties: JsonObject = {
  name: { type: 'string' },
  notes: { type: 'string' },
  tags: { type: 'array', items: { type: 'string', minLength: 1 } },
};

type Changed = { readonly closing?: JsonObject; readonly more?: JsonObject; readonly status?: '201' | '202' };

/** The steps of the scenarios with all that a body may have, and what they send. */
async function stepsFor(
  of: string,
  governed: JsonObject = { effect: { read: 'seeRoom' } },
  { closing = {}, more = {}, status = '201' }: Changed = {},
) {
  const contract = await contractOf(
    operation('POST /rooms', 'addRoom', {
      governed: { effect: { list: 'rooms', read: 'seeRoom', id: '/id' } },
      body: { ...room, properties: { ...properties, ...more } },
      result: { properties: { id: { type: 'string' } } },
      status,
      links: {
        ...linkTo('seeRoom', 'room', '/id'),
        ...linkTo('changeRoom', 'room', '/id'),
        ...linkTo('putRoom', 'room', '/id'),
        ...linkTo('closeRoom', 'room', '/id'),
      },
    }),
    operation('GET /rooms', 'rooms', { result: true }),
    operation('GET /rooms/{room}', 'seeRoom', { result: true }),
    operation('PATCH /rooms/{room}', 'changeRoom', {
      governed,
      body: { type: 'object', properties },
      result: true,
    }),
    operation('PUT /rooms/{room}', 'putRoom', {
      governed,
      body: { ...room, properties },
      result: true,
    }),
    operation('POST /rooms/{room}/close', 'closeRoom', {
      governed: closing,
      body: { type: 'object', properties },
      result: true,
    }),
  );
  return planned(validCommands, contract)
    .probes({ probe: 'full', operation: of })
    .flatMap(({ scenarios }) => scenarios)
    .map(({ bodies, waves }) => ({
      steps: stepsOf(waves).map(({ id }) => id),
      sends: ['first', 'body', 'less'].flatMap((name) => {
        const value = bodies[name]?.value;
        return value === undefined ? [] : [Object.keys(value as JsonObject).sort()];
      }),
    }));
}

const all = ['name', 'notes', 'tags'];

test('two records are made with all that a body may have, and read', async () => {
  const found = await stepsFor('addRoom');
  expect(found.map(({ sends }) => sends)).toEqual([[all], [all]]);
  for (const { steps } of found) expect(steps).toEqual(expect.arrayContaining(['command', 'made']));
});

test('one record is changed twice, and read after each change and behind a third one of less', async () => {
  const [only, ...others] = await stepsFor('changeRoom');
  expect(others).toEqual([]);
  expect(only?.sends).toEqual([all, all, ['name']]);
  expect(only?.steps.filter((id) => /^(start|first|before|command|after|less|later)/.test(id))).toEqual([
    'start-before',
    'start-before-again',
    'first',
    'before',
    'before-again',
    'command',
    'after',
    'less',
    'later',
  ]);
});

test('a third PUT leaves out what the others set, and the record is read behind it', async () => {
  const [only] = await stepsFor('putRoom');
  expect(only?.sends).toEqual([all, all, ['name']]);
  expect(only?.steps.filter((id) => /^(command|after|less|later)$/.test(id))).toEqual([
    'command',
    'after',
    'less',
    'later',
  ]);
});

test('nothing is sent where no read shows what became of it', async () => {
  expect(await stepsFor('closeRoom')).toEqual([]);
});

test('two records are acted on, and each is read before and after that', async () => {
  const found = await stepsFor('closeRoom', {}, { closing: { effect: { read: 'seeRoom' } } });
  expect(found.map(({ sends }) => sends)).toEqual([[all], [all]]);
  for (const { steps } of found)
    expect(steps.filter((id) => /^(before|command|after)/.test(id))).toEqual([
      'before',
      'before-again',
      'command',
      'after',
    ]);
});

test('what may be queued is read again later', async () => {
  const found = await stepsFor('addRoom', {}, { status: '202' });
  for (const { steps } of found)
    expect(steps.filter((id) => /made/.test(id))).toEqual(['made', 'made-later', 'late-made']);
});

test('bodies without what may name a record follow where all others name one', async () => {
  const found = await stepsFor('addRoom', {}, { more: { deputy: { type: 'string', format: 'uuid' } } });
  expect(found.map(({ sends }) => sends)).toEqual([[[...all, 'deputy'].sort()], [[...all, 'deputy'].sort()]]);
});

test('the list of a record is read between reads of it, if it declares the record as the result does', async () => {
  const stepsWith = async (item: JsonObject): Promise<readonly (readonly string[])[]> => {
    const shown: JsonObject = object({ id: { type: 'string' }, ...properties }, ['id']);
    const contract = await contractOf(
      operation('POST /rooms', 'addRoom', {
        governed: { effect: { list: 'rooms', read: 'seeRoom', id: '/id' } },
        body: { ...room, properties },
        result: shown,
        links: linkTo('seeRoom', 'room', '/id'),
      }),
      operation('GET /rooms', 'rooms', { result: { type: 'array', items: { ...shown, ...item } } }),
      operation('GET /rooms/{room}', 'seeRoom', { result: shown }),
    );
    return planned(validCommands, contract)
      .probes({ probe: 'full', operation: 'addRoom' })
      .flatMap(({ scenarios }) => scenarios)
      .map(({ waves }) => stepsOf(waves).flatMap(({ observes = '' }) => (observes === '' ? [] : [observes])));
  };
  // The second body is enough.
  expect(await stepsWith({})).toEqual([['made'], ['made', 'item', 'item-read']]);
  expect(await stepsWith({ required: ['id', 'name'] })).toEqual([['made'], ['made']]);
});

test('a list with a filter by another record is asked for those of the one that the scenario made', async () => {
  const text = { type: 'string' };
  const shown: JsonObject = object({ id: text, houseId: text, ...properties }, ['id']);
  const contract = await contractOf(
    operation('POST /houses', 'addHouse', {
      body: room,
      result: object({ id: text }),
      links: linkTo('seeHouse', 'houseId', '/id'),
    }),
    operation('GET /houses/{houseId}', 'seeHouse', { result: true }),
    operation('POST /rooms', 'addRoom', {
      governed: { effect: { list: 'rooms', read: 'seeRoom', id: '/id' } },
      body: object({ houseId: text, ...properties }, ['houseId', 'name']),
      result: shown,
      links: linkTo('seeRoom', 'room', '/id'),
    }),
    operation('GET /rooms', 'rooms', {
      result: { type: 'array', items: shown },
      parameters: [{ name: 'house', in: 'query', schema: text, 'x-governed': { filters: '/houseId' } }],
    }),
    operation('GET /rooms/{room}', 'seeRoom', { result: shown }),
  );
  const asked = planned(validCommands, contract)
    .probes({ probe: 'full', operation: 'addRoom' })
    .flatMap(({ scenarios }) => scenarios)
    .flatMap(({ waves }) => stepsOf(waves))
    .filter(({ observes }) => observes === 'item')
    .map(({ query }) => query);
  expect(asked).toEqual([[['house', expect.objectContaining({ step: expect.any(String), at: '/id' })]]]);
});
