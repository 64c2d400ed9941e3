import type { Principal } from '../src/model/principal.ts';
import type { BodyForm, BodySpec, KeyEdit, Scenario, Step, Wave } from '../src/model/scenario.ts';
import { foreigner, sameIdentity, secondCaller } from '../src/propose/cast.ts';
import { fresh, named, type Scene, scenario, sceneOf, skip } from '../src/propose/scene.ts';
import { type Budget, byBudget, defineSuite, type Planning, type Proposal } from '../src/propose/suite.ts';

const aims = [
  'IDM-4',
  'IDM-5',
  'IDM-6',
  'IDM-7',
  'IDM-8',
  'IDM-10',
  'IDM-11',
  'IDM-12',
  'IDM-17',
  'IDM-18',
  'IDM-19',
  'IDM-20',
  'IDM-22',
  'IDM-23',
  'IDM-24',
  'IDM-25',
  'VER-7',
];
const forms: readonly BodyForm[] = ['spaced', 'escaped', 'reordered'];

/** Pairs of keys that differ in one detail. */
const pairs: readonly { readonly title: string; readonly one: KeyEdit; readonly other: KeyEdit }[] = [
  { title: 'case', one: { kind: 'lower-case' }, other: { kind: 'upper-case' } },
  {
    title: 'the last character',
    one: { kind: 'last-character', last: 'a' },
    other: { kind: 'last-character', last: 'b' },
  },
  ...[36, 64, 128, 255].map((length) => ({
    title: `what follows ${length} equal characters`,
    one: { kind: 'suffix', length, last: 'a' } as const,
    other: { kind: 'suffix', length, last: 'b' } as const,
  })),
  {
    title: 'inner spaces',
    one: { kind: 'inner-space', spaces: 1 },
    other: { kind: 'inner-space', spaces: 2 },
  },
];

const oddKeys = ['k', 'k'.repeat(1024), '"quoted"', "it's", 'schlüssel', 'a,b', '../../etc/passwd', '%00'];

export default defineSuite({
  name: 'duplicate-keys',
  title: 'The same key again: same request, another request, another caller, at once',
  *propose(planning): Iterable<Proposal> {
    for (const operation of planning.contract.operations) {
      if (operation.kind !== 'command') continue;
      const scene = sceneOf(planning, operation);
      if ('remedy' in scene) {
        yield skip(operation, aims, scene);
        continue;
      }
      const probe = (id: string, clauses: readonly string[], cases: readonly Scenario[]): Proposal => ({
        kind: 'probe',
        id,
        operation: operation.id,
        clauses,
        cases,
      });
      yield probe(
        'sequential',
        ['IDM-4', 'IDM-5', 'IDM-20', 'IDM-25', 'VER-7'],
        [sequential(planning, scene)],
      );
      yield {
        kind: 'probe',
        id: 'parallel',
        operation: operation.id,
        clauses: ['IDM-8'],
        concurrent: true,
        cases: races(planning.budget).map((width) => parallel(planning, scene, width)),
      };
      yield probe(
        'doubled',
        ['IDM-22'],
        [doubled(planning, scene, 'two-lines'), doubled(planning, scene, 'folded')],
      );
      yield probe(
        'noisy-retry',
        ['IDM-24'],
        [noisy(scene, { query: [['x', '1']] }), noisy(scene, { path: 'trailing-slash' })],
      );
      const another = sameIdentity(planning, operation, scene.lead);
      if (another === undefined)
        yield skip(operation, ['IDM-18'], {
          kind: 'principal',
          remedy: `Give a second token of ${scene.lead.name}'s identity (\`identity: ${scene.lead.identity}\`).`,
        });
      else
        yield probe(
          'refreshed-token',
          ['IDM-18'],
          [
            again(scene, 'the same key with another token of the same identity', 'token', {
              as: another.name,
            }),
          ],
        );
      yield probe('late', ['IDM-19'], [late(planning, scene)]);
      if (operation.body === undefined) continue;
      if (planning.hooks.has('slow')) yield probe('in-flight', ['IDM-9'], [inFlight(scene), inFlight(scene)]);
      else
        yield skip(operation, ['IDM-9'], {
          kind: 'hook',
          remedy:
            'Configure the hook `slow`, which holds a command so that another request can meet its key in flight.',
        });
      yield probe('mismatch', ['IDM-6', 'IDM-7'], [mismatch(planning, scene)]);
      yield probe(
        're-serialised',
        ['IDM-17'],
        forms.map((form) =>
          again(scene, `the same body, ${typeof form === 'string' ? form : form.media}`, 'form', {
            body: { use: 'named', name: 'body', form },
          }),
        ),
      );
      if (operation.pathFields.length > 0) continue;
      yield probe('separate', ['IDM-10'], [separate(scene)]);
      yield probe(
        'near-keys',
        ['IDM-11'],
        pairs.map((pair) => near(scene, pair)),
      );
      yield probe('many-keys', ['IDM-11'], [many(scene, byBudget(planning, 10, 40, 120))]);
      yield probe(
        'odd-keys',
        ['IDM-23'],
        oddKeys.map((value) => odd(scene, value)),
      );
      yield* otherCallers(planning, scene);
    }
  },
});

