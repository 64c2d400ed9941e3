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
