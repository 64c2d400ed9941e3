import { choosesLast } from '../src/model/contract.ts';
import { isObject, type Json } from '../src/model/json.ts';
import { isPermitted } from '../src/model/principal.ts';
import type {
  Deviation,
  How,
  Scenario,
  Step,
  StepId,
  VersionLikeness,
  VersionSpec,
  Wave,
} from '../src/model/scenario.ts';
import { secondCaller } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { fullBody } from '../src/suite-kit/full-body.ts';
import { otherKinds } from '../src/suite-kit/kinds.ts';
import { basesOf } from '../src/suite-kit/likely-faults.ts';
import { otherwiseBody } from '../src/suite-kit/otherwise.ts';
import { reading, readings, versionNow } from '../src/suite-kit/readback.ts';
import {
  bodyOf,
  key,
  named,
  negative,
  type Refusal,
  refusals,
  reuse,
  type Scene,
  scenario,
  sceneOf,
  send,
  when,
} from '../src/suite-kit/scene.ts';
import { fromStrangers } from '../src/suite-kit/strangers.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { movedByOthers } from './stale-versions/moved-by-others.ts';

const deviation = (how: How<'version'>): Deviation => ({ kind: 'version', how });
const resembling = {
  followed: 'the current version and a letter',
  continued: 'the current version and another digit',
  preceded: 'the current version after another digit',
  cut: 'the current version without its last character',
  nothing: 'zero, or an empty tag, as the version',
  wrapped: 'the current version and 2 to the power of 32',
} satisfies Readonly<Record<VersionLikeness, string>>;
const likenesses = ['followed', 'continued', 'preceded', 'cut', 'nothing', 'wrapped'] as const;

export default defineSuite({
  name: 'stale-versions',
  title: 'Commands with an old, missing, made-up or foreign version of their record',
  for: ({ version }) => version !== undefined,
  clauses: 'VER-1 VER-2 VER-3 VER-4 VER-5 VER-6 VER-7',
  *propose(first, planning): Iterable<Proposal> {
    const scene = onRecord(planning, first);
    const { operation } = scene;
    const probe = probesOf(operation);
    const without = (title: string, version: VersionSpec, body?: Json): Scenario =>
      negative(
        scene,
        title,
        {
          version,
          deviations: [deviation('absent')],
          ...(body === undefined ? {} : { body: named('full') }),
        },
        {
          around: readings(planning, scene),
          ...(body === undefined
            ? {}
            : { bodies: { full: scene.body(body) }, control: { body: named('full') } }),
        },
      );
    const full = fullBody(operation, planning.values(operation));
    if (operation.version?.optional !== true)
      yield probe('absent', 'VER-3', [
        without('without a version', { use: 'absent' }),
        ...(operation.version?.carrier.in === 'header'
          ? [without('with an empty version', { use: 'literal', value: '' })]
          : []),
        // What asks for the version may be only the way of one member.
        ...(full === undefined
          ? []
          : [without('without a version, with all members', { use: 'absent' }, full)]),
      ]);
    const { version } = scene.request('test');
    const garbage = (id: string, sent: VersionSpec): Refusal => ({
      id,
      version: sent,
      deviations: [deviation('garbage')],
    });
    const around = readings(planning, scene);
    yield probe('garbage', 'VER-4', [
      refusals(
        scene,
        'with versions that no record has',
        ['9999', 'abc', '*', '"*"', '-1'].map((value) => garbage(`is-${value}`, { use: 'literal', value })),
        { around },
      ),
      // A parser of numbers stops at the letter, a comparison of beginnings or ends is content with a part, 0 is no version,
      // and a number that is cut to 32 bits (or to 8) is the same again.
      ...(version?.use === 'of'
        ? [
            refusals(
              scene,
              likenesses.map((like) => `with ${resembling[like]}`).join(', '),
              likenesses.map((like) => garbage(like, { ...version, like })),
              { around },
            ),
          ]
        : []),
    ]);
    if (operation.version?.neutral === false) {
      const caller = secondCaller(planning, operation, scene.lead);
      const theirs = caller === undefined ? undefined : sceneOf(planning, operation, caller);
      yield probe('stale', 'VER-1 VER-2 VER-6', [
        stale(planning, scene, movedByOthers(planning, scene)),
        ...(theirs === undefined || 'remedy' in theirs ? [] : [stale(planning, onRecord(planning, theirs))]),
      ]);
      yield probe(
        'race',
        'VER-5',
        Array.from({ length: 3 }, () => race(scene)),
        {
          concurrent: true,
        },
      );
      const others = fromOthers(planning, scene);
      if (others !== undefined) yield probe('stale-from-others', 'PRE-1 PRE-2 PRE-4', [others]);
      const newer = withNewer(planning, scene);
      if (newer !== undefined) yield probe('newer', 'VER-7', [newer]);
      const foreign = ofAnother(planning, scene);
      if (foreign !== undefined) yield probe('foreign', 'VER-1', [foreign]);
    }
  },
});

