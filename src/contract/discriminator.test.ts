import { describe, expect, test } from 'vitest';
import { validator } from '../generate/index.ts';
import { operationOf } from '../model/contract.ts';
import { isObject, type Json, type JsonObject, type JsonSchema } from '../model/json.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { operationValues } from '../suite-kit/values.ts';
import { parseContract } from './load.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** A body that is one of two kinds, which differ by the member `kind`. */
async function bodyOf(kinds: JsonObject, mapping: JsonObject | undefined, keyword = 'oneOf') {
  const schemas = {
    Dog: object({ kind: text, bark: whole, ...kinds }),
    Cat: object({ kind: text, lives: whole, ...kinds }),
  };
  const discriminator = { propertyName: 'kind', ...(mapping === undefined ? {} : { mapping }) };
  const body = { [keyword]: [ref('Dog'), ref('Cat')], discriminator };
  const document = documentOf([operation('POST /pets', 'addPet', { body, result: body })], {
    components: { schemas },
  });
  return operationOf(await parseContract(JSON.stringify(document), 'c.yaml'), 'addPet');
}

const both = { dog: '#/components/schemas/Dog', cat: 'Cat' };
const isValid = (schema: JsonSchema | undefined, value: Json): boolean =>
  validator(schema ?? false)(value).length === 0;

describe('a discriminator', () => {
  test.each(['oneOf', 'anyOf'])('says which values choose a branch of a body: %s', async (keyword) => {
    const made = await bodyOf({}, both, keyword);
    const { plain, mutations, valid } = operationValues(made, []);
    expect(['dog', 'cat']).toContain((plain as JsonObject)['kind']);
    expect(valid).toBeDefined();
    // A service that validates by the schemas alone takes other kinds.
    const wrong = mutations(plain ?? null);
    expect(wrong.map(({ pointer }) => pointer)).toEqual(expect.arrayContaining(['/kind', '/bark']));
    const fits = ({ value }: { readonly value: Json }): boolean =>
      isObject(value) && typeof value['kind'] === 'string' && Number.isInteger(value['bark']);
    expect(wrong.filter(fits)).toEqual([]);
  });

  test('without a mapping, the names of the schemas are the values; results may have others', async () => {
    const { body, success } = await bodyOf({}, undefined);
    expect(isValid(body?.chosenSchema, { kind: 'Dog', bark: 1 })).toBe(true);
    expect(isValid(body?.chosenSchema, { kind: 'Cat', bark: 1 })).toBe(false);
    expect(isValid(body?.schema, { kind: 'Cat', bark: 1 })).toBe(true);
    expect(isValid(success.schema, { kind: 'Cat', bark: 1 })).toBe(true);
  });

  test.each<[string, JsonObject]>([
    ['fixes other values', { kind: { enum: ['hound'] } }],
    ['takes no text', { kind: whole }],
  ])('does not bind where the member itself %s', async (_, kinds) => {
    const { body } = await bodyOf(kinds, both);
    expect(body?.chosenSchema).toBeUndefined();
  });
});

/** Kinds that have their base in `allOf`; the body is the base, or refers to it from within. */
async function heirs(base: JsonObject, of: (pet: JsonObject) => JsonObject, more: JsonObject = {}) {
  const kind = (own: JsonObject, from = 'Pet'): JsonObject => ({ allOf: [ref(from), object(own)] });
  const schemas = {
    Pet: object({ kind: text, name: text }, ['kind', 'name'], base),
    Dog: kind({ bark: whole }),
    Cat: kind({ lives: whole }),
    Puppy: kind({ weeks: whole }, 'Dog'),
    ...more,
  };
  const body = of(ref('Pet'));
  const document = documentOf([operation('POST /pets', 'addPet', { body, result: ref('Pet') })], {
    components: { schemas },
  });
  return operationOf(await parseContract(JSON.stringify(document), 'c.yaml'), 'addPet');
}

