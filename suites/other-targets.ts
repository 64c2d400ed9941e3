import type { ClauseCode } from '../src/model/clause.ts';
import { type Operation, operationOf } from '../src/model/contract.ts';
import type { Scenario } from '../src/model/scenario.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { reading } from '../src/suite-kit/readback.ts';
import {
  bodyOf,
  hasTarget,
  key,
  reuse,
  type Scene,
  scenario,
  sceneOf,
  send,
  siblingOf,
  skip,
  when,
} from '../src/suite-kit/scene.ts';
import { type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

/** What only another target can show: with a body, the suite of used keys tries another request. */
const aims = ({ body }: Operation): readonly ClauseCode[] => (body === undefined ? ['IDM-6', 'IDM-7'] : []);

export default defineSuite({
  name: 'other-targets',
  title: 'A used key with the same command on another record',
  for: ({ kind, named, pathFields }) => kind === 'command' && (pathFields.length > 0 || named !== undefined),
  clauses: aims,
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const twin = otherTarget(planning, scene);
    const sibling = siblingOf(planning, scene);
    if (twin !== undefined)
      yield probesOf(operation)('other-target', 'IDM-6 IDM-7', [
        onAnother(planning, scene, twin, 'the key with the same command on another target record'),
        ...(sibling === undefined
          ? []
          : [
              onAnother(
                planning,
                scene,
                sibling,
                'the key with the same command on another record of the same parent',
              ),
            ]),
      ]);
    else if (aims(operation).length > 0)
      yield skip(operation, aims(operation), {
        kind: 'target',
        remedy: `Let an OpenAPI link say which command creates the target records of ${operation.method} ${operation.path}, or give two under operations.${operation.id}.targets.`,
      });
  },
});

/** The same command on another target; undefined where there is no second one. */
function otherTarget(planning: Planning, scene: Scene): Scene | undefined {
  const { operation } = scene;
  const own =
    planning.targets?.has(operation.id) === true ||
    (operation.pathFields.length === 0 && hasTarget(scene)) ||
    operation.pathFields.some(
      ({ chosen, source }) =>
        chosen === true ||
        (source !== undefined && operationOf(planning.contract, source.operation).kind === 'command'),
    );
  const twin = own ? sceneOf(planning, operation, scene.lead, 'other-') : undefined;
  return twin === undefined || 'remedy' in twin ? undefined : twin;
}

/** The key with the same command on another target, whose state is read before and after. */
function onAnother(planning: Planning, scene: Scene, twin: Scene, title: string): Scenario {
  const { operation } = scene;
  return scenario(
    scene,
    title,
    [
      send(scene, 'first', { key: key('key') }),
      when('first', 'accepted', [
        ...twin.prelude,
        ...reading(planning, twin, 'before'),
        // A body that names another record makes another request.
        send(twin, 'elsewhere', reuse('first', operation.pathFields.length > 0 ? 'target' : 'request')),
        ...reading(planning, twin, 'after'),
        send(scene, 'original', reuse('first', 'none')),
        send(twin, 'control', { controls: 'elsewhere', key: key('fresh'), body: bodyOf(twin, 'control') }),
        // Many results have no ID, or one that each target may give: then only the target shows what was done.
        ...reading(planning, twin, 'later'),
      ]),
    ],
    { ...twin.bodies, body: scene.body(), control: scene.body() },
  );
}
