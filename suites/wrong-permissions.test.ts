import { expect, test } from 'vitest';
import { contract } from '../src/clauses/cases/contract.ts';
import { parseContract } from '../src/contract/load.ts';
import type { Contract } from '../src/model/contract.ts';
import type { Principal } from '../src/model/principal.ts';
import { stepsOf } from '../src/model/scenario.ts';
import type { Proposal } from '../src/suite-kit/suite.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import wrongPermissions from './wrong-permissions.ts';

const proposed = (of: Contract, others: readonly Principal[] = []): readonly Proposal[] => {
  const permissions = of.operations.flatMap((operation) => operation.permissions ?? []);
  const full = { permissions, state: 'valid', use: 'any' } as const;
  return [
    ...wrongPermissions.propose({
      contract: of,
      declaration: {},
      principals: [
        { ...full, name: 'here', identity: 'here', scope: 'one' },
        { ...full, name: 'peer', identity: 'peer', scope: 'one' },
        { ...full, name: 'elsewhere', identity: 'elsewhere', scope: 'two' },
        { ...full, name: 'nobody', identity: 'nobody', scope: 'one', permissions: [] },
        ...others,
      ],
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(['verify', 'revoke', 'restore']),
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, []),
    }),
  ];
};

test('a caller without permission or scope also sends a stronger verification that was issued to it', () => {
  const proposals = proposed(contract);
  const verified = proposals.flatMap((one) => {
    if (one.kind !== 'probe' || one.operation !== 'approveCase') return [];
    return one.scenarios.flatMap(({ waves }) => {
      const probe = waves
        .flatMap((wave) => ('steps' in wave ? wave.steps : []))
        .find(({ id }) => id === 'test');
      const issued = probe?.verification?.use === 'hook' ? probe.verification.step : undefined;
      return waves.flatMap((wave) =>
        'hook' in wave && probe !== undefined && wave.as === issued && wave.input['principal'] === probe.as
          ? probe.deviations.map(({ kind }) => kind)
          : [],
      );
    });
  });
  expect(verified.sort()).toEqual(['permission', 'scope']);
});

test('of several permissions that an operation needs, the hook withdraws each alone', () => {
  const several: Contract = {
    ...contract,
    operations: contract.operations.map((operation) =>
      operation.id === 'createCase'
        ? { ...operation, permissions: ['case.create', 'case.write'] }
        : operation,
    ),
  };
  const named = proposed(several).flatMap((one) =>
    one.kind === 'probe' && one.operation === 'createCase' && one.id.startsWith('withdrawn')
      ? one.scenarios.flatMap(({ waves }) =>
          waves.flatMap((wave) => ('hook' in wave ? [[wave.hook, wave.input['permission']]] : [])),
        )
      : [],
  );
  expect(named).toEqual([
    ['revoke', 'case.create'],
    ['restore', 'case.create'],
    ['revoke', 'case.write'],
    ['restore', 'case.write'],
  ]);
});

test('of several permissions that an operation needs, holders of one alone are refused with the quick budget', () => {
  const needed = ['case.create', 'case.write'];
  const several: Contract = {
    ...contract,
    operations: contract.operations.map((operation) =>
      operation.id === 'createCase' || operation.id === 'updateCase'
        ? { ...operation, permissions: operation.id === 'createCase' ? needed : ['case.create'] }
        : operation,
    ),
  };
  const others = [
    { name: 'broad', permissions: ['case.read', 'case.close'] },
    { name: 'first', permissions: ['case.create'] },
    { name: 'second', permissions: ['case.write'] },
  ].map((one) => ({ ...one, identity: one.name, scope: 'one', state: 'valid', use: 'any' }) as const);
  const ids = proposed(several, others).flatMap((one) =>
    one.kind === 'probe' && one.operation === 'createCase' ? [one.id] : [],
  );
  expect(ids).toEqual(expect.arrayContaining(['as-broad', 'as-first', 'as-second']));
});

test('who may do what the path above needs is tried with the quick budget', () => {
  const others = [
    { name: 'broad', permissions: ['case.close', 'case.approve'] },
    { name: 'maker', permissions: ['case.create'] },
    { name: 'closer', permissions: ['case.close'] },
  ].map((one) => ({ ...one, identity: one.name, scope: 'one', state: 'valid', use: 'any' }) as const);
  const ids = proposed(contract, others).flatMap((one) =>
    one.kind === 'probe' && one.operation === 'getCase' ? [one.id] : [],
  );
  expect(ids).toEqual(expect.arrayContaining(['as-broad', 'as-maker']));
  expect(ids).not.toContain('as-closer');
});

