import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { operationOf } from '../model/contract.ts';
import type { Principal } from '../model/principal.ts';
import { type Step, stepsOf } from '../model/scenario.ts';
import { shapes } from '../selftest/shapes/catalogue.ts';
import { reading } from './readback.ts';
import { sceneOf } from './scene.ts';
import type { Planning } from './suite.ts';
import { operationValues } from './values.ts';

/** The reads of the target of a command before it runs. */
async function readsOf(shape: string, command: string): Promise<readonly Step['operation'][]> {
  const text = shapes.find(({ name }) => name === shape)?.text ?? '';
  const contract = await parseContract(text, 'c.yaml');
  const all: Principal = {
    name: 'all',
    permissions: contract.operations.flatMap(({ permissions }) => permissions ?? []),
    scope: 'a',
    state: 'valid',
    identity: 'all',
    use: 'any',
  };
  const planning: Planning = {
    contract,
    declaration: {},
    principals: [all],
    budget: 'quick',
    throttling: { maxRequests: 1, maxSeconds: 1 },
    hooks: new Set(),
    isJwt: () => false,
    caseMatters: () => true,
    values: (one) => operationValues(one, []),
  };
  const scene = sceneOf(planning, operationOf(contract, command));
  if ('remedy' in scene) throw new Error(scene.remedy);
  return stepsOf(reading(planning, scene, 'before')).map(({ operation }) => operation);
}

test.each([
  ['what is put to a path is read at that path, declared or not', 'client-chosen-uuid', 'putNote', 'getNote'],
  ['what is made within a record is read in its list', 'nested', 'addTag', 'listTags'],
  ['a declared read comes first', 'close-declared', 'closeNote', 'getNote'],
])('%s', async (_, shape, command, read) => {
  expect(await readsOf(shape, command)).toEqual([read, read]);
});
