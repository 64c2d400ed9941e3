import {
  type Alteration,
  alterations,
  type Deviation,
  type How,
  type Scenario,
  type Step,
  type VerificationSpec,
  type Wave,
} from '../src/model/scenario.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { readings, versionNow } from '../src/suite-kit/readback.ts';
import {
  bodyOf,
  key,
  named,
  negative,
  type Scene,
  scenario,
  send,
  siblingOf,
  twinOf,
  verificationInput,
  when,
} from '../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

const deviation = (how: How<'verification'>): Deviation => ({ kind: 'verification', how });

export default defineSuite({
  name: 'stronger-verification',
  title: 'Commands without their stronger verification, or with a wrong one',
  for: ({ verification }) => verification !== undefined,
  clauses: 'STV-1 STV-2 STV-3 STV-4',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    const wrong = (how: How<'verification'>, verification: VerificationSpec): Scenario =>
      negative(
        scene,
        `stronger verification: ${how}`,
        { verification, deviations: [deviation(how)] },
        { around: readings(planning, scene) },
      );
    yield probe('absent', 'STV-1 STV-3', [
      wrong('absent', { use: 'absent' }),
      ...(operation.verification?.carrier.in === 'header'
        ? [wrong('absent', { use: 'literal', value: '' })]
        : []),
    ]);
    yield probe('arbitrary', 'STV-1', [
      wrong('wrong', { use: 'literal', value: 'x' }),
      wrong('wrong', { use: 'literal', value: 'ver_0000000000000000' }),
    ]);
    yield probe('unfit', 'STV-2', [
      ...(['expired', 'foreign', 'other-command'] as const).map((kind) => unfit(scene, kind)),
      ...alterations.map((altered) => unfit(scene, 'altered', altered)),
      ...ofAnotherTarget(planning, scene),
    ]);
    yield probe('again', 'STV-3', [again(planning, scene)]);
    if (operation.verification?.singleUse) {
      yield probe('used', 'STV-4', [used(planning, scene), ...usedElsewhere(planning, scene)]);
      const rounds = Array.from({ length: byBudget(planning, 0, 1, 3) }, () => races(planning, scene));
      if (rounds.flat().length > 0) yield probe('race', 'STV-4', rounds.flat(), { concurrent: true });
    }
  },
});

function unfit(
  scene: Scene,
  how: 'expired' | 'foreign' | 'other-command' | 'altered',
  altered?: Alteration,
): Scenario {
  const { lead, operation } = scene;
  const kind = altered === undefined ? how : 'valid';
  const hook: Wave = {
    hook: operation.verification?.hook ?? 'verify',
    as: 'unfit',
    input: verificationInput(operation, lead, scene.request('x').target, kind),
  };
  return negative(
    scene,
    `stronger verification: ${altered ?? how}`,
    {
      verification: { use: 'hook', step: 'unfit', ...(altered === undefined ? {} : { altered }) },
      deviations: [deviation(how)],
    },
    { before: [hook] },
  );
}

/** A good verification, issued for the same command of the same caller on another target. It may serve there as well. */
function ofAnotherTarget(planning: Planning, scene: Scene): readonly Scenario[] {
  if (scene.operation.verification?.boundToTarget !== true) return [];
  const twin = twinOf(planning, scene);
  const others = twin === scene ? [] : [twin, siblingOf(planning, scene)];
  return others.flatMap((other) => {
    const verification = other?.request('x').verification;
    if (other === undefined || verification === undefined) return [];
    return [
      negative(
        scene,
        `stronger verification: for another target record${other === twin ? '' : ' of the same parent'}`,
        { verification, deviations: [deviation('other-command')] },
        { before: other.prelude, bodies: other.bodies, around: readings(planning, scene) },
      ),
    ];
  });
}

/** Two commands on two targets, each with a verification of its own. */
function again(planning: Planning, scene: Scene): Scenario {
  const other = twinOf(planning, scene);
  return scenario(
    scene,
    'two commands, each with a verification of its own',
    [
      send(scene, 'first'),
      ...(other === scene ? [] : other.prelude),
      send(other, 'second', { body: bodyOf(scene, 'second') }),
    ],
    { ...other.bodies, body: scene.body(), second: scene.body() },
  );
}

/** The verification of an accepted command with a second, different one. */
function used(planning: Planning, scene: Scene): Scenario {
  // The first command moves the version on: a stale one would be refused whatever the verification is.
  const now = versionNow(planning, scene, 'look');
  const second: Step = scene.request('second', {
    role: 'test',
    key: key('second'),
    body: scene.operation.body === undefined ? { use: 'none' } : named('second'),
    ...(now === undefined ? {} : { version: now.version }),
    deviations: [deviation('used')],
  });
  return scenario(
    scene,
    'a verification used before',
    [
      send(scene, 'first', { key: key('first'), controls: 'second' }),
      // Only what was accepted has used it up.
      when('first', 'accepted', [...(now?.waves ?? []), send(second)]),
    ],
    { body: scene.body(), second: scene.body() },
  );
}

/** On another target, as the state of its own may forbid a second command whatever verification comes with it. */
function usedElsewhere(planning: Planning, scene: Scene): readonly Scenario[] {
  const twin = twinOf(planning, scene);
  const { verification } = scene.request('first');
  if (twin === scene || verification === undefined) return [];
  const on = (id: string, parts: Partial<Step>): Step =>
    twin.request(id, { key: key(id), body: bodyOf(scene, id), ...parts });
  return [
    scenario(
      scene,
      'a verification used before, on another target record',
      [
        ...twin.prelude,
        send(scene, 'first', { key: key('first') }),
        when('first', 'accepted', [
          send(on('second', { role: 'test', verification, deviations: [deviation('used')] })),
          // What was accepted may have left a state that forbids the control.
          when('second', 'refused', [send(on('control', { controls: 'second' }))]),
        ]),
      ],
      { ...twin.bodies, body: scene.body(), second: scene.body(), control: scene.body() },
    ),
  ];
}

/** What is checked and then marked as used lets several pass between the two. */
function races(planning: Planning, scene: Scene): readonly Scenario[] {
  const { body, operation } = scene;
  const twin = twinOf(planning, scene);
  const apart = twin === scene ? [] : [race(scene, twin)];
  // One that is bound to its target is refused on another one, and a lock on the record may hide what the store lets pass.
  const elsewhere = operation.verification?.boundToTarget === true ? [] : apart;
  // Two equal commands on one record may be taken for one, and of two on one version the second is stale.
  const differ = operation.body !== undefined && body().marker !== undefined;
  const moves = operation.version !== undefined && !operation.version.neutral;
  return [...elsewhere, ...(differ && !moves && operation.method !== 'DELETE' ? [race(scene, scene)] : [])];
}

function race(scene: Scene, other: Scene): Scenario {
  const { verification } = scene.request('one');
  const racer = (of: Scene, id: string): Step =>
    of.request(id, {
      role: 'test',
      key: key(id),
      body: bodyOf(scene, id),
      ...(verification === undefined ? {} : { verification }),
      deviations: [deviation('shared')],
    });
  return scenario(
    scene,
    `two commands with one verification at once${other === scene ? '' : ', on two target records'}`,
    [...(other === scene ? [] : other.prelude), { steps: [racer(scene, 'one'), racer(other, 'two')] }],
    { ...other.bodies, one: scene.body(), two: scene.body() },
  );
}
