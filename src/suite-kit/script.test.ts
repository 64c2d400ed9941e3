import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { stepsOf } from '../model/scenario.ts';
import { suiteOfScript } from './script.ts';
import { operationValues } from './values.ts';

const contract = await parseContract(
  `
openapi: 3.1.1
info: { title: Orders, version: 1.27.0 }
security: [{ token: [all] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
paths:
  /orders:
    post:
      operationId: placeOrder
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { id: { type: string } } } } }
          links:
            get: { operationId: getOrder, parameters: { order: $response.body#/id } }
            send: { operationId: sendOrder, parameters: { order: $response.body#/id } }
  /orders/{order}:
    parameters: [{ name: order, in: path, required: true, schema: { type: string } }]
    get: { operationId: getOrder, responses: { '200': { description: one, content: { application/json: { schema: true } } } } }
  /orders/{order}/send:
    parameters: [{ name: order, in: path, required: true, schema: { type: string } }]
    post:
      operationId: sendOrder
      x-governed: { effect: { read: getOrder } }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses: { '204': { description: sent } }
`,
  'orders.yaml',
);

type Faulty = { readonly key?: 'none' | { readonly text: string }; readonly token?: 'lower-case-scheme' };

const sent = (...faulty: readonly Faulty[]): readonly (readonly string[])[] => {
  const suite = suiteOfScript({
    suite: 'own',
    for: ['sendOrder'],
    probes: faulty.map((step, index) => ({ id: `p${index}`, faulty: step })),
  });
  const proposals = suite.propose({
    contract,
    declaration: {},
    principals: [
      { name: 'all', permissions: ['all'], scope: 'a', state: 'valid', identity: 'all', use: 'any' },
    ],
    budget: 'quick',
    throttling: { maxRequests: 1, maxSeconds: 1 },
    hooks: new Set(),
    isJwt: () => false,
    caseMatters: () => true,
    values: (operation) => operationValues(operation, []),
  });
  return [...proposals].flatMap((one) =>
    one.kind === 'probe' ? one.scenarios.map(({ waves }) => stepsOf(waves).map(({ id }) => id)) : [],
  );
};

const unread = ['make-order', 'test', 'control', 'fallback'];

test('the target is read before and after the first faulty step, which must leave it as it was', () => {
  expect(sent({ key: 'none' }, { key: { text: '' } })).toEqual([
    ['make-order', 'before', 'before-again', 'test', 'after', 'control', 'fallback'],
    unread,
  ]);
  expect(sent({ token: 'lower-case-scheme' })).toEqual([unread]);
});
