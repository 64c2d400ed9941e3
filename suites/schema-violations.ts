import fc from 'fast-check';
import type { Mutation } from '../src/generate/index.ts';
import { bounded, knownNames, validator } from '../src/generate/index.ts';
import { isCarried, type Operation } from '../src/model/contract.ts';
import { isArray, isObject, type Json, type JsonSchema, valueAt, withValueAt } from '../src/model/json.ts';
import type { BodySpec, Deviation, Scenario, Step, Wave } from '../src/model/scenario.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { faultsOfBranches, isSame, type LikelyFault, likelyFaults } from '../src/suite-kit/likely-faults.ts';
import { readings } from '../src/suite-kit/readback.ts';
import { key, negative, type Scene, scenario, sceneOf, skip } from '../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal } from '../src/suite-kit/suite.ts';
import { schemasOfMember } from '../src/suite-kit/texts.ts';

const aims = [
  'VAL-1',
  'VAL-2',
  'VAL-3',
  'VAL-4',
  'VAL-5',
  'VAL-6',
  'VAL-7',
  'VAL-8',
  'VAL-9',
  'VAL-10',
  'VAL-11',
  'VAL-13',
  'VAL-14',
];

/** Bodies that are not JSON, sent as application/json. */
const malformed: readonly BodySpec[] = [
  ...['{"subject":', '', '{subject: unquoted}', '{"subject":"$' + '{marker}",}', '<xml/>', '\u0000'].map(
    (text): BodySpec => ({ use: 'text', text, name: 'faulty' }),
  ),
  { use: 'named', name: 'faulty', form: 'cut' },
];

/** Bodies of which parsers think differently. */
const disputed = [
  ['commented', 'extension'],
  ['not-a-number', 'extension'],
  ['infinite', 'extension'],
  ['invalid-utf8', 'extension'],
  ['byte-order-mark', 'open'],
  ['duplicated', 'open'],
] as const;
const otherMedia = ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', ''];
const utf8 = ';charset=utf-8';
/** A media type with a charset, which JSON has no use for. */
function charsets(media: string, count: number): readonly string[] {
  return /;\s*charset=/i.test(media)
    ? []
    : [utf8, ';charset=iso-8859-1'].slice(0, count).map((one) => media + one);
}
const roots: readonly Json[] = [[], 'text', 5, true, null];

