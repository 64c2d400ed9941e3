import type { Scenario } from '../../src/model/scenario.ts';
import { key, reuse, type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import { severalItems } from '../../src/suite-kit/several-items.ts';

/** A command that makes several records at once, sent twice in sequence: a duplicate may make some of them again. */
export function ofSeveral(scene: Scene): readonly Scenario[] {
  const several = severalItems(scene);
  if (several === undefined) return [];
  const { at, set } = several;
  const body = { use: 'named', name: 'body', edit: { at, set } } as const;
  return [
    scenario(
      scene,
      'one command that makes several records, sent twice in sequence',
      [
        send(scene, 'first', { key: key('key'), body }),
        send(scene, 'second', { ...reuse('first', 'none'), body }),
      ],
      { body: scene.body() },
    ),
  ];
}
