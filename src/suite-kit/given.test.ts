import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { operationOf } from '../model/contract.ts';
import { type Given, givenOf } from './given.ts';

async function given(parameter: string): Promise<Given> {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Given, version: 1.27.0 }
security: []
paths:
  /things:
    get: { operationId: list, parameters: [${parameter}], responses: { '200': { description: all } } }
`,
    'c.yaml',
  );
  return givenOf(operationOf(contract, 'list'));
}

const texts = ({ cookies, headers, query }: Given): readonly string[] => [
  ...query.map(({ text }) => text),
  ...headers.map((line) => line.join(': ')),
  ...cookies.map(({ text }) => `Cookie: ${text}`),
];

test.each([
  ['{ name: a, in: query, required: true, schema: { enum: [x y, xyz] } }', ['a=x%20y']],
  ['{ name: a, in: query, required: true, schema: { type: integer, minimum: 3 } }', ['a=3']],
  ['{ name: a, in: query, required: true, schema: { type: string } }', ['a=assay']],
  ['{ name: a, in: query, required: true, schema: { type: integer } }', ['a=1']],
  ['{ name: currency, in: query, required: true, schema: { type: string } }', ['currency=EUR']],
  ['{ name: a, in: query, required: true, schema: { type: string }, example: b }', ['a=b']],
  ['{ name: a, in: query, required: true, schema: { type: string, enum: [c] }, example: b }', ['a=c']],
  ['{ name: a, in: query, required: true, schema: { type: string, default: d } }', ['a=d']],
  ['{ name: a, in: query, schema: { type: string, default: d } }', []],
  [
    '{ name: a, in: query, required: true, schema: { type: array, items: { type: integer } }, example: [1, 2] }',
    ['a=1', 'a=2'],
  ],
  ['{ name: a, in: query, required: true, schema: { type: array, items: { enum: [b, c] } } }', ['a=b']],
  [
    '{ name: a, in: query, required: true, schema: { type: array, minItems: 0, items: { const: b } }, example: [] }',
    ['a=b'],
  ],
  [
    '{ name: a, in: query, required: true, style: deepObject, schema: { type: object, properties: { b: { const: c } } } }',
    ['a%5Bb%5D=c'],
  ],
  [
    '{ name: a, in: query, required: true, explode: false, schema: { type: array }, example: [1, b c] }',
    ['a=1,b%20c'],
  ],
  [
    '{ name: a, in: query, required: true, style: deepObject, schema: { type: object }, example: { b: 1, c: d } }',
    ['a%5Bb%5D=1', 'a%5Bc%5D=d'],
  ],
  [
    '{ name: a, in: query, required: true, content: { application/json: { schema: { type: object, required: [b], properties: { b: { const: 1 } } } } } }',
    ['a=%7B%22b%22%3A1%7D'],
  ],
  ['{ name: X-A, in: header, required: true, schema: { type: array }, example: [1, 2] }', ['X-A: 1,2']],
  [
    "{ name: X-A, in: header, required: true, schema: { type: string, pattern: '^t-[0-9]{4}$' } }",
    ['X-A: t-0000'],
  ],
  ['{ name: a, in: cookie, required: true, schema: { type: string } }', ['Cookie: a=assay']],
])('%s', async (parameter, expected) => {
  expect(texts(await given(parameter))).toEqual(expected);
});

test('a required field without a valid value is missing', async () => {
  expect((await given('{ name: a, in: query, required: true, schema: { not: {} } }')).missing).toEqual(['a']);
});
