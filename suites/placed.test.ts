import { expect, test } from 'vitest';
import { withParameters } from '../src/contract/given.ts';
import { parseContract } from '../src/contract/load.ts';
import { operationOf } from '../src/model/contract.ts';
import type { Principal } from '../src/model/principal.ts';
import { stepsOf } from '../src/model/scenario.ts';
import type { Suite } from '../src/suite-kit/suite.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import reads from './reads.ts';
import wrongPermissions from './wrong-permissions.ts';

const principal = (name: string, scope: string, tenant: string): Principal => ({
  ...{ name, identity: name, scope, permissions: ['all'], state: 'valid', use: 'any' },
  parameters: { tenantId: tenant },
});
const principals = [principal('lead', 'a', 't-a'), principal('other', 'b', 't-b')];
const key = '{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }';
const tenant = 'parameters: [{ name: tenantId, in: path, required: true, schema: { enum: [t-a, t-b] } }';
const contract = withParameters(
  await parseContract(
    `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
security: [{ token: [all] }]
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
paths:
  /tenants/{tenantId}/notes:
    ${tenant}]
    post:
      operationId: make
      x-governed: { effect: { read: get, list: list } }
      parameters: [${key}]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [text], properties: { text: { type: string } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { properties: { id: {} } } } }, links: { get: { operationId: get, parameters: { noteId: $response.body#/id } } } } }
    get:
      operationId: list
      responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: {} } } } } }
  /tenants/{tenantId}/notes/{noteId}:
    ${tenant}, { name: noteId, in: path, required: true, schema: { type: string } }]
    get: { operationId: get, responses: { '200': { description: one } } }
`,
    'notes.yaml',
  ),
  {},
  principals,
);

/** Steps of the caller of the other scope: in whose path, and whether they must be refused. */
const byOther = (suite: Suite, operation: string, G9?: number): readonly string[] => [
  ...new Set(
    [
      ...suite.propose({
        contract,
        declaration: G9 === undefined ? {} : { G9 },
        principals,
        budget: 'quick',
        throttling: { maxRequests: 1, maxSeconds: 1 },
        hooks: new Set(),
        isJwt: () => false,
        caseMatters: () => true,
        values: (of) => operationValues(of, []),
      }),
    ]
      .flatMap((proposal) => (proposal.kind === 'probe' ? proposal.scenarios : []))
      .flatMap(({ waves }) => stepsOf(waves))
      .filter((step) => step.as === 'other' && step.operation === operation && step.role === 'test')
      .map(({ deviations, within }) =>
        [
          `in ${within ?? 'own'}`,
          ...(deviations.some(({ kind }) => kind === 'scope') ? ['refused'] : []),
        ].join(),
      ),
  ),
];

test('what callers fill in for themselves names no record', () => {
  const make = operationOf(contract, 'make');
  expect([make.path, make.pathFields, make.ownParameters]).toEqual([
    '/tenants/{tenantId}/notes',
    [],
    ['tenantId'],
  ]);
  expect(operationOf(contract, 'get').pathFields.map(({ name }) => name)).toEqual(['noteId']);
});

test('another scope calls in the path of the first one, and in its own', () => {
  expect(byOther(wrongPermissions, 'make')).toEqual(['in lead,refused']);
  expect(byOther(wrongPermissions, 'get')).toEqual(['in lead,refused', 'in own,refused']);
  expect(byOther(wrongPermissions, 'get', 403)).toEqual(['in lead,refused', 'in own,refused']);
  expect(byOther(reads, 'list')).toEqual(expect.arrayContaining(['in own', 'in lead,refused']));
  expect(byOther(reads, 'get')).toEqual(expect.arrayContaining(['in lead,refused']));
});

test('a record of another scope is read under a path of the own scope as well', () => {
  expect(byOther(reads, 'get')).toEqual(['in lead,refused', 'in own,refused']);
});
