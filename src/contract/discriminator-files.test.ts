import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { validator } from '../generate/index.ts';
import { operationOf } from '../model/contract.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { filesOfContract, parseContract } from './load.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };

/** A body whose schemas are in other files; `named` are those of the document itself. */
async function bodyOf(body: JsonObject, files: JsonObject, named: JsonObject = {}) {
  const components = { components: { schemas: named } };
  const document = documentOf([operation('POST /pets', 'addPet', { body, result: object({}) })], components);
  const others = Object.entries(files).map(([file, value]) => ({ file, text: JSON.stringify(value) }));
  const contract = await parseContract(JSON.stringify(document), 'c.yaml', undefined, others);
  return operationOf(contract, 'addPet').body;
}

const pet = (mapping: JsonObject | undefined): JsonObject =>
  object({ kind: text, name: text }, ['kind', 'name'], {
    discriminator: { propertyName: 'kind', ...(mapping === undefined ? {} : { mapping }) },
  });
const heirOf = (base: string, own: JsonObject): JsonObject => ({ allOf: [{ $ref: base }, object(own)] });
const inOneFile = (mapping?: JsonObject): JsonObject => ({
  'parts/schemas.yaml': {
    Pet: pet(mapping),
    Dog: heirOf('#/Pet', { bark: whole }),
    Cat: heirOf('schemas.yaml#/Pet', { lives: whole }),
  },
});
const inManyFiles = (mapping?: JsonObject): JsonObject => ({
  'parts/Pet.yaml': pet(mapping),
  'parts/Dog.yaml': heirOf('Pet.yaml', { bark: whole }),
  'parts/Cat.yaml': heirOf('./Pet.yaml', { lives: whole }),
});
const inAll = { $ref: 'parts/schemas.yaml#/Pet' };
const alone = { $ref: 'parts/Pet.yaml' };

test.each<[string, JsonObject, JsonObject, JsonObject, string]>([
  ['a place of its file', inAll, inOneFile({ dog: '#/Dog', cat: '#/Cat' }), {}, 'dog'],
  ['its file and a place', inAll, inOneFile({ dog: './schemas.yaml#/Dog', cat: 'Cat' }), {}, 'dog'],
  ['a name', inAll, inOneFile({ dog: 'Dog' }), {}, 'dog'],
  ['a place of the document', inAll, inOneFile({ dog: '#/components/schemas/Dog' }), {}, 'dog'],
  ['nothing', inAll, inOneFile(), {}, 'Dog'],
  ['a file for each schema', alone, inManyFiles({ dog: './Dog.yaml' }), {}, 'dog'],
  ['a file by its name', alone, inManyFiles({ dog: 'Dog.yaml' }), {}, 'dog'],
  ['nothing, in a file for each schema', alone, inManyFiles(), {}, 'Dog'],
  [
    'nothing, and the document has a name for it',
    alone,
    inManyFiles(),
    { Hound: { $ref: 'parts/Dog.yaml' } },
    'Hound',
  ],
])('kinds in other files are chosen where the mapping has %s', async (_, body, files, named, value) => {
  const made = await bodyOf(body, files, named);
  const takes = (given: Json): boolean => validator(made?.chosenSchema ?? false)(given).length === 0;
  expect(takes({ kind: value, name: 'x', bark: 1 })).toBe(true);
  expect(takes({ kind: value, name: 'x' })).toBe(false);
  expect(takes({ kind: 'x', name: 'x', bark: 1 })).toBe(false);
  // A service may validate by the base alone.
  expect(validator(made?.schema ?? false)({ kind: 'x', name: 'x' })).toEqual([]);
});

test.each<[string, string, string, string]>([
  ['in a place of a file', 'p.yaml#/Dog', 'p.yaml#/Cat', './p.yaml#/Dog'],
  ['in files of their own', 'Dog.yaml', 'Cat.yaml', './Dog.yaml'],
])('branches %s are chosen by a mapping that writes them otherwise', async (_, first, second, dog) => {
  const [Dog, Cat] = [object({ kind: text, bark: whole }), object({ kind: text, lives: whole })];
  const discriminator = { propertyName: 'kind', mapping: { dog, cat: 'Cat' } };
  const body = { oneOf: [{ $ref: first }, { $ref: second }], discriminator };
  const made = await bodyOf(body, { 'p.yaml': { Dog, Cat }, 'Dog.yaml': Dog, 'Cat.yaml': Cat });
  const takes = (given: Json): boolean => validator(made?.chosenSchema ?? false)(given).length === 0;
  expect(takes({ kind: 'dog', bark: 1 })).toBe(true);
  expect(takes({ kind: 'cat', lives: 1 })).toBe(true);
  expect(takes({ kind: 'cat', bark: 1 })).toBe(false);
});

test.each<[string, JsonObject]>([
  ['the items of a list', { 'parts/Pets.yaml': { type: 'array', items: heirOf('Pet.yaml', { n: whole }) } }],
  ['a member', { 'parts/Owner.yaml': object({ pet: heirOf('Pet.yaml', { n: whole }) }) }],
  ['a description of responses', { 'parts/paths.yaml': { pets: { get: heirOf('Pet.yaml', { n: whole }) } } }],
])('a schema without a name is no kind: %s', async (_, other) => {
  const made = await bodyOf(alone, { 'parts/Pet.yaml': pet(undefined), ...other });
  expect(made?.chosenSchema).toBeUndefined();
});

test('what only a mapping names is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-mapped-'));
  const mapping = { dog: './Dog.yaml', cat: 'Cat', bird: 'https://example.com/Bird.yaml' };
  for (const [name, value] of Object.entries({ 'c.yaml': { body: pet(mapping) }, 'Dog.yaml': {}, Cat: {} }))
    await writeFile(join(folder, name), JSON.stringify(value));
  const [, ...others] = (await filesOfContract(join(folder, 'c.yaml'))).files;
  expect(others.map(({ file }) => file)).toEqual([join(folder, 'Dog.yaml')]);
  await rm(folder, { recursive: true });
});
