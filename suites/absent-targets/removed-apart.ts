import type { Operation } from '../../src/model/contract.ts';
import { makesWithin } from '../../src/model/listed.ts';
import { bare } from '../../src/model/path.ts';
import { type Deviation, type Scenario, stepsOf } from '../../src/model/scenario.ts';
import { afterAbsent } from '../../src/suite-kit/absent-reads.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { provoking } from '../../src/suite-kit/provoking.ts';
import {
  bodyOf,
  key,
  readStep,
  type Scene,
  scenario,
  send,
  twinOf,
  when,
} from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

const absent: Deviation = { kind: 'target', how: 'absent' };

/**
 * A change that needs a version or a verification, or something made within a record, after that record was deleted and no read
 * finds it: all are made ready before, so that they have a scenario, and a second record, of their own.
 */
export function removedApart(planning: Planning, scene: Scene): readonly Scenario[] {
  const { lead, operation, request } = scene;
  const { target = {} } = request('test');
  const field = operation.pathFields.at(-1)?.name ?? '';
  const ref = target[field];
  const own = pathTo(operation, field);
  // What another action does may be meant for what was deleted.
  if (operation.method !== 'PATCH' && !makesWithin(planning.contract, operation)) return [];
  if (ref === undefined || !('step' in ref)) return [];
  if (!stepsOf(scene.prelude).some(({ id }) => id === ref.step)) return [];
  const ofRecord = (method: string): Operation | undefined =>
    planning.contract.operations.find(
      (one) =>
        one.method === method &&
        bare(one.path) === own &&
        one.pathFields.every(({ name }) => Object.hasOwn(target, name)),
    );
  const [removal, read] = [ofRecord('DELETE'), ofRecord('GET')];
  const reader = read === undefined ? undefined : standIn(planning, read, lead);
  const deletion = removal === undefined ? undefined : provoking(planning, scene, removal);
  const other = twinOf(planning, scene);
  if (read === undefined || reader === undefined || deletion === undefined || other === scene) return [];
  const gone = readStep(planning, 'gone', read, reader, target, 'readback');
  return [
    scenario(
      scene,
      'a command on a record that was deleted',
      [
        ...deletion.waves,
        when('provoking', 'accepted', [
          { wait: 'settle' },
          send({ ...gone, deviations: [absent] }),
          when('gone', 'refused', [
            ...other.prelude,
            send(scene, 'test', { role: 'test', key: key('key'), deviations: [absent] }),
            ...afterAbsent(planning, other, 'test', target),
            send(other, 'control', {
              controls: 'test',
              key: key('fresh'),
              body: bodyOf(other, 'control'),
            }),
          ]),
        ]),
      ],
      { ...deletion.bodies, ...other.bodies, body: scene.body(), control: scene.body() },
    ),
  ];
}

/** The path of the record that a command acts on, or within which it makes something. */
function pathTo({ path }: Operation, field: string): string {
  return bare(`${path.split(`{${field}}`)[0]}{${field}}`);
}
