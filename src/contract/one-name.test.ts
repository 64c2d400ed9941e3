import { expect, test } from 'vitest';
import { writtenPath } from '../model/path.ts';
import { parseContract } from './load.ts';

/** Operations by lines of a method, a path, and further members as YAML; every collection answers with an ID. */
async function pathsOf(lines: readonly (readonly [method: string, path: string, more?: string])[]) {
  const key = '{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }';
  const made =
    '{ description: it, content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: integer }, part_id: { type: integer } } } } } }';
  const paths = [...new Set(lines.map(([, path]) => path))].map((path) => {
    const fields = [...path.matchAll(/\{([^{}]+)\}/g)].map(
      ([, name]) => `{ name: ${name}, in: path, required: true, schema: { type: integer } }`,
    );
    const operations = lines
      .filter(([, other]) => other === path)
      .map(([method, , more = '']) =>
        [
          `    ${method}:`,
          `      operationId: ${method} ${path}`,
          '      security: [{ token: [a.b] }]',
          `      parameters: [${[...fields, ...(method === 'get' ? [] : [key])].join(', ')}]`,
          `      responses: { '200': ${made} }`,
          ...(more === '' ? [] : [`      ${more}`]),
        ].join('\n'),
      );
    return [`  ${path}:`, ...operations].join('\n');
  });
  const text = [
    'openapi: 3.1.1',
    'info: { title: Names, version: 1.27.0 }',
    'paths:',
    ...paths,
    'components: { securitySchemes: { token: { type: http, scheme: bearer } } }',
  ].join('\n');
  return await parseContract(text, 'c.yaml');
}

const shown = (operations: Awaited<ReturnType<typeof pathsOf>>['operations']): readonly string[] =>
  operations.map(({ method, path }) => `${method} ${path}`);

test('a record has one name in all paths below it, and is made by what makes the record', async () => {
  const { operations } = await pathsOf([
    ['post', '/orders/'],
    ['get', '/orders/{id}/'],
    [
      'post',
      '/orders/{order_pk}/close/',
      'x-governed: { conflict: { after: "post /orders/{order_pk}/close/" } }',
    ],
    ['get', '/orders/{order_pk}/notes/'],
  ]);
  expect(shown(operations)).toEqual([
    'POST /orders/',
    'GET /orders/{id}/',
    'POST /orders/{id}/close/',
    'GET /orders/{id}/notes/',
  ]);
  expect(operations.map(({ pathFields }) => pathFields[0]?.source?.operation)).toEqual([
    undefined,
    'post /orders/',
    'post /orders/',
    'post /orders/',
  ]);
  expect(operations.map(({ pathFields }) => pathFields[0]?.written)).toEqual([
    undefined,
    undefined,
    'order_pk',
    'order_pk',
  ]);
});

test('an action after a colon is on the record whose name comes before it', async () => {
  const { operations } = await pathsOf([
    ['post', '/devices'],
    ['post', '/devices/{device_pk}/orders', 'x-governed: { effect: { read: "get /orders/{id}" } }'],
    ['get', '/orders/{id}'],
    ['post', '/orders/{id}:close', 'x-governed: { effect: { read: "get /orders/{id}" } }'],
    ['get', '/devices/{id}'],
    ['post', '/devices/{id}:close'],
  ]);
  expect(shown(operations)).toEqual([
    'POST /devices',
    'POST /devices/{device_id}/orders',
    'GET /orders/{order_id}',
    'POST /orders/{order_id}:close',
    'GET /devices/{device_id}',
    'POST /devices/{device_id}:close',
  ]);
});

test('records of several kinds that one operation is about have names of their own', async () => {
  const { operations } = await pathsOf([
    ['post', '/devices/'],
    [
      'post',
      '/devices/{device_pk}/work-orders/',
      'x-governed: { effect: { read: "get /work-orders/{id}/" } }',
    ],
    ['get', '/work-orders/{id}/'],
    ['post', '/work-orders/{id}/complete/'],
    ['post', '/work-orders/{work_order_pk}/parts/'],
    ['delete', '/work-orders/{work_order_pk}/parts/{id}/'],
    ['post', '/parts/'],
    ['get', '/parts/{id}/'],
  ]);
  expect(shown(operations)).toEqual([
    'POST /devices/',
    'POST /devices/{device_pk}/work-orders/',
    'GET /work-orders/{work_order_id}/',
    'POST /work-orders/{work_order_id}/complete/',
    'POST /work-orders/{work_order_id}/parts/',
    'DELETE /work-orders/{work_order_id}/parts/{work_order_part_id}/',
    'POST /parts/',
    'GET /parts/{part_id}/',
  ]);
  // Reports, and what a user selects, have the paths of the document.
  expect(operations.slice(4, 6).map(writtenPath)).toEqual([
    '/work-orders/{work_order_pk}/parts/',
    '/work-orders/{work_order_pk}/parts/{id}/',
  ]);
  // In a result `part_id` may be that of another part: the document names the record of /parts/{id} `id`.
  expect(operations[7]?.pathFields[0]?.source).toEqual({ operation: 'post /parts/', at: '/id' });
  const sources = operations.flatMap(({ pathFields }) => pathFields.map(({ source }) => source?.operation));
  expect(sources).toEqual([
    'post /devices/',
    ...Array.from({ length: 4 }, () => 'post /devices/{device_pk}/work-orders/'),
    'post /work-orders/{work_order_pk}/parts/',
    'post /parts/',
  ]);
});

test.each([
  ['names that say what they are', ['/cases/{caseId}', '/teams/{teamId}/cases/{caseId}']],
  ['other identifiers of one record', ['/cases/{caseId}', '/cases/{number}/notes']],
  [
    'one name everywhere, where no operation is about two',
    ['/cases/{id}', '/teams/{id}', '/teams/{id}/close'],
  ],
  ['fields within a segment', ['/cases/{a}-{b}', '/cases/{id}/x']],
])('%s stay as they are', async (_, paths) => {
  const { operations } = await pathsOf(paths.map((path) => ['get', path] as const));
  expect(operations.map(({ path }) => path)).toEqual(paths);
  expect(operations.flatMap(({ pathFields }) => pathFields.map(({ written }) => written))).not.toContain(
    expect.anything(),
  );
});