/** A command that makes the record of its path is sent to one that it has made, with the version of that one. */
function onRecord(planning: Planning, scene: Scene): Scene {
  const now = choosesLast(scene.operation) ? versionNow(planning, scene, 'version-made') : undefined;
  if (now === undefined) return scene;
  const made = scene.request('made', { role: 'setup', body: bodyOf(scene, 'made') });
  return {
    ...scene,
    bodies: { ...scene.bodies, made: scene.body() },
    prelude: [...scene.prelude, send(made), ...now.waves],
    request: (id, parts) => scene.request(id, { version: now.version, ...parts }),
  };
}

/** A success moves the version on; the old one is sent again. A control on another target shows that all else is well. */
function stale(planning: Planning, scene: Scene, others: readonly Wave[] = []): Scenario {
  const now = versionNow(planning, scene, 'look');
  const old: Step = scene.request('stale', {
    role: 'test',
    key: key('second'),
    body: bodyOf(scene, 'second'),
    deviations: [deviation('stale')],
  });
  const after = reading(planning, scene, 'after');
  // What the first command wrote, the refused one need not write to be carried out.
  const bodies = otherwiseBody(planning, scene);
  const otherwise: readonly Wave[] =
    bodies['otherwise'] === undefined || after.length === 0
      ? []
      : [
          when('stale', 'refused', [
            send({ ...old, id: 'otherwise', key: key('otherwise'), body: named('otherwise') }),
          ]),
        ];
  const shapes = otherShapes(planning, scene);
  const inOtherShapes = shapes.map((_, index): Wave => {
    const name = `shape-${index + 1}`;
    return send({ ...old, id: name, key: key(name), body: named(name) });
  });
  const moving = movingFirst(planning, scene);
  return scenario(
    scene,
    'the version that a success made stale',
    [
      send(moving.first),
      // A version is stale only where the command before it was accepted.
      when('first', 'accepted', [
        ...reading(planning, scene, 'before'),
        send(old),
        ...otherwise,
        ...(shapes.length === 0 ? [] : [when('stale', 'refused', inOtherShapes)]),
        ...after,
        ...(now === undefined
          ? []
          : [
              ...now.waves,
              send(scene, 'current', {
                controls: 'stale',
                key: key('current'),
                body: bodyOf(scene, 'third'),
                version: now.version,
              }),
              ...(others.length === 0 ? [] : [when('current', 'accepted', others)]),
            ]),
      ]),
    ],
    {
      body: scene.body(),
      second: scene.body(),
      third: scene.body(),
      ...(others.length === 0 ? {} : { member: scene.body() }),
      ...(otherwise.length === 0 ? {} : bodies),
      ...Object.fromEntries(shapes.map((value, index) => [`shape-${index + 1}`, scene.body(value)])),
      ...moving.bodies,
    },
  );
}

/** The command that makes the version stale, as a control of the stale one where it is the same. */
function movingFirst(
  planning: Planning,
  scene: Scene,
): { readonly first: Step; readonly bodies: Scenario['bodies'] } {
  const mover = moverOf(planning, scene);
  return mover === undefined
    ? { first: scene.request('first', { key: key('first'), controls: 'stale' }), bodies: {} }
    : {
        first: mover.request('first', { key: key('first'), body: bodyOf(mover, 'moving') }),
        bodies: { moving: mover.body() },
      };
}

/** A stale version from who may not run the operation. One that no record has goes into headers alone (combined-faults). */
function fromOthers(planning: Planning, scene: Scene): Scenario | undefined {
  const now = versionNow(planning, scene, 'look');
  const refused = fromStrangers(planning, scene, [deviation('stale')]);
  if (scene.operation.version?.carrier.in === 'header' || now === undefined || refused.length === 0)
    return undefined;
  const { bodies, first } = movingFirst(planning, scene);
  return scenario(
    scene,
    'a stale version from callers that may not run the operation',
    [
      send(first),
      when('first', 'accepted', [
        ...refused.map((each) =>
          send(scene, each.id, { role: 'test', key: key(each.id), body: bodyOf(scene, 'second'), ...each }),
        ),
        ...now.waves,
        send(scene, 'current', {
          controls: '*',
          key: key('current'),
          body: bodyOf(scene, 'third'),
          version: now.version,
        }),
      ]),
    ],
    { body: scene.body(), second: scene.body(), third: scene.body(), ...bodies },
  );
}

