import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { operationOf } from '../model/contract.ts';
import { type Json, type JsonObject, withValueAt } from '../model/json.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { bodyCheck } from './body-schema.ts';
import { fitting } from './drawn-texts.ts';
import { edgeBodies } from './edges.ts';
import { otherKinds } from './kinds.ts';
import { nearValues } from './near-values.ts';
import { addedMembers, emptyMembers, otherMembers, twoWholeBodies } from './other-values.ts';
import { operationValues } from './values.ts';

const text = { type: 'string' };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** Pets whose kind says which members they have besides. */
async function pets(body: Json) {
  const heir = (own: JsonObject): JsonObject => ({ allOf: [ref('Pet'), object(own)] });
  const discriminator = { propertyName: 'kind', mapping: { dog: 'Dog', cat: 'Cat', fish: 'Fish' } };
  const schemas = {
    Pet: object({ kind: text, name: text }, ['kind', 'name'], { discriminator }),
    Dog: heir({ bark: { type: 'integer' } }),
    Cat: heir({ lives: { type: 'integer' } }),
    Fish: { allOf: [ref('Pet')] },
  };
  const document = documentOf([operation('POST /pets', 'addPet', { body, result: true })], {
    components: { schemas },
  });
  const contract = await parseContract(JSON.stringify(document), 'contract.yaml');
  const addPet = operationOf(contract, 'addPet');
  return { addPet, values: operationValues(addPet, []) };
}

const kindOf = (body: Json): Json | undefined => (body as JsonObject)['kind'];

test('a body of each kind that the plain one is not of, although the plain one may have fewer members', async () => {
  const { addPet, values } = await pets(ref('Pet'));
  expect(kindOf(values.plain ?? null)).toBe('fish');
  const kinds = otherKinds(addPet, values);
  expect(kinds.map(kindOf).sort()).toEqual(['cat', 'dog']);
  expect(otherKinds(addPet, values, kinds.slice(0, 1)).map(kindOf)).toEqual(kinds.slice(1).map(kindOf));
  expect(kinds.every((body) => bodyCheck(addPet, values.plain ?? null)?.(body).length === 0)).toBe(true);
});

test('values of which none chooses anything are of one kind', async () => {
  const { addPet, values } = await pets(object({ kind: { enum: ['dog', 'cat'] }, name: text }));
  expect(otherKinds(addPet, values)).toEqual([]);
});

test('a body is checked by what a discriminator says, unless the plain one is not of any kind', async () => {
  const { addPet } = await pets(ref('Pet'));
  const fits = (plain: Json, body: Json): boolean => bodyCheck(addPet, plain)?.(body).length === 0;
  expect(fits({ kind: 'fish', name: 'x' }, { kind: 'dog', name: 'x' })).toBe(false);
  expect(fits({ kind: 'bird', name: 'x' }, { kind: 'dog', name: 'x' })).toBe(true);
});

test('bodies that must be accepted keep the value that a discriminator asks for, whatever text its member may hold', async () => {
  const kind = { type: 'string', minLength: 2, maxLength: 9 };
  const heir = (own: JsonObject): JsonObject => ({ allOf: [ref('Pet'), object(own)] });
  const schemas = {
    Pet: object({ kind, name: { ...text, maxLength: 40 } }, ['kind', 'name'], {
      discriminator: { propertyName: 'kind' },
    }),
    Dog: heir({ bark: { type: 'integer', minimum: 0, maximum: 9 } }),
    Cat: heir({ lives: { type: 'integer', minimum: 1, maximum: 9 } }),
  };
  const document = documentOf([operation('PATCH /pets', 'changePet', { body: ref('Pet'), result: true })], {
    components: { schemas },
  });
  const changePet = operationOf(await parseContract(JSON.stringify(document), 'c.yaml'), 'changePet');
  const values = operationValues(changePet, []);
  const made = { ...values, marker: '/name' };
  const turned = [
    ...otherMembers(changePet, made, 8),
    ...addedMembers(changePet, made, 8, 'others'),
    ...emptyMembers(changePet, made, 8),
  ].map(({ at, base, other }) => withValueAt(base, at, other));
  const near = nearValues(changePet, made, 'm');
  const bodies = [
    ...edgeBodies(changePet, made, 12),
    ...turned,
    ...(twoWholeBodies(changePet, made, 8) ?? []),
    ...near.flatMap(({ base, others }) => others.map(({ at, other }) => withValueAt(base, at, other))),
  ];
  expect(bodies.length).toBeGreaterThan(5);
  expect(bodies.filter((body) => !['Dog', 'Cat'].includes(String(kindOf(body))))).toEqual([]);
  expect(fitting(changePet, values.plain ?? null, '/kind', undefined)('x')).toBe(false);
});