/** How many at once, round by round. */
function races(budget: Budget): readonly number[] {
  return budget === 'quick' ? [5, 5] : budget === 'standard' ? [10, 10, 10] : [10, 10, 10, 10, 10];
}

function bodyOf(scene: Scene, name: string): BodySpec {
  return scene.operation.body === undefined ? { use: 'none' } : named(name);
}

/** A read of the target of a targeted command, before and after what must not change it. */
export function reading(planning: Planning, scene: Scene, id: 'before' | 'after'): readonly Wave[] {
  const read = planning.contract.operations.find(
    (operation) => operation.id === scene.operation.effect?.read,
  );
  const target = scene.request('probe').target;
  if (read === undefined || target === undefined || scene.operation.pathFields.length === 0) return [];
  const reader = planning.principals.find(
    (principal) =>
      principal.state === 'valid' &&
      principal.use === 'any' &&
      principal.scope === scene.lead.scope &&
      (read.permissions ?? []).every((name) => principal.permissions.includes(name)),
  );
  if (reader === undefined) return [];
  return [
    { wait: 'settle' },
    {
      steps: [
        {
          id,
          operation: read.id,
          as: reader.name,
          role: 'readback',
          key: { use: 'none' },
          body: { use: 'none' },
          target,
          deviations: [],
        },
      ],
    },
  ];
}

function sequential(planning: Planning, scene: Scene): Scenario {
  const duplicate = (id: string): Wave => ({
    steps: [
      scene.request(id, {
        role: 'probe',
        key: fresh('key'),
        deviations: [{ kind: 'key-reuse', of: 'first', difference: 'none' }],
      }),
    ],
  });
  return scenario(scene, 'one command, sent four times in turn', [
    { steps: [scene.request('first', { key: fresh('key') })] },
    ...reading(planning, scene, 'before'),
    duplicate('second'),
    duplicate('third'),
    duplicate('fourth'),
    ...reading(planning, scene, 'after'),
  ]);
}

function parallel(_: Planning, scene: Scene, width: number): Scenario {
  const step = (index: number): Step =>
    scene.request(`racer-${index}`, {
      role: 'probe',
      key: fresh('key'),
      deviations: index === 0 ? [] : [{ kind: 'key-reuse', of: 'racer-0', difference: 'none' }],
    });
  return scenario(
    scene,
    `one command, sent ${width} times at once`,
    [
      { steps: Array.from({ length: width }, (_each, index) => step(index)) },
      {
        steps: [
          scene.request('later', {
            role: 'probe',
            key: fresh('key'),
            deviations: [{ kind: 'key-reuse', of: 'racer-0', difference: 'none' }],
          }),
        ],
      },
      ...(scene.operation.pathFields.length === 0
        ? [
            {
              steps: [
                scene.request('control', {
                  controls: '*',
                  key: fresh('fresh'),
                  body: bodyOf(scene, 'control'),
                }),
              ],
            },
          ]
        : []),
    ],
    { body: scene.body(), control: scene.body() },
  );
}

