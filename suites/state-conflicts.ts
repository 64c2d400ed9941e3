import { type Operation, operationOf } from '../src/model/contract.ts';
import { excludeEachOther } from '../src/model/exclusive-commands.ts';
import { writtenName } from '../src/model/path.ts';
import type { Scenario, Step, Wave } from '../src/model/scenario.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { withHolder } from '../src/suite-kit/holder-readings.ts';
import { otherwiseBody } from '../src/suite-kit/otherwise.ts';
import type { Preparation } from '../src/suite-kit/preparation.ts';
import { type Provoking, provoking } from '../src/suite-kit/provoking.ts';
import { reading, renamed, versionNow } from '../src/suite-kit/readback.ts';
import {
  bodyOf,
  key,
  named,
  type Scene,
  scenario,
  sceneOf,
  send,
  skip,
  when,
} from '../src/suite-kit/scene.ts';
import { fromStrangers } from '../src/suite-kit/strangers.ts';
import { type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

export default defineSuite({
  name: 'state-conflicts',
  title: 'Commands that the state of their record forbids',
  for: ({ conflict }) => conflict !== undefined,
  clauses: 'CNF-1 CNF-2',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const forbidding = operationOf(planning.contract, operation.conflict?.after ?? operation.id);
    const { target = {} } = scene.request('test');
    const other = forbidding.pathFields.find(({ name }) => !Object.hasOwn(target, name));
    if (other !== undefined) {
      yield skip(operation, 'CNF-1 CNF-2', {
        kind: 'target',
        remedy: `Let x-governed.conflict of ${operation.id} name a command on a record of its path or body: ${forbidding.id} needs the ${writtenName(other)} of another one.`,
      });
      return;
    }
    const ready = madeReadyFor(planning, scene, forbidding);
    const before = provoking(planning, ready, forbidding);
    const scenarios =
      before === undefined ? [] : [forbidden(planning, ready, before), ...atOnce(planning, ready, before)];
    if (scenarios.length > 0)
      yield probesOf(operation)('forbidden', 'CNF-1 CNF-2 PRE-1 PRE-2 PRE-4', scenarios);
    else
      yield skip(operation, 'CNF-1 CNF-2', {
        kind: 'principal',
        remedy: `Give a valid principal of ${scene.lead.name}'s scope that may run ${forbidding.id}: it brings about the state that forbids ${operation.id}.`,
      });
  },
});

/** The scene with a record that is ready for what forbids the command too: an invoice needs lines before it is issued. */
function madeReadyFor(planning: Planning, scene: Scene, forbidding: Operation): Scene {
  const { lead, operation } = scene;
  const needed = planning.prepared?.get(forbidding.id);
  if (needed === undefined || forbidding.id === operation.id) return scene;
  const own = planning.prepared?.get(operation.id);
  const both: Preparation = {
    bodies: new Map([...needed.bodies, ...(own?.bodies ?? [])]),
    first: [...new Set([...(own?.first ?? []), ...needed.first])],
  };
  const prepared = new Map([...(planning.prepared ?? []), [operation.id, both]]);
  const ready = sceneOf({ ...planning, prepared }, operation, lead);
  return 'remedy' in ready ? scene : ready;
}

/** The state is brought about, then the command is sent; a control runs on another target, whose state allows it. */
function forbidden(planning: Planning, scene: Scene, before: Provoking): Scenario {
  const now = versionNow(planning, scene, 'look');
  const around = withHolder(planning, scene, {
    before: reading(planning, scene, 'before'),
    after: reading(planning, scene, 'after'),
  });
  const otherwise = withOtherValues(planning, scene);
  const other = sceneOf(planning, scene.operation, scene.lead, 'control-');
  const control: readonly Wave[] =
    'remedy' in other
      ? []
      : [
          ...other.prelude,
          send(other, 'control', {
            controls: '*',
            key: key('fresh'),
            body: bodyOf(other, 'control'),
          }),
        ];
  return scenario(
    scene,
    'a command that the state of its target record forbids',
    [
      ...before.waves,
      // Nothing forbids the command where what should forbid it was refused, or lost on its way.
      when('provoking', 'accepted', [
        ...(now?.waves ?? []),
        ...around.before,
        send(scene, 'test', {
          role: 'test',
          key: key('key'),
          ...(now === undefined ? {} : { version: now.version }),
          deviations: [{ kind: 'conflict' }],
        }),
        ...around.after,
        ...otherwise.waves,
        ...fromStrangers(planning, scene, [{ kind: 'conflict' }]).map((refusal) =>
          send(scene, refusal.id, {
            role: 'test',
            key: key(refusal.id),
            ...(now === undefined ? {} : { version: now.version }),
            ...refusal,
          }),
        ),
        ...control,
      ]),
    ],
    {
      ...before.bodies,
      ...('remedy' in other ? {} : other.bodies),
      ...otherwise.bodies,
      body: scene.body(),
      control: scene.body(),
    },
  );
}

/** The same command with other values, which shows a refused one that writes. The state need not forbid these: no client error. */
function withOtherValues(
  planning: Planning,
  scene: Scene,
): { readonly waves: readonly Wave[]; readonly bodies: Scenario['bodies'] } {
  const after = reading(planning, scene, 'after');
  const bodies = otherwiseBody(planning, scene);
  if (bodies['otherwise'] === undefined || after.length === 0) return { waves: [], bodies: {} };
  const now = versionNow(planning, scene, 'look-otherwise');
  return {
    waves: [
      ...(now?.waves ?? []),
      send(scene, 'otherwise', {
        role: 'test',
        key: key('otherwise'),
        body: named('otherwise'),
        ...(now === undefined ? {} : { version: now.version }),
      }),
      ...renamed(after, 'otherwise-', 'after'),
    ],
    bodies,
  };
}

/** Two commands that forbid each other, sent at once: the second must find the state of the first (VER-5). */
function atOnce(planning: Planning, scene: Scene, before: Provoking): readonly Scenario[] {
  const { conflict, id, version } = scene.operation;
  const other = operationOf(planning.contract, conflict?.after ?? id);
  const last = before.waves.at(-1);
  if (!excludeEachOther(scene.operation, other) || version !== undefined || other.version !== undefined)
    return [];
  if (last === undefined || !('steps' in last)) return [];
  return [
    scenario(
      scene,
      'two commands at once, each of which forbids the other',
      [
        ...before.waves.slice(0, -1),
        {
          steps: [
            ...last.steps.map((step): Step => ({ ...step, role: 'test' })),
            scene.request('rival', { role: 'test', key: key('key') }),
          ],
        },
      ],
      { ...before.bodies, body: scene.body() },
    ),
  ];
}
