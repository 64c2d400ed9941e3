import { expect, test } from 'vitest';
import { contract } from '../clauses/cases/contract.ts';
import { operationOf } from '../model/contract.ts';
import { stepsOf } from '../model/scenario.ts';
import { holder, planningOf, present, principal } from '../testing/plans.ts';
import { standIn } from './cast.ts';
import { sceneOf } from './scene.ts';

const read = operationOf(contract, 'getCase');
const close = operationOf(contract, 'closeCase');

const reads = read.permissions ?? [];
const abroad = principal('abroad', { identity: 'c', scope: 'south', permissions: reads });
const first = principal('first', {
  ...{ identity: 'a', scope: 'north' },
  permissions: [...reads, ...(operationOf(contract, 'createCase').permissions ?? [])],
});
const token = principal('token', { identity: 'b', scope: 'north', permissions: reads });
const lead = holder(contract, 'lead', { identity: 'b', scope: 'north' });

test.each([
  ['the principal itself', [abroad, first, token, lead], 'lead'],
  ['another token of the caller', [abroad, first, token], 'token'],
  ['anybody of its scope', [abroad, first], 'first'],
  ['nobody of another scope', [abroad], undefined],
])('an operation is run for a principal by %s', (_, principals, name) => {
  expect(standIn(planningOf(contract, { principals }), read, lead)?.name).toBe(name);
});

test('a target is made by the caller that runs the command on it, which may be the only one to see it', () => {
  const scene = present(sceneOf(planningOf(contract, { principals: [first, token, lead] }), close));
  expect(scene.lead.name).toBe('lead');
  expect(new Set(stepsOf(scene.prelude).map(({ as }) => as))).toEqual(new Set(['lead']));
});
