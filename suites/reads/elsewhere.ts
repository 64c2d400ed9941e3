import { makersWithin, operationOf } from '../../src/model/contract.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { create, makingOf } from '../../src/suite-kit/makers.ts';
import { type Scene, scenario, sceneOf } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { mostOf, sized, walkFrom } from './walk.ts';

/** So many of the largest pages are looked through. */
const mostPages = 12;

/**
 * A record that is made within one record, while the list within another one is read before and after: a query that
 * forgets the path shows it there. None where a list is within nothing that a command makes.
 */
export function listedElsewhere(planning: Planning, scene: Scene): readonly Scenario[] {
  const { operation } = scene;
  const [maker] = makersWithin(planning.contract, operation);
  const made = maker === undefined ? undefined : makingOf(planning, scene, maker);
  const parents = operation.pathFields.some(
    ({ source }) =>
      source !== undefined && operationOf(planning.contract, source.operation).kind === 'command',
  );
  const twin = parents ? sceneOf(planning, operation, scene.lead, 'other-') : undefined;
  if (made === undefined || twin === undefined || 'remedy' in made || 'remedy' in twin) return [];
  const query = sized(operation, mostOf(operation));
  return [
    scenario(
      scene,
      'a record within one record, and the list within another one',
      [
        ...made.prelude,
        ...twin.prelude,
        { steps: [twin.request('before', { observes: 'elsewhere-before', query })] },
        create(made, 'one'),
        { wait: 'settle' },
        // What forgets the path may show older records of others first.
        ...walkFrom(
          operation,
          {
            name: 'look',
            most: operation.pagination === undefined ? 1 : mostPages,
            limit: mostOf(operation),
            query: [],
          },
          (id, query) => twin.request(id, { role: 'test', observes: 'elsewhere', query }),
        ),
        { steps: [scene.request('own', { controls: '*', query })] },
      ],
      { ...twin.bodies, ...made.bodies, one: made.body(), body: scene.body() },
    ),
  ];
}
