import { creates, type Operation, operationNamed } from '../../src/model/contract.ts';
import { narrowingField } from '../../src/model/narrowing-field.ts';
import type { Ref } from '../../src/model/ref.ts';
import { type BodyValue, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { showsWhole } from '../../src/model/whole-items.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { ownFilter, parentFilter } from '../../src/suite-kit/filters.ts';
import { listed, reading, renamed, sizeOf } from '../../src/suite-kit/readback.ts';
import { type Around, readStep, type Scene, send, when } from '../../src/suite-kit/scene.ts';
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

/**
 * Of what a command made, the list that declares it as the result does, and behind that the record again: what the list shows
 * otherwise, it makes up.
 */
export function listedBetween(
  planning: Planning,
  scene: Scene,
  body: BodyValue,
  made: readonly Wave[],
): readonly Wave[] {
  const { lead, operation } = scene;
  const list = operationNamed(planning.contract, operation.effect?.list);
  const look = stepsOf(made).find(({ observes }) => observes === 'made');
  const reader = list === undefined ? undefined : standIn(planning, list, lead);
  if (list === undefined || look === undefined || reader?.name !== look.as) return [];
  if (look.operation !== operation.effect?.read || !creates(operation) || !showsWhole(list, operation))
    return [];
  if (list.pathFields.length > 0 || narrowingField(list) !== undefined) return [];
  // Without a filter, a long list may show the record on a later page alone.
  const filter = ownFilter(list, operation, body, 'command') ?? parentFilter(list, scene);
  return [
    when('command', 'accepted', [
      send({
        ...readStep(planning, 'item', list, reader, {}, 'readback'),
        observes: 'item',
        query: [...sizeOf(list), ...(filter === undefined ? [] : [filter])],
      }),
      send({ ...look, id: 'item-read', observes: 'item-read' }),
    ]),
  ];
}
