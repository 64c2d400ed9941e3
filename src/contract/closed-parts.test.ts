import { expect, test } from 'vitest';
import { validator } from '../generate/index.ts';
import { type Contract, operationOf } from '../model/contract.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { documentOf, object, operation } from '../selftest/shapes/document.ts';
import { operationValues } from '../suite-kit/values.ts';
import { parseContract } from './load.ts';

const closed = (members: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  properties: members,
  required: [...required],
  additionalProperties: false,
});
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };

function contractOf(result: JsonObject, schemas: JsonObject, openapi = '3.1.0'): Promise<Contract> {
  const document = documentOf([operation('POST /pets', 'addPet', { body: result, result })], {
    openapi,
    components: { schemas },
  });
  return parseContract(JSON.stringify(document), 'c.yaml');
}

const base = closed({ id: text, name: text }, ['id']);
const derived = { ...closed({ bark: { type: 'integer' } }, ['bark']), allOf: [ref('Pet')] };
const further = { ...closed({ tricks: { type: 'array' } }), allOf: [ref('Dog')] };
const schemas = { Pet: base, Dog: derived, Clever: further };

test.each<[string, JsonObject]>([
  ['a closed object that extends a closed one', ref('Dog')],
  [
    'closed parts next to each other',
    { allOf: [ref('Pet'), closed({ bark: { type: 'integer' } }, ['bark'])] },
  ],
  [
    'an open object that extends a closed one',
    { allOf: [ref('Pet'), object({ bark: { type: 'integer' } })] },
  ],
  ['one that extends the extension', ref('Clever')],
])('parts that refuse the members of each other are one closed object: %s', async (_, schema) => {
  for (const openapi of ['3.0.3', '3.1.0']) {
    const contract = await contractOf(schema, schemas, openapi);
    const made = operationOf(contract, 'addPet');
    const check = validator(made.success.schema ?? false);
    const isValid = (value: Json): boolean => check(value).length === 0;
    expect(isValid({ id: 'a', name: 'b', bark: 1 })).toBe(true);
    expect(isValid({ id: 'a', bark: 1, other: 1 })).toBe(false);
    expect(isValid({ id: 'a', bark: 'loud' })).toBe(false);
    expect(isValid({ name: 'b', bark: 1 })).toBe(false);
    expect(operationValues(made, []).plain).toBeDefined();
    expect(contract.warnings).toEqual(
      expect.arrayContaining([expect.stringContaining('each part of this object refuses the members')]),
    );
  }
});

test.each<[string, JsonObject]>([
  ['parts that are open', { allOf: [object({ id: text }), object({ bark: { type: 'integer' } })] }],
  ['a closed part that has all members', { allOf: [ref('Pet'), object({ name: text })] }],
  ['a part that says more', { allOf: [ref('Pet'), { ...object({ bark: text }), minProperties: 1 }] }],
  ['a part of several kinds', { allOf: [ref('Pet'), { anyOf: [object({ bark: text })] }] }],
  ['a part that is closed by a schema', { allOf: [ref('Pet'), { additionalProperties: text }] }],
])('others stay as they are: %s', async (_, schema) => {
  const contract = await contractOf(schema, { Pet: base });
  expect(operationOf(contract, 'addPet').success.schema).toHaveProperty('allOf');
  expect(contract.warnings ?? []).toEqual([]);
});
