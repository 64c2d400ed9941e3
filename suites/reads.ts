import type { Operation } from '../src/model/contract.ts';
import { isObject } from '../src/model/json.ts';
import type { Principal } from '../src/model/principal.ts';
import type { Ref, Scenario, Step, Wave } from '../src/model/scenario.ts';
import { firstPage, largestPage, smallPage } from '../src/oracle/paging.ts';
import { foreigner, holders } from '../src/suite-kit/cast.ts';
import { type FilterTrial, filtersOf, ownFilter } from '../src/suite-kit/filters.ts';
import { create, makerOf, makingOf, shownBy } from '../src/suite-kit/makers.ts';
import { wrongQueries } from '../src/suite-kit/query.ts';
import { bodyOf, key, named, negative, type Scene, scenario, sceneOf, skip } from '../src/suite-kit/scene.ts';
import { defineSuite, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

const aims = ['RDS-1', 'RDS-3', 'RDS-4', 'RDS-5', 'RDS-6', 'RDS-7', 'RDS-8', 'VAL-12', 'IDM-21', 'RID-9'];

export default defineSuite({
  name: 'reads',
  title: 'Reads: query fields, pages, cursors, scopes and keys',
  *propose(planning): Iterable<Proposal> {
    for (const operation of planning.contract.operations) {
      if (operation.kind !== 'read') continue;
      const scene = sceneOf(planning, operation);
      if ('remedy' in scene) {
        yield skip(operation, aims, scene);
        continue;
      }
      const probe = probesOf(operation);
      yield probe(
        'plain',
        ['RDS-1', 'IDM-21', 'RID-9'],
        [
          scenario(scene, 'a read without a key, and with one', [
            { steps: [scene.request('read', { role: 'probe' })] },
            { steps: [scene.request('keyed', { controls: 'read', key: key('key') })] },
          ]),
        ],
      );
      yield probe(
        'foreign-request-id',
        ['RID-7'],
        [
          scenario(scene, 'with X-Request-Id', [
            {
              steps: [
                scene.request('read', {
                  role: 'probe',
                  headers: [['X-Request-Id', 'evil-0001']],
                  deviations: [{ kind: 'header-noise', header: 'X-Request-Id' }],
                }),
              ],
            },
            { steps: [scene.request('control', { controls: 'read' })] },
          ]),
        ],
      );
      yield probe(
        'unknown-field',
        ['ERR-1'],
        [
          scenario(scene, 'an unknown query field (open point G7)', [
            {
              steps: [
                scene.request('unknown', {
                  role: 'probe',
                  query: [['assayUnknown', '1']],
                  deviations: [{ kind: 'query', field: 'assayUnknown', keyword: 'unknown' }],
                }),
              ],
            },
            { steps: [scene.request('control', { controls: 'unknown' })] },
          ]),
        ],
      );
      if (operation.pathFields.length > 0)
        yield probe(
          'lag',
          ['CMD-6'],
          [
            scenario(scene, 'a record right after it was made (open point G15)', [
              { poll: scene.request('poll', { role: 'readback' }), until: 'found', max: 20 },
            ]),
          ],
        );
      if (operation.pathFields.length > 0)
        yield probe(
          'unknown-record',
          ['ERR-1'],
          [
            negative(scene, 'a record that does not exist', {
              target: { ...scene.request('read').target, ...absentFor(operation) },
              deviations: [{ kind: 'target', how: 'absent' }],
            }),
          ],
        );
      yield probe(
        'burst',
        ['RID-5'],
        [
          scenario(scene, 'five reads at once', [
            {
              steps: ['one', 'two', 'three', 'four', 'five'].map((id) =>
                scene.request(id, { role: 'probe' }),
              ),
            },
          ]),
        ],
      );
      for (const field of operation.queryFields) {
        const values = wrongQueries(field);
        if (values.length > 0)
          yield probe(
            `query-${field.name}`,
            ['VAL-12'],
            values.map(({ value, keyword }) =>
              negative(scene, `${field.name}=${value}`, {
                query: [[field.name, value]],
                deviations: [{ kind: 'query', field: field.name, keyword }],
              }),
            ),
          );
      }
      for (const { name, required } of operation.queryFields)
        if (required)
          yield probe(
            `query-${name}-missing`,
            ['VAL-12'],
            [
              negative(scene, `without ${name}`, {
                omits: [name],
                deviations: [{ kind: 'query', field: name, keyword: 'required' }],
              }),
            ],
          );
      const maker = makerOf(planning, operation);
      const made = maker === undefined ? undefined : makingOf(planning, scene, maker);
      yield keyed(planning, operation, maker);
      if (made === undefined || 'remedy' in made) {
        yield skip(operation, ['RDS-3', 'RDS-4', 'RDS-5', 'RDS-6', 'RDS-7'], {
          kind: 'operation',
          remedy: `Let the contract declare a command whose effect ${operation.id} shows, and give a principal that may run it.`,
        });
        continue;
      }
      const stranger = foreigner(planning, operation, scene.lead);
      const filters = filtersOf(planning, operation, made);
      if (operation.pagination !== undefined) {
        yield probe('pages', ['RDS-4', 'RDS-5'], [pages(scene, made)]);
        yield probe(
          'cursors',
          ['RDS-6'],
          [
            negative(scene, 'a made-up cursor', {
              query: [[operation.pagination.cursor, 'assay-no-cursor']],
              deviations: [{ kind: 'cursor', how: 'tampered' }],
            }),
            ...(stranger === undefined ? [] : borrowedCursor(scene, made, stranger)),
          ],
        );
        for (const { name } of operation.queryFields) {
          const trials = filters.trials.filter(({ field }) => field.name === name);
          if (trials.length > 0)
            yield probe(
              `filter-${name}`,
              ['RDS-3'],
              [
                ...trials.map((trial) => filtered(scene, made, trial)),
                ...pagesFiltered(planning, scene, made, trials),
              ],
            );
        }
        for (const { field, why } of filters.untried)
          yield skip(operation, ['RDS-3', 'RDS-7'], {
            kind: 'value',
            remedy: `The filter '${field}' was not tried: ${why}. Give bodies that set it under operations.${made.operation.id}.examples.`,
          });
      }
      if (stranger === undefined)
        yield skip(operation, ['RDS-7'], {
          kind: 'principal',
          remedy: `Give a valid principal of another scope that holds ${(operation.permissions ?? []).join(' and ')}.`,
        });
      else
        yield probe(
          'foreign',
          ['RDS-7'],
          [
            fromAfar(scene, made, stranger.name),
            ...filters.trials.flatMap((trial) => filteredFromAfar(scene, made, trial, stranger)),
            ...pagesFromAfar(planning, scene, made, stranger),
          ],
        );
    }
  },
});

/** An id of the form that the last path field asks for, and that no record has. */
function absentFor({ pathFields }: Operation): Readonly<Record<string, Ref>> {
  const field = pathFields.at(-1);
  if (field === undefined) return {};
  const counted = isObject(field.schema) && ['integer', 'number'].includes(String(field.schema['type']));
  return { [field.name]: counted ? { literal: '987654321' } : { chosen: 'absent' } };
}

/** A read with a key, and a command with the same key after it, both by one caller: keys may be unique for each. */
function keyed(planning: Planning, read: Operation, maker: Operation | undefined): Proposal {
  const commands = planning.contract.operations.filter(({ kind }) => kind === 'command');
  const plain = commands.filter(({ pathFields }) => pathFields.length === 0);
  for (const command of [...(maker === undefined ? [] : [maker]), ...plain, ...commands])
    for (const by of holders(planning, read)) {
      if (!holders(planning, command).includes(by)) continue;
      const scene = sceneOf(planning, read, by);
      const made = 'remedy' in scene ? scene : makingOf(planning, scene, command, by);
      if ('remedy' in scene || 'remedy' in made) break;
      const body = bodyOf(made, 'made');
      return probesOf(read)(
        'keyed',
        ['RDS-8'],
        [
          scenario(
            scene,
            'a read with a key, and a command with the same key after it',
            [
              { steps: [scene.request('read', { role: 'probe', key: key('key') })] },
              ...made.prelude,
              { steps: [made.request('command', { key: key('key'), body })] },
              {
                when: { step: 'command', was: 'refused' },
                waves: [{ steps: [made.request('fresh', { controls: 'command', key: key('fresh'), body })] }],
              },
            ],
            { ...made.bodies, made: made.body() },
          ),
        ],
      );
    }
  return skip(read, ['RDS-8'], {
    kind: 'principal',
    remedy: `Give a valid principal that holds what ${read.id} needs, and what a command of the contract needs.`,
  });
}

/**
 * Nine records, page by page to the end: the third of small pages is neither the first nor the last one. Where the list
 * filters by the text that has the marker, they alone are listed, two at a time; where it does not, the whole list is
 * read with pages as large as they may be.
 */
function pages(scene: Scene, made: Scene): Scenario {
  const first = firstPage(scene.operation);
  const body = made.body();
  const filter = ownFilter(scene.operation, made.operation, body, 'many');
  const own: Query = filter === undefined ? [] : [filter];
  // What is listed within a target of its own is ours alone.
  const alone = own.length > 0 || scene.operation.pathFields.length > 0;
  const limit = alone ? smallPage(scene.operation) : mostOf(scene.operation);
  // A page counted from another one would be passed over.
  const walked = scene.operation.pagination?.style !== 'page' || first !== undefined;
  return scenario(
    scene,
    'nine records, page by page',
    [
      ...made.prelude,
      ...Array.from({ length: 9 }, (_, index) => create(made, `made-${index + 1}`, named('many'))),
      { wait: 'settle' },
      ...walkFrom(
        scene.operation,
        { name: 'page', most: walked ? (alone ? 8 : manyPages) : 1, limit, query: own },
        (id, query) => scene.request(id, { role: 'probe', query }),
      ),
    ],
    { ...made.bodies, many: body },
  );
}

/** The records of a trial, and the list asked for what the filter lets pass. */
function filtered(scene: Scene, made: Scene, trial: FilterTrial): Scenario {
  return scenario(
    scene,
    `only records with ${trial.field.name}=${trial.called}`,
    [
      ...made.prelude,
      create(made, 'match', trial.match),
      ...(trial.excluded === undefined ? [] : [create(made, 'other', trial.excluded)]),
      { wait: 'settle' },
      {
        steps: [
          scene.request('filtered', {
            role: 'probe',
            query: [...sized(scene.operation, mostOf(scene.operation)), [trial.field.name, trial.value]],
          }),
        ],
      },
    ],
    { ...made.bodies, ...trial.bodies },
  );
}

/**
 * Small pages of a filtered list. Wherever the list grows, a record that the filter excludes is right behind the first
 * page: there the filter may be forgotten.
 */
function pagesFiltered(
  planning: Planning,
  scene: Scene,
  made: Scene,
  trials: readonly FilterTrial[],
): readonly Scenario[] {
  const telling = trials.find(({ excluded }) => excluded !== undefined);
  if (telling !== undefined) {
    const { excluded } = telling;
    const others = (id: string): readonly Wave[] => [create(made, id, excluded)];
    return [
      pagesOfTrial(scene, made, telling, telling.alone, { first: others('less'), last: others('more') }),
    ];
  }
  const changers = changersOf(planning, scene, made);
  const changed = (side: string): readonly Changed[] =>
    changers.flatMap((changer, index) => changedBy(planning, made, changer, `${side}-${index + 1}-`));
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

/** So many commands are tried that may set a member which no body sets. */
const mostChangers = 2;

/** Commands on the records that a list shows, first those that are known to move them to another state. */
function changersOf({ contract }: Planning, list: Scene, made: Scene): readonly Operation[] {
  const moving = new Set(contract.operations.map(({ conflict }) => conflict?.after));
  const rank = ({ id, path }: Operation): number => (moving.has(id) ? 1000 : 0) + path.length;
  return shownBy(contract, list.operation)
    .filter(
      ({ method, pathFields }) =>
        method !== 'DELETE' && pathFields.some(({ source }) => source?.operation === made.operation.id),
    )
    .toSorted((one, other) => rank(other) - rank(one))
    .slice(0, mostChangers);
}

type Changed = Pick<Scenario, 'waves' | 'bodies'>;

/** A record on which a command was run: the service may have set the member that a list filters by. */
function changedBy(planning: Planning, { lead }: Scene, changer: Operation, tag: string): readonly Changed[] {
  const by = holders(planning, changer).find(({ scope }) => scope === lead.scope);
  const scene = by === undefined ? undefined : sceneOf(planning, changer, by, tag);
  if (scene === undefined || 'remedy' in scene) return [];
  const id = `${tag}changed`;
  return [
    {
      waves: [...scene.prelude, { steps: [scene.request(id, { role: 'setup', body: bodyOf(scene, id) })] }],
      bodies: { ...scene.bodies, [id]: scene.body() },
    },
  ];
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
  return scenario(
    scene,
    `only records with ${trial.field.name}=${trial.called}, page by page`,
    [
      ...made.prelude,
      ...around.first,
      ...['match', 'match-2', 'match-3'].map((id) => create(made, id, trial.match)),
      ...around.last,
      { wait: 'settle' },
      ...walkFrom(
        scene.operation,
        {
          name: 'filtered',
          most: 5,
          limit: smallPage(scene.operation),
          query: [[trial.field.name, trial.value], ...alone],
        },
        (id, query) => scene.request(id, { role: 'probe', query }),
      ),
    ],
    { ...made.bodies, ...around.bodies, ...trial.bodies },
  );
}

/** A record made in one scope; a principal of another one looks. */
function fromAfar(scene: Scene, made: Scene, stranger: string): Scenario {
  const { operation } = scene;
  const targeted = operation.pathFields.length > 0;
  // Older records may fill the first page: it is as large as it may be, and the list is asked for the record itself.
  const most = mostOf(operation);
  const page = sized(operation, most);
  const own = ownFilter(operation, made.operation, made.body(), 'one');
  const looks = own === undefined ? [page] : [page, [...page, own]];
  return scenario(
    scene,
    'a record of another scope',
    [
      ...made.prelude,
      create(made, 'one'),
      { wait: 'settle' },
      ...looks.flatMap((query, index): readonly Wave[] => {
        const id = index === 0 ? 'afar' : 'afar-filtered';
        const look = scene.request(id, {
          role: 'probe',
          as: stranger,
          query,
          ...(targeted ? { deviations: [{ kind: 'scope' }] } : {}),
        });
        const near = scene.request(index === 0 ? 'near' : 'near-filtered', { controls: id, query });
        return [{ steps: [look] }, { steps: [near] }];
      }),
      ...(operation.pagination === undefined || targeted
        ? []
        : [
            {
              when: { step: 'afar', was: 'accepted' as const },
              waves: walkFrom(
                operation,
                { name: 'afar', from: 1, most: manyPages, limit: most, query: [] },
                (id, query) => scene.request(id, { role: 'probe', as: stranger, query }),
              ),
            },
          ]),
    ],
    { ...made.bodies, one: made.body() },
  );
}

/** A filter may be served by a query of its own, which forgets the scope. */
function filteredFromAfar(
  scene: Scene,
  made: Scene,
  trial: FilterTrial,
  stranger: Principal,
): readonly Scenario[] {
  const { operation } = scene;
  if (operation.pagination === undefined || operation.pathFields.length > 0) return [];
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
            { steps: [scene.request(id, { role: 'probe', as: stranger.name, query })] },
            { steps: [scene.request(index === 0 ? 'near' : 'near-alone', { controls: id, query })] },
          ];
        }),
      ],
      { ...made.bodies, ...trial.bodies },
    ),
  ];
}

