import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { planningOf } from '../testing/plans.ts';
import { createEach, createMany, eachApart } from './apart.ts';
import { sceneOf } from './scene.ts';
import type { Planning } from './suite.ts';

const text = { type: 'string' };
const seat = { required: ['id'], properties: { id: text, name: text } };

const bookings = async () => {
  const contract = await contractOf(
    operation('POST /seats', 'createSeat', {
      body: { required: ['name'], properties: { name: text } },
      result: seat,
    }),
    operation('GET /seats/{seatId}', 'getSeat', { result: seat }),
    operation('POST /bookings', 'book', {
      body: { required: ['seatId'], properties: { seatId: text, note: text } },
      result: { required: ['id'], properties: { id: text, seatId: text } },
    }),
  );
  const planning = planningOf(contract);
  const scene = sceneOf(planning, operationOf(contract, 'book'));
  if ('remedy' in scene) throw new Error(scene.remedy);
  return { planning, scene };
};

const declaring = (planning: Planning, G19: 'none' | 'conflict'): Planning => ({
  ...planning,
  declared: { ...planning.declared, G19 },
});

test('where a value may exist once, each of several commands names a record of its own', async () => {
  const { planning, scene } = await bookings();
  const { bodies, waves } = createEach(declaring(planning, 'conflict'), scene, ['one', 'two', 'three']);
  const steps = waves.flatMap((wave) => ('steps' in wave ? wave.steps : []));
  expect(steps.map(({ id, operation }) => [id, operation])).toEqual([
    ['one', 'book'],
    ['make-seatId-for-two', 'createSeat'],
    ['two', 'book'],
    ['make-seatId-for-three', 'createSeat'],
    ['three', 'book'],
  ]);
  // The first takes the record that is there: what no command names would seem to be one of those to be listed.
  expect(steps.flatMap(({ target }) => (target === undefined ? [] : [target]))).toEqual([
    { seatId: { step: 'make-seatId', at: '/id' } },
    { seatId: { step: 'make-seatId-for-two', at: '/id' } },
    { seatId: { step: 'make-seatId-for-three', at: '/id' } },
  ]);
  // Their keys and markers differ, too.
  expect(steps.map(({ key }) => (key.use === 'named' ? key.name : undefined))).toEqual(
    steps.map(({ id }) => id),
  );
  expect(Object.keys(bodies)).toEqual(['make-seatId-for-two', 'make-seatId-for-three']);
});

test('elsewhere they share what their bodies name', async () => {
  const { planning, scene } = await bookings();
  const shared = { waves: [], bodies: {}, parts: {} };
  expect(eachApart(declaring(planning, 'none'), scene, ['one', 'two'])).toEqual([shared, shared]);
  expect(createEach(planning, scene, ['one', 'two']).waves).toHaveLength(2);
  const seats = sceneOf(planning, operationOf(planning.contract, 'createSeat'));
  if ('remedy' in seats) throw new Error(seats.remedy);
  expect(eachApart(declaring(planning, 'conflict'), seats, ['one', 'two'])).toEqual([shared, shared]);
});

test('records that are many have one body, or one each where a value may exist once', async () => {
  const { planning, scene } = await bookings();
  const bodiesOf = (one: Planning): readonly string[] =>
    Object.keys(createMany(one, scene, ['a', 'b']).bodies);
  expect(bodiesOf(declaring(planning, 'none'))).toEqual(['many']);
  expect(bodiesOf(declaring(planning, 'conflict'))).toEqual(['make-seatId-for-b', 'a', 'b']);
});
