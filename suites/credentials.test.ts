import { expect, test } from 'vitest';
import { contract, createCase } from '../src/clauses/cases/contract.ts';
import type { Contract } from '../src/model/contract.ts';
import type { Json } from '../src/model/json.ts';
import type { Principal } from '../src/model/principal.ts';
import { stepsOf } from '../src/model/scenario.ts';
import { oddForgeries, oddTokens } from '../src/model/token-variants.ts';
import { operation } from '../src/selftest/shapes/document.ts';
import { contractOf } from '../src/testing/contracts.ts';
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
  expect(forged(['reader'], [opaque, reader])).toEqual(['test reader, control opaque']);
  expect(forged(['reader', 'holder'], [opaque, reader, able])).toEqual(['test holder, control holder']);
  // What has expired is refused although its signature is not checked.
  expect(forged(['old'], [opaque, old])).toEqual([]);
});

test('a read without a token, or with an unknown one, is sent again after the valid one', () => {
  const plan = planned(credentials, contract);
  const steps = plan.steps({ probe: 'absent', operation: 'getCase' });
  const sent = steps.filter(({ operation, role }) => operation === 'getCase' && role !== 'setup');
  const senders = ['X-Forwarded-For', 'X-Real-IP'];
  const wrong = [
    ['test', 'absent', []],
    // One that seems to be a neighbour of the service still needs a token.
    ['test', 'absent', senders],
    ['test', 'unknown', []],
  ];
  expect(sent.map(({ headers = [], role, token }) => [role, token, headers.map(([name]) => name)])).toEqual([
    ...wrong,
    ['control', undefined, []],
    ...wrong,
  ]);
});

test('a later page is read without a token, where its cursor comes from the first', () => {
  const pages = (id: string) =>
    planned(credentials, contract)
      .steps({ probe: 'later-page', operation: id })
      .filter(({ operation, role }) => operation === id && role !== 'setup')
      .map(({ query = [], role, token }) => [
        role,
        token,
        query.some(([, value]) => typeof value !== 'string'),
      ]);
  expect(pages('listCases')).toEqual([
    ['control', undefined, false],
    ['test', 'absent', true],
    ['control', undefined, true],
  ]);
  expect(pages('getCase')).toEqual([]);
});

test('a token with another beginning, middle or end is tried with each operation', () => {
  const plan = planned(credentials, contract);
  const changed = (place: string): readonly string[] =>
    plan.steps().flatMap(({ operation, token }) => (token === `${place}-changed` ? [operation] : []));
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
  expect(watched.map(({ id }) => id)).toEqual(['absent', 'old']);
});

test('other wrong credentials come one after the other under one key, and a new key only where that is occupied', () => {
  const plan = planned(credentials, contract);
  const sent = (operation: string): readonly unknown[] =>
    plan
      .scenarios({ operation, probe: 'elsewhere' })
      .flatMap(({ waves }) => stepsOf(waves))
      .filter(({ role }) => role !== 'setup')
      .map(({ controls, key, token }) => [token, key.use === 'named' ? key.name : key.use, controls]);
  const places = (key: string, names: readonly string[]) => names.map((token) => [token, key, undefined]);
  expect(sent('createCase')).toEqual([
    ...places('key', ['in-query', 'in-cookie', 'in-header', 'in-body']),
    [undefined, 'key', '*'],
    [undefined, 'again', 'control'],
  ]);
  expect(sent('listCases')).toEqual([
    ...places('none', ['in-query', 'in-cookie', 'in-header']),
    [undefined, 'none', '*'],
  ]);
  const malformed = plan.steps({ operation: 'listCases', probe: 'malformed' }).map(({ token }) => token);
  expect(malformed).toEqual(
    expect.arrayContaining(['basic', 'bare', 'empty', 'no-value', 'last-word', 'quoted', 'null']),
  );
});

test('all odd forms of the header are sent, a few to each operation', () => {
  const sent = (from: Contract) =>
    from.operations
      .map(({ id }) =>
        planned(credentials, from, { budget: 'quick' })
          .steps({ operation: id, probe: 'malformed' })
          .flatMap(({ token }) => oddTokens.filter((odd) => odd === token)),
      )
      .filter((tokens) => tokens.length > 0);
  const several = { ...contract, operations: contract.operations.slice(0, 6) };
  expect(new Set(sent(several).flat())).toEqual(new Set(oddTokens));
  expect(new Set(sent(several).map(({ length }) => length))).toEqual(new Set([2]));
  expect(sent({ ...contract, operations: [createCase] })).toEqual([oddTokens]);
});

test('without a token, too, a used key, a wrong body, an absent target and a wrong query field are tried', () => {
  const plan = planned(credentials, contract);
  const tried = (id: string): readonly string[] =>
    plan
      .steps({ probe: 'learns-nothing', operation: id })
      .filter(({ role, token }) => role === 'test' && token === 'absent')
      .flatMap(({ deviations }) => deviations.map(({ kind }) => kind));
  expect(tried('updateCase')).toEqual([
    ...['credential', 'key-reuse', 'credential', 'body'],
    ...['credential', 'target', 'credential', 'key'],
  ]);
  expect(tried('getCase')).toEqual(['credential', 'target']);
  expect(tried('listCases')).toEqual(['credential', 'query']);
});

test('a read that takes any text has no other fault that a stranger could learn of', async () => {
  const field = (schema: Json): Json => ({ name: 'code', in: 'query', schema });
  const skipped = async (schema: Json): Promise<readonly string[]> => {
    const labels = await contractOf(
      operation('GET /labels', 'listLabels', { parameters: [field(schema)], result: true }),
    );
    return planned(credentials, labels).skips.flatMap(({ clauses, need }) =>
      clauses.includes('AUT-11') ? [need.kind] : [],
    );
  };
  expect(await skipped({ type: 'string' })).toEqual(['inapplicable']);
  expect(await skipped({ type: 'integer' })).toEqual([]);
});

test('all further forgeries of a JWT are sent, a few to each operation', () => {
  const sent = (from: Contract) =>
    from.operations.map(({ id }) =>
      planned(credentials, from, { budget: 'quick', isJwt: () => true })
        .steps({ operation: id, probe: 'forged' })
        .flatMap(({ token }) => oddForgeries.filter((odd) => odd === token)),
    );
  const several = { ...contract, operations: contract.operations.slice(0, 4) };
  expect(new Set(sent(several).flat())).toEqual(new Set(oddForgeries));
  expect(new Set(sent(several).map(({ length }) => length))).toEqual(new Set([2]));
  expect(sent({ ...contract, operations: [createCase] })).toEqual([oddForgeries]);
});
