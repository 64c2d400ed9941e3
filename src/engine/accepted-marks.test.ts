import { expect, test } from 'vitest';
import { contract as literal } from '../clauses/cases/contract.ts';
import { type Operation, operationOf } from '../model/contract.ts';
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
async function taken(
  takes: (body: Readonly<Record<string, Json>>) => boolean,
  of: Operation = operation,
): Promise<readonly string[]> {
  const contract = withOperation(
    withOperation(literal, operation.id, () => operation),
    of.id,
    () => of,
  );
  const stage = stageOf(contract, {
    wire: {
      send: async ({ body }) => {
        const sent = parseJson(Buffer.from(body ?? '').toString());
        return {
          answer: {
            status: isObject(sent) && takes(sent) ? 201 : 409,
            headers: [],
            body: '{"id":"case_1"}',
            bodyBytes: 15,
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
    values: (one) => operationValues(one, [], 'all'),
  });
  const scenes = [of, operation].map((one) => present(sceneOf(planning, one)));
  const scenarios = scenes.map((scene) =>
    scenario(scene, 'a command', [{ steps: [scene.request('command')] }]),
  );
  const { ownValues } = await acceptedMarks(
    stage,
    planning,
    {
      probes: [
        {
          suite: 's',
          seed: 1,
          probe: { kind: 'probe', id: 'p', operation: of.id, clauses: [], scenarios },
        },
      ],
    },
    () => 't1',
  );
  return (ownValues.get(of.id) ?? []).map(({ at }) => at);
}

test.each<[string, (body: Readonly<Record<string, Json>>) => boolean, readonly string[]]>([
  ['each, where all are taken', () => true, ['/code', '/branch']],
  ['those alone that are taken', ({ branch }) => branch === 'AAAAAAAAAAAA', ['/code']],
  ['none, where none is taken', () => false, []],
])('a body gets values of its own in %s', async (_, takes, expected) => {
  expect(await taken(takes)).toEqual(expected);
});

test('a record within another gets values of its own, and so does the one that it is made in', async () => {
  const step: Operation = { ...operationOf(literal, 'addStep'), body: operation.body };
  const places = await taken(({ code }) => code !== 'AAAAAAAAAAAA', step);
  expect(places).toEqual(['/code', '/branch']);
});
