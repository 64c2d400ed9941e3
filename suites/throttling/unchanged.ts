import type { Scenario, Step, Wave } from '../../src/model/scenario.ts';
import { reading, renamed } from '../../src/suite-kit/readback.ts';
import {
  type Around,
  bodyOf,
  key,
  type Scene,
  scenario,
  sceneOf,
  send,
  when,
} from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { canPress, pressing, reaching, visible } from './reaching.ts';

/**
 * A command that is throttled on a record that is read around it. It is not sent again: what it did would be done anyway. The same
 * command on another record shows that it would have been accepted. Where reads do not reach its limit, it reaches that itself, on a
 * record of its own. A record that is left alone shows what changes by itself, or with what is done to others.
 */
export function unchanged(
  planning: Planning,
  scene: Scene,
  again: Scene,
  fillers: readonly Scene[],
): readonly Scenario[] {
  // Commands that are accepted between the reads may change the record as well.
  const filler = fillers.find(({ operation }) => operation.kind === 'read');
  const around = readsAround(planning, scene, '');
  // What names a record in its body makes one of its own as well, which its text shows.
  if (filler === undefined || (around.before.length === 0 && scene.operation.pathFields.length > 0))
    return [];
  const { next, idle, pressed, second } = others(planning, scene, again);
  const first = lookedAt(planning, idle, 'idle-');
  const control = again.request('control', {
    controls: 'limited',
    key: key('fresh'),
    body: bodyOf(again, 'fresh'),
  });
  const limited = paced(scene, 'limited');
  return [
    scenario(
      // What is made last may be what others give way to.
      { ...scene, prelude: [...(idle?.prelude ?? []), ...scene.prelude] },
      `too fast with ${filler.operation.id}, then ${scene.operation.id} on a record that is read`,
      [
        ...filler.prelude,
        ...visible(filler),
        ...around.before,
        ...(first?.before ?? []),
        reaching(planning, filler, '', limited),
        when('limited', 'refused', [
          { wait: { guidance: 'limited' } },
          ...around.after,
          ...(first?.after ?? []),
          ...again.prelude,
          send(control),
        ]),
        ...(second === undefined || next === undefined || pressed === undefined
          ? []
          : [when('limited', 'unlimited', byItself(planning, second, next, pressed))]),
      ],
      {
        ...filler.bodies,
        ...again.bodies,
        ...idle?.bodies,
        ...second?.bodies,
        ...next?.bodies,
        ...pressed?.bodies,
        body: scene.body(),
        filler: filler.body(),
        fresh: scene.body(),
        press: scene.body(),
      },
    ),
  ];
}

/**
 * The same with the limit of the command alone, or of all commands. What takes the place of its neighbour, such as `move-up`, changes
 * the one made just before it first.
 */
function byItself(planning: Planning, second: Scene, next: Scene, pressed: Scene): readonly Wave[] {
  const { after, before } = readsAround(planning, second, 'second-');
  const left = lookedAt(planning, next, 'next-');
  const limited = paced(second, 'second-limited');
  return [
    ...second.prelude,
    ...next.prelude,
    ...pressed.prelude,
    ...before,
    ...(left?.before ?? []),
    pressing(planning, pressed, limited),
    when(limited.id, 'refused', [{ wait: { guidance: limited.id } }, ...after, ...(left?.after ?? [])]),
  ];
}

function paced(own: Scene, id: string): Step {
  return own.request(id, {
    role: 'test',
    key: key(id),
    deviations: [{ kind: 'pace' }],
  });
}

/** Scenes on records of their own, where there are as many: two that are left alone, and two that the command reaches. */
function others(
  planning: Planning,
  scene: Scene,
  again: Scene,
): Partial<Readonly<Record<'next' | 'idle' | 'pressed' | 'second', Scene>>> {
  const { lead, operation } = scene;
  const made = (['idle', 'second', 'next', 'pressed'] as const).flatMap((name) => {
    const own = sceneOf(planning, operation, lead, `${name}-`);
    return 'remedy' in own ? [] : [[name, own] as const];
  });
  const all = [scene, again, ...made.map(([, own]) => own)];
  const targets = new Set(all.map(({ request }) => JSON.stringify(request('target').target)));
  if (targets.size < all.length) return {};
  const { next, idle, pressed, second } = Object.fromEntries(made);
  const reached = canPress(scene) && next && pressed && second && { next, pressed, second };
  return { ...(idle && { idle }), ...(reached || {}) };
}

function readsAround(planning: Planning, scene: Scene, prefix: string): Around {
  const [before, after] = (['before', 'after'] as const).map((observes) =>
    renamed(reading(planning, scene, observes), prefix, observes),
  );
  return { before: before ?? [], after: after ?? [] };
}

function lookedAt(planning: Planning, idle: Scene | undefined, prefix: string): Around | undefined {
  if (idle === undefined) return undefined;
  const { after, before } = readsAround(planning, idle, prefix);
  return { before: renamed(before, '', 'neighbour-before'), after: renamed(after, '', 'neighbour') };
}
