import { operationNamed } from '../../src/model/contract.ts';
import { bodyNameOf, type Scenario, stepsOf } from '../../src/model/scenario.ts';
import { listed } from '../../src/suite-kit/readback.ts';
import { type Around, type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { likeliestBodies } from '../../src/suite-kit/two-full-bodies.ts';
import { markedIn } from '../../src/suite-kit/values.ts';

/**
 * A command on a record that was made with all that its body may have: code that expects none of it may do nothing then. At the
 * quick budget only deletions, which have no other body to be sent.
 */
export function onFullRecord(planning: Planning, scene: Scene, around: Around): readonly Scenario[] {
  const { method, pathFields, verification } = scene.operation;
  const deletes = method === 'DELETE';
  if (around.before.length === 0 || verification !== undefined) return [];
  if (planning.budget === 'quick' && !deletes) return [];
  const ref = scene.request('command').target?.[pathFields.at(-1)?.name ?? ''];
  const made =
    ref !== undefined && 'step' in ref ? stepsOf(scene.prelude).find(({ id }) => id === ref.step) : undefined;
  const maker = operationNamed(planning.contract, made?.operation);
  const name = made === undefined ? undefined : bodyNameOf(made.body);
  if (maker === undefined || name === undefined || maker.method !== 'POST') return [];
  const values = planning.values(maker);
  const [whole] = likeliestBodies(planning.contract, maker, values) ?? [];
  if (whole === undefined) return [];
  return [
    scenario(
      scene,
      'a valid command on a record with all that its body may have',
      [
        ...around.before,
        send(scene, 'command', { role: 'test' }),
        ...around.after,
        ...(deletes ? listed(planning, scene) : []),
      ],
      { body: scene.body(), [name]: markedIn(maker, values, whole) },
    ),
  ];
}
