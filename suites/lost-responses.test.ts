import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import lostResponses from './lost-responses.ts';

/** Bookings within a vehicle, which its list shows, and the retirement of the vehicle, which no list shows. */
const contract = await parseContract(
  `
openapi: 3.1.1
info: { title: Depot, version: 1.27.0 }
security: [{ token: [all] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
paths:
  /vehicles:
    post:
      operationId: register
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { id: { type: string } } } } }
          links:
            get: { operationId: getVehicle, parameters: { vehicle: $response.body#/id } }
            book: { operationId: book, parameters: { vehicle: $response.body#/id } }
            list: { operationId: bookings, parameters: { vehicle: $response.body#/id } }
            retire: { operationId: retire, parameters: { vehicle: $response.body#/id } }
  /vehicles/{vehicle}:
    parameters: [{ name: vehicle, in: path, required: true, schema: { type: string } }]
    get: { operationId: getVehicle, responses: { '200': { description: one, content: { application/json: { schema: true } } } } }
  /vehicles/{vehicle}/retirement:
    parameters: [{ name: vehicle, in: path, required: true, schema: { type: string } }]
    post:
      operationId: retire
      x-governed: { effect: { read: getVehicle } }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses: { '204': { description: retired } }
  /vehicles/{vehicle}/bookings:
    parameters: [{ name: vehicle, in: path, required: true, schema: { type: string } }]
    post:
      operationId: book
      x-governed: { effect: { list: bookings } }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses: { '201': { description: made, content: { application/json: { schema: { properties: { id: { type: string } } } } } } }
    get:
      operationId: bookings
      x-governed: { pagination: { limit: size, cursor: after, items: /items, next: /next } }
      parameters: [{ name: size, in: query, schema: { type: integer } }, { name: after, in: query, schema: { type: string } }]
      responses: { '200': { description: all, content: { application/json: { schema: { properties: { items: { items: true }, next: true } } } } } }
`,
  'depot.yaml',
);

/** Operations of the steps after the target was made, in the scenario of a failure after the commit. */
const sent = (operation: string): readonly string[] => {
  const proposals = lostResponses.propose({
    contract,
    declaration: {},
    principals: [
      { name: 'all', permissions: ['all'], scope: 'a', state: 'valid', identity: 'all', use: 'any' },
    ],
    budget: 'quick',
    throttling: { maxRequests: 1, maxSeconds: 1 },
    hooks: new Set(['failBeforeCommit', 'failAfterCommit']),
    isJwt: () => false,
    caseMatters: () => true,
    values: (each) => operationValues(each, []),
  });
  return [...proposals].flatMap((one) =>
    one.kind === 'probe' && one.id === 'failed' && one.operation === operation
      ? stepsOf(one.scenarios.at(-1)?.waves ?? []).map(({ id, operation: name }) => `${id} ${name}`)
      : [],
  );
};

test('a list within the target is read before the command that fails, and after its retries', () => {
  expect(sent('book').slice(1, 7)).toEqual([
    'listed-before bookings',
    'listed-before-again bookings',
    'failed book',
    'retry book',
    'retry-2 book',
    'control-make-vehicle register',
  ]);
  expect(sent('book').at(-1)).toBe('listed-after bookings');
});

test('a target that no list shows is not read', () => {
  expect(sent('retire').filter((step) => step.startsWith('listed'))).toEqual([]);
});
