import { type Operation, operationNamed } from '../../src/model/contract.ts';
import type { Ref } from '../../src/model/ref.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { listed, reading, renamed } from '../../src/suite-kit/readback.ts';
import type { Around, Scene } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** What an index or a cache has not shown by then, the settling time does not explain: milliseconds between two reads. */
const pause = 1500;

/**
 * Of a command on a record of its own, the list that shows the record: before it, after it, and again later; and behind that
 * the record itself. What keeps a list may never hear of a change.
 */
export function inItsList(planning: Planning, scene: Scene): Around {
  const { effect, method } = scene.operation;
  const target = scene.request('listed').target ?? {};
  const maker = makerOf(planning, scene, target[scene.operation.pathFields.at(-1)?.name ?? '']);
  const confirming = renamed(
    reading(planning, scene, 'later').filter((wave) => 'steps' in wave),
    'item-',
    'item-read',
  );
  if (method === 'DELETE' || maker?.effect?.list === undefined || confirming.length === 0)
    return { before: [], after: [] };
  // Of what is made within a record, the list is another one.
  if (effect?.list !== undefined && effect.list !== maker.effect.list) return { before: [], after: [] };
  const look = (observes: 'item-before' | 'item' | 'item-again') => listed(planning, scene, observes);
  return {
    before: look('item-before'),
    after: [...look('item'), { wait: pause }, ...look('item-again'), ...confirming],
  };
}

/** The command of the scenario that made the target: its own operation, where callers choose the ID. */
function makerOf(planning: Planning, scene: Scene, ref: Ref | undefined): Operation | undefined {
  if (ref !== undefined && 'chosen' in ref) return scene.operation;
  if (ref === undefined || !('step' in ref)) return undefined;
  const made = stepsOf(scene.prelude).find(({ id }) => id === ref.step);
  return operationNamed(planning.contract, made?.operation);
}