export default defineSuite({
  name: 'schema-violations',
  title: 'Bodies that depart from the published schema in one place, and bodies that are not JSON',
  *propose(planning): Iterable<Proposal> {
    for (const operation of planning.contract.operations) {
      if (operation.kind !== 'command' || operation.body === undefined) continue;
      const scene = sceneOf(planning, operation);
      if ('remedy' in scene) {
        yield skip(operation, aims, scene);
        continue;
      }
      const values = planning.values(operation);
      const base = values.plain ?? null;
      // What is wrong with the root as a whole names no field.
      const usable = (mutation: Mutation): boolean =>
        mutation.pointer !== '' && !isCarried(operation, mutation.pointer);
      // What breaks a format alone is valid where formats are annotations: it may be accepted.
      const lenient = validator(operation.body.schema);
      const labelled = <Fault extends LikelyFault>(fault: Fault): Fault =>
        lenient(fault.value).length === 0 ? { ...fault, keyword: 'format' } : fault;
      // What may be accepted moves a target on, and the others in its scenario would be refused for that.
      const mayShare = ({ keyword }: LikelyFault): boolean =>
        keyword !== 'format' || (scene.prelude.length === 0 && operation.version === undefined);
      const mutations = values.mutations(base).filter(usable).map(labelled);
      const most = byBudget(planning, 12, 40, 200);
      const chosen = spread(mutations, most);
      // What is refused for its first member, and what is refused after most of it was read.
      const isOptional = ({ keyword, pointer }: Mutation): boolean =>
        keyword !== 'required' && keyword !== 'format' && pointer !== values.marker;
      const watched = [chosen[0], chosen.findLast(isOptional)];
      for (const mutation of chosen)
        yield {
          kind: 'probe',
          id: `${mutation.keyword}-at-${mutation.pointer}-${mutations.indexOf(mutation)}`,
          operation: operation.id,
          clauses: ['VAL-1', 'VAL-2', 'VAL-3', 'VAL-5', 'VAL-7', 'VAL-8', 'VAL-11'],
          scenarios: [
            violation(
              scene,
              mutation,
              chosen.find((other) => other.pointer.split('/')[1] !== mutation.pointer.split('/')[1]),
              watched.includes(mutation) ? readings(planning, scene) : undefined,
            ),
          ],
        };
      if (chosen.length === 0)
        yield skip(operation, ['VAL-1', 'VAL-2', 'VAL-3'], {
          kind: 'value',
          remedy: `No invalid body can be made for ${operation.id}: ${values.notes[0]?.why ?? 'its schema refuses nothing'}.`,
        });
      if (chosen.length > 0)
        for (const [keyword, clause, what] of [
          ['required', 'VAL-1', 'Its schema requires no member that can be left out.'],
          ['type', 'VAL-2', 'Its schema gives no member a type.'],
        ] as const)
          if (!mutations.some((mutation) => mutation.keyword === keyword))
            yield skip(operation, [clause], { kind: 'inapplicable', remedy: what });
      const { invalid } = values;
      const [fallback] = chosen;
      if (invalid !== undefined && fallback !== undefined)
        yield {
          kind: 'probe',
          id: 'any-violation',
          operation: operation.id,
          clauses: ['VAL-1', 'VAL-2', 'VAL-3'],
          scenarios: [],
          random: {
            runs: byBudget(planning, 4, 25, 150),
            // A body without a member that can be broken would be drawn again for ever.
            arbitrary: bounded(invalid, usable, fallback).map((mutation) =>
              violation(scene, labelled(mutation), undefined, undefined, mutation.base),
            ),
          },
        };
      const check = validator(operation.body.schema);
      const wrongRoots = roots.filter((root) => check(root).length > 0);
      if (wrongRoots.length === 0)
        yield skip(operation, ['VAL-6'], {
          kind: 'inapplicable',
          remedy: 'Its schema allows every kind of JSON value as the body.',
        });
      else
        yield {
          kind: 'probe',
          id: 'no-object',
          operation: operation.id,
          clauses: ['VAL-6'],
          scenarios: [
            ...wrongRoots.map((root) =>
              replaced(
                scene,
                `the body is ${JSON.stringify(root)}`,
                { kind: 'body', at: '', keyword: 'type' },
                { use: 'text', text: JSON.stringify(root), name: 'faulty' },
              ),
            ),
            ...(check([base]).length > 0
              ? [
                  replaced(
                    scene,
                    'the body is a list with a valid body in it',
                    { kind: 'body', at: '', keyword: 'type' },
                    { use: 'named', name: 'faulty', form: 'listed' },
                  ),
                ]
              : []),
          ],
        };
      const whole = carriesNothing(operation)
        ? faultsOfWhole(operation.body.schema, base).slice(0, byBudget(planning, 4, 12, 40))
        : [];
      if (whole.length > 0)
        yield {
          kind: 'probe',
          id: 'whole-body',
          operation: operation.id,
          clauses: ['VAL-2'],
          scenarios: [
            inTurn(
              scene,
              'the body as a whole breaks a keyword of its schema',
              whole.map((fault, index) => ({
                // As it stands: a marker in it may be what is missing.
                body: { use: 'text', text: JSON.stringify(fault.value), name: `whole-${index}` },
                deviation: faultOf(fault),
              })),
            ),
          ],
        };
      if (takesStrangers(operation.body.schema, base))
        yield {
          kind: 'probe',
          id: 'unknown-member',
          operation: operation.id,
          clauses: ['ERR-1'],
          scenarios: [
            replaced(
              scene,
              'a member that the schema does not name (open point G7)',
              { kind: 'unknown-member', at: `/${strangeName}` },
              { use: 'named', name: 'faulty', edit: { at: `/${strangeName}`, set: 1 } },
            ),
          ],
        };
      yield {
        kind: 'probe',
        id: 'malformed',
        operation: operation.id,
        clauses: ['VAL-13'],
        scenarios: [
          inTurn(
            scene,
            'the body is not JSON',
            malformed
              // Where the body may be left out, an empty one is none.
              .filter((body) => operation.body?.required !== false || !('text' in body) || body.text !== '')
              .map((body) => ({ body, deviation: { kind: 'body-syntax' } })),
          ),
        ],
      };
      // What is accepted moves a target on: there each has its own.
      if (scene.prelude.length === 0 || planning.budget !== 'quick')
        yield {
          kind: 'probe',
          id: 'disputed-json',
          operation: operation.id,
          clauses: ['VAL-13'],
          scenarios: alone(
            scene,
            'the body is JSON to some parsers only',
            disputed.map(([form, how]) => ({
              body: { use: 'named', name: 'faulty', form },
              deviation: { kind: 'body-syntax', how },
            })),
          ),
        };
      const left = further(mutations, chosen, base, byBudget(planning, [15, 60], [40, 100], [200, 240]));
      const more = [
        ...faultsOfBranches(base, values, mutations)
          .filter(usable)
          .slice(0, byBudget(planning, 10, 40, 120)),
        ...likelyFaults(operation.body.schema, base, values.valid)
          .filter((fault) => !isCarried(operation, fault.pointer))
          .filter((fault) => ![...chosen, ...left].some((other) => isSame(fault, other)))
          .slice(0, byBudget(planning, 24, 80, 160)),
      ];
      const others = [
        ...[...left, ...more]
          .map(labelled)
          .filter(mayShare)
          .map((fault, index) => ({
            body: faulty(fault, `faulty-${index}`),
            deviation: faultOf(fault),
          })),
        ...laterItems(planning, operation, mutations),
        ...renamedMembers(operation, mutations, base),
      ];
      if (others.length > 0)
        yield {
          kind: 'probe',
          id: 'other-types',
          operation: operation.id,
          clauses: ['VAL-1', 'VAL-2', 'VAL-3', 'VAL-5', 'VAL-7', 'VAL-8', 'VAL-11'],
          scenarios: [inTurn(scene, 'further departures, each in one place', others)],
        };
      yield {
        kind: 'probe',
        id: 'media-type',
        operation: operation.id,
        clauses: ['VAL-14'],
        scenarios: [
          ...otherMedia,
          ...charsets(operation.body.mediaType, planning.budget === 'quick' ? 1 : 2),
        ].map((media) =>
          replaced(
            scene,
            media === '' ? 'without a media type' : `the body as ${media}`,
            { kind: 'media-type', ...(media.endsWith(utf8) ? { how: 'parameter' } : {}) },
            { use: 'named', name: 'faulty', form: { media } },
          ),
        ),
      };
      const [first] = chosen.filter(({ keyword }) => keyword !== 'format');
      if (first !== undefined)
        yield {
          kind: 'probe',
          id: 'same-key',
          operation: operation.id,
          clauses: ['VAL-9', 'VAL-10'],
          scenarios: [corrected(scene, first), again(scene, first)],
        };
      // Where a member chooses the branch, nothing says what is wrong with the others once it is wrong itself.
      const [one, two] = pairOf(chosen.filter((mutation) => !isChooser(operation, mutation)));
      if (one !== undefined && two !== undefined)
        yield {
          kind: 'probe',
          id: 'two-faults',
          operation: operation.id,
          clauses: ['VAL-4'],
          scenarios: [bothWrong(scene, one, two)],
        };
      else
        yield skip(operation, ['VAL-4'], {
          kind: 'inapplicable',
          remedy: 'Its body has no two members that can be wrong at once.',
        });
    }
  },
});

