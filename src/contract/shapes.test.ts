import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { validator } from '../generate/index.ts';
import { operationOf } from '../model/contract.ts';
import { valueAt } from '../model/json.ts';
import { contractWith, make } from '../testing/described.ts';

test.each([
  ['{ type: string, nullable: true }', { type: ['string', 'null'] }],
  ['{ type: string, nullable: false }', { type: 'string' }],
  ['{ type: string, nullable: true, enum: [a] }', { type: ['string', 'null'], enum: ['a'] }],
  ['{ type: string, nullable: true, enum: [a, null] }', { type: ['string', 'null'], enum: ['a', null] }],
  ['{ type: string, nullable: false, enum: [a] }', { type: 'string', enum: ['a'] }],
  ['{ nullable: true, enum: [a, 1] }', { type: ['string', 'number', 'null'], enum: ['a', 1] }],
  ['{ nullable: true, allOf: [{ type: object }] }', { anyOf: [{ type: 'object' }, { type: 'null' }] }],
  [
    '{ nullable: true, allOf: [{ type: object }, { required: [a] }] }',
    { anyOf: [{ allOf: [{ type: 'object' }, { required: ['a'] }] }, { type: 'null' }] },
  ],
  [
    '{ nullable: true, oneOf: [{ type: object }, { type: string }] }',
    { oneOf: [{ type: 'object' }, { type: 'string' }, { type: 'null' }] },
  ],
  ['{ allOf: [{ type: object, nullable: true }] }', { allOf: [{ type: ['object', 'null'] }] }],
  ['{ type: number, minimum: 1, exclusiveMinimum: true }', { type: 'number', exclusiveMinimum: 1 }],
  ['{ type: number, minimum: 1, exclusiveMinimum: false }', { type: 'number', minimum: 1 }],
  ['{ type: number, maximum: 1, exclusiveMaximum: true }', { type: 'number', exclusiveMaximum: 1 }],
  [
    '{ type: array, items: { type: string, nullable: true } }',
    { type: 'array', items: { type: ['string', 'null'] } },
  ],
  [
    '{ type: object, properties: { nullable: { type: string } } }',
    { properties: { nullable: { type: 'string' } } },
  ],
])('OpenAPI 3.0: %s', async (body, schema) => {
  expect((await make({ version: '3.0.3', body })).body?.schema).toMatchObject(schema);
});

test('OpenAPI 3.0: what stands next to $ref is ignored', async () => {
  const { body } = await make({
    version: '3.0.3',
    body: "{ $ref: '#/components/schemas/Thing', required: [b] }",
    more: ['  schemas: { Thing: { type: object, required: [a], properties: { a: { type: string } } } }'],
  });
  expect(body?.schema).toEqual({ type: 'object', required: ['a'], properties: { a: { type: 'string' } } });
});

test('OpenAPI 3.0: nullable next to $ref allows null', async () => {
  const { body } = await make({
    version: '3.0.3',
    body: "{ type: object, properties: { a: { $ref: '#/components/schemas/A', nullable: true } } }",
    more: ['  schemas: { A: { type: object } }'],
  });
  const a = { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] };
  expect(body?.schema).toMatchObject({ properties: { a } });
});

test.each([
  ['3.0.3', '{ enum: [null] }', 2],
  ['3.0.3', '{ type: string, nullable: true, enum: [b, null] }', 2],
  ['3.0.3', '{ type: string, nullable: true }', 2],
  ['3.0.3', "{ $ref: '#/components/schemas/Deep' }", 2],
  ['3.1.1', '{ const: null }', 2],
  // By the letter, this one takes no null.
  ['3.0.3', '{ type: string, nullable: true, enum: [b] }', 3],
  ['3.0.3', '{ enum: [b] }', 3],
  ['3.0.3', '{ type: string }', 3],
  ['3.0.3', '{ nullable: true, not: {} }', 3],
])('%s: of alternatives with nullable, %s takes null once', async (version, other, alternatives) => {
  const { body } = await make({
    version,
    body: "{ type: object, properties: { a: { nullable: true, oneOf: [{ $ref: '#/components/schemas/A' }, { type: integer }] } } }",
    more: ['  schemas:', `    A: ${other}`, '    Deep: { enum: [null] }'],
  });
  const schema = body?.schema;
  const check = new Ajv2020({ strict: false }).compile(schema ?? false);
  expect(check({ a: null })).toBe(true);
  expect(check({ a: true })).toBe(false);
  expect(valueAt(schema ?? null, '/properties/a/oneOf')).toHaveLength(alternatives);
});

