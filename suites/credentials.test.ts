import { expect, test } from 'vitest';
import { contract, createCase } from '../src/clauses/cases/contract.ts';
import type { Principal } from '../src/model/principal.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { holder, planned, principal } from '../src/testing/plans.ts';
import credentials from './credentials.ts';

const permissions = ['case.create'];

/** Whose tokens are forged, and who sends the control, where these have a JWT. */
function forged(jwts: readonly string[], principals: readonly Principal[]): readonly string[] {
  return planned(
    credentials,
    { ...contract, operations: [createCase] },
    { principals, isJwt: ({ name }) => jwts.includes(name) },
  )
    .probes()
    .filter(({ clauses }) => clauses.includes('AUT-8'))
    .flatMap(({ scenarios }) =>
      scenarios.map(({ waves }) =>
        [...new Set(stepsOf(waves).map(({ as, role }) => `${role} ${as}`))].join(', '),
      ),
    );
}

test('a token is forged wherever a valid principal has a JWT', () => {
  const opaque = principal('opaque', { permissions });
  const reader = principal('reader', { permissions: ['case.read'] });
  const old = principal('old', { permissions, state: 'expired' });
  const able = principal('holder', { permissions });
  expect(forged([], [opaque, reader])).toEqual([]);
  expect(forged(['reader'], [opaque, reader])).toEqual([
    'test reader, control opaque',
    'test reader, control opaque',
  ]);
  expect(forged(['reader', 'holder'], [opaque, reader, able])).toEqual([
    'test holder, control holder',
    'test holder, control holder',
  ]);
  // What has expired is refused although its signature is not checked.
  expect(forged(['old'], [opaque, old])).toEqual([]);
});

test('a read without a token, or with an unknown one, is sent again after the valid one', () => {
  const plan = planned(credentials, contract);
  for (const probe of ['absent', 'unknown']) {
    const steps = plan.steps({ probe, operation: 'getCase' });
    const sent = steps.filter(({ operation, role }) => operation === 'getCase' && role !== 'setup');
    expect(sent.map(({ controls, role, token }) => [role, token, controls])).toEqual([
      ['test', probe, undefined],
      ['control', undefined, '*'],
      ['test', probe, undefined],
    ]);
  }
});

test('a token with another beginning, middle or end is tried with each operation', () => {
  const plan = planned(credentials, contract);
  const changed = (place: string): readonly string[] =>
    plan.probes({ probe: `${place}-changed` }).map(({ operation }) => operation);
  expect(changed('start')).toEqual(expect.arrayContaining(['createCase', 'updateCase', 'listCases']));
  expect(changed('start')).toEqual(changed('middle'));
  expect(changed('end')).toEqual(changed('middle'));
});

test('the target is read around a command without a token, with an unknown one and with one that is no longer valid', () => {
  const principals = [
    holder(contract, 'lead'),
    holder(contract, 'old', { state: 'expired' }),
    holder(contract, 'gone', { state: 'revoked' }),
  ];
  const watched = planned(credentials, contract, { principals })
    .probes({ operation: 'updateCase' })
    .filter(({ scenarios }) =>
      scenarios.some(({ waves }) => stepsOf(waves).some(({ id }) => id === 'after')),
    );
  expect(watched.map(({ id }) => id)).toEqual(['absent', 'unknown', 'expired', 'revoked']);
});

test('the words null and undefined, other headers and a scheme as long as Bearer are tried with every operation, under one key', () => {
  const plan = planned(credentials, contract);
  const sent = (operation: string): readonly unknown[] =>
    plan
      .scenarios({ operation, probe: 'no-token' })
      .flatMap(({ waves }) => stepsOf(waves))
      .filter(({ role }) => role !== 'setup')
      .map(({ deviations, key, token }) => [token, key.use === 'named' ? key.name : key.use, ...deviations]);
  const expected = (key: string): readonly unknown[] => [
    ['null', key, { kind: 'credential', how: 'malformed' }],
    ['undefined', key, { kind: 'credential', how: 'malformed' }],
    ['in-header', key, { kind: 'credential', how: 'elsewhere' }],
    ['equally-long-scheme', key, { kind: 'credential', how: 'malformed' }],
    [undefined, key],
  ];
  expect(sent('createCase')).toEqual(expected('key'));
  expect(sent('listCases')).toEqual(expected('none'));
});