const memberOf = ({ pointer }: Mutation): string => pointer.split('/')[1] ?? '';

/** Two mutations of different members, the second of which may have any other type. */
function pairOf(mutations: readonly Mutation[]): readonly (Mutation | undefined)[] {
  const [first] = mutations.filter(({ keyword }) => keyword !== 'format');
  return [
    first,
    first === undefined
      ? undefined
      : mutations.find((other) => other.keyword === 'type' && memberOf(other) !== memberOf(first)),
  ];
}

/** Whether a member may say which branch of the schema the others are to match. */
function isChooser({ body }: Operation, mutation: Mutation): boolean {
  const schema = body?.schema ?? true;
  return (
    /"(?:oneOf|anyOf|if)":/.test(JSON.stringify(schema)) &&
    schemasOfMember(schema, `/${memberOf(mutation)}`).some(
      (member) => isObject(member) && (Object.hasOwn(member, 'const') || Object.hasOwn(member, 'enum')),
    )
  );
}

/**
 * The valid body without some of its members, where that breaks nothing but a keyword of the whole, such as
 * minProperties. All that is left has been accepted.
 */
function faultsOfWhole(schema: JsonSchema, base: Json): readonly LikelyFault[] {
  if (!isObject(base)) return [];
  const names = Object.keys(base);
  const check = validator(schema);
  const without = (left: readonly string[]): Json =>
    Object.fromEntries(Object.entries(base).filter(([name]) => !left.includes(name)));
  const several = names.length > 1 ? [names] : [];
  return [...names.map((name) => [name]), ...several].flatMap((left) => {
    const value = without(left);
    const [fault, ...others] = check(value);
    // Where a member is missing as well, that is tried elsewhere.
    return fault?.pointer === '' && fault.keyword !== 'type' && others.length === 0
      ? [{ pointer: '', keyword: fault.keyword, value }]
      : [];
  });
}

