import { isPlaced, isSingleton } from '../../src/model/contract.ts';
import type { Principal } from '../../src/model/principal.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { Scenario, Step, Wave } from '../../src/model/scenario.ts';
import { smallPage } from '../../src/oracle/paging.ts';
import { createMany, isOnce } from '../../src/suite-kit/apart.ts';
import { holders } from '../../src/suite-kit/cast.ts';
import { claimedInBody, claimedInHeaders, claimedInQuery } from '../../src/suite-kit/claims.ts';
import { type FilterTrial, ownFilter } from '../../src/suite-kit/filters.ts';
import { refOf } from '../../src/suite-kit/issued.ts';
import { create, makingOf } from '../../src/suite-kit/makers.ts';
import { claiming, placed } from '../../src/suite-kit/other-scope.ts';
import { key, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { looksFor } from './looks-for.ts';
import { cursorTo, manyPages, mostOf, type Query, sized, walkFrom } from './walk.ts';

/** So many small pages are read from afar. */
const afarPages = 8;
/** Pages of this size, so many: what fits into one of the largest pages has a second page of these. */
const midPage = { limit: 10, most: 12 };

/** A record made in one scope; a principal of another one looks. */
export function fromAfar(planning: Planning, scene: Scene, made: Scene, stranger: string): Scenario {
  const { operation } = scene;
  const targeted = operation.pathFields.length > 0;
  const most = mostOf(operation);
  const page = sized(operation, most);
  const looks = looksFor(planning, scene, made);
  return scenario(
    scene,
    'a record of another scope',
    [
      ...made.prelude,
      create(made, 'one'),
      { wait: 'settle' },
      ...looks.flatMap(([as, asked]): readonly Wave[] => [
        send(scene, `afar${as}`, {
          role: 'test',
          as: stranger,
          ...asked,
          ...(targeted ? { ...placed(scene), deviations: [{ kind: 'scope' }] } : {}),
        }),
        send(scene, `near${as}`, { controls: `afar${as}`, ...asked }),
      ]),
      // Under a path that names the caller's own scope there is no such record.
      ...(targeted && isPlaced(operation)
        ? [
            send(scene, 'afar-own', {
              role: 'test',
              as: stranger,
              query: page,
              deviations: [{ kind: 'scope' }],
            }),
            send(scene, 'near-own', { controls: 'afar-own', query: page }),
          ]
        : []),
      ...(operation.pagination === undefined || targeted
        ? []
        : [
            when(
              'afar',
              'accepted',
              walkFrom(
                operation,
                { name: 'afar', from: 1, most: manyPages, limit: most, query: [] },
                (id, query) => scene.request(id, { role: 'test', as: stranger, query }),
              ),
            ),
          ]),
      ...(targeted || !isPlaced(operation)
        ? []
        : [
            send(scene, 'afar-placed', {
              role: 'test',
              as: stranger,
              ...placed(scene),
              query: page,
              deviations: [{ kind: 'scope' }],
            }),
            send(scene, 'near-placed', { controls: 'afar-placed', query: page }),
          ]),
    ],
    { ...made.bodies, one: made.body() },
  );
}

/** The same where the caller claims the scope of the record, in headers and in the query: it must not choose its scope. */
export function claimedFromAfar(scene: Scene, made: Scene, stranger: string): readonly Scenario[] {
  const { scope } = scene.lead;
  if (scope === undefined) return [];
  const { operation } = scene;
  const page = sized(operation, mostOf(operation));
  const own = ownFilter(operation, made.operation, made.body(), 'one');
  const plain = own === undefined ? page : [...page, own];
  const targeted = operation.pathFields.length > 0;
  const inHeaders = claimedInHeaders(scope);
  const inQuery = claimedInQuery(scope, operation.queryFields);
  const looks = [
    { id: 'afar-headers', query: plain, headers: inHeaders.headers, deviations: inHeaders.deviations },
    { id: 'afar-query', query: [...plain, ...inQuery.query], deviations: inQuery.deviations },
  ];
  return [
    scenario(
      scene,
      'a record of another scope, read by a caller that claims that scope',
      [
        ...made.prelude,
        create(made, 'one'),
        { wait: 'settle' },
        ...looks.flatMap(({ id, deviations, ...claims }): readonly Wave[] => [
          send(scene, id, {
            role: 'test',
            as: stranger,
            ...(targeted || !isPlaced(operation) ? claiming(scene) : {}),
            ...claims,
            deviations: [...(targeted ? [{ kind: 'scope' } as const] : []), ...deviations],
          }),
          send(scene, id.replace('afar', 'near'), { controls: id, query: plain }),
        ]),
      ],
      { ...made.bodies, one: made.body() },
    ),
  ];
}

/** Records whose makers claim the scope of another one, in each part of a request: that scope must not have them. */
export function placedAfar(scene: Scene, made: Scene, stranger: Principal): readonly Scenario[] {
  const { operation } = scene;
  const maker = made.operation;
  const { scope } = stranger;
  const [field, ...further] = operation.pathFields;
  if (scope === undefined || maker.pathFields.length > 0 || maker.body === undefined) return [];
  const source = field?.source;
  const refTo = (step: string): Ref | undefined =>
    source?.operation === maker.id && further.length === 0 ? refOf(source, step, undefined) : undefined;
  if (field === undefined ? operation.pagination === undefined : refTo('in') === undefined) return [];
  const body = made.body();
  const inBody = claimedInBody(scope, maker, body.value);
  const claims: readonly (Partial<Step> & { readonly name: string })[] = [
    ...(inBody === undefined
      ? []
      : [
          {
            name: 'claim',
            body: { use: 'named', name: 'claim', edit: inBody.edit } as const,
            deviations: inBody.deviations,
          },
        ]),
    { name: 'query', ...claimedInQuery(scope, maker.queryFields) },
    { name: 'headers', ...claimedInHeaders(scope) },
  ];
  const look = (name: string): readonly Wave[] => {
    const own = ownFilter(operation, maker, body, name);
    const ref = refTo(`in-${name}`);
    const asked: Partial<Step> =
      field === undefined || ref === undefined
        ? { query: [...sized(operation, mostOf(operation)), ...(own === undefined ? [] : [own])] }
        : { target: { [field.name]: ref } };
    const id = `afar-${name}`;
    return [
      when(`in-${name}`, 'accepted', [
        send(scene, id, {
          role: 'test',
          as: stranger.name,
          ...asked,
          ...(ref === undefined ? {} : { deviations: [{ kind: 'scope' }] }),
        }),
        send(scene, `near-${name}`, { controls: id, ...asked }),
      ]),
    ];
  };
  return [
    scenario(
      made,
      'a record whose creator claims another scope',
      [
        ...claims.map(({ name, ...claim }): Wave => {
          const sent = { use: 'named', name } as const;
          return send(made, `in-${name}`, { role: 'setup', key: key(`in-${name}`), body: sent, ...claim });
        }),
        { wait: 'settle' },
        ...claims.flatMap(({ name }) => look(name)),
      ],
      {
        ...Object.fromEntries(claims.map(({ name }) => [name, body])),
        // A read by POST asks for the same as ever.
        ...(operation.body === undefined ? {} : { body: scene.body() }),
      },
    ),
  ];
}

/** A filter may be served by a query of its own, which forgets the scope. */
export function filteredFromAfar(
  scene: Scene,
  made: Scene,
  trial: FilterTrial,
  stranger: Principal,
): readonly Scenario[] {
  const { operation } = scene;
  if (operation.pathFields.length > 0) return [];
  const alone = trial.alone.length === 0 ? [] : [trial.alone];
  return [
    scenario(
      scene,
      `a record of another scope, with ${trial.field.name}=${trial.called}`,
      [
        ...made.prelude,
        create(made, 'match', trial.match),
        { wait: 'settle' },
        ...[[], ...alone].flatMap((more, index): readonly Wave[] => {
          const query: Query = [
            ...sized(operation, mostOf(operation)),
            [trial.field.name, trial.value],
            ...more,
          ];
          const id = index === 0 ? 'afar' : 'afar-alone';
          return [
            send(scene, id, { role: 'test', as: stranger.name, query }),
            send(scene, index === 0 ? 'near' : 'near-alone', { controls: id, query }),
          ];
        }),
      ],
      { ...made.bodies, ...trial.bodies },
    ),
  ];
}

/** The cursor of a page of one scope, sent by a caller of another one. */
export function borrowedCursor(
  planning: Planning,
  scene: Scene,
  made: Scene,
  stranger: Principal,
): readonly Scenario[] {
  const { operation } = scene;
  const { pagination } = operation;
  if (pagination === undefined || operation.pathFields.length > 0) return [];
  // Numbers are nobody's.
  if (pagination.next === undefined && pagination.style !== 'link') return [];
  const filter = isOnce(planning, made)
    ? undefined
    : ownFilter(operation, made.operation, made.body(), 'many');
  const query: Query = [...sized(operation, smallPage(operation)), ...(filter === undefined ? [] : [filter])];
  // One page and more, wherever the list grows.
  const ids = Array.from({ length: smallPage(operation) + 2 }, (_, index) => `made-${index + 1}`);
  const many = createMany(planning, made, ids);
  return [
    scenario(
      scene,
      'the cursor of another scope',
      [
        ...made.prelude,
        ...many.waves,
        { wait: 'settle' },
        send(scene, 'own', { query }),
        // What the cursor opens to whom it was made for: records of other traces, which this one does not know.
        send(scene, 'own-next', {
          observes: 'own-page',
          query: [...query, ...cursorTo(operation, 1, 'own')],
        }),
        send(scene, 'foreign', {
          role: 'test',
          as: stranger.name,
          query: [...query, ...cursorTo(operation, 1, 'own')],
          deviations: [{ kind: 'cursor', how: 'foreign' }],
        }),
        send(scene, 'control', { as: stranger.name, controls: 'foreign', query }),
      ],
      { ...made.bodies, ...many.bodies },
    ),
  ];
}

/** A scope that is applied to the first page alone shows the records of others on the next ones. */
export function pagesFromAfar(
  planning: Planning,
  scene: Scene,
  made: Scene,
  stranger: Principal,
): readonly Scenario[] {
  const { operation } = scene;
  const maker = made.operation;
  if (operation.pagination === undefined || operation.pathFields.length > 0) return [];
  if (!holders(planning, maker).includes(stranger)) return [];
  const theirs = makingOf(planning, scene, maker, stranger, 'theirs-');
  if ('remedy' in theirs) return [];
  const small = smallPage(operation);
  const middle = Math.min(midPage.limit, mostOf(operation));
  // Wherever the list grows, a page beyond the fourth has one of ours on it or right behind the page before it.
  const makers = planning.budget === 'quick' ? 'totot' : 'ooootottttttto';
  const ids = [...makers].map((by, index) => `${by === 'o' ? 'ours' : 'theirs'}-${index + 1}`);
  const walk = (name: string, limit: number, most: number): readonly Wave[] =>
    walkFrom(operation, { name, most, limit, query: [] }, (id, query) =>
      scene.request(id, { role: 'test', as: stranger.name, query }),
    );
  return [
    scenario(
      scene,
      'pages with records of another scope in between',
      [
        ...made.prelude,
        ...theirs.prelude,
        ...ids.map((id) => create(id.startsWith('ours') ? made : theirs, id)),
        { wait: 'settle' },
        ...walk('few', small, afarPages),
        ...(middle > small ? walk('some', middle, midPage.most) : []),
        ...toItsEnd(scene, stranger),
      ],
      { ...made.bodies, ...theirs.bodies, ...Object.fromEntries(ids.map((id) => [id, made.body()])) },
    ),
  ];
}

/** So many of the largest pages hold the few records of another scope. */
const endPages = 3;

/** The list of the other scope to its end, twice: hardly anybody else adds to it. */
function toItsEnd({ operation, request }: Scene, { name: as }: Principal): readonly Wave[] {
  return ['end', 'end-again'].flatMap((name) =>
    walkFrom(operation, { name, most: endPages, limit: mostOf(operation), query: [] }, (id, query) =>
      request(id, { role: 'test', as, observes: 'end-page', query }),
    ),
  );
}

/** Where a scope has one record alone, a caller of another scope writes its own: the first one does not read that. */
export function writtenFromAfar(
  planning: Planning,
  scene: Scene,
  made: Scene,
  stranger: Principal,
): readonly Scenario[] {
  const { pagination, pathFields } = scene.operation;
  if (pagination !== undefined || pathFields.length > 0 || !isSingleton(made.operation)) return [];
  if (!holders(planning, made.operation).includes(stranger)) return [];
  const theirs = makingOf(planning, scene, made.operation, stranger, 'theirs-');
  if ('remedy' in theirs) return [];
  return [
    scenario(
      scene,
      'what another scope wrote',
      [
        ...theirs.prelude,
        create(theirs, 'theirs'),
        { wait: 'settle' },
        send(scene, 'read', { role: 'test' }),
      ],
      { ...theirs.bodies, theirs: theirs.body() },
    ),
  ];
}
