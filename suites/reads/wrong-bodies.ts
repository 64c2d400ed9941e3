import { isCarried } from '../../src/model/contract.ts';
import { isArray } from '../../src/model/json.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { negative, type Scene } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';
import { faultOf, spread } from '../schema-violations/wrong-bodies.ts';

/** What a read such as a search is asked for in a body that its schema refuses. */
export function wrongBodies(planning: Planning, scene: Scene): readonly Scenario[] {
  const { operation } = scene;
  if (operation.body === undefined) return [];
  const { body } = operation;
  const { mutations, plain = null } = planning.values(operation);
  const all = mutations(plain);
  // Some parsers take null for no body, and an array for an object.
  const roots = all.filter(
    ({ keyword, pointer, value }) =>
      pointer === '' && keyword === 'type' && ((value === null && body.required) || isArray(value)),
  );
  // What breaks a format alone is valid where formats are annotations.
  const known = all.filter(
    ({ keyword, pointer }) => pointer !== '' && keyword !== 'format' && !isCarried(operation, pointer),
  );
  // A check may be missing for one member alone, so each is wrong at least once.
  const each = known
    .filter(({ pointer }, index) => known.findIndex((one) => one.pointer === pointer) === index)
    .slice(0, byBudget(planning, 10, 20, 60));
  const more = known.filter((mutation) => !each.includes(mutation));
  return [...each, ...spread(more, byBudget(planning, 6, 20, 60)), ...roots].map((mutation) =>
    negative(
      scene,
      mutation.describes,
      {
        body: { use: 'named', name: 'faulty', edit: { at: '', set: mutation.value } },
        deviations: [faultOf(mutation)],
      },
      { bodies: { faulty: scene.body() } },
    ),
  );
}
