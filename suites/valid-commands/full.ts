import { choosesLast, successesOf } from '../../src/model/contract.ts';
import type { Json } from '../../src/model/json.ts';
import { isQueued } from '../../src/model/response.ts';
import { type Scenario, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { drawn } from '../../src/suite-kit/drawn-texts.ts';
import { lateMs, reading, type readings, versionNow } from '../../src/suite-kit/readback.ts';
import { bodyOf, key, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { idSchemas, twoFullBodies } from '../../src/suite-kit/two-full-bodies.ts';
import { listedBetween } from './in-its-list.ts';
import { lessOf, lessWithin } from './less.ts';

/**
 * All that a body may have, and then the same members with other values: on one record, where the command changes one, else in a
 * record each. What no command stores, and what takes the place of nothing, only the reads show.
 */
export function full(
  planning: Planning,
  scene: Scene,
  around: ReturnType<typeof readings>,
  made: readonly Wave[],
): readonly Scenario[] {
  const values = planning.values(scene.operation);
  const ids = idSchemas(planning.contract);
  // A member that names no record of the run may be the only reason for which a service refuses them.
  return [twoFullBodies(scene.operation, values), twoFullBodies(scene.operation, values, ids)].flatMap(
    (bodies) => (bodies === undefined ? [] : withBodies(planning, scene, around, made, bodies)),
  );
}

function withBodies(
  planning: Planning,
  scene: Scene,
  { after: shows, before }: ReturnType<typeof readings>,
  made: readonly Wave[],
  [one, other]: readonly [Json, Json],
): readonly Scenario[] {
  const { operation } = scene;
  const { method, verification, version } = operation;
  const values = planning.values(operation);
  if (verification !== undefined) return [];
  const isChange = (method === 'PUT' || method === 'PATCH') && before.length > 0;
  // What an action is sent, the record that it acts on may show.
  const acts = !isChange && made.length === 0 && method === 'POST' && before.length > 0;
  if (!isChange && !acts && made.length === 0) return [];
  const after = (value: typeof one): ReturnType<typeof drawn> => drawn(scene, values, value);
  const laterMade =
    isLater(scene) && made.length > 0 ? [{ wait: lateMs(planning) }, ...withIds(made, 'late-')] : [];
  if (!isChange)
    return [one, other].map((value) => {
      const { after: next, bodies } = after(value);
      const body = scene.body(value);
      // One list is enough: the second body has other values than most records of the run.
      const between = value === other ? listedBetween(planning, scene, body, made) : [];
      return scenario(
        scene,
        'a valid command with all that its body may have',
        acts
          ? [
              ...before,
              send(scene, 'command', { role: 'test' }),
              ...next('command'),
              when('command', 'accepted', [...shows, ...later(planning, scene)]),
            ]
          : [send(scene, 'command', { role: 'test' }), ...made, ...between, ...next('command'), ...laterMade],
        { body, ...bodies },
      );
    });
  const now = (id: string): ReturnType<typeof versionNow> => versionNow(planning, scene, id);
  if (version !== undefined && !version.neutral && now('version-now') === undefined) return [];
  const sent = (id: string, name: string, role: 'setup' | 'test'): readonly Wave[] => {
    const current = now(`version-${id}`);
    return [
      ...(current?.waves ?? []),
      send(scene, id, {
        role,
        key: key(id),
        body: bodyOf(scene, name),
        ...(current === undefined ? {} : { version: current.version }),
      }),
    ];
  };
  const { after: next, bodies } = after(other);
  const looks = reading(planning, scene, 'before');
  // What a PUT leaves out is not kept, and what a PATCH does not name is; the plain body has little beyond what it must have.
  const { marker, plain } = values;
  const few = plain === undefined || method === 'PUT' ? plain : lessOf(operation, plain, marker);
  // A merge patch goes into the objects that it names, too.
  const little =
    few === undefined || method === 'PUT' ? few : (lessWithin(operation, few, other, marker) ?? few);
  const less = (): readonly Wave[] => [
    when('command', 'accepted', [...sent('less', 'less', 'test'), ...reading(planning, scene, 'later')]),
  ];
  // What is put under an ID of its own is not there before.
  const start = choosesLast(operation) ? [] : withIds(looks, 'start-');
  return [
    scenario(
      scene,
      'two valid commands with all that a body may have',
      [
        ...start,
        ...sent('first', 'first', 'setup'),
        when('first', 'accepted', [
          ...looks,
          ...sent('command', 'body', 'test'),
          ...reading(planning, scene, 'after'),
          ...next('command'),
          ...(little === undefined ? [] : less()),
        ]),
      ],
      {
        first: scene.body(one),
        body: scene.body(other),
        ...(little === undefined ? {} : { less: scene.body(little) }),
        ...bodies,
      },
    ),
  ];
}

const isLater = ({ operation }: Scene): boolean => successesOf(operation).some(isQueued);

/** What is queued (202) may be done when the first read is over. */
function later(planning: Planning, scene: Scene): readonly Wave[] {
  return isLater(scene) ? [{ wait: lateMs(planning) }, ...reading(planning, scene, 'later')] : [];
}

/** The same steps under other IDs, without what follows only if one of them is refused. */
function withIds(waves: readonly Wave[], prefix: string): readonly Wave[] {
  const own = new Set(stepsOf(waves).map(({ id }) => id));
  return waves.flatMap((wave): readonly Wave[] => {
    if ('when' in wave && own.has(wave.when.step)) return [];
    if ('waves' in wave) return [{ ...wave, waves: withIds(wave.waves, prefix) }];
    return 'steps' in wave
      ? [{ ...wave, steps: stepsOf([wave]).map((step) => ({ ...step, id: `${prefix}${step.id}` })) }]
      : [wave];
  });
}
