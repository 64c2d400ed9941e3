import { describe, expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { type Step, stepsOf } from '../model/scenario.ts';
import { linkTo, object, operation } from '../selftest/shapes/document.ts';
import { contractOf, contractOfShape } from '../testing/contracts.ts';
import { planningOf, present } from '../testing/plans.ts';
import { reading, readings, versionNow } from './readback.ts';
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

test.each([
  ['a list of fixed values is set to another one first', { roles: ['agent'] }, ['put', 'get', 'get']],
  ['what may end a record is left alone', { state: 'open' }, ['get', 'get']],
])('%s', async (_, example, sent) => {
  const contract = await contractOf(
    operation('POST /users', 'addUser', { links: linkTo('put', 'user') }),
    operation('GET /users/{user}', 'get'),
    operation('PUT /users/{user}', 'put', {
      body: object(
        'roles' in example
          ? {
              roles: { type: 'array', items: { enum: ['agent', 'auditor'] }, minItems: 1, uniqueItems: true },
            }
          : { state: { enum: ['open', 'closed'] } },
        Object.keys(example),
      ),
    }),
  );
  const planning = planningOf(contract, { examples: [example] });
  const scene = present(sceneOf(planning, operationOf(contract, 'put')));
  expect(stepsOf(readings(planning, scene).before).map((step) => step.operation)).toEqual(sent);
});

describe('the version of a record that only the body names', () => {
  const result = { properties: { id: { type: 'string' }, version: { type: 'integer' } } };
  const scene = async (member: string, example: Json) => {
    const contract = await contractOf(
      operation('GET /accounts/{accountId}', 'getAccount', { result }),
      operation('POST /deposits', 'deposit', {
        body: { properties: { [member]: { type: 'string' }, of: { type: 'integer' } }, required: [member] },
        governed: {
          version: {
            carrier: { in: 'body', at: '/of' },
            source: { operation: 'getAccount', in: 'body', at: '/version' },
          },
        },
      }),
    );
    const planning = planningOf(contract, { examples: [example] });
    return { planning, scene: sceneOf(planning, operationOf(contract, 'deposit')) };
  };

  test('is read of that record', async () => {
    const { planning, scene: made } = await scene('accountId', { accountId: 'a-1' });
    const target = { accountId: { literal: 'a-1' } };
    expect(present(made).prelude).toMatchObject([{ poll: { operation: 'getAccount', target } }]);
    expect(versionNow(planning, present(made), 'look')?.waves).toMatchObject([{ poll: { target } }]);
  });

  test('cannot be read where the body has no member of that name', async () => {
    const { scene: made } = await scene('account', { account: 'a-1' });
    expect(made).toEqual({
      kind: 'target',
      remedy:
        'Let deposit have the accountId of getAccount, in its path or in a body member of that name: getAccount shows the current version.',
    });
  });
});