/** Whether the engine puts nothing into the body. */
function carriesNothing({ verification, version }: Operation): boolean {
  return version?.carrier.in !== 'body' && verification?.carrier.in !== 'body';
}

const strangeName = 'assayUnknown';

/** Whether a valid body may hold a member that its schema neither names nor expressly lets be. */
function takesStrangers(schema: JsonSchema, base: Json): boolean {
  return (
    isObject(base) &&
    !knownNames(schema).free &&
    validator(schema)({ ...base, [strangeName]: 1 }).length === 0
  );
}

/** Whether another type stands where the schema requires a text. */
function isOfRequiredText({ keyword, pointer }: Mutation, all: readonly Mutation[], base: Json): boolean {
  return (
    keyword === 'type' &&
    typeof valueAt(base, pointer) === 'string' &&
    all.some((other) => other.keyword === 'required' && other.pointer === pointer)
  );
}

/**
 * What was not chosen: every other type in place of each required text, then each place and keyword that has had no
 * turn, then null in place of each member. All of them share one control.
 */
function further(
  mutations: readonly Mutation[],
  chosen: readonly Mutation[],
  base: Json,
  [ofTexts, most]: readonly [number, number],
): readonly Mutation[] {
  const left = mutations.filter((mutation) => !chosen.includes(mutation));
  const placeOf = ({ keyword, pointer }: Mutation): string => `${pointer} ${keyword}`;
  const had = new Set(chosen.map(placeOf));
  const texts = spread(
    left.filter((mutation) => isOfRequiredText(mutation, mutations, base)),
    ofTexts,
  );
  const places = left.filter((mutation) => {
    const place = placeOf(mutation);
    return had.has(place) ? false : had.add(place);
  });
  // Languages take true for 1, and parsers take "1" for it.
  const likely = left.filter(({ keyword, pointer, value }) => {
    const wrong = valueAt(value, pointer);
    return (
      keyword === 'type' &&
      (wrong === null || wrong === true || (typeof wrong === 'string' && wrong !== 'text'))
    );
  });
  return [...new Set([...texts, ...places, ...likely])].slice(0, most);
}

/** What is wrong in the first item of a list, in the item after a valid one: one for each list. */
function laterItems(
  planning: Planning,
  operation: Operation,
  mutations: readonly Mutation[],
): readonly Faulty[] {
  const schema = operation.body?.schema ?? true;
  const { plain, valid } = planning.values(operation);
  const lists = new Map<string, Mutation>();
  for (const mutation of mutations) {
    const list = /^(.*?)\/0(?:\/|$)/.exec(mutation.pointer)?.[1];
    if (list !== undefined && mutation.keyword === 'type' && !lists.has(list)) lists.set(list, mutation);
  }
  if (valid === undefined || lists.size === 0) return [];
  const check = validator(schema);
  const drawn = fc.sample(valid, { seed: 1, numRuns: 30 });
  return [...lists].flatMap(([list, { keyword, pointer, value }], index): readonly Faulty[] => {
    const [wrong] = itemsAt(value, list);
    const at = `${list}/1${pointer.slice(list.length + 2)}`;
    // Best the item that is known to be accepted: a drawn one may name a record that is not there.
    const body = [plain ?? null, ...drawn]
      .flatMap((one) => itemsAt(one, list).slice(0, 1))
      .map((fine) => withValueAt(value, list, [fine, wrong ?? null]))
      .find((one) => {
        const errors = check(one);
        return errors.length > 0 && errors.every((error) => error.pointer.startsWith(`${list}/1`));
      });
    if (body === undefined) return [];
    return [
      {
        body: { use: 'named', name: `later-${index}`, edit: { at: '', set: body } },
        deviation: { kind: 'body', at, keyword },
      },
    ];
  });
}

