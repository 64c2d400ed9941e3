import { validator } from '../../src/generate/index.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { placeInRecord } from '../../src/model/wrapped-items.ts';
import type { FilterTrial } from '../../src/suite-kit/filters.ts';
import { create } from '../../src/suite-kit/makers.ts';
import { type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import { mostOf, sized } from './walk.ts';

/** What no record is called: one of them has the form of most such fields. */
const unheld = ['assay-none', 'assaynone', 'ASSAYNONE'];

/**
 * A filter by a member that holds several texts, such as the tags of a record: a new record has none of them, so nothing shows
 * one to ask for. Asked for one that no record has, the list is empty.
 */
export function filteredBySeveral(
  scene: Scene,
  made: Scene,
  trials: readonly FilterTrial[],
): readonly Scenario[] {
  const { operation } = scene;
  const [trial] = trials;
  const { filters, name, schema } = trial?.field ?? {};
  if (filters === undefined || name === undefined || trials.some(({ excluded }) => excluded !== undefined))
    return [];
  const shown = schemasAt(made.operation.success.schema, placeInRecord(operation, made.operation, filters));
  const several = shown.length > 0 && shown.every(({ items, type }) => type === 'array' && isText(items));
  const valid = validator(schema ?? true, { formats: 'assert' });
  const value = unheld.find((text) => valid(text).length === 0);
  if (!several || value === undefined) return [];
  const size = sized(operation, mostOf(operation));
  return [
    scenario(
      scene,
      `only records with ${name}=${value}, which none has`,
      [
        ...made.prelude,
        create(made, 'match'),
        { wait: 'settle' },
        send(scene, 'filtered', { role: 'test', query: [...size, [name, value]] }),
        send(scene, 'unfiltered', { role: 'readback', query: size }),
      ],
      { ...made.bodies, match: made.body() },
    ),
  ];
}

/** A text of any kind: of those that a schema names, a service may know no other. */
function isText(items: unknown): boolean {
  const all = schemasAt({ items: Object(items) }, '/0');
  return all.length > 0 && all.every((each) => each['type'] === 'string' && !('enum' in each));
}
