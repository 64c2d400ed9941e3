import type { Operation, QueryField } from '../src/model/contract.ts';
import { isArray, isObject, type Json, valueAt, withValueAt } from '../src/model/json.ts';
import type { Principal } from '../src/model/principal.ts';
import type { BodyValue, Ref, Scenario, Step, Wave } from '../src/model/scenario.ts';
import { firstPage, largestPage, smallPage } from '../src/oracle/paging.ts';
import { foreigner, holders } from '../src/suite-kit/cast.ts';
import { wrongQueries } from '../src/suite-kit/query.ts';
import { fresh, named, negative, type Scene, scenario, sceneOf, skip } from '../src/suite-kit/scene.ts';
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
            { steps: [scene.request('keyed', { controls: 'read', key: fresh('key') })] },
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
      if (made === undefined || 'remedy' in made) {
        yield skip(operation, ['RDS-3', 'RDS-4', 'RDS-5', 'RDS-6', 'RDS-7', 'RDS-8'], {
          kind: 'operation',
          remedy: `Let the contract declare a command whose effect ${operation.id} shows, and give a principal that may run it.`,
        });
        continue;
      }
      yield probe('keyed', ['RDS-8'], [keyed(scene, made)]);
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
          ],
        );
        for (const field of operation.queryFields) {
          const values = filterValues(field, made);
          if (values.length > 0)
            yield probe(
              `filter-${field.name}`,
              ['RDS-3'],
              values.map((value) => filtered(scene, made, field, value)),
            );
        }
      }
      const stranger = foreigner(planning, operation, scene.lead);
      if (stranger === undefined)
        yield skip(operation, ['RDS-7'], {
          kind: 'principal',
          remedy: `Give a valid principal of another scope that holds ${(operation.permissions ?? []).join(' and ')}.`,
        });
      else
        yield probe(
          'foreign',
          ['RDS-7'],
          [fromAfar(scene, made, stranger.name), ...pagesFromAfar(planning, scene, made, stranger)],
        );
    }
  },
});

/** The command whose effect a read shows, and that makes a record of its own, or one within what the read is of. */
function makerOf(planning: Planning, read: Operation): Operation | undefined {
  const shown = planning.contract.operations.filter(
    ({ effect, kind }) => kind === 'command' && (effect?.list === read.id || effect?.read === read.id),
  );
  return (
    shown.find(({ pathFields }) => pathFields.length === 0) ??
    // Each of its records has an id of its own choice.
    shown.find(({ pathFields }) => pathFields.every(({ chosen }) => chosen)) ??
    shown.find(
      (operation) =>
        operation.method === 'POST' &&
        read.path.startsWith(operation.path) &&
        operation.version === undefined &&
        operation.verification === undefined,
    )
  );
}

/** A scene that makes records for a read to show: within what the read is of, where its command has a target. */
function makingOf(planning: Planning, scene: Scene, maker: Operation): ReturnType<typeof sceneOf> {
  const by = holders(planning, maker).find((principal) => principal.scope === scene.lead.scope);
  const made = sceneOf(planning, maker, by, 'made-');
  if ('remedy' in made || maker.pathFields.length === 0) return made;
  if (maker.pathFields.every(({ chosen }) => chosen))
    return { ...made, request: (id, parts) => made.request(id, { target: chosenFor(maker, id), ...parts }) };
  const whole = scene.request('read').target ?? {};
  const target = Object.fromEntries(
    maker.pathFields.flatMap(({ name }) => {
      const ref = whole[name];
      return ref === undefined ? [] : [[name, ref] as const];
    }),
  );
  return {
    ...made,
    prelude: [],
    bodies: {},
    request: (id, parts) => made.request(id, { target, ...parts }),
  };
}

/** Another id for each step. */
function chosenFor({ pathFields }: Operation, step: string): NonNullable<Step['target']> {
  return Object.fromEntries(pathFields.map(({ name }) => [name, { chosen: `${step}-${name}` }]));
}

const create = (made: Scene, id: string): Wave => ({
  steps: [
    made.request(id, {
      role: 'setup',
      key: fresh(id),
      body: made.operation.body === undefined ? { use: 'none' } : named(id),
    }),
  ],
});

