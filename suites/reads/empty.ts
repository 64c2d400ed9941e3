import { showsIn } from '../../src/model/listed.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { create } from '../../src/suite-kit/makers.ts';
import { type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';

/** A list within a new record, before anything is made in it; where that is refused, again with something in it. */
export function whileEmpty(list: Scene, made: Scene): readonly Scenario[] {
  const { id, pathFields } = list.operation;
  const target = list.request('empty').target ?? {};
  const isNew = Object.values(target).some((ref) => 'step' in ref);
  if (pathFields.length === 0 || !isNew || !showsIn(made.operation.effect, id)) return [];
  return [
    scenario(
      list,
      'a list within a record, while it is empty',
      [
        { wait: 'settle' },
        send(list, 'empty', { role: 'test', observes: 'empty-list' }),
        when('empty', 'refused', [
          ...made.prelude,
          create(made, 'first'),
          { wait: 'settle' },
          send(list, 'filled', { controls: 'empty' }),
        ]),
      ],
      { ...made.bodies, first: made.body() },
    ),
  ];
}
