import { expect, test } from 'vitest';
import { contract as literal } from '../clauses/cases/contract.ts';
import { isObject, type Json, parseJson } from '../model/json.ts';
import { object } from '../selftest/shapes/document.ts';
import { scenario, sceneOf } from '../suite-kit/scene.ts';
import { operationValues } from '../suite-kit/values.ts';
import { taking, withOperation } from '../testing/contracts.ts';
import { holder, planningOf, present } from '../testing/plans.ts';
import { stageOf } from '../testing/stages.ts';
import { acceptedMarks } from './accepted-marks.ts';

const code: Json = { type: 'string', pattern: '^[A-Z0-9]{12}$' };
const operation = taking(
  object({ title: { type: 'string' }, code, branch: code }, ['title', 'code', 'branch']),
);

/** The places where the bodies of the command get values of their own, where the target takes bodies that `takes` does. */
async function taken(takes: (body: Readonly<Record<string, Json>>) => boolean): Promise<readonly string[]> {
  const contract = withOperation(literal, operation.id, () => operation);
  const values = operationValues(operation, [], true);
  const stage = stageOf(contract, {
    wire: {
      send: async ({ body }) => {
        const sent = parseJson(Buffer.from(body ?? '').toString());
        return {
          answer: {
            status: isObject(sent) && takes(sent) ? 201 : 409,
            headers: [],
            body: '{}',
            bodyBytes: 2,
            truncated: false,
          },
          noAnswer: undefined,
          connection: 1,
          startedAt: 1,
          sentAt: 1,
          endedAt: 2,
        };
      },
      sendTogether: async () => [],
    },
  });
  const planning = planningOf(contract, {
    principals: [holder(contract, 'full')],
    values: () => values,
  });
  const scene = present(sceneOf(planning, operation));
  const scenarios = [scenario(scene, 'a command', [{ steps: [scene.request('command')] }])];
  const { ownValues } = await acceptedMarks(
    stage,
    planning,
    {
      probes: [
        {
          suite: 's',
          seed: 1,
          probe: { kind: 'probe', id: 'p', operation: operation.id, clauses: [], scenarios },
        },
      ],
    },
    () => 't1',
  );
  return (ownValues.get(operation.id) ?? []).map(({ at }) => at);
}

test.each<[string, (body: Readonly<Record<string, Json>>) => boolean, readonly string[]]>([
  ['each, where all are taken', () => true, ['/code', '/branch']],
  ['those alone that are taken', ({ branch }) => branch === 'AAAAAAAAAAAA', ['/code']],
  ['none, where none is taken', () => false, []],
])('a body gets values of its own in %s', async (_, takes, expected) => {
  expect(await taken(takes)).toEqual(expected);
});