describe('a discriminator without branches', () => {
  const byKind = { discriminator: { propertyName: 'kind', mapping: { dog: 'Dog', hound: 'Dog' } } };

  test.each<[string, (pet: JsonObject) => JsonObject, (pet: Json) => Json]>([
    ['itself', (pet) => pet, (pet) => pet],
    ['in a wrapper', (pet) => ({ allOf: [pet] }), (pet) => pet],
    ['in a list', (pet) => object({ pets: { type: 'array', items: pet } }), (pet) => ({ pets: [pet] })],
  ])('chooses among what has its schema in allOf: %s', async (_, of, within) => {
    const { body, success } = await heirs(byKind, of);
    const takes = (pet: JsonObject): boolean => isValid(body?.chosenSchema, within({ name: 'x', ...pet }));
    expect(takes({ kind: 'dog', bark: 1 })).toBe(true);
    expect(takes({ kind: 'hound', bark: 1 })).toBe(true);
    expect(takes({ kind: 'Cat', lives: 1 })).toBe(true);
    expect(takes({ kind: 'Puppy', bark: 1, weeks: 1 })).toBe(true);
    expect(takes({ kind: 'Dog', bark: 1 })).toBe(false);
    expect(takes({ kind: 'dog' })).toBe(false);
    expect(takes({ kind: 'Cat', bark: 1 })).toBe(false);
    expect(takes({ kind: 'x' })).toBe(false);
    // A service may validate by the base alone, and results are read by it.
    expect(isValid(body?.schema, within({ kind: 'x', name: 'x' }))).toBe(true);
    expect(isValid(success.schema, { kind: 'x', name: 'x' })).toBe(true);
  });

  test('makes bodies of a kind, and none whose fault the base does not name', async () => {
    const { marker, mutations, plain, valid } = operationValues(await heirs(byKind, (pet) => pet), []);
    const { kind } = plain as JsonObject;
    expect(marker).toBe('/name');
    expect(['dog', 'hound', 'Cat', 'Puppy']).toContain(kind);
    expect(valid).toBeDefined();
    const wrong = mutations(plain ?? null).map(({ pointer }) => pointer);
    expect(wrong).toEqual(expect.arrayContaining(['/name']));
    expect(wrong).not.toContain('/bark');
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['whose member takes no such value', { ...byKind, properties: { kind: whole } }, {}],
    ['that nothing has in allOf', byKind, { Dog: object({}), Cat: object({}), Puppy: object({}) }],
    ['with branches of its own', { ...byKind, anyOf: [object({ bark: whole })] }, {}],
  ])('does not bind in a schema %s', async (_, base, more) => {
    const { body } = await heirs(base, (pet) => pet, more);
    expect(body?.chosenSchema).toBeUndefined();
  });

  test('binds nobody where no kind can be made', async () => {
    const [none, other] = [{ allOf: [ref('Pet'), object({ name: whole })] }, object({})];
    const made = await heirs(byKind, (pet) => pet, { Dog: none, Cat: none, Puppy: other });
    expect(operationValues(made, []).plain).toMatchObject({ name: expect.any(String) });
  });

  test('makes kinds whose base is closed against what they add', async () => {
    const made = await heirs({ ...byKind, additionalProperties: false }, (pet) => pet);
    expect(Object.keys(operationValues(made, []).plain as JsonObject).length).toBeGreaterThan(2);
  });
});

