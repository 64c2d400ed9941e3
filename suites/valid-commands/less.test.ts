import { expect, test } from 'vitest';
import { operationOf } from '../../src/model/contract.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { operation } from '../../src/selftest/shapes/document.ts';
import { contractOf, made } from '../../src/testing/contracts.ts';
import { lessOf, lessWithin } from './less.ts';

const text = { type: 'string' };
const number = { type: 'integer' };

async function less(schema: JsonObject, plain: Json, marker: string | undefined): Promise<Json> {
  const contract = await contractOf(
    operation('POST /twins', 'createTwin', { result: made }),
    operation('PATCH /twins/{twinId}', 'changeTwin', { body: schema, result: made }),
  );
  return lessOf(operationOf(contract, 'changeTwin'), plain, marker);
}

const twin: JsonObject = {
  type: 'object',
  properties: {
    note: text,
    tags: { type: 'array', items: text },
    desired: {
      type: 'object',
      minProperties: 1,
      properties: { label: text, fan: number },
    },
  },
};

test('a PATCH has no more than its marker, within the objects that it names', async () => {
  const plain = { note: 'a', tags: ['a'], desired: { label: 'b', fan: 1 } };
  expect(await less(twin, plain, '/desired/label')).toEqual({ desired: { label: 'b' } });
  // An object needs a member.
  expect(await less(twin, plain, '/note')).toEqual({ note: 'a', desired: { fan: 1 } });
  expect(await less(twin, plain, undefined)).toEqual(plain);
});

test('a PATCH has what its schema requires', async () => {
  const plain = { note: 'a', tags: ['a'] };
  expect(await less({ ...twin, required: ['tags'] }, plain, '/note')).toEqual(plain);
});

test('a merge patch names objects without what may be left out of them', async () => {
  const contract = await contractOf(
    operation('POST /twins', 'createTwin', { result: made }),
    operation('PATCH /twins/{twinId}', 'changeTwin', { body: twin, result: made }),
  );
  const plain = operationOf(contract, 'changeTwin');
  const merging = (schema: JsonObject, mediaType = 'application/merge-patch+json') => ({
    ...plain,
    body: { required: true, mediaType, schema },
  });
  const place: JsonObject = {
    type: 'object',
    required: ['lat'],
    properties: { lat: number, floor: number, label: text },
  };
  const schema: JsonObject = { type: 'object', properties: { note: text, place, tags: text } };
  const whole: Json = { note: 'x', tags: 'y', place: { lat: 1, floor: 2, label: 'z' } };
  const little: Json = { note: 'a' };
  expect(lessWithin(merging(schema), little, whole, '/note')).toEqual({ note: 'a', place: { lat: 1 } });
  const places: JsonObject = { type: 'object', properties: { note: text, place, other: place } };
  const both: Json = {
    note: 'x',
    place: { lat: 1, floor: 2, label: 'z' },
    other: { lat: 3, floor: 4, label: 'y' },
  };
  expect(lessWithin(merging(places), little, both, '/note')).toEqual({
    note: 'a',
    place: { lat: 1 },
    other: { lat: 3 },
  });
  expect(lessWithin(merging(schema, 'application/json'), little, whole, '/note')).toBeUndefined();
  expect(lessWithin(merging(schema), little, whole, '/place/label')).toBeUndefined();
  // Within the last object that is left, one member is left.
  const deep: JsonObject = {
    type: 'object',
    properties: { note: text, owner: { type: 'object', properties: { mail: text, place } } },
  };
  const owner = { mail: 'm', place: { lat: 1, floor: 2, label: 'z' } };
  expect(lessWithin(merging(deep), little, { note: 'x', owner }, '/note')).toEqual({
    note: 'a',
    owner: { place: { lat: 1 } },
  });
  // One member alone may depend on what was named.
  const two: Json = { note: 'x', place: { lat: 1, floor: 2 } };
  expect(lessWithin(merging(schema), little, two, '/note')).toBeUndefined();
  expect(lessWithin(merging(schema), little, { note: 'x' }, '/note')).toBeUndefined();
});