function keyed(scene: Scene, made: Scene): Scenario {
  const body = made.operation.body === undefined ? ({ use: 'none' } as const) : named('made');
  return scenario(
    scene,
    'a read with a key, and a command with the same key after it',
    [
      { steps: [scene.request('read', { role: 'probe', key: fresh('key') })] },
      ...made.prelude,
      { steps: [made.request('command', { key: fresh('key'), body })] },
      {
        when: { step: 'command', was: 'refused' },
        waves: [{ steps: [made.request('fresh', { controls: 'command', key: fresh('fresh'), body })] }],
      },
    ],
    { ...made.bodies, made: made.body() },
  );
}

/**
 * Nine records, page by page to the end: the third of small pages is neither the first nor the last one. Where the list filters by the text that bears the marker, they alone are
 * listed, two at a time; where it does not, the whole list is read with pages as large as they may be.
 */
function pages(scene: Scene, made: Scene): Scenario {
  const paging = scene.operation.pagination;
  const first = firstPage(scene.operation);
  const keys = Array.from({ length: 9 }, (_, index) => `made-${index + 1}`);
  const body = made.body();
  const filter = ownFilter(scene.operation, body, 'many');
  const own: readonly (readonly [string, string])[] = filter === undefined ? [] : [filter];
  // What is listed within a target of its own is ours alone.
  const alone = own.length > 0 || scene.operation.pathFields.length > 0;
  const limit = String(alone ? smallPage(scene.operation) : Math.min(100, largestPage(scene.operation)));
  const page = (index: number): Step =>
    scene.request(`page-${index}`, {
      role: 'probe',
      query: [
        [paging?.limit ?? 'limit', limit],
        ...own,
        ...cursorTo(scene.operation, index, limit, `page-${index - 1}`),
      ],
    });
  // An offset by a limit that the service may cap would pass over records, and so would a page counted from another one.
  const walked =
    paging?.next !== undefined ||
    (paging?.style === 'page' ? first !== undefined : paging?.style !== 'offset' || alone);
  const most = alone ? 8 : manyPages;
  const records = keys.map(
    (key): Wave => ({
      steps: [
        made.request(key, {
          role: 'setup',
          key: fresh(key),
          body: made.operation.body === undefined ? { use: 'none' } : named('many'),
        }),
      ],
    }),
  );
  return scenario(
    scene,
    'nine records, page by page',
    [...made.prelude, ...records, { wait: 'settle' }, ...walkFrom(0, walked ? most : 1, page)],
    { ...made.bodies, many: body },
  );
}

/** What leads to the page of a number, from 0: a number, or what `before`, the page before it, returned. */
function cursorTo(
  list: Operation,
  index: number,
  limit: string,
  before: string,
): readonly (readonly [string, string | Ref])[] {
  const paging = list.pagination;
  if (paging === undefined || index === 0) return [];
  if (paging.next !== undefined) return [[paging.cursor, { step: before, at: paging.next }]];
  if (paging.style === 'link') return [[paging.cursor, { step: before, nextPage: paging.cursor }]];
  // Where nothing says which page is the first, a page that is read twice is better than one that is passed over.
  const number = paging.style === 'page' ? index + (firstPage(list) ?? 0) : index * Number(limit);
  return [[paging.cursor, String(number)]];
}

/** Most values that a list is asked for by one filter. */
const mostFilterValues = 5;

/** Values to filter by: the enumerated ones, since a service may know some of them only, or one that no record has. */
function filterValues(field: QueryField, made: Scene): readonly string[] {
  if (field.filters === undefined) return [];
  const members = membersOf(field);
  if (members.length > 0) return members.slice(0, mostFilterValues).map(String);
  return made.body().marker === field.filters ? ['assay-no-such-value'] : [];
}

function membersOf({ schema }: QueryField): readonly Json[] {
  if (!isObject(schema)) return [];
  if (isArray(schema['enum'])) return schema['enum'].filter((member) => member !== null);
  return schema['type'] === 'boolean' ? [true, false] : [];
}

/** A record, and where its body has a value of the filter one with another value: one of them is excluded. */
function filtered(scene: Scene, made: Scene, field: QueryField, value: string): Scenario {
  const paging = scene.operation.pagination;
  const body = made.body();
  const at = field.filters ?? '';
  const members = membersOf(field);
  const current = valueAt(body.value, at);
  const other = members.find((member) => String(member) !== value);
  const excluded =
    current !== undefined && members.includes(current) && String(current) === value ? other : undefined;
  const bodies =
    excluded === undefined
      ? { one: body }
      : { one: body, other: { ...body, value: withValueAt(body.value, at, excluded) } };
  const most = Math.min(100, largestPage(scene.operation));
  return scenario(
    scene,
    `only records with ${field.name}=${value}`,
    [
      ...made.prelude,
      ...Object.keys(bodies).map((id) => create(made, id)),
      { wait: 'settle' },
      {
        steps: [
          scene.request('filtered', {
            role: 'probe',
            query: [
              [paging?.limit ?? 'limit', String(most)],
              [field.name, value],
            ],
          }),
        ],
      },
    ],
    { ...made.bodies, ...bodies },
  );
}

