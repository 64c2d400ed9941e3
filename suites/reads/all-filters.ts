import { type Json, withValueAt } from '../../src/model/json.ts';
import type { Scenario } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { placeInRecord } from '../../src/model/wrapped-items.ts';
import { bodyCheck } from '../../src/suite-kit/body-schema.ts';
import type { FilterTrial } from '../../src/suite-kit/filters.ts';
import { create } from '../../src/suite-kit/makers.ts';
import { type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import { editsOf } from './filtering.ts';
import { mostOf, type Query, sized } from './walk.ts';

/** So many records are made, each of which one of several filters excludes. */
const mostAtOnce = 4;

/**
 * All filters at once, since one may be forgotten next to another: one record passes all, and each of the others all but one.
 * What the service sets is asked for as the first one has it.
 */
export function filteredByAll(
  scene: Scene,
  made: Scene,
  trials: readonly FilterTrial[],
): readonly Scenario[] {
  const plain = made.body();
  const valid = bodyCheck(made.operation, plain.value);
  const fields = trials.filter(
    ({ field }, index) => trials.findIndex((one) => one.field === field) === index,
  );
  const edited = fields.flatMap((trial) => {
    const edits = editsOf(trial);
    return edits === undefined ? [] : [{ trial, edits }];
  });
  const known = edited
    .filter(({ edits }, index) => edited.findIndex((one) => one.edits[0].at === edits[0].at) === index)
    .slice(0, mostAtOnce);
  const set = fields.flatMap((trial): Query => {
    const { elsewhere, field, value } = trial;
    const isNamed = typeof value === 'string' && !value.includes('${');
    if (field.filters === undefined || editsOf(trial) !== undefined) return [];
    if (elsewhere !== undefined) return [[field.name, value]];
    const at = placeInRecord(scene.operation, made.operation, field.filters);
    const isShown = schemasAt(made.operation.success.schema ?? true, at).length > 0;
    return isNamed && isShown ? [[field.name, { step: 'all', at }]] : [];
  });
  if (valid === undefined || known.length === 0 || known.length + set.length < 3) return [];
  const all = known.reduce(
    (body: Json, { edits: [{ at, set: own }] }) => withValueAt(body, at, own),
    plain.value,
  );
  const bodies = [all, ...known.map(({ edits: [, { at, set: other }] }) => withValueAt(all, at, other))];
  if (bodies.some((value) => valid(value).length > 0)) return [];
  const names = bodies.map((_, index) => (index === 0 ? 'all' : `but-${index}`));
  const size = sized(scene.operation, mostOf(scene.operation));
  const asked = known.map(({ trial }) => [trial.field.name, trial.value] as const);
  return [
    scenario(
      scene,
      `only records that pass ${[...asked, ...set].map(([name]) => name).join(', ')}`,
      [
        ...made.prelude,
        ...names.map((name) => create(made, name)),
        { wait: 'settle' },
        send(scene, 'one-filter', { query: [...size, ...asked.slice(0, 1)] }),
        send(scene, 'all-filters', { role: 'test', query: [...size, ...asked, ...set] }),
      ],
      {
        ...made.bodies,
        ...Object.fromEntries(names.map((name, index) => [name, made.body(bodies[index])])),
      },
    ),
  ];
}
