import { expect, test } from 'vitest';
import { withParameters } from '../src/contract/given.ts';
import { operationOf } from '../src/model/contract.ts';
import { parsedDeclaration } from '../src/oracle/open-points/declared.ts';
import { linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import type { Suite } from '../src/suite-kit/suite.ts';
import { contractOf } from '../src/testing/contracts.ts';
import { planned, principal } from '../src/testing/plans.ts';
import reads from './reads.ts';
import wrongPermissions from './wrong-permissions.ts';

const permissions = ['tenants.write', 'tenants.read'];
const principals = [
  principal('lead', { permissions, scope: 'a', parameters: { tenantId: 't-a' } }),
  principal('other', { permissions, scope: 'b', parameters: { tenantId: 't-b' } }),
];
const parameters = [{ name: 'tenantId', in: 'path', required: true, schema: { enum: ['t-a', 't-b'] } }];
const contract = withParameters(
  await contractOf(
    operation('POST /tenants/{tenantId}/notes', 'make', {
      parameters,
      governed: { effect: { read: 'get', list: 'list' } },
      body: object({ text: { type: 'string' } }),
      result: { properties: { id: {} } },
      links: linkTo('get', 'noteId'),
    }),
    operation('GET /tenants/{tenantId}/notes', 'list', { parameters, result: { type: 'array', items: {} } }),
    operation('GET /tenants/{tenantId}/notes/{noteId}', 'get', { parameters }),
    operation('PUT /tenants/{tenantId}/notes/{noteId}/tags/{tag}', 'tag', { parameters }),
    operation('PUT /tenants/{tenantId}/labels/{label}', 'label', { parameters }),
  ),
  {},
  principals,
);

/** Steps of the caller of the other scope: in whose path, and whether they must be refused. */
const byOther = (suite: Suite, operation: string, G9?: number): readonly string[] => [
  ...new Set(
    planned(suite, contract, { principals, declared: parsedDeclaration(G9 === undefined ? {} : { G9 }) })
      .steps()
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

test('a name that callers choose is put in a record of another scope, under a path of the own scope as well', () => {
  expect(operationOf(contract, 'tag').pathFields.map(({ chosen = false }) => chosen)).toEqual([false, true]);
  expect(byOther(wrongPermissions, 'tag')).toEqual(['in lead,refused', 'in own,refused']);
});

test('in its own scope, a caller may put any name', () => {
  expect(byOther(wrongPermissions, 'label')).toEqual(['in lead,refused']);
});

test('a record of another scope is read under a path of the own scope as well', () => {
  expect(byOther(reads, 'get')).toEqual(['in lead,refused', 'in own,refused']);
});
