import { expect, test } from 'vitest';
import { parseContract } from './load.ts';

/** A command whose result has a link, here or among the components, to a read under a name of its own. */
async function contractWith(link: string, shared = '') {
  return await parseContract(
    `openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders:
    post:
      operationId: add_order
      security: [{ token: [order.create] }]
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }]
      responses:
        '201':
          description: Created
          content: { application/json: { schema: { type: object, required: [number], properties: { number: { type: string } } } } }
          links: { read: ${link} }
  /archive/{ref}:
    get:
      operationId: get_order
      security: [{ token: [order.read] }]
      parameters: [{ name: ref, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: OK } }
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
${shared}`,
    'orders.yaml',
  );
}

const parameters = '{ ref: $response.body#/number }';

async function sourceOf(link: string, shared?: string) {
  const { operations, warnings = [] } = await contractWith(link, shared);
  const read = operations.find(({ id }) => id === 'get_order');
  return { from: read?.pathFields[0]?.source?.operation, warnings };
}

test('a link in snake case, as utoipa writes it, leads where it says, with a warning', async () => {
  const { from, warnings } = await sourceOf(`{ operation_id: get_order, parameters: ${parameters} }`);
  expect(from).toBe('add_order');
  expect(warnings).toEqual([
    "orders.yaml:13:20: this link has its members in snake case, and is read as if they were in camel case; write 'operationId', 'operationRef' and 'requestBody'",
  ]);
  const ref = `{ operation_ref: '#/paths/~1archive~1{ref}/get', parameters: ${parameters} }`;
  expect((await sourceOf(ref)).from).toBe('add_order');
  const shared = `  links: { read: { operation_id: get_order, parameters: ${parameters} } }`;
  expect((await sourceOf("{ $ref: '#/components/links/read' }", shared)).from).toBe('add_order');
});

test('a link in camel case has no warning, and a name of neither kind is still refused', async () => {
  expect(await sourceOf(`{ operationId: get_order, parameters: ${parameters} }`)).toEqual({
    from: 'add_order',
    warnings: [],
  });
  await expect(contractWith('{ operationid: get_order }')).rejects.toThrow(/unknown key 'operationid'/);
  await expect(contractWith('{ operationId: get_order, operation_id: other }')).rejects.toThrow(
    /unknown key 'operation_id'/,
  );
});

test('a link in snake case to an operation that does not exist is left out with a warning', async () => {
  const { from, warnings } = await sourceOf(`{ operation_id: get_ordr, parameters: ${parameters} }`);
  expect(from).toBeUndefined();
  expect(warnings.join('\n')).toMatch(/there is no operation 'get_ordr'/);
});