/** The cursor of a page of one scope, sent by a caller of another one. */
function borrowedCursor(scene: Scene, made: Scene, stranger: Principal): readonly Scenario[] {
  const { operation } = scene;
  const { pagination } = operation;
  if (pagination === undefined || operation.pathFields.length > 0) return [];
  // Numbers are nobody's.
  if (pagination.next === undefined && pagination.style !== 'link') return [];
  const body = made.body();
  const filter = ownFilter(operation, made.operation, body, 'many');
  const query: Query = [...sized(operation, smallPage(operation)), ...(filter === undefined ? [] : [filter])];
  return [
    scenario(
      scene,
      'the cursor of another scope',
      [
        ...made.prelude,
        // One page and more, wherever the list grows.
        ...Array.from({ length: smallPage(operation) + 2 }, (_, index) =>
          create(made, `made-${index + 1}`, named('many')),
        ),
        { wait: 'settle' },
        { steps: [scene.request('own', { query })] },
        {
          steps: [
            scene.request('foreign', {
              role: 'probe',
              as: stranger.name,
              query: [...query, ...cursorTo(operation, 1, 'own')],
              deviations: [{ kind: 'cursor', how: 'foreign' }],
            }),
          ],
        },
        { steps: [scene.request('control', { as: stranger.name, controls: 'foreign', query })] },
      ],
      { ...made.bodies, many: body },
    ),
  ];
}

