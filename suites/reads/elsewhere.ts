import { operationOf } from '../../src/model/contract.ts';
import { makersWithin } from '../../src/model/listed.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { smallPage } from '../../src/oracle/paging.ts';
import { create, makingOf } from '../../src/suite-kit/makers.ts';
import { type Scene, scenario, sceneOf, siblingOf } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { mostOf, sized, walkFrom } from './walk.ts';

/** So many of the largest pages are looked through. */
const mostPages = 12;

/** So many small pages are looked through. */
const mostSmall = 6;

/** The same where the list within the other record has several pages: the path may count for the first one alone. */
function behindTheFirstPage(planning: Planning, made: Scene, twin: Scene, scene: Scene): readonly Scenario[] {
  const { operation } = scene;
  const limit = smallPage(operation);
  const theirs = makingOf(planning, twin, made.operation, twin.lead, 'twin-made-');
  if (operation.pagination === undefined || limit > 3 || planning.budget === 'quick' || 'remedy' in theirs)
    return [];
  const query = sized(operation, mostOf(operation));
  // Whichever way the list grows, one of ours is right behind the first page.
  const makers = ['twin-1', 'one', ...Array.from({ length: limit }, (_, index) => `twin-${index + 2}`)];
  const ids = [...makers, 'another', 'twin-8', 'twin-9'];
  return [
    scenario(
      scene,
      'records within one record, and the pages of the list within another one',
      [
        ...made.prelude,
        ...twin.prelude,
        ...theirs.prelude,
        { steps: [twin.request('before', { observes: 'elsewhere-before', query })] },
        ...ids.map((id) => create(id.startsWith('twin') ? theirs : made, id)),
        { wait: 'settle' },
        ...walkFrom(operation, { name: 'look', most: mostSmall, limit, query: [] }, (id, query) =>
          twin.request(id, { role: 'test', observes: 'elsewhere', query }),
        ),
        { steps: [scene.request('own', { controls: '*', query })] },
      ],
      {
        ...theirs.bodies,
        ...twin.bodies,
        ...made.bodies,
        ...Object.fromEntries(ids.map((id) => [id, made.body()])),
        body: scene.body(),
      },
    ),
  ];
}

/** A query that forgets the path shows a record that was made within another one. */
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
  // A query may use the outer fields of the path alone: these are equal for both records then.
  const sibling = siblingOf(planning, scene);
  return [
    ...behindTheFirstPage(planning, made, twin, scene),
    lookedFor(scene, made, twin, 'a record within one record, and the list within another one'),
    ...(sibling === undefined
      ? []
      : [lookedFor(scene, made, sibling, 'a record within one record, and the list within its sibling')]),
  ];
}

/** A record is made within one record, and looked for in the list of another. */
function lookedFor(scene: Scene, made: Scene, other: Scene, title: string): Scenario {
  const { operation } = scene;
  const query = sized(operation, mostOf(operation));
  return scenario(
    scene,
    title,
    [
      ...made.prelude,
      ...other.prelude,
      { steps: [other.request('before', { observes: 'elsewhere-before', query })] },
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
        (id, query) => other.request(id, { role: 'test', observes: 'elsewhere', query }),
      ),
      { steps: [scene.request('own', { controls: '*', query })] },
    ],
    { ...other.bodies, ...made.bodies, one: made.body(), body: scene.body() },
  );
}
