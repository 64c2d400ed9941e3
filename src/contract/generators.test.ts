import { expect, test } from 'vitest';
import { isObject, type JsonSchema } from '../model/json.ts';
import { translatedPattern } from './foreign-pattern.ts';
import { parseContract } from './load.ts';

/** What generators write although OpenAPI 3.1 does not know it. */
async function contractWith(
  body: string,
  { components = '', root = '', scheme = '', version = '3.1.0' } = {},
) {
  return await parseContract(
    `openapi: ${version}
info: { title: Orders, version: '1' }
${root}
paths:
  /orders:
    post:
      operationId: addOrder
      security: [{ token: [order.create] }]
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: ${body} } } }
      responses: { '201': { description: Created } }
components:
  securitySchemes: { token: ${scheme || '{ type: http, scheme: bearer }'} }
${components}`,
    'orders.yaml',
  );
}

async function read(...[body, more]: Parameters<typeof contractWith>) {
  const { leftOut, operations, warnings } = await contractWith(body, more);
  const schema: JsonSchema | undefined = operations[0]?.body?.schema;
  return {
    schema: isObject(schema) ? schema : {},
    permissions: operations[0]?.permissions,
    leftOut,
    warnings,
  };
}

test('components have the names that generators make of generic types, with a warning', async () => {
  const components =
    "  schemas: { 'Page`1[[Order]]': { type: object, properties: { size: { type: integer } } } }";
  const { schema, warnings } = await read("{ $ref: '#/components/schemas/Page`1[[Order]]' }", { components });
  expect(schema).toEqual({ type: 'object', properties: { size: { type: 'integer' } } });
  expect(warnings).toMatchObject([expect.stringContaining("the key 'Page`1[[Order]]' has a form")]);
});

test('members of OpenAPI 3.2 are read in a document of 3.1, with a warning', async () => {
  const { schema, warnings } = await read('{ type: object }', {
    root: 'tags: [{ name: orders, summary: Orders, kind: nav }]',
  });
  expect(schema).toEqual({ type: 'object' });
  expect(warnings).toMatchObject([expect.stringContaining('the document has members of OpenAPI 3.2')]);
});

test('what neither version knows is refused next to them', async () => {
  const root = 'tags: [{ name: orders, kind: nav }]\nserver: []';
  await expect(read('{ type: object }', { root })).rejects.toThrow("unknown key 'server'");
});

test('an API key in the header Authorization is the token', async () => {
  const scheme = '{ type: apiKey, in: header, name: authorization }';
  const { leftOut, permissions } = await read('{ type: object }', { scheme });
  expect({ leftOut, permissions }).toEqual({ leftOut: undefined, permissions: ['order.create'] });
});

test('a schema that was copied into the document refers to its own definitions', async () => {
  const body =
    "{ type: object, properties: { size: { $ref: '#/$defs/Size' } }, $defs: { Size: { type: integer } } }";
  const { schema } = await read(body);
  expect(Object.values(schema['$defs'] ?? {})).toEqual([{ type: 'integer' }]);
  await expect(read("{ $ref: '#/$defs/Size' }")).rejects.toThrow("the $ref '#/$defs/Size' leads nowhere");
});

test('a relative $id is known next to the file that it is in', async () => {
  const components =
    '  schemas: { Size: { $id: size.json, type: integer }, Box: { $id: box.json, properties: { size: { $ref: size.json } } } }';
  const { schema } = await read('{ $ref: box.json }', { components });
  expect(Object.values(schema['$defs'] ?? {})).toEqual(expect.arrayContaining([{ type: 'integer' }]));
});

test.each([
  ['{ exclusiveMinimum: true, minimum: 3 }', { exclusiveMinimum: 3 }],
  ['{ exclusiveMaximum: false, maximum: 3 }', { maximum: 3 }],
  ['{ exclusiveMaximum: true }', {}],
])('the bound %s of OpenAPI 3.0 means what it did there, with a warning', async (bound, meaning) => {
  const { schema, warnings } = await read(bound);
  expect(schema).toEqual(meaning);
  expect(warnings).toMatchObject([
    expect.stringMatching(/'exclusiveM..imum' as true or false is OpenAPI 3\.0/),
  ]);
});

test.each([
  ['date', { type: 'string', format: 'date' }, 'type: string, format: date'],
  ['DateTime', { type: 'string', format: 'date-time' }, 'type: string, format: date-time'],
  ['int', { type: 'integer' }, 'type: integer'],
  ['String', { type: 'string' }, 'type: string'],
  ['any', {}, 'no type'],
])('the type %s is read as what it means, with a warning', async (type, meaning, said) => {
  for (const version of ['3.1.0', '3.0.3']) {
    const { schema, warnings } = await read(`{ properties: { a: { type: ${type} } } }`, { version });
    expect(schema).toEqual({ properties: { a: meaning } });
    expect(warnings).toMatchObject([expect.stringContaining(`write ${said}, which is how it is read`)]);
  }
});

test('a type that is none is refused, and a member of that name is a member', async () => {
  await expect(read('{ properties: { a: { type: strng } } }')).rejects.toThrow("did you mean 'string'?");
  await expect(read('{ properties: { type: date } }')).rejects.toThrow("'type' must be a mapping");
});

test('required: true at a member leaves it as one that may be left out, with a warning', async () => {
  for (const version of ['3.1.0', '3.0.3']) {
    const body =
      '{ required: [b], properties: { a: { type: string, required: true }, b: {}, required: { type: string } } }';
    const { schema, warnings } = await read(body, { version });
    expect(schema).toEqual({
      required: ['b'],
      properties: { a: { type: 'string' }, b: {}, required: { type: 'string' } },
    });
    expect(warnings).toMatchObject([expect.stringContaining("list the member in 'required'")]);
  }
  await expect(read("{ required: 'a' }")).rejects.toThrow("'required' must be a list");
});

test('a bound of another type is refused', async () => {
  await expect(read("{ exclusiveMinimum: '3' }")).rejects.toThrow("'exclusiveMinimum' must be a number");
});

test('the flag i may follow the beginning of a pattern', () => {
  expect(translatedPattern('^(?i)ab$')).toBe('^[aA][bB]$');
  expect(translatedPattern('^(?s)ab$')).toBeUndefined();
});