function mismatch(planning: Planning, scene: Scene): Scenario {
  const twin = sceneOf(planning, scene.operation, scene.lead, 'other-');
  const other = 'remedy' in twin ? scene : twin;
  return scenario(
    scene,
    'the key with another body, and with the first one again',
    [
      { steps: [scene.request('first', { key: fresh('key') })] },
      {
        steps: [
          scene.request('mismatch', {
            role: 'probe',
            key: fresh('key'),
            body: named('different'),
            deviations: [{ kind: 'key-reuse', of: 'first', difference: 'request' }],
          }),
        ],
      },
      {
        steps: [
          scene.request('original', {
            role: 'probe',
            key: fresh('key'),
            deviations: [{ kind: 'key-reuse', of: 'first', difference: 'none' }],
          }),
        ],
      },
      ...(other === scene ? [] : other.prelude),
      {
        steps: [
          other.request('control', { controls: 'mismatch', key: fresh('fresh'), body: named('valid') }),
        ],
      },
    ],
    { ...other.bodies, body: scene.body(), different: scene.body(), valid: scene.body() },
  );
}

/** Sends the accepted command again under its key, with one thing changed that must not matter. */
function again(scene: Scene, title: string, difference: 'form' | 'token', change: Partial<Step>): Scenario {
  const probe = scene.request('again', {
    role: 'probe',
    key: fresh('key'),
    ...change,
    deviations: [{ kind: 'key-reuse', of: 'first', difference }],
  });
  return scenario(scene, title, [
    { steps: [scene.request('first', { key: fresh('key') })] },
    { steps: [probe] },
  ]);
}

function noisy(scene: Scene, change: Partial<Step>): Scenario {
  const probe = scene.request('again', {
    role: 'probe',
    key: fresh('key'),
    ...change,
    deviations: [{ kind: 'key-reuse', of: 'first', difference: 'query' }],
  });
  return scenario(scene, 'the same key on a noisy path', [
    { steps: [scene.request('first', { key: fresh('key') })] },
    { steps: [probe] },
  ]);
}

function separate(scene: Scene): Scenario {
  return scenario(scene, 'one body under two keys', [
    { steps: [scene.request('first', { key: fresh('one') })] },
    { steps: [scene.request('second', { role: 'probe', key: fresh('two') })] },
  ]);
}

function near(scene: Scene, pair: (typeof pairs)[number]): Scenario {
  const step = (id: string, edit: KeyEdit, role: Step['role']): Wave => ({
    steps: [
      scene.request(id, {
        role,
        key: { use: 'near', name: 'key', edit },
        body: named(id),
        deviations: [{ kind: 'key', how: 'odd' }],
      }),
    ],
  });
  return scenario(
    scene,
    `keys that differ in ${pair.title}`,
    [step('first', pair.one, 'control'), step('second', pair.other, 'probe')],
    { first: scene.body(), second: scene.body() },
  );
}

/** Many keys that share no more than their form: a short hash takes two of them for one. */
function many(scene: Scene, count: number): Scenario {
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  return scenario(
    scene,
    `${count} keys`,
    names.map((name) => ({
      steps: [scene.request(name, { role: 'probe', key: fresh(name), body: named(name) })],
    })),
    Object.fromEntries(names.map((name) => [name, scene.body()])),
  );
}

function odd(scene: Scene, value: string): Scenario {
  return scenario(scene, 'an odd key', [
    {
      steps: [
        scene.request('odd', {
          role: 'probe',
          key: { use: 'literal', value },
          deviations: [{ kind: 'key', how: 'odd' }],
        }),
      ],
    },
  ]);
}

function doubled(planning: Planning, scene: Scene, form: 'two-lines' | 'folded'): Scenario {
  const twin = sceneOf(planning, scene.operation, scene.lead, 'other-');
  const other = 'remedy' in twin ? scene : twin;
  const step = (id: string, more: Step['deviations']): Wave => ({
    steps: [
      scene.request(id, {
        role: 'probe',
        key: { use: 'doubled', name: 'one', second: 'two', form },
        deviations: [{ kind: 'key', how: 'doubled' }, ...more],
      }),
    ],
  });
  return scenario(
    scene,
    form === 'folded' ? 'two keys in one line' : 'two lines of keys',
    [
      step('first', []),
      step('second', [{ kind: 'key-reuse', of: 'first', difference: 'none' }]),
      ...(other === scene ? [] : other.prelude),
      {
        steps: [
          other.request('control', { controls: '*', key: fresh('fresh'), body: bodyOf(scene, 'control') }),
        ],
      },
    ],
    { ...other.bodies, body: scene.body(), control: scene.body() },
  );
}