type Query = NonNullable<Step['query']>;

/** So many small pages are read from afar. */
const afarPages = 8;
/** So many pages, as large as they may be, are read of a list at most. */
const manyPages = 40;
/** Pages of this size, so many: what fits into one of the largest pages has a second page of these. */
const midPage = { limit: 10, most: 12 };

/** The largest page that is asked for. */
const mostOf = (list: Operation): number => Math.min(100, largestPage(list));

const sized = ({ pagination }: Operation, limit: number): Query =>
  pagination === undefined ? [] : [[pagination.limit, String(limit)]];

/** What leads to the page of a number, from 0: what `before`, the page before it, tells, or a number counted on from it. */
function cursorTo(list: Operation, index: number, before: string): Query {
  const paging = list.pagination;
  if (paging === undefined || index === 0) return [];
  if (paging.next !== undefined)
    return [[paging.cursor, { step: before, at: paging.next, cursor: paging.cursor }]];
  if (paging.style === 'link') return [[paging.cursor, { step: before, nextPage: paging.cursor }]];
  const behind = paging.style === 'page' ? 'page' : 'items';
  // Where nothing says which page is the first, a page that is read twice is better than one that is passed over.
  return [
    [
      paging.cursor,
      { step: before, behind, field: paging.cursor, items: paging.items, first: firstPage(list) ?? 0 },
    ],
  ];
}