test('a later page is asked for without the permission', () => {
  const styled = (style: 'offset' | 'page' | 'cursor', next?: string): unknown =>
    proposed({
      ...contract,
      operations: contract.operations.map((one) =>
        one.id === 'listCases' && one.pagination !== undefined
          ? { ...one, pagination: { ...one.pagination, style, cursor: 'from', next } }
          : one,
      ),
    }).flatMap((one) =>
      one.kind === 'probe' && one.operation === 'listCases' && one.id === 'later-page'
        ? one.scenarios.flatMap(({ waves }) =>
            stepsOf(waves).map(({ as, id, query }) => [id, as, query?.[1]]),
          )
        : [],
    );
  expect(styled('offset')).toEqual([
    ['test', 'nobody', ['from', '1']],
    ['control', 'here', ['from', '1']],
  ]);
  expect(styled('page')).toEqual([
    ['test', 'nobody', ['from', '2']],
    ['control', 'here', ['from', '2']],
  ]);
  expect(styled('cursor')).toEqual([]);
  const behind = ['from', { step: 'first', at: '/next', cursor: 'from' }];
  expect(styled('cursor', '/next')).toEqual([
    ['made-1', 'here', undefined],
    ['made-2', 'here', undefined],
    ['made-3', 'here', undefined],
    ['first', 'here', undefined],
    ['test', 'nobody', behind],
    ['control', 'here', behind],
  ]);
});

test('what a refused caller did to the target is read once', () => {
  const watched = proposed(contract).flatMap((one) =>
    one.kind === 'probe' && one.operation === 'updateCase' && one.id === 'as-nobody'
      ? one.scenarios.flatMap(({ waves }) => stepsOf(waves).map(({ id }) => id))
      : [],
  );
  expect(watched).toEqual(expect.arrayContaining(['before', 'test', 'after']));
});

test('a record of another scope is also sought within a record of its own', async () => {
  const nested = await parseContract(
    `
openapi: 3.1.1
info: { title: Rooms, version: 1.27.0 }
security: [{ token: [all] }]
components:
  securitySchemes: { token: { type: http, scheme: bearer } }
  parameters: { Key: { name: Idempotency-Key, in: header, required: true, schema: { type: string } } }
  schemas: { Made: { type: object, properties: { id: { type: integer }, house: { type: string } } } }
paths:
  /houses:
    post:
      operationId: build
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: built
          content: { application/json: { schema: { $ref: '#/components/schemas/Made' } } }
          links: { add: { operationId: addRoom, parameters: { house: $response.body#/id } } }
  /houses/{house}/rooms:
    parameters: [{ name: house, in: path, required: true, schema: { type: string } }]
    post:
      operationId: addRoom
      parameters: [{ $ref: '#/components/parameters/Key' }]
      responses:
        '201':
          description: added
          content: { application/json: { schema: { $ref: '#/components/schemas/Made' } } }
          links: { get: { operationId: getRoom, parameters: { house: $response.body#/house, room: $response.body#/id } } }
  /houses/{house}/rooms/{room}:
    parameters:
      - { name: house, in: path, required: true, schema: { type: string } }
      - { name: room, in: path, required: true, schema: { type: integer } }
    get:
      operationId: getRoom
      responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Made' } } } } }
`,
    'rooms.yaml',
  );
  const sent = proposed(nested).flatMap((one) =>
    one.kind === 'probe' && one.operation === 'getRoom' && one.id === 'scope'
      ? one.scenarios.map(({ waves }) =>
          stepsOf(waves).map(({ as, operation, target = {} }) =>
            [as, operation, ...Object.values(target).map((ref) => ('step' in ref ? ref.step : ''))].join(' '),
          ),
        )
      : [],
  );
  expect(sent).toContainEqual([
    'here build',
    'here addRoom house-make-house',
    'here getRoom make-house make-house',
    'elsewhere build',
    'elsewhere getRoom own-make-house make-house',
    'here getRoom make-house make-house',
  ]);
});

test('a holder of one of several permissions sends a stronger verification of its own', () => {
  const several: Contract = {
    ...contract,
    operations: contract.operations.map((operation) =>
      operation.id === 'approveCase'
        ? { ...operation, permissions: [...(operation.permissions ?? []), 'case.sign'] }
        : operation,
    ),
  };
  const signer = { name: 'signer', permissions: ['case.sign'], identity: 'signer', scope: 'one' } as const;
  const ids = proposed(several, [{ ...signer, state: 'valid', use: 'any' }]).flatMap((one) =>
    one.kind === 'probe' && one.operation === 'approveCase' ? [one.id] : [],
  );
  expect(ids).toEqual(expect.arrayContaining(['as-signer', 'verified-signer']));
});
