import { isBound } from '../../src/model/comparison.ts';
import { type Operation, operationNamed } from '../../src/model/contract.ts';
import { type Json, type JsonPointer, valueAt, withValueAt } from '../../src/model/json.ts';
import { type Scenario, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { placeInRecord } from '../../src/model/wrapped-items.ts';
import { smallPage } from '../../src/oracle/paging.ts';
import { bodyCheck } from '../../src/suite-kit/body-schema.ts';
import { standIn } from '../../src/suite-kit/cast.ts';
import { type FilterTrial, ownFilter } from '../../src/suite-kit/filters.ts';
import { targetMadeBy } from '../../src/suite-kit/issued.ts';
import { create, shownBy } from '../../src/suite-kit/makers.ts';
import { readStep, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { type ChangedRecord, changedBy } from './changed.ts';
import { mostOf, type Query, sized, walkFrom } from './walk.ts';

/** The records of a trial, and the list asked for what the filter lets pass, and for all. */
export function filtered(planning: Planning, scene: Scene, made: Scene, trial: FilterTrial): Scenario {
  // Of what the service sets, such as a number, another record may have another value.
  const others = trial.excluded ?? (typeof trial.value === 'string' ? undefined : trial.match);
  const { elsewhere } = trial;
  const parts =
    elsewhere === undefined ? {} : { target: { ...made.request('other').target, ...elsewhere.target } };
  const size = sized(scene.operation, mostOf(scene.operation));
  return scenario(
    scene,
    `only records with ${trial.field.name}=${trial.called}`,
    [
      ...made.prelude,
      ...(elsewhere?.waves ?? []),
      create(made, 'match', trial.match),
      ...(others === undefined ? [] : [create(made, 'other', others, parts)]),
      { wait: 'settle' },
      send(scene, 'filtered', {
        role: 'test',
        query: [...size, [trial.field.name, trial.value]],
      }),
      send(scene, 'unfiltered', { role: 'readback', query: size }),
      ...matchShown(planning, scene, made),
    ],
    { ...made.bodies, ...elsewhere?.bodies, ...trial.bodies },
  );
}

/** The read of the record that matches: the whole list may have more records than a page. */
function matchShown(planning: Planning, scene: Scene, made: Scene): readonly Wave[] {
  const read = operationNamed(planning.contract, made.operation.effect?.read);
  const reader = read === undefined ? undefined : standIn(planning, read, scene.lead);
  if (read === undefined || reader === undefined) return [];
  const target = targetMadeBy(made.operation, read, 'match', made.request('match').target ?? {});
  if (target === undefined) return [];
  const step = readStep(planning, 'match-shown', read, reader, target, 'readback');
  return [when('match', 'accepted', [send({ ...step, observes: 'made' })])];
}

/** What a trial sets in a body for its filter to let the record pass, and to exclude it. */
export function editsOf({ excluded, match }: FilterTrial): readonly [Edit, Edit] | undefined {
  const [own, other] = [match, excluded].map((spec) =>
    spec?.use === 'named' && spec.edit !== undefined && 'set' in spec.edit && spec.edit.at !== ''
      ? spec.edit
      : undefined,
  );
  return own === undefined || other === undefined ? undefined : [own, other];
}

type Edit = { readonly at: JsonPointer; readonly set: Json };

/** A filter by the record that bodies name, and one by a member: one record passes both, and each of two others only one. */
function filteredWithin(
  scene: Scene,
  made: Scene,
  trials: readonly FilterTrial[],
  { edits, trial }: { readonly edits: readonly [Edit, Edit]; readonly trial: FilterTrial },
): readonly Scenario[] {
  const around = trials.find(({ elsewhere, field }) => elsewhere !== undefined && field !== trial.field);
  if (around?.elsewhere === undefined) return [];
  const { bodies, target, waves } = around.elsewhere;
  const plain = made.body();
  const valid = bodyCheck(made.operation, plain.value);
  const [own, other] = edits.map(({ at, set }) => withValueAt(plain.value, at, set));
  if (own === undefined || other === undefined) return [];
  if (valid === undefined || [own, other].some((value) => valid(value).length > 0)) return [];
  const size = sized(scene.operation, mostOf(scene.operation));
  const asked: Query = [...size, [around.field.name, around.value]];
  return [
    scenario(
      scene,
      `only records with ${[around, trial].map(({ called, field }) => `${field.name}=${called}`).join(' and ')}`,
      [
        ...made.prelude,
        ...waves,
        create(made, 'both'),
        create(made, 'first'),
        create(made, 'second', undefined, { target: { ...made.request('second').target, ...target } }),
        { wait: 'settle' },
        send(scene, 'one-filter', { query: asked }),
        send(scene, 'both-filters', { role: 'test', query: [...asked, [trial.field.name, trial.value]] }),
      ],
      {
        ...made.bodies,
        ...bodies,
        both: made.body(own),
        first: made.body(other),
        second: made.body(own),
      },
    ),
  ];
}

/** Two filters at once: one record passes both, and each of two others only one of them. */
export function filteredByTwo(
  scene: Scene,
  made: Scene,
  trials: readonly FilterTrial[],
): readonly Scenario[] {
  const plain = made.body();
  const valid = bodyCheck(made.operation, plain.value);
  const known = trials.flatMap((trial) => {
    const edits = editsOf(trial);
    return edits === undefined ? [] : [{ trial, edits }];
  });
  const [one] = known;
  if (one === undefined || valid === undefined) return [];
  const two = known.find(
    ({ edits, trial }) => trial.field !== one.trial.field && edits[0].at !== one.edits[0].at,
  );
  if (two === undefined) return filteredWithin(scene, made, trials, one);
  const values = (
    [
      [0, 0],
      [0, 1],
      [1, 0],
    ] as const
  ).map(([first, second]) =>
    [one.edits[first], two.edits[second]].reduce(
      (body: Json, { at, set }) => withValueAt(body, at, set),
      plain.value,
    ),
  );
  if (values.some((value) => valid(value).length > 0)) return [];
  const names = ['both', 'first', 'second'];
  const size = sized(scene.operation, mostOf(scene.operation));
  const asked = ({ trial }: typeof one): Query => [[trial.field.name, trial.value]];
  return [
    scenario(
      scene,
      `only records with ${[one, two].map(({ trial }) => `${trial.field.name}=${trial.called}`).join(' and ')}`,
      [
        ...made.prelude,
        ...names.map((name) => create(made, name)),
        { wait: 'settle' },
        send(scene, 'one-filter', { query: [...size, ...asked(one)] }),
        send(scene, 'both-filters', { role: 'test', query: [...size, ...asked(one), ...asked(two)] }),
      ],
      {
        ...made.bodies,
        ...Object.fromEntries(names.map((name, index) => [name, made.body(values[index])])),
      },
    ),
  ];
}

/** The filter may be forgotten behind the first page: a record that it excludes is right there. */
export function pagesFiltered(
  planning: Planning,
  scene: Scene,
  made: Scene,
  trials: readonly FilterTrial[],
): readonly Scenario[] {
  if (scene.operation.pagination === undefined) return [];
  const found = trials.find(({ excluded }) => excluded !== undefined);
  if (found !== undefined) {
    const telling = rare(found);
    const { excluded } = telling;
    const others = (id: string): readonly Wave[] => [create(made, id, excluded)];
    return [
      pagesOfTrial(scene, made, telling, telling.alone, { first: others('less'), last: others('more') }),
    ];
  }
  const changers = changersOf(planning, scene, made, trials[0]?.field.filters);
  const changed = (side: string): readonly ChangedRecord[] =>
    changers.flatMap((changer, index) => changedBy(planning, scene, made, changer, `${side}-${index + 1}-`));
  const [first, last] = [changed('first'), changed('last')];
  if (first.length === 0) return [];
  return trials.slice(0, 2).map((trial) =>
    pagesOfTrial(scene, made, trial, [], {
      first: first.flatMap(({ waves }) => waves),
      last: last.flatMap(({ waves }) => waves),
      bodies: Object.assign({}, ...[...first, ...last].map(({ bodies }) => bodies)),
    }),
  );
}

/** By a value that bodies do not have by themselves: most records are excluded, and stand behind the first page. */
function rare(trial: FilterTrial): FilterTrial {
  const { bodies, excluded, match } = trial;
  if (match.use !== 'named' || excluded?.use !== 'named' || isBound(trial.field)) return trial;
  const [own, other] = [match.edit, excluded.edit];
  if (own === undefined || other === undefined || !('set' in own) || !('set' in other)) return trial;
  const plain = valueAt(bodies['match']?.value, own.at);
  if (own.set !== plain || other.set === plain) return trial;
  const called = String(other.set);
  return { ...trial, value: called, called, match: excluded, excluded: match };
}

/** So many commands are tried that may set a member which no body sets. */
const mostChangers = 2;

/** Commands that may change the member that the list filters by, first those known to move records to another state. */
function changersOf(
  planning: Planning,
  list: Scene,
  made: Scene,
  filters: JsonPointer | undefined,
): readonly Operation[] {
  const shown = shownBy(planning.contract, list.operation);
  const commands = planning.contract.operations.filter(
    (one) => shown.includes(one) || (filters !== undefined && isSetter(list.operation, one, filters)),
  );
  return ranked(planning, changing(commands, made));
}

function settersOf(
  planning: Planning,
  list: Operation,
  made: Scene,
  filters: JsonPointer,
): readonly Operation[] {
  const commands = planning.contract.operations.filter((one) => isSetter(list, one, filters));
  return ranked(planning, changing(commands, made));
}

function isSetter(list: Operation, one: Operation, filters: JsonPointer): boolean {
  const at = placeInRecord(list, one, filters);
  return one.kind === 'command' && schemasAt(one.success.schema ?? true, at).length > 0;
}

function changing(commands: readonly Operation[], made: Scene): readonly Operation[] {
  return commands.filter(
    ({ method, pathFields }) =>
      method !== 'DELETE' && pathFields.some(({ source }) => source?.operation === made.operation.id),
  );
}

function ranked({ contract }: Planning, commands: readonly Operation[]): readonly Operation[] {
  const moving = new Set(contract.operations.map(({ conflict }) => conflict?.after));
  const rank = ({ id, path }: Operation): number => (moving.has(id) ? 1000 : 0) + path.length;
  // The order of the document decides nothing.
  return commands
    .toSorted((one, other) => rank(other) - rank(one) || (one.id < other.id ? -1 : 1))
    .slice(0, mostChangers);
}

/** A member that no body sets, asked for by the value that a command gave it: what is set later may be missed. */
export function filteredAfter(
  planning: Planning,
  scene: Scene,
  made: Scene,
  trials: readonly FilterTrial[],
): readonly Scenario[] {
  const { operation } = scene;
  const [trial] = trials;
  if (trial === undefined || trials.some(({ excluded }) => excluded !== undefined)) return [];
  const { filters, name } = trial.field;
  if (filters === undefined || operation.pathFields.length > 0) return [];
  return settersOf(planning, operation, made, filters).flatMap((changer): readonly Scenario[] => {
    const [changed] = changedBy(planning, scene, made, changer, `${changer.id}-`);
    if (changed === undefined) return [];
    const maker = stepsOf(changed.waves).find((step) => step.operation === made.operation.id);
    const body = maker === undefined ? undefined : changed.bodies[maker.id];
    const own =
      maker === undefined || body === undefined
        ? undefined
        : ownFilter(operation, made.operation, body, maker.id);
    const query: Query = [
      ...sized(operation, mostOf(operation)),
      ...(own === undefined || own[0] === name ? [] : [own]),
    ];
    const value = { step: `${changer.id}-changed`, at: placeInRecord(operation, changer, filters) };
    return [
      scenario(
        scene,
        `a record after ${changer.id}, with the ${name} that it has then`,
        [
          ...changed.waves,
          when(value.step, 'accepted', [
            { wait: 'settle' },
            send(scene, 'whole', { query }),
            send(scene, 'narrowed', { role: 'test', query: [...query, [name, value]] }),
            send(scene, 'whole-again', { query }),
          ]),
        ],
        changed.bodies,
      ),
    ];
  });
}

function pagesOfTrial(
  scene: Scene,
  made: Scene,
  trial: FilterTrial,
  alone: Query,
  around: {
    readonly first: readonly Wave[];
    readonly last: readonly Wave[];
    readonly bodies?: Scenario['bodies'];
  },
): Scenario {
  const limit = smallPage(scene.operation);
  // The last page is full: one that is counted wrongly then lacks a record, or does not end.
  const matches = limit === 2 ? ['match', 'match-2', 'match-3', 'match-4'] : ['match', 'match-2', 'match-3'];
  return scenario(
    scene,
    `only records with ${trial.field.name}=${trial.called}, page by page`,
    [
      ...made.prelude,
      ...around.first,
      ...matches.map((id) => create(made, id, trial.match)),
      ...around.last,
      { wait: 'settle' },
      ...walkFrom(
        scene.operation,
        {
          name: 'filtered',
          most: 5,
          limit,
          query: [[trial.field.name, trial.value], ...alone],
        },
        (id, query) => scene.request(id, { role: 'test', query }),
      ),
      // What the pages lack, such as where a page is cut off before it is filtered, one without the filter has.
      send(scene, 'unfiltered', {
        role: 'readback',
        query: [...sized(scene.operation, mostOf(scene.operation)), ...alone],
      }),
    ],
    { ...made.bodies, ...around.bodies, ...trial.bodies },
  );
}
