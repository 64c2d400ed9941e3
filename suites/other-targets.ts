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
    const elsewhere = otherTarget(planning, scene);
    if (elsewhere !== undefined) yield probesOf(operation)('other-target', 'IDM-6 IDM-7', [elsewhere]);
    else if (aims(operation).length > 0)
      yield skip(operation, aims(operation), {
        kind: 'target',
        remedy: `Let an OpenAPI link say which command creates the target records of ${operation.method} ${operation.path}, or give two under operations.${operation.id}.targets.`,
      });
  },
});

/** The key with the same command on another target, whose state is read before and after; undefined where there is no second one. */
function otherTarget(planning: Planning, scene: Scene): Scenario | undefined {
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
  if (twin === undefined || 'remedy' in twin) return undefined;
  return scenario(
    scene,
    'the key with the same command on another target record',
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
