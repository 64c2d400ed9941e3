import { expect, test } from 'vitest';
import { parseContract } from '../src/contract/load.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import otherTargets from './other-targets.ts';

/** A claim in an envelope: `result` is the schema of what the submission of one returns. */
const readsAround = async (result: string, effect: string): Promise<readonly string[]> => {
  const contract = await parseContract(
    `
openapi: 3.1.1
info: { title: Claims, version: 1.27.0 }
security: [{ token: [all] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
paths:
  /claims:
    post:
      operationId: createClaim
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: made
          content: { application/json: { schema: { properties: { data: { properties: { claim: true } } } } } }
          links:
            get: { operationId: getClaim, parameters: { claim: $response.body#/data/claim } }
            submit: { operationId: submitClaim, parameters: { claim: $response.body#/data/claim } }
  /claims/{claim}:
    parameters: [{ name: claim, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getClaim, responses: { '200': { description: one, content: { application/json: { schema: true } } } } }
  /claims/{claim}/submit:
    parameters: [{ name: claim, in: path, required: true, schema: { type: integer } }]
    post:
      operationId: submitClaim
      x-governed: { effect: ${effect} }
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses: { '200': { description: done, content: { application/json: { schema: ${result} } } } }
`,
    'claims.yaml',
  );
  const proposals = [
    ...otherTargets.propose({
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
    }),
  ];
  return proposals.flatMap((one) =>
    one.kind === 'probe'
      ? one.scenarios.flatMap(({ waves }) =>
          stepsOf(waves).flatMap(({ id, role }) => (role === 'readback' ? [id] : [])),
        )
      : [],
  );
};

test('a target is read after its control where the result has no id at the declared place', async () => {
  const enveloped = '{ properties: { data: { properties: { claim: { type: integer } } } } }';
  expect(await readsAround(enveloped, '{ read: getClaim }')).toContain('later');
  expect(await readsAround(enveloped, '{ read: getClaim, id: /data/claim }')).not.toContain('later');
  expect(await readsAround('{ properties: { id: { type: integer } } }', '{ read: getClaim }')).not.toContain(
    'later',
  );
});
