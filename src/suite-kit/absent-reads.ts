import { operationNamed } from '../model/contract.ts';
import { bare } from '../model/path.ts';
import type { Deviation, Step, StepId, Wave } from '../model/scenario.ts';
import { standIn } from './cast.ts';
import { readStep, type Scene, send, when } from './scene.ts';
import type { Planning } from './suite.ts';

const absent: Deviation = { kind: 'target', how: 'absent' };

/**
 * Where a command on a record that does not exist was accepted: whether there is such a record now, and whether its read shows the
 * one that does exist.
 */
export function afterAbsent(
  planning: Planning,
  scene: Scene,
  test: StepId,
  target: NonNullable<Step['target']>,
): readonly Wave[] {
  const { operation, lead, request } = scene;
  const field = operation.pathFields.at(-1)?.name;
  // What is removed need not be there, and there is nothing to read then.
  if (field === undefined || operation.method === 'DELETE') return [];
  const declared = operationNamed(planning.contract, operation.effect?.read);
  const read =
    declared ??
    planning.contract.operations.find(
      (one) => one.method === 'GET' && bare(one.path) === bare(operation.path),
    );
  const names = read?.pathFields.map(({ name }) => name) ?? [];
  if (read === undefined || names.at(-1) !== field || !names.every((name) => Object.hasOwn(target, name)))
    return [];
  const reader = standIn(planning, read, lead);
  const { target: own } = request('there');
  if (reader === undefined || own === undefined) return [];
  const step = (id: StepId, of: NonNullable<Step['target']>): Step =>
    readStep(planning, id, read, reader, of, 'readback');
  return [
    when(test, 'accepted', [
      { wait: 'settle' },
      send({ ...step('absent-read', target), deviations: [absent] }),
      send(step('there-read', own)),
    ]),
  ];
}