describe('an heir that a body names without its base', () => {
  const byKind = { discriminator: { propertyName: 'kind', mapping: { dog: 'Dog', hound: 'Dog' } } };
  const both = { oneOf: [ref('Dog'), ref('Cat')] };

  test.each<[string, () => JsonObject, (pet: Json) => Json]>([
    ['in oneOf', () => both, (pet) => pet],
    [
      'in the items of a list',
      () => object({ pets: { type: 'array', items: both } }),
      (pet) => ({ pets: [pet] }),
    ],
    ['in a wrapper', () => ({ anyOf: [{ allOf: [ref('Dog')] }, ref('Cat')] }), (pet) => pet],
  ])('has the value that chooses it: %s', async (_, of, within) => {
    const { body, success } = await heirs(byKind, of);
    const takes = (pet: JsonObject): boolean => isValid(body?.chosenSchema, within({ name: 'x', ...pet }));
    expect(takes({ kind: 'dog', bark: 1 })).toBe(true);
    expect(takes({ kind: 'hound', bark: 1 })).toBe(true);
    expect(takes({ kind: 'Cat', lives: 1 })).toBe(true);
    expect(takes({ kind: 'Dog', bark: 1 })).toBe(false);
    expect(takes({ kind: 'dog', lives: 1 })).toBe(false);
    expect(takes({ kind: 'x', bark: 1 })).toBe(false);
    // A service may validate by the schemas alone, and results are read by them.
    expect(isValid(body?.schema, within({ kind: 'x', name: 'x', bark: 1 }))).toBe(true);
    expect(isValid(success.schema, { kind: 'x', name: 'x' })).toBe(true);
  });

  test('is one kind where the body is that heir, also of an heir', async () => {
    const dog = await heirs(byKind, () => ref('Dog'));
    expect(['dog', 'hound']).toContain((operationValues(dog, []).plain as JsonObject)['kind']);
    const puppy = await heirs(byKind, () => ref('Puppy'));
    expect(operationValues(puppy, []).plain).toMatchObject({ kind: 'Puppy' });
  });

  test('is chosen by the discriminator of the branches, if these have one', async () => {
    const own = { propertyName: 'kind', mapping: { d: 'Dog', c: 'Cat' } };
    const { body } = await heirs(byKind, () => ({ ...both, discriminator: own }));
    expect(isValid(body?.chosenSchema, { kind: 'd', name: 'x', bark: 1 })).toBe(true);
    expect(isValid(body?.chosenSchema, { kind: 'dog', name: 'x', bark: 1 })).toBe(false);
  });

  test('has the value of a base that maps it, before the name that a nearer base leaves to it', async () => {
    const mapping = { pup: 'Puppy' };
    const far = { discriminator: { propertyName: 'kind', mapping } };
    const near = { allOf: [ref('Pet'), object({ bark: whole })], discriminator: { propertyName: 'kind' } };
    const made = await heirs(far, () => ref('Puppy'), { Dog: near });
    expect(operationValues(made, []).plain).toMatchObject({ kind: 'pup' });
  });

  test.each<[string, JsonObject]>([
    ['takes no such value', { ...byKind, properties: { kind: whole, name: text } }],
    ['is not there', { ...byKind, properties: { name: text }, required: ['name'] }],
  ])('is not bound where the member %s', async (_, base) => {
    expect((await heirs(base, () => both)).body?.chosenSchema).toBeUndefined();
  });

  test('is chosen if base and heirs are closed', async () => {
    const closed = { additionalProperties: false };
    const heir = { allOf: [ref('Pet'), object({ bark: whole }, ['bark'], closed)] };
    const made = await heirs({ ...byKind, ...closed }, () => ref('Dog'), { Dog: heir });
    expect(operationValues(made, []).plain).toMatchObject({ bark: expect.any(Number) });
    expect(['dog', 'hound']).toContain((operationValues(made, []).plain as JsonObject)['kind']);
  });
});

describe('a base that lists its heirs, which have it in allOf', () => {
  const branches = { oneOf: [ref('Dog'), ref('Cat')] };
  const listing = {
    discriminator: { propertyName: 'kind', mapping: { dog: 'Dog', cat: 'Cat' } },
    ...branches,
  };

  test.each<[string, JsonObject, (pet: JsonObject) => JsonObject, (pet: Json) => Json]>([
    ['itself', listing, (pet) => pet, (pet) => pet],
    ['without a discriminator', branches, (pet) => pet, (pet) => pet],
    [
      'in a list',
      listing,
      (pet) => object({ pets: { type: 'array', items: pet } }),
      (pet) => ({ pets: [pet] }),
    ],
    ['as an heir', listing, () => ref('Dog'), (pet) => pet],
  ])('is one of them, and each has what it has: %s', async (where, base, of, within) => {
    const { body, success } = await heirs(base, of);
    const takes = (pet: JsonObject): boolean => isValid(body?.schema, within(pet));
    expect(takes({ kind: 'dog', name: 'x', bark: 1 })).toBe(true);
    expect(takes({ kind: 'cat', name: 'x', lives: 1 })).toBe(where !== 'as an heir');
    expect(takes({ kind: 'dog', name: 'x' })).toBe(false);
    expect(takes({ kind: 'dog', bark: 1 })).toBe(false);
    expect(isValid(success.schema, { kind: 'cat', name: 'x', lives: 1 })).toBe(true);
    expect(isValid(success.schema, { kind: 'cat', lives: 1 })).toBe(false);
  });

  test('makes bodies of a kind that the discriminator chooses', async () => {
    const made = await heirs(listing, (pet) => pet);
    const { plain } = operationValues(made, []);
    expect(isValid(made.body?.chosenSchema, plain ?? null)).toBe(true);
    expect(isValid(made.body?.chosenSchema, { kind: 'cat', name: 'x', bark: 1 })).toBe(false);
    expect(['dog', 'cat']).toContain((plain as JsonObject)['kind']);
  });
});
