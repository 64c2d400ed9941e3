import { expect, test } from 'vitest';
import { contract, createCase } from '../src/clauses/cases/contract.ts';
import { operationOf } from '../src/model/contract.ts';
import type { Principal } from '../src/model/principal.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { operationValues } from '../src/suite-kit/values.ts';
import credentials from './credentials.ts';

const principal = (name: string, more: Partial<Principal> = {}): Principal => ({
  name,
  permissions: ['case.create'],
  scope: 'a',
  state: 'valid',
  identity: name,
  use: 'any',
  ...more,
});

/** Whose tokens are forged, and who sends the control, where these have a JWT. */
function forged(jwts: readonly string[], principals: readonly Principal[]): readonly string[] {
  const proposals = [
    ...credentials.propose({
      contract: { ...contract, operations: [createCase] },
      declaration: {},
      principals,
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: ({ name }) => jwts.includes(name),
      caseMatters: () => true,
      values: (operation) => operationValues(operation, []),
    }),
  ];
  return proposals.flatMap((proposal) =>
    proposal.kind === 'probe' && proposal.clauses.includes('AUT-8')
      ? proposal.scenarios.map((one) =>
          [...new Set(stepsOf(one.waves).map(({ as, role }) => `${role} ${as}`))].join(', '),
        )
      : [],
  );
}

test('a token is forged wherever a valid principal has a JWT', () => {
  const opaque = principal('opaque');
  const reader = principal('reader', { permissions: ['case.read'] });
  const old = principal('old', { state: 'expired' });
  const holder = principal('holder');
  expect(forged([], [opaque, reader])).toEqual([]);
  expect(forged(['reader'], [opaque, reader])).toEqual([
    'test reader, control opaque',
    'test reader, control opaque',
  ]);
  expect(forged(['reader', 'holder'], [opaque, reader, holder])).toEqual([
    'test holder, control holder',
    'test holder, control holder',
  ]);
  // What has expired is refused although its signature is not checked.
  expect(forged(['old'], [opaque, old])).toEqual([]);
});

test('a token with another beginning, middle or end is tried with each operation', () => {
  const permissions = contract.operations.flatMap((operation) => operation.permissions ?? []);
  const tried = [
    ...credentials.propose({
      contract,
      declaration: {},
      principals: [principal('lead', { permissions })],
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: () => false,
      caseMatters: () => true,
      values: (one) => operationValues(one, []),
    }),
  ].map((one) => (one.kind === 'probe' ? `${one.id} ${one.operation}` : ''));
  const changed = (place: string): readonly string[] =>
    tried.filter((id) => id.startsWith(`${place}-changed `)).map((id) => id.split(' ')[1] ?? '');
  expect(changed('start')).toEqual(expect.arrayContaining(['createCase', 'updateCase', 'listCases']));
  expect(changed('start')).toEqual(changed('middle'));
  expect(changed('end')).toEqual(changed('middle'));
});

test('the target is read around a command without a token, with an unknown one and with one that is no longer valid', () => {
  const update = operationOf(contract, 'updateCase');
  const permissions = contract.operations.flatMap((operation) => operation.permissions ?? []);
  const watched = [
    ...credentials.propose({
      contract,
      declaration: {},
      principals: [
        principal('lead', { permissions }),
        principal('old', { permissions, state: 'expired' }),
        principal('gone', { permissions, state: 'revoked' }),
      ],
      budget: 'quick',
      throttling: { maxRequests: 1, maxSeconds: 1 },
      hooks: new Set(),
      isJwt: () => false,
      caseMatters: () => true,
      values: (operation) => operationValues(operation, []),
    }),
  ].flatMap((one) =>
    one.kind === 'probe' &&
    one.operation === update.id &&
    one.scenarios.some(({ waves }) => stepsOf(waves).some(({ id }) => id === 'after'))
      ? [one.id]
      : [],
  );
  expect(watched).toEqual(['absent', 'unknown', 'expired', 'revoked']);
});
