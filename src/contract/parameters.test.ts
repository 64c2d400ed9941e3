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