test('schemas are found by $id and by $anchor', async () => {
  const { body } = await make({
    body: "{ type: object, properties: { a: { $ref: 'https://example.test/a' }, b: { $ref: '#b' } } }",
    more: [
      '  schemas:',
      "    A: { $id: 'https://example.test/a', type: object, properties: { c: { $ref: c }, d: { $ref: '#/$defs/d' } }, $defs: { d: { type: boolean } } }",
      "    C: { $id: 'https://example.test/c', type: integer }",
      '    B: { $anchor: b, type: string }',
    ],
  });
  const check = new Ajv2020({ strict: false }).compile(body?.schema ?? false);
  expect(check({ a: { c: 1, d: true }, b: 'x' })).toBe(true);
  expect(check({ a: { c: 'x' } })).toBe(false);
  expect(check({ a: { d: 1 } })).toBe(false);
  expect(check({ b: 1 })).toBe(false);
});

test('merge keys', async () => {
  const { body } = await make({
    // An anchor comes before its aliases.
    version: '3.1.1\nx-base: &base { type: object, required: [a], properties: { a: { type: string } } }',
    body: '{ <<: *base, required: [b] }',
  });
  expect(body?.schema).toEqual({ type: 'object', required: ['b'], properties: { a: { type: 'string' } } });
});

test('read-only members are no part of requests, and write-only ones may be missing from responses', async () => {
  const schema =
    '{ type: object, required: [id, name, secret], properties: { id: { type: string, readOnly: true }, name: { type: string }, secret: { $ref: "#/components/schemas/Secret" } } }';
  const { body, success } = await make({
    body: schema,
    responses: `{ '201': { description: made, content: { application/json: { schema: { allOf: [${schema}], required: [secret] } } } } }`,
    more: ['  schemas: { Secret: { type: string, writeOnly: true } }'],
  });
  expect(body?.schema).toMatchObject({ required: ['name', 'secret'] });
  expect(body?.schema).not.toHaveProperty('properties.id');
  expect(success.schema).toMatchObject({ required: [], allOf: [{ required: ['id', 'name'] }] });
});

test('a pattern that is valid only without the u flag is read as the one that it means, with a warning', async () => {
  const contract = await contractWith({
    body: "{ type: object, properties: { a: { type: string, pattern: '^[\\w-.]{2}\\-\\_{x}\\:$' } } }",
  });
  expect(operationOf(contract, 'make').body?.schema).toMatchObject({
    properties: { a: { pattern: '^[\\w\\-.]{2}-_\\{x\\}:$' } },
  });
  expect(contract.warnings).toEqual([
    expect.stringMatching(
      /^c\.yaml:\d+:\d+: this pattern is not one of ECMA-262 with the u flag; write it as /,
    ),
  ]);
});

test('OpenAPI 3.0: a keyword of 3.1 is read as what it says', async () => {
  const { body } = await make({
    version: '3.0.3',
    body: '{ type: object, properties: { a: { const: x } } }',
  });
  expect(body?.schema).toMatchObject({ properties: { a: { const: 'x' } } });
});

test.each([
  ['{ type: string, nullable: true }', { type: ['string', 'null'] }],
  ['{ type: [string, number], nullable: true }', { type: ['string', 'number', 'null'] }],
  ['{ type: [string, "null"], nullable: true }', { type: ['string', 'null'] }],
  ['{ type: string, nullable: false }', { type: 'string' }],
  ['{ nullable: true, oneOf: [{ type: object }] }', { oneOf: [{ type: 'object' }, { type: 'null' }] }],
  [
    "{ nullable: true, $ref: '#/components/schemas/Part' }",
    { anyOf: [{ $ref: '#/$defs/Part' }, { type: 'null' }] },
  ],
  ['{ nullable: true, description: any }', { description: 'any' }],
  ['{ nullable: true, type: string, enum: [a] }', { type: ['string', 'null'], enum: ['a'] }],
  ['{ nullable: true, enum: [a] }', { type: ['string', 'null'], enum: ['a'] }],
])('OpenAPI 3.1 with the nullable of 3.0: %s', async (member, read) => {
  const contract = await contractWith({
    body: `{ type: object, properties: { a: ${member} } }`,
    more: ['  schemas:', '    Part: { type: object }'],
  });
  expect(operationOf(contract, 'make').body?.schema).toMatchObject({ properties: { a: read } });
  expect(contract.warnings ?? []).toEqual(
    member.includes('true')
      ? [
          expect.stringMatching(
            /^c\.yaml:10:\d+: 'nullable' is OpenAPI 3\.0; write type: \[string, 'null'\] or the like, which is how it is read$/,
          ),
        ]
      : [],
  );
});