/** Bodies with other members than the plain one: what these ask for, a branch of its own may do, which compares nothing. */
function otherShapes(planning: Planning, { operation }: Scene): readonly Json[] {
  const values = planning.values(operation);
  const { others, plain, valid } = values;
  if (!isObject(plain)) return [];
  const membersOf = (value: Json): string =>
    Object.keys(isObject(value) ? value : {})
      .sort()
      .join();
  const full = fullBody(operation, values);
  const branches = basesOf(plain, others ?? valid).slice(1);
  const known = new Set([membersOf(plain)]);
  const different = [...(full === undefined ? [] : [full]), ...branches].filter((value) => {
    const isKnown = known.has(membersOf(value));
    known.add(membersOf(value));
    return !isKnown;
  });
  return [...different, ...otherKinds(operation, values, branches)].slice(0, byBudget(planning, 2, 4, 8));
}

/** The key of a success, with the version that its target has since. A record that was removed has none. */
function withNewer(planning: Planning, scene: Scene): Scenario | undefined {
  const now = versionNow(planning, scene, 'look');
  const around = readings(planning, scene);
  if (scene.operation.method === 'DELETE' || now === undefined || around.before.length === 0)
    return undefined;
  const again = scene.request('again', { ...reuse('first', 'version'), version: now.version });
  return scenario(scene, 'the same key with the version that is current now', [
    send(scene, 'first', { key: key('key') }),
    when('first', 'accepted', [...now.waves, ...around.before, send(again), ...around.after]),
  ]);
}

/** Of a command that removes its target: one that only moves its version on, so that the record is still there. */
function moverOf(planning: Planning, scene: Scene): Scene | undefined {
  const { operation } = scene;
  if (operation.method !== 'DELETE') return undefined;
  const own = scene.request('first');
  for (const other of planning.contract.operations) {
    if (other.method === 'DELETE' || other.version === undefined || other.version.neutral) continue;
    const made = sceneOf(planning, other, scene.lead);
    if ('remedy' in made || other.verification !== undefined) continue;
    const step = made.request('first');
    if (
      JSON.stringify(step.target) === JSON.stringify(own.target) &&
      // Each may send the version as another part of the same response has it.
      other.version.source?.operation === operation.version?.source?.operation &&
      readBy(step) !== undefined &&
      readBy(step) === readBy(own) &&
      isPermitted(scene.lead, other)
    )
      return made;
  }
  return undefined;
}

/** The step that reads the version which another one sends. */
function readBy({ version }: Step): StepId | undefined {
  return version?.use === 'of' && 'step' in version.ref ? version.ref.step : undefined;
}

function race(scene: Scene): Scenario {
  const racer = (id: string): Step =>
    scene.request(id, { role: 'test', key: key(id), body: bodyOf(scene, id) });
  return scenario(scene, 'two commands on one version at once', [{ steps: [racer('one'), racer('two')] }], {
    one: scene.body(),
    two: scene.body(),
  });
}

/** The version of a second target, which a success has moved on, sent with the first target. */
function ofAnother(planning: Planning, scene: Scene): Scenario | undefined {
  const twin = sceneOf(planning, scene.operation, scene.lead, 'other-');
  if ('remedy' in twin) return undefined;
  const moved = twin.request('moved');
  if (moved.target === undefined) return undefined;
  const now = versionNow(planning, twin, 'look');
  if (now === undefined) return undefined;
  const test = scene.request('test', {
    role: 'test',
    key: key('key'),
    version: now.version,
    deviations: [deviation('foreign')],
  });
  const waves: Wave[] = [
    ...twin.prelude,
    send(moved),
    // Another version than the first one's is certain only where the second target was moved on.
    when('moved', 'accepted', [
      ...now.waves,
      ...reading(planning, scene, 'before'),
      send(test),
      ...reading(planning, scene, 'after'),
      send(scene, 'control', { controls: 'test', key: key('fresh') }),
    ]),
  ];
  return scenario(scene, 'the version of another record', waves, { ...twin.bodies, body: scene.body() });
}