/** The fields of a query on the next page: whoever follows an address sends those of the address. */
function followedTo({ pagination }: Operation, query: Query, before: string): Query {
  const address = pagination?.next ?? (pagination?.style === 'link' ? 'link' : undefined);
  return query.map(([name, value]) =>
    address === undefined || typeof value !== 'string'
      ? [name, value]
      : [name, { step: before, followed: name, address, otherwise: value }],
  );
}

const pageId = (name: string, index: number): string =>
  index === 0 && name === 'afar' ? name : `${name}-${index}`;

/** Pages one after the other, each where the one before was accepted. */
function walkFrom(
  list: Operation,
  walk: {
    readonly name: string;
    readonly from?: number;
    readonly most: number;
    readonly limit: number;
    readonly query: Query;
  },
  page: (id: string, query: Query) => Step,
): readonly Wave[] {
  const { from = 0, most, name } = walk;
  const id = pageId(name, from);
  const before = pageId(name, from - 1);
  const query = [
    ...sized(list, walk.limit),
    ...(from === 0 ? walk.query : followedTo(list, walk.query, before)),
    ...cursorTo(list, from, before),
  ];
  return [
    { steps: [page(id, query)] },
    ...(from + 1 < most
      ? [
          {
            when: { step: id, was: 'accepted' as const },
            waves: walkFrom(list, { ...walk, from: from + 1 }, page),
          },
        ]
      : []),
  ];
}

/**
 * Records of two scopes, made in turn; a principal of one of them reads small pages. A scope that is applied to the first
 * page alone shows the others on the next ones.
 */
function pagesFromAfar(
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
      scene.request(id, { role: 'probe', as: stranger.name, query }),
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
      ],
      { ...made.bodies, ...theirs.bodies, ...Object.fromEntries(ids.map((id) => [id, made.body()])) },
    ),
  ];
}
