import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { operationOf } from '../model/contract.ts';
import type { Principal } from '../model/principal.ts';
import { stepsOf } from '../model/scenario.ts';
import { standIn } from './cast.ts';
import { sceneOf } from './scene.ts';
import type { Planning } from './suite.ts';
import { operationValues } from './values.ts';

const read = operationOf(contract, 'getCase');
const close = operationOf(contract, 'closeCase');

function principal(name: string, identity: string, scope: string, may: readonly string[]): Principal {
  return { name, identity, scope, permissions: may, state: 'valid', use: 'any' };
}

const reads = read.permissions ?? [];
const everything = contract.operations.flatMap(({ permissions }) => permissions ?? []);
const abroad = principal('abroad', 'c', 'south', reads);
const first = principal('first', 'a', 'north', [
  ...reads,
  ...(operationOf(contract, 'createCase').permissions ?? []),
]);
const token = principal('token', 'b', 'north', reads);
const lead = principal('lead', 'b', 'north', everything);

function planning(principals: readonly Principal[]): Planning {
  return {
    contract,
    declaration: {},
    principals,
    budget: 'quick',
    throttling: { maxRequests: 1, maxSeconds: 1 },
    hooks: new Set(),
    isJwt: () => false,
    caseMatters: () => true,
    values: (one) => operationValues(one, []),
  };
}

test.each([
  ['the principal itself', [abroad, first, token, lead], 'lead'],
  ['another token of the caller', [abroad, first, token], 'token'],
  ['anybody of its scope', [abroad, first], 'first'],
  ['nobody of another scope', [abroad], undefined],
])('an operation is run for a principal by %s', (_, principals, name) => {
  expect(standIn(planning(principals), read, lead)?.name).toBe(name);
});

test('a target is made by the caller that runs the command on it, which may be the only one to see it', () => {
  const scene = sceneOf(planning([first, token, lead]), close);
  if ('remedy' in scene) throw new Error(scene.remedy);
  expect(scene.lead.name).toBe('lead');
  expect(new Set(stepsOf(scene.prelude).map(({ as }) => as))).toEqual(new Set(['lead']));
});