function* otherCallers(planning: Planning, scene: Scene): Iterable<Proposal> {
  const { operation } = scene;
  const second = secondCaller(planning, operation, scene.lead);
  const foreign = foreigner(planning, operation, scene.lead);
  const needed = (operation.permissions ?? []).join(' and ');
  if (second === undefined && foreign === undefined)
    yield skip(operation, ['IDM-12'], {
      kind: 'principal',
      remedy: `Give a second caller that holds ${needed}, best in another scope.`,
    });
  const cases = [
    ...(second === undefined
      ? []
      : [byOther(scene, second, 'caller', true), byOther(scene, second, 'caller', false)]),
    ...(foreign === undefined
      ? []
      : [byOther(scene, foreign, 'scope', true), byOther(scene, foreign, 'scope', false)]),
  ];
  if (cases.length > 0)
    yield { kind: 'probe', id: 'other-callers', operation: operation.id, clauses: ['IDM-12'], cases };
}

function byOther(
  scene: Scene,
  principal: Principal,
  difference: 'caller' | 'scope',
  sameBody: boolean,
): Scenario {
  const probe = scene.request('other', {
    role: 'probe',
    as: principal.name,
    key: fresh('key'),
    body: named(sameBody ? 'body' : 'different'),
    deviations: [{ kind: 'key-reuse', of: 'first', difference }],
  });
  return scenario(
    scene,
    `the key by ${principal.name}, with ${sameBody ? 'the same' : 'another'} body`,
    [
      { steps: [scene.request('first', { key: fresh('key') })] },
      { steps: [probe] },
      {
        steps: [
          scene.request('control', {
            controls: 'other',
            as: principal.name,
            key: fresh('fresh'),
            body: named('control'),
          }),
        ],
      },
    ],
    { body: scene.body(), different: scene.body(), control: scene.body() },
  );
}

/** Keys used first, then other commands and some seconds, then the keys again (open point G13). */
function late(planning: Planning, scene: Scene): Scenario {
  const repeatable = scene.operation.pathFields.length === 0;
  const names = repeatable ? ['early-1', 'early-2', 'early-3'] : ['early-1'];
  const others = repeatable
    ? Array.from({ length: byBudget(planning, 60, 200, 200) }, (_, index) => `other-${index}`)
    : [];
  const first = names.map(
    (name): Wave => ({ steps: [scene.request(name, { key: fresh(name), body: bodyOf(scene, name) })] }),
  );
  const between = others.map(
    (name): Wave => ({
      steps: [scene.request(name, { role: 'setup', key: fresh(name), body: bodyOf(scene, 'other') })],
    }),
  );
  const again = names.map(
    (name): Wave => ({
      steps: [
        scene.request(`${name}-again`, {
          role: 'probe',
          key: fresh(name),
          body: bodyOf(scene, name),
          deviations: [{ kind: 'key-reuse', of: name, difference: 'late' }],
        }),
      ],
    }),
  );
  return scenario(
    scene,
    `keys again after ${others.length} other commands and some seconds`,
    [
      ...first,
      ...reading(planning, scene, 'before'),
      ...between,
      { wait: byBudget(planning, 6000, 10_000, 60_000) },
      ...again,
      ...reading(planning, scene, 'after'),
    ],
    Object.fromEntries([...names, 'other'].map((name) => [name, scene.body()])),
  );
}

/** The hook holds a command; its key comes with another body meanwhile. */
function inFlight(scene: Scene): Scenario {
  return scenario(
    scene,
    'another request under the key of a command in flight',
    [
      {
        hook: 'slow',
        input: { key: 'key:key', operation: scene.operation.id, milliseconds: 1500 },
        as: 'slowed',
      },
      {
        steps: [
          scene.request('slow', { key: fresh('key'), deviations: [{ kind: 'fault', how: 'slow' }] }),
          scene.request('meanwhile', {
            role: 'probe',
            key: fresh('key'),
            body: named('different'),
            delay: 400,
            deviations: [{ kind: 'key-reuse', of: 'slow', difference: 'request' }],
          }),
        ],
      },
    ],
    { body: scene.body(), different: scene.body() },
  );
}
