import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { type Step, stepsOf } from '../model/scenario.ts';
import { contractOfShape } from '../testing/contracts.ts';
import { planningOf, present } from '../testing/plans.ts';
import { reading } from './readback.ts';
import { sceneOf } from './scene.ts';

/** The reads of the target of a command before it runs. */
async function readsOf(shape: string, command: string): Promise<readonly Step['operation'][]> {
  const planning = planningOf(await contractOfShape(shape));
  const scene = present(sceneOf(planning, operationOf(planning.contract, command)));
  return stepsOf(reading(planning, scene, 'before')).map(({ operation }) => operation);
}

test.each([
  ['what is put to a path is read at that path, declared or not', 'client-chosen-uuid', 'putNote', 'getNote'],
  ['what is made within a record is read in its list', 'nested', 'addTag', 'listTags'],
  ['a declared read comes first', 'close-declared', 'closeNote', 'getNote'],
])('%s', async (_, shape, command, read) => {
  expect(await readsOf(shape, command)).toEqual([read, read]);
});