function itemsAt(value: Json, list: string): readonly Json[] {
  const items = valueAt(value, list);
  return isArray(items) ? items : [];
}

type Faulty = { readonly body: BodySpec; readonly deviation: Deviation };

/** `Subject` in place of `subject`: names of members are compared exactly (RFC 8259, 8.3). */
function renamedMembers({ body }: Operation, mutations: readonly Mutation[], base: Json): readonly Faulty[] {
  const required = mutations.find(
    ({ keyword, pointer }) =>
      keyword === 'required' && typeof valueAt(base, pointer) === 'string' && /^\/[a-z]\w*$/.test(pointer),
  );
  const text = required === undefined ? undefined : valueAt(base, required.pointer);
  if (required === undefined || typeof text !== 'string' || !takesStrangers(body?.schema ?? false, base))
    return [];
  const renamed = `/${required.pointer.slice(1, 2).toUpperCase()}${required.pointer.slice(2)}`;
  return [
    {
      body: {
        use: 'named',
        name: 'renamed',
        edit: {
          all: [
            { at: required.pointer, remove: true },
            { at: renamed, set: [text, '$' + '{marker}'].join(' ') },
          ],
        },
      },
      deviation: faultOf(required),
    },
  ];
}

function sent(scene: Scene, id: string, parts: Partial<Step>): readonly Wave[] {
  return [{ steps: [scene.request(id, parts)] }];
}

/** Several faulty bodies one after the other, and one control for all. */
function inTurn(scene: Scene, title: string, all: readonly Faulty[]): Scenario {
  const names = all.flatMap(({ body }) => (body.use === 'none' ? [] : [body.name]));
  return scenario(
    scene,
    title,
    [
      ...all.flatMap(({ body, deviation }, index) =>
        sent(scene, `probe-${index + 1}`, {
          role: 'test',
          key: key(`key-${index + 1}`),
          body,
          deviations: [deviation],
        }),
      ),
      ...sent(scene, 'control', { controls: '*', key: key('fresh') }),
    ],
    { body: scene.body(), ...Object.fromEntries(names.map((name) => [name, scene.body()])) },
  );
}

/** The same, each with a target and a control of its own where the command has a target. */
function alone(scene: Scene, title: string, all: readonly Faulty[]): readonly Scenario[] {
  return scene.prelude.length === 0
    ? [
        inTurn(
          scene,
          title,
          all.map(({ body, deviation }, index) => ({
            body: body.use === 'none' ? body : { ...body, name: `faulty-${index + 1}` },
            deviation,
          })),
        ),
      ]
    : all.map(({ body, deviation }) => replaced(scene, title, deviation, body));
}

/** Some of the mutations, so that every pointer and keyword has its turn before any has a second one. */
function spread(mutations: readonly Mutation[], most: number): readonly Mutation[] {
  const turns = new Map<string, number>();
  const ranked = mutations.map((mutation, index) => {
    const place = `${mutation.pointer} ${mutation.keyword}`;
    const turn = turns.get(place) ?? 0;
    turns.set(place, turn + 1);
    return { mutation, turn, index };
  });
  return ranked
    .sort((one, other) => one.turn - other.turn || one.index - other.index)
    .slice(0, most)
    .sort((one, other) => one.index - other.index)
    .map(({ mutation }) => mutation);
}

const faultOf = (mutation: LikelyFault): Deviation => ({
  kind: 'body',
  at: mutation.pointer,
  keyword: mutation.keyword,
});

