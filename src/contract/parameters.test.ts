import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { contractWith, made } from '../testing/described.ts';

const size = { type: 'integer', maximum: 50 };
const state = { type: 'string', enum: ['open', 'done'] };

test.each([
  ['{ anyOf: [{ type: integer, maximum: 50 }, { type: "null" }], default: 20 }', { ...size, default: 20 }],
  ["{ type: [integer, 'null'], maximum: 50 }", size],
  ["{ oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/State' }] }", state],
  ["{ type: [string, 'null'], enum: [open, done, null] }", state],
  ['{ $ref: "#/components/schemas/State" }', state],
  // Generators wrap a reference to say something next to it.
  ["{ oneOf: [{ $ref: '#/components/schemas/State' }] }", state],
  ["{ allOf: [{ $ref: '#/components/schemas/State' }], default: open }", { ...state, default: 'open' }],
  // What is said twice is left as it is.
  ['{ allOf: [{ type: integer, maximum: 50 }], maximum: 9 }', { allOf: [size], maximum: 9 }],
  ["{ type: [string, integer, 'null'] }", { type: ['string', 'integer'] }],
  [
    "{ anyOf: [{ type: string }, { type: integer }, { type: 'null' }] }",
    { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
  ],
])('a query field of the schema %s is text, so it is never null', async (schema, expected) => {
  const contract = await contractWith({
    others: `
  /list:
    get:
      operationId: list
      security: [{ token: [a.read] }]
      parameters: [{ name: field, in: query, schema: ${schema} }]
      responses: { '200': ${made} }
`,
    more: ['  schemas: { State: { type: string, enum: [open, done] } }'],
  });
  const [field] = operationOf(contract, 'list').queryFields;
  expect(field?.schema).toMatchObject(expected);
  expect(field?.schema).not.toHaveProperty('oneOf');
});

test('the members of an object in the query know of which parameter they are', async () => {
  const contract = await contractWith({
    others: `
  /list:
    get:
      operationId: list
      security: [{ token: [a.read] }]
      parameters:
        - { name: filter, in: query, schema: { type: object, properties: { state: { type: string } } } }
        - { name: size, in: query, schema: { type: integer } }
      responses: { '200': ${made} }
`,
  });
  expect(operationOf(contract, 'list').queryFields).toMatchObject([
    { name: 'state', within: 'filter' },
    { name: 'size' },
  ]);
});
