import { validator } from '../../src/generate/index.ts';
import type { Operation } from '../../src/model/contract.ts';
import { isObject, type Json, pointerOf, valueAt, withValueAt } from '../../src/model/json.ts';
import type { BodySpec, BodyValue, Step } from '../../src/model/scenario.ts';
import { ownFilter } from '../../src/suite-kit/filters.ts';
import type { Scene } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { markedText } from '../../src/suite-kit/texts.ts';
import { mostOf, sized } from './walk.ts';

/** Older records may fill the first page: it is as large as it may be, and the list is asked for the record itself. */
export function looksFor(
  planning: Planning,
  scene: Scene,
  made: Scene,
): readonly (readonly [suffix: string, asked: Partial<Step>])[] {
  const { operation } = scene;
  const page = sized(operation, mostOf(operation));
  const own = ownFilter(operation, made.operation, made.body(), 'one');
  return [
    ['', { query: page }],
    ...(own === undefined ? [] : [['-filtered', { query: [...page, own] }] as const]),
    ...[...searches(planning, operation, made.body()), ...likeness(planning, scene, made)].map(
      (body, index) => [`-sought-${index}`, { query: page, body }] as const,
    ),
  ];
}

/** So many members of the body of a search are tried. */
const mostSought = 2;

/** A search for one record among many older ones: by its text in each member that may hold it, and by the marker. */
function searches(planning: Planning, search: Operation, one: BodyValue): readonly BodySpec[] {
  const { marker: best, plain, texts } = planning.values(search);
  if (search.body === undefined || plain === undefined || one.marker === undefined) return [];
  const paging = new Set(search.queryFields.map(({ at }) => at));
  const valid = validator(search.body.schema, { formats: 'assert' });
  const text = valueAt(one.value, one.marker);
  const alone = '$' + '{marker}';
  const whole =
    typeof text === 'string' && text !== '' && one.form === undefined ? `${text} ${alone}` : alone;
  return [...new Set([...(best === undefined ? [] : [best]), ...texts])]
    .filter((at) => !paging.has(at) && valid(withValueAt(plain, at, markedText)).length === 0)
    .slice(0, mostSought)
    .flatMap((at, index) =>
      (index === 0 && whole !== alone ? [whole, alone] : [whole]).map((sought) => [at, sought] as const),
    )
    .map(([at, sought]) => ({
      use: 'named',
      name: 'one',
      edit: { at: '', set: withValueAt(plain, at, sought) },
    }));
}

/** How the members are named that say how much a search shows. */
const sizes = /limit|max|size|count|top|take/i;

/** The body of a search that asks, by the values of a record, for as many as it may show. */
function likeness(planning: Planning, { operation }: Scene, made: Scene): readonly BodySpec[] {
  const schema = operation.body?.schema;
  const { plain } = planning.values(operation);
  const { value } = made.body();
  if (!isObject(schema) || !isObject(schema['properties']) || !isObject(plain)) return [];
  const valid = validator(schema, { formats: 'assert' });
  let asked: Json = plain;
  for (const [name, member] of Object.entries(schema['properties'])) {
    const largest = sizes.test(name) && isObject(member) ? member['maximum'] : undefined;
    const like = largest ?? (isObject(value) ? value[name] : undefined);
    const next: Json = like === undefined ? asked : withValueAt(asked, pointerOf([name]), like);
    if (valid(next).length === 0) asked = next;
  }
  return JSON.stringify(asked) === JSON.stringify(plain)
    ? []
    : [{ use: 'named', name: 'body', edit: { at: '', set: asked } }];
}
