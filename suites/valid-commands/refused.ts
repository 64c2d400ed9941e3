import type { Scenario } from '../../src/model/scenario.ts';
import { wrongBody } from '../../src/suite-kit/likely-faults.ts';
import { clientRequestIds, withRequestId } from '../../src/suite-kit/request-ids.ts';
import { key, type Refusal, refusals, type Scene } from '../../src/suite-kit/scene.ts';
import { strangersOf } from '../../src/suite-kit/strangers.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** Refusals of several classes, each made in a place of its own, of requests with an ID of the client's own. */
export function refusedWithRequestId(planning: Planning, scene: Scene): Scenario {
  const { deviations, headers = [] } = withRequestId(clientRequestIds[1] ?? '');
  return refusals(
    scene,
    'with X-Request-Id, and refused',
    [...fromStrangers(planning, scene), invalid(planning, scene)].map((one) => ({
      ...one,
      headers,
      deviations: [...deviations, ...one.deviations],
    })),
    { sameKey: true, bodies: { faulty: scene.body() } },
  );
}

/** A public operation needs no credential: nothing would be wrong with the request. */
function fromStrangers(planning: Planning, scene: Scene): readonly Refusal[] {
  if (scene.operation.permissions === undefined) return [];
  const outsiders = strangersOf(planning, scene).filter(({ touches }) => touches === 'caller');
  return [
    { id: 'anonymous', token: 'absent', deviations: [{ kind: 'credential', how: 'absent' }] },
    ...outsiders.map(({ change, deviation, name }) => ({ id: name, ...change, deviations: [deviation] })),
  ];
}

function invalid(planning: Planning, { operation }: Scene): Refusal {
  const wrong = wrongBody(operation, planning.values(operation));
  return wrong === undefined
    ? { id: 'no-key', key: { use: 'none' }, deviations: [{ kind: 'key', how: 'absent' }] }
    : {
        id: 'bad-body',
        // A refusal of a body may be stored under its key.
        key: key('bad-body'),
        body: { use: 'named', name: 'faulty', edit: { at: '', set: wrong.value } },
        deviations: [{ kind: 'body', at: wrong.pointer, keyword: wrong.keyword }],
      };
}