/** A body of another kind in place of the valid one. */
function replaced(scene: Scene, title: string, deviation: Deviation, body: BodySpec): Scenario {
  return negative(
    scene,
    title,
    { body, deviations: [deviation] },
    { sameKey: false, bodies: { faulty: scene.body() } },
  );
}

/**
 * The faulty body. An empty object or array that stands where the marker would be carries the marker, so that a record
 * made of it can be known.
 */
function faulty(mutation: LikelyFault, name: string): BodySpec {
  const wrong = valueAt(mutation.value, mutation.pointer);
  const marked =
    isArray(wrong) && wrong.length === 0
      ? ['$' + '{marker}']
      : isObject(wrong) && Object.keys(wrong).length === 0
        ? { assay: '$' + '{marker}' }
        : undefined;
  if (marked !== undefined && mutation.keyword === 'type')
    return {
      use: 'text',
      text: JSON.stringify(withValueAt(mutation.value, mutation.pointer, marked)),
      name,
    };
  return { use: 'named', name, edit: { at: '', set: mutation.value } };
}

/**
 * The violation, and one of another member whose response shows what is boilerplate. The control is the body that it was
 * made of: a drawn one may be refused for what it says.
 */
function violation(
  scene: Scene,
  mutation: Mutation,
  other: Mutation | undefined,
  around: ReturnType<typeof readings> | undefined,
  base?: Json,
): Scenario {
  const elsewhere: readonly Wave[] =
    other === undefined
      ? []
      : [
          ...sent(scene, 'elsewhere', {
            role: 'test',
            key: key('elsewhere'),
            body: faulty(other, 'other'),
            deviations: [faultOf(other)],
          }),
        ];
  return negative(
    scene,
    mutation.describes,
    { body: faulty(mutation, 'faulty'), deviations: [faultOf(mutation)] },
    {
      sameKey: false,
      // Whatever an earlier refusal left behind would be there before and after.
      ...(around === undefined
        ? { before: elsewhere }
        : { around: { before: around.before, after: [...around.after, ...elsewhere] } }),
      control: { controls: '*' },
      bodies: {
        ...(base === undefined ? {} : { body: scene.body(base) }),
        faulty: scene.body(),
        other: scene.body(),
      },
    },
  );
}

/** The corrected body under the key of the 422 (open point G5). */
function corrected(scene: Scene, mutation: Mutation): Scenario {
  return scenario(
    scene,
    'the corrected body under the same key',
    [
      ...sent(scene, 'first', {
        role: 'test',
        key: key('key'),
        body: faulty(mutation, 'faulty'),
        deviations: [faultOf(mutation)],
      }),
      ...sent(scene, 'corrected', {
        role: 'test',
        key: key('key'),
        deviations: [{ kind: 'key-reuse', of: 'first', difference: 'correction' }],
      }),
      {
        when: { step: 'corrected', was: 'refused' },
        waves: sent(scene, 'control', { controls: '*', key: key('fresh') }),
      },
    ],
    { body: scene.body(), faulty: scene.body() },
  );
}

function again(scene: Scene, mutation: Mutation): Scenario {
  const body = faulty(mutation, 'faulty');
  return scenario(
    scene,
    'the same invalid request twice',
    [
      ...sent(scene, 'first', { role: 'test', key: key('key'), body, deviations: [faultOf(mutation)] }),
      ...sent(scene, 'second', {
        role: 'test',
        key: key('key'),
        body,
        deviations: [faultOf(mutation), { kind: 'key-reuse', of: 'first', difference: 'none' }],
      }),
      ...sent(scene, 'control', { controls: '*', key: key('fresh') }),
    ],
    { body: scene.body(), faulty: scene.body() },
  );
}

function bothWrong(scene: Scene, first: Mutation, second: Mutation): Scenario {
  const member = second.pointer.split('/')[1] ?? '';
  const edit: BodySpec = {
    use: 'named',
    name: 'faulty',
    edit: {
      all: [
        { at: '', set: first.value },
        { at: `/${member}`, set: valueAt(second.value, `/${member}`) ?? null },
      ],
    },
  };
  return negative(
    scene,
    'two members are wrong',
    { body: edit, deviations: [faultOf(first), faultOf(second)] },
    { sameKey: false, bodies: { faulty: scene.body() } },
  );
}