/** A record made in one scope; a principal of another one looks. */
function fromAfar(scene: Scene, made: Scene, stranger: string): Scenario {
  const targeted = scene.operation.pathFields.length > 0;
  const paging = scene.operation.pagination;
  // Older records may fill the first page: it is as large as it may be, and the list is asked for the record itself.
  const most = Math.min(100, largestPage(scene.operation));
  const page: readonly (readonly [string, string])[] =
    paging === undefined ? [] : [[paging.limit, String(most)]];
  const own = ownFilter(scene.operation, made.body(), 'one');
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
      ...(paging === undefined || targeted
        ? []
        : [
            {
              when: { step: 'afar', was: 'accepted' as const },
              waves: walkFrom(1, manyPages, (on) =>
                scene.request(pageId('afar', on), {
                  role: 'probe',
                  as: stranger,
                  query: [...page, ...cursorTo(scene.operation, on, String(most), pageId('afar', on - 1))],
                }),
              ),
            },
          ]),
    ],
    { ...made.bodies, one: made.body() },
  );
}

/** The filter by the text that has the marker of a body, where the list has one: it finds that record alone. */
function ownFilter(
  { queryFields }: Operation,
  { value, marker }: BodyValue,
  name: string,
): readonly [string, string] | undefined {
  const text = marker === undefined ? undefined : valueAt(value, marker);
  const filter = queryFields.find(({ filters }) => filters !== undefined && filters === marker);
  return filter === undefined || typeof text !== 'string'
    ? undefined
    : [filter.name, `${text} \${marker:${name}}`];
}

/** So many small pages are read from afar. */
const afarPages = 8;
/** So many pages, as large as they may be, are read of a list at most. */
const manyPages = 40;

const pageId = (name: string, index: number): string => (index === 0 ? name : `${name}-${index}`);

/** Pages one after the other, each where the one before was accepted. */
function walkFrom(index: number, most: number, page: (index: number) => Step): readonly Wave[] {
  const step = page(index);
  return [
    { steps: [step] },
    ...(index + 1 < most
      ? [{ when: { step: step.id, was: 'accepted' as const }, waves: walkFrom(index + 1, most, page) }]
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
  const theirs = sceneOf(planning, maker, stranger, 'theirs-');
  const able = (maker.permissions ?? []).every((name) => stranger.permissions.includes(name));
  if (operation.pagination === undefined || operation.pathFields.length > 0) return [];
  if (maker.pathFields.length > 0 || !able || 'remedy' in theirs) return [];
  const limit = String(smallPage(operation));
  const creating = (by: Scene, id: string): Wave => ({
    steps: [
      by.request(id, {
        role: 'setup',
        key: fresh(id),
        body: maker.body === undefined ? { use: 'none' } : named(id),
      }),
    ],
  });
  const page = (index: number): Step =>
    scene.request(`few-${index}`, {
      role: 'probe',
      as: stranger.name,
      query: [
        [operation.pagination?.limit ?? 'limit', limit],
        ...cursorTo(operation, index, limit, `few-${index - 1}`),
      ],
    });
  // Wherever the list grows, a page beyond the fourth has one of ours on it or right behind the page before it.
  const makers = planning.budget === 'quick' ? 'totot' : 'ooototottttttto';
  const ids = [...makers].map((by, index) => `${by === 'o' ? 'ours' : 'theirs'}-${index + 1}`);
  return [
    scenario(
      scene,
      'pages with records of another scope in between',
      [
        ...made.prelude,
        ...theirs.prelude,
        ...ids.map((id) => creating(id.startsWith('ours') ? made : theirs, id)),
        { wait: 'settle' },
        ...walkFrom(0, afarPages, page),
      ],
      { ...made.bodies, ...theirs.bodies, ...Object.fromEntries(ids.map((id) => [id, made.body()])) },
    ),
  ];
}