test.each([
  ["{ type: [string, 'null'], enum: [a] }", ['a'], ['a', null]],
  ["{ type: [string, 'null'], enum: [null, a] }", [null, 'a'], [null, 'a']],
  ['{ type: string, enum: [a] }', ['a'], ['a']],
  ['{ enum: [a] }', ['a'], ['a']],
])('an enum allows null in a response where the type does: %s', async (member, inRequest, inResponse) => {
  const schema = `{ type: object, properties: { a: ${member} } }`;
  const contract = await contractWith({
    body: schema,
    responses: `{ '201': { description: made, content: { application/json: { schema: ${schema} } } } }`,
  });
  const { body, success } = operationOf(contract, 'make');
  expect(body?.schema).toMatchObject({ properties: { a: { enum: inRequest } } });
  expect(success.schema).toMatchObject({ properties: { a: { enum: inResponse } } });
});

test('what is required or allowed twice is so once, with a warning', async () => {
  const contract = await contractWith({
    body: '{ type: object, required: [a, b, a], properties: { a: { enum: [x, y, x] }, b: {} } }',
  });
  expect(operationOf(contract, 'make').body?.schema).toMatchObject({
    required: ['a', 'b'],
    properties: { a: { enum: ['x', 'y'] } },
  });
  expect(contract.warnings).toEqual([
    expect.stringMatching(/^c\.yaml:\d+:\d+: 'required' has this item twice; remove one of the two$/),
  ]);
});

test('a list of no values, which generators write where they know none, says nothing, with a warning', async () => {
  const contract = await contractWith({
    body: '{ type: object, properties: { a: { type: string, enum: [] } } }',
    others:
      '  /list: { get: { operationId: list, security: [{ token: [a.read] }], parameters: [{ name: state, in: query, schema: { enum: [] } }], responses: { "200": { description: shown } } } }',
  });
  const schema = operationOf(contract, 'make').body?.schema ?? false;
  expect(schema).toEqual({ type: 'object', properties: { a: { type: 'string' } } });
  expect(operationOf(contract, 'list').queryFields.find(({ name }) => name === 'state')?.schema).toEqual({});
  const warning = /^c\.yaml:\d+:\d+: 'enum' has no values; list its values, or remove it; it is read as/;
  expect(contract.warnings).toEqual([expect.stringMatching(warning), expect.stringMatching(warning)]);
  expect(validator(schema)({ a: 'x' })).toEqual([]);
  expect(validator(schema)({ a: 1 })).toHaveLength(1);
});

test('keywords that JSON Schema does not know, and ajv does, say nothing', async () => {
  const contract = await contractWith({
    body: '{ id: "#new", $async: true, type: object, properties: { id: { id: 42, type: string } } }',
  });
  const schema = operationOf(contract, 'make').body?.schema ?? false;
  expect(schema).toEqual({ type: 'object', properties: { id: { type: 'string' } } });
  expect(validator(schema)({ id: 'x' })).toEqual([]);
  expect(validator(schema)({ id: 1 })).toHaveLength(1);
});

test('an operation whose schema is recursive as in JSON Schema 2019-09 is left out', async () => {
  const contract = await contractWith({
    body: "{ $recursiveAnchor: true, type: object, properties: { a: { $recursiveRef: '#' } } }",
    others:
      '  /state: { get: { operationId: state, security: [{ token: [a.read] }], responses: { "200": { description: shown } } } }',
  });
  expect(contract.operations.map(({ id }) => id)).toEqual(['state']);
  expect(contract.leftOut).toEqual([
    { id: 'make', method: 'POST', path: '/things', reasons: [expect.stringContaining('2019-09')] },
  ]);
});

test.each([
  ['examples', { first: { value: 'x' } }, "'examples' must be a list"],
  ['description', ['two', 'lines'], "'description' must be"],
  ['title', 7, "'title' must be"],
  ['deprecated', 'yes', "'deprecated' must be"],
])('a remark in another form is read with a warning: %s', async (name, value, warning) => {
  const body = { type: 'object', properties: { title: { type: 'string', [name]: value } } };
  const contract = await contractWith({ body: JSON.stringify(body) });
  expect(contract.warnings).toEqual([expect.stringContaining(warning)]);
  expect(operationOf(contract, 'make').body?.schema).toMatchObject({
    properties: { title: { type: 'string' } },
  });
});

test('a member that is named like a remark needs a schema', async () => {
  const body = JSON.stringify({ type: 'object', properties: { examples: 7 } });
  await expect(contractWith({ body })).rejects.toThrow("'examples' must be a");
});
