import { creates } from '../src/model/contract.ts';
import type { Scenario, Step, Transport, Wave } from '../src/model/scenario.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { counted, listings, reading } from '../src/suite-kit/readback.ts';
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
  slowed,
  when,
} from '../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

const cuts: readonly { readonly transport: Transport; readonly title: string }[] = [
  { transport: 'cut-after-send', title: 'the connection is cut after the command was sent' },
  { transport: 'cut-on-answer', title: 'the connection is cut when the response begins' },
  { transport: 'cut-mid-body', title: 'the connection is cut in the middle of the body' },
];

export default defineSuite({
  name: 'lost-responses',
  title: 'Commands whose responses are lost or fail, and their retries under the same key',
  for: 'commands',
  clauses: 'IDM-16 IDM-15 ERR-4',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    const rounds = byBudget(planning, 1, 3, 8);
    yield probe('cut', 'IDM-16', [
      ...cuts.flatMap(({ transport, title }) =>
        operation.body === undefined && transport === 'cut-mid-body'
          ? []
          : Array.from({ length: rounds }, () => lost(planning, scene, { transport }, title)),
      ),
      ...byBudget(planning, [20], [5, 20, 60], [2, 5, 10, 20, 40, 80, 160]).map((leaves) =>
        lost(
          planning,
          scene,
          { transport: 'cut-after-send', leaves },
          'the connection is cut while the command runs',
        ),
      ),
      ...(planning.hooks.has('slow') ? [cutWhileHeld(planning, scene)] : []),
    ]);
    const hooks = [
      { hook: 'failBeforeCommit', how: 'before-commit' },
      { hook: 'failAfterCommit', how: 'after-commit' },
    ] as const;
    const offered = hooks.filter(({ hook }) => planning.hooks.has(hook));
    if (offered.length < hooks.length)
      yield skip(operation, 'IDM-15 ERR-4', {
        kind: 'hook',
        remedy: 'Configure the hooks `failBeforeCommit` and `failAfterCommit`, which make one command fail.',
      });
    if (offered.length > 0)
      yield probe(
        'failed',
        'IDM-15 ERR-4',
        offered.map(({ hook, how }) => failed(planning, scene, hook, how)),
      );
  },
});

const none: ReturnType<typeof counted> = { before: [], after: [], bodies: {} };

/** Of a command that the hook holds, the connection is surely cut before it ends. */
function cutWhileHeld(planning: Planning, scene: Scene): Scenario {
  const loss = { transport: 'cut-after-send', leaves: 400 } as const;
  return lost(planning, scene, loss, 'the connection is cut while the command is held', [
    slowed(scene, 1500),
  ]);
}

/** The command, cut; then the same command until its key is no longer in flight. */
function lost(
  planning: Planning,
  scene: Scene,
  loss: Pick<Step, 'transport' | 'leaves'>,
  title: string,
  before: readonly Wave[] = [],
): Scenario {
  const valid = validElsewhere(planning, scene);
  const list = listings(planning, scene);
  const retry = (id: string): Wave => send(scene, id, { ...reuse('lost', 'none'), transport: 'fresh' });
  const later = (from: string, id: string, wait: number, waves: readonly Wave[]): Wave =>
    when(from, 'refused', [{ wait }, retry(id), ...waves]);
  const waves: readonly Wave[] = [
    ...before,
    send(scene, 'lost', { key: key('key'), ...loss, deviations: [{ kind: 'lost-response' }] }),
    retry('retry'),
    later('retry', 'retry-2', 1000, [later('retry-2', 'retry-3', 5000, valid.waves)]),
  ];
  // The command goes on while the retry comes.
  const count = loss.leaves === undefined ? none : counted(planning, scene, 'retry');
  return scenario(scene, title, [...list.before, ...count.before, ...waves, ...list.after, ...count.after], {
    ...valid.bodies,
    ...count.bodies,
  });
}

/** The same command made again, on a target of its own: where it is refused as well, a refused retry proves nothing. */
function validElsewhere(
  planning: Planning,
  scene: Scene,
): { readonly waves: readonly Wave[]; readonly bodies: Scenario['bodies'] } {
  const other = hasTarget(scene) ? sceneOf(planning, scene.operation, scene.lead, 'control-') : scene;
  if ('remedy' in other) return { waves: [], bodies: { body: scene.body() } };
  const control = other.request('control', {
    controls: '*',
    key: key('fresh'),
    body: bodyOf(other, 'control'),
  });
  return {
    waves: [...(other === scene ? [] : other.prelude), send(control)],
    bodies: { ...other.bodies, body: scene.body(), control: scene.body() },
  };
}

/** The hook makes the command fail; the same command again, twice. */
function failed(
  planning: Planning,
  scene: Scene,
  hook: string,
  how: 'before-commit' | 'after-commit',
): Scenario {
  const valid = validElsewhere(planning, scene);
  const list = listings(planning, scene);
  const retry = (id: string): Wave => send(scene, id, reuse('failed', 'none'));
  // A lock may outlive the failure by a little: only one that stays blocks the key.
  const later = when('retry-2', 'refused', [{ wait: 2000 }, retry('retry-3')]);
  const count = counted(planning, scene, 'retry');
  // What a failed command did is there before its retry.
  const done =
    how === 'after-commit' && !creates(scene.operation) && list.before.length + count.before.length === 0
      ? (['before', 'after'] as const).map((observes) => reading(planning, scene, observes))
      : [];
  const waves: readonly Wave[] = [
    { hook, input: { key: 'key:key', operation: scene.operation.id }, as: 'injected' },
    send(scene, 'failed', { role: 'test', key: key('key'), deviations: [{ kind: 'fault', how }] }),
    ...(done[0] ?? []),
    retry('retry'),
    retry('retry-2'),
    later,
    ...(done[1] ?? []),
    when('retry', 'refused', valid.waves),
  ];
  const title = `the service fails ${how.replace('-', ' the ')}`;
  return scenario(scene, title, [...list.before, ...count.before, ...waves, ...list.after, ...count.after], {
    ...valid.bodies,
    ...count.bodies,
  });
}
