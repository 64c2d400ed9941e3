import { prepare } from '../engine/preparing.ts';
import type { Contract, OperationId } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import type { WireOutcome } from '../model/wire.ts';
import { scenario, sceneOf } from '../suite-kit/scene.ts';
import { operationValues } from '../suite-kit/values.ts';
import { holder, planningOf } from './plans.ts';
import { stageOf } from './stages.ts';

type Asked = { readonly body: string | undefined; readonly method: string; readonly path: string };

/** What is prepared against a service for a plan with one request of each operation, or of one alone. */
export async function preparedAgainst(
  contract: Contract,
  answer: (asked: Asked) => WireOutcome,
  only?: OperationId,
) {
  const stage = stageOf(contract, {
    wire: {
      send: async ({ body, method, path }) => answer({ body: body?.toString(), method, path }),
      sendTogether: async () => [],
    },
  });
  const planningWith = (
    prepared: NonNullable<Parameters<typeof planningOf>[1]>['prepared'] = new Map(),
    bodies: ReadonlyMap<OperationId, Json> = new Map(),
  ) =>
    planningOf(contract, {
      principals: [holder(contract, 'full')],
      prepared,
      values: (one) => operationValues(one, [bodies.get(one.id) ?? []].flat()),
    });
  const planning = planningWith();
  const probes = contract.operations.flatMap((one, order) => {
    const scene = sceneOf(planning, one);
    if ('remedy' in scene || (only !== undefined && one.id !== only)) return [];
    const scenarios = [scenario(scene, 'a request', [{ steps: [scene.request('request')] }])];
    const probe = { kind: 'probe', id: 'p', operation: one.id, clauses: [], scenarios } as const;
    return [{ suite: 'a suite', probe, order, seed: 1 }];
  });
  let traces = 0;
  const found = await prepare(stage, planning, { probes }, () => `t${++traces}`, planningWith);
  return { ...found, planning, planningWith };
}
