import { expect, test } from 'vitest';
import { validator } from '../generate/index.ts';
import { operationOf, writtenSchema } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { parseContract } from './load.ts';
import { contractValidators } from './validators.ts';

type Given = { readonly path?: string; readonly permission?: string; readonly status?: string };

/** The places of a result at which the schema of a command is violated. */
async function wrong(schema: string, body: Json, given: Given = {}): Promise<readonly string[]> {
  const { path = '/cases', permission = 'case.create', status = '201' } = given;
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Cases, version: 1.27.0 }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
  schemas: { Case: ${schema} }
paths:
  ${path}:
    post:
      operationId: make
      security: [{ bearer: [${permission}] }]
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      responses:
        '${status}':
          description: made
          content: { application/json: { schema: { allOf: [{ $ref: '#/components/schemas/Case' }] } } }
`,
    'c.yaml',
    contractValidators(),
  );
  const shown = contract.operations[0]?.success.schema;
  return validator(shown ?? true)(body)
    .map(({ pointer }) => pointer)
    .sort();
}

const texts = '{ type: object, properties: { id: { type: string }, status: { type: string } } }';
const of = (id: string, status: string): string =>
  `{ type: object, properties: { id: ${id}, status: ${status} } }`;
const other = { id: 'c1', status: 'new' };

test('the specification fixes id and status of a new case where the document describes two texts', async () => {
  expect(await wrong(texts, other)).toEqual(['/id', '/status']);
  expect(await wrong(texts, { id: 'case_', status: 'open' })).toEqual(['/id']);
  expect(await wrong(texts, { id: 'case_ä', status: 'open', more: 1 })).toEqual([]);
  expect(await wrong(texts, {})).toEqual(['/id', '/status']);
  for (const path of ['/api/v1/cases/', '/v1/Cases', '/cases.json'])
    expect(await wrong(texts, other, { path })).toEqual(['/id', '/status']);
  const nullable = of('{ type: [string, "null"] }', '{ anyOf: [{ type: string }, { type: "null" }] }');
  expect(await wrong(nullable, { id: 'case_1', status: 'new' })).toEqual(['/status']);
  expect(await wrong(nullable, { id: null, status: 'open' })).toEqual(['/id']);
});

test('the schema stays known as the document has it', async () => {
  const text = { type: 'string' };
  const result = { type: 'object', properties: { id: text, status: text } };
  const contract = await contractOf(
    operation('POST /cases', 'createCase', { permission: 'case.create', result }),
    operation('GET /cases/{caseId}', 'getCase', { result }),
    operation('POST /notes', 'createNote', { result }),
  );
  const [create, read] = ['createCase', 'getCase'].map((id) => operationOf(contract, id));
  expect(create?.success.schema).not.toEqual(read?.success.schema);
  const schemas = contract.operations.map(writtenSchema);
  expect(schemas).toEqual([result, result, result]);
});

test.each([
  ['several values with open', '{ type: string, enum: [open, new] }', ['/id', '/status']],
  ['values without open', '{ type: string, enum: [new, done] }', ['/id']],
  ['a value', '{ type: string, const: new }', ['/id']],
  ['a pattern', "{ type: string, pattern: '^n' }", ['/id']],
  ['an object', '{ type: object }', ['/id', '/status']],
  ['whatever it is', '{}', ['/id']],
])('a status that is described as %s', async (_, status, places) => {
  expect(await wrong(of('{ type: string }', status), other)).toEqual(places);
});

test.each([
  ['a form', '{ type: string, format: uuid }'],
  ['a pattern', "{ type: string, pattern: '^c' }"],
  ['whatever it is', '{}'],
])('an ID that is described by %s', async (_, id) => {
  expect(await wrong(of(id, '{ type: string }'), { id: 'c1', status: 'open' })).toEqual([]);
});

test.each<[string, Given]>([
  ['another permission', { permission: 'folder.create' }],
  ['another path', { path: '/notes' }],
  ['another success', { status: '202' }],
])('%s is no creation of a case', async (_, given) => {
  expect(await wrong(texts, other, given)).toEqual([]);
});
