import { creates } from '../src/model/contract.ts';
import {
  type BodyForm,
  type BodyValue,
  type Scenario,
  type Step,
  stepsOf,
  type Wave,
} from '../src/model/scenario.ts';
import { parsedDeclaration } from '../src/oracle/open-points/declared.ts';
import { sameIdentity } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { currentVersion, lateMs, listings, reading, readings } from '../src/suite-kit/readback.ts';
import { bodyOf, key, named, type Scene, scenario, sceneOf, skip, twinOf } from '../src/suite-kit/scene.ts';
import { type Budget, byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

const aims = [
  'IDM-4',
  'IDM-5',
  'IDM-6',
  'IDM-7',
  'IDM-8',
  'IDM-10',
  'IDM-17',
  'IDM-18',
  'IDM-19',
  'IDM-20',
  'IDM-24',
  'IDM-25',
  'VER-7',
];
const forms: readonly BodyForm[] = ['spaced', 'escaped', 'reordered'];

export default defineSuite({
  name: 'duplicate-keys',
  title: 'The same key again: the same request, another one, at once, late',
  for: 'commands',
  clauses: aims,
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    yield probe('sequential', ['IDM-4', 'IDM-5', 'IDM-20', 'IDM-25', 'VER-7'], [sequential(planning, scene)]);
    yield probe(
      'parallel',
      ['IDM-8'],
      races(planning.budget, scene).map((width, index) => parallel(planning, scene, width, index === 0)),
      {
        concurrent: true,
      },
    );
    if (planning.hooks.has('slow')) yield probe('held', ['IDM-8'], [held(scene)]);
    yield probe(
      'noisy-retry',
      ['IDM-24'],
      [
        noisy(scene, 'the same key on a noisy path', { query: [['x', '1']] }),
        noisy(scene, 'the same key on a noisy path', { path: 'trailing-slash' }),
        // Only another id shows that other headers made a second command.
        ...(creates(operation) ? [noisy(scene, 'the same key from another client', { headers })] : []),
      ],
    );
    const another = sameIdentity(planning, operation, scene.lead);
    if (another === undefined && planning.hooks.has('refresh'))
      yield probe('refreshed-token', ['IDM-18'], [refreshed(scene)]);
    else if (another === undefined)
      yield skip(operation, ['IDM-18'], {
        kind: 'principal',
        remedy: `Give a second token of ${scene.lead.name}'s identity (\`identity: ${scene.lead.identity}\`), or configure the hook \`refresh\`, which issues one.`,
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
    yield probe('late', ['IDM-19'], [late(planning, scene), ...outdated(planning, scene)]);
    if (operation.body === undefined) return;
    const { different } = scene;
    if (different === undefined) {
      yield skip(operation, ['IDM-6', 'IDM-7', 'IDM-9'], {
        kind: 'value',
        remedy: `Give two different bodies under operations.${operation.id}.examples.`,
      });
    } else if (planning.hooks.has('slow'))
      yield probe(
        'in-flight',
        ['IDM-9'],
        Array.from({ length: byBudget(planning, 2, 4, 6) }, () => inFlight(planning, scene, different)),
      );
    else
      yield skip(operation, ['IDM-9'], {
        kind: 'hook',
        remedy:
          'Configure the hook `slow`, which holds a command so that another request can meet its key in flight.',
      });
    if (different !== undefined)
      yield probe('mismatch', ['IDM-6', 'IDM-7'], [mismatch(planning, scene, different)]);
    yield probe(
      're-serialised',
      ['IDM-17'],
      forms.map((form) =>
        again(scene, `the same body, ${typeof form === 'string' ? form : form.media}`, 'form', {
          body: { use: 'named', name: 'body', form },
        }),
      ),
    );
    if (operation.pathFields.length === 0) yield probe('separate', ['IDM-10'], [separate(scene)]);
  },
});

/** So many requests race at once: few, so that there are many rounds. The first round is wide. */
const few = 3;

/**
 * How many at once, round by round. Two requests that meet in the window of a race prove it, so many rounds of a few find
 * a narrow window sooner than a few rounds of many; the wide one meets limits of the service, such as its connections.
 */
function races(budget: Budget, scene: Scene): readonly number[] {
  const { requests, wide } = {
    quick: { requests: 14, wide: 4 },
    standard: { requests: 36, wide: 8 },
    thorough: { requests: 60, wide: 10 },
  }[budget];
  const before = stepsOf(scene.prelude).length;
  const rounds = Math.floor((requests - (before + wide + 1)) / (before + few));
  return [wide, ...Array.from({ length: Math.max(1, rounds) }, () => few)];
}

function sequential(planning: Planning, scene: Scene): Scenario {
  const duplicate = (id: string): Wave => ({
    steps: [
      scene.request(id, {
        role: 'test',
        key: key('key'),
        deviations: [{ kind: 'key-reuse', of: 'first', difference: 'none' }],
      }),
    ],
  });
  return scenario(scene, 'one command, sent four times in sequence', [
    { steps: [scene.request('first', { key: key('key') })] },
    ...reading(planning, scene, 'before'),
    duplicate('second'),
    duplicate('third'),
    duplicate('fourth'),
    ...reading(planning, scene, 'after'),
  ]);
}

function parallel(planning: Planning, scene: Scene, width: number, again: boolean): Scenario {
  const list = listings(planning, scene);
  const step = (index: number): Step =>
    scene.request(`racer-${index}`, {
      role: 'test',
      key: key('key'),
      deviations: index === 0 ? [] : [{ kind: 'key-reuse', of: 'racer-0', difference: 'none' }],
    });
  const racers = Array.from({ length: width }, (_each, index) => step(index));
  const later: Wave = {
    steps: [
      scene.request('later', {
        role: 'test',
        key: key('key'),
        deviations: [{ kind: 'key-reuse', of: 'racer-0', difference: 'none' }],
      }),
    ],
  };
  const control: Wave = {
    steps: [scene.request('control', { controls: '*', key: key('fresh'), body: bodyOf(scene, 'control') })],
  };
  // Where every racer was refused: whether the command can be accepted at all.
  const refused = [...(again ? [] : [later]), ...(scene.operation.pathFields.length === 0 ? [control] : [])];
  return scenario(
    scene,
    `one command, sent ${width} times at once`,
    [
      ...list.before,
      { steps: racers },
      ...(again ? [later] : []),
      ...(refused.length === 0 ? [] : whenRefused(racers, refused)),
      ...list.after,
    ],
    { body: scene.body(), control: scene.body() },
  );
}

/** Waves for when none of the steps was accepted. */
function whenRefused(steps: readonly Step[], waves: readonly Wave[]): readonly Wave[] {
  return steps.reduceRight<readonly Wave[]>(
    (inner, { id }) => [{ when: { step: id, was: 'refused' }, waves: inner }],
    waves,
  );
}

function mismatch(planning: Planning, scene: Scene, different: BodyValue): Scenario {
  const twin = sceneOf(planning, scene.operation, scene.lead, 'other-');
  const other = 'remedy' in twin ? scene : twin;
  const now = currentVersion(planning, scene);
  const around = readings(planning, scene);
  return scenario(
    scene,
    'the key with another body, and with the first one again',
    [
      { steps: [scene.request('first', { key: key('key') })] },
      ...now.before,
      ...around.before,
      {
        steps: [
          scene.request('mismatch', {
            role: 'test',
            key: key('key'),
            body: named('different'),
            ...now.parts,
            deviations: [{ kind: 'key-reuse', of: 'first', difference: 'request' }],
          }),
        ],
      },
      ...around.after,
      // A refusal must not bind the key to what it refused, nor set it free.
      {
        steps: [
          scene.request('mismatch-again', {
            role: 'test',
            key: key('key'),
            body: named('different'),
            ...now.parts,
            deviations: [{ kind: 'key-reuse', of: 'first', difference: 'request' }],
          }),
        ],
      },
      {
        steps: [
          scene.request('original', {
            role: 'test',
            key: key('key'),
            deviations: [{ kind: 'key-reuse', of: 'first', difference: 'none' }],
          }),
        ],
      },
      ...(other === scene ? [] : other.prelude),
      {
        steps: [other.request('control', { controls: 'mismatch', key: key('fresh'), body: named('valid') })],
      },
    ],
    { ...other.bodies, body: scene.body(), different, valid: different },
  );
}

/** Sends the accepted command again under its key, with one thing changed that must not matter. */
function again(scene: Scene, title: string, difference: 'form' | 'token', change: Partial<Step>): Scenario {
  const probe = scene.request('again', {
    role: 'test',
    key: key('key'),
    ...change,
    deviations: [{ kind: 'key-reuse', of: 'first', difference }],
  });
  return scenario(scene, title, [
    { steps: [scene.request('first', { key: key('key') })] },
    { steps: [probe] },
  ]);
}

/** The hook issues another token of the same identity; the accepted command is sent again with it. */
function refreshed(scene: Scene): Scenario {
  return scenario(scene, 'the same key with a refreshed token', [
    { steps: [scene.request('first', { key: key('key') })] },
    {
      hook: 'refresh',
      input: { principal: scene.lead.name, identity: scene.lead.identity },
      as: 'refreshed',
    },
    {
      steps: [
        scene.request('again', {
          role: 'test',
          key: key('key'),
          bearer: { hook: 'refreshed' },
          deviations: [{ kind: 'key-reuse', of: 'first', difference: 'token' }],
        }),
      ],
    },
  ]);
}

/** What a retry through another client or proxy has otherwise; it says nothing of the command. */
const headers: NonNullable<Step['headers']> = [
  ['User-Agent', 'assay-retry/2'],
  ['Accept', 'application/json, */*;q=0.5'],
  ['Accept-Language', 'de'],
  ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
];

function noisy(scene: Scene, title: string, change: Partial<Step>): Scenario {
  const probe = scene.request('again', {
    role: 'test',
    key: key('key'),
    ...change,
    deviations: [{ kind: 'key-reuse', of: 'first', difference: 'query' }],
  });
  return scenario(scene, title, [
    { steps: [scene.request('first', { key: key('key') })] },
    { steps: [probe] },
  ]);
}

function separate(scene: Scene): Scenario {
  return scenario(scene, 'one body under two keys', [
    { steps: [scene.request('first', { key: key('one') })] },
    { steps: [scene.request('second', { role: 'test', key: key('two') })] },
  ]);
}

/** How long keys are honoured, as declared (G13). */
function lifetimeMs({ declaration }: Planning): number {
  const seconds = parsedDeclaration(declaration).G13;
  return seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1000;
}

/** Other commands that are sent at a time. */
const atOnce = 8;

/** Keys used first, then other commands and some seconds, then the keys again (open point G13). */
function late(planning: Planning, scene: Scene): Scenario {
  const repeatable = scene.operation.pathFields.length === 0;
  const names = repeatable ? ['early-1', 'early-2', 'early-3'] : ['early-1'];
  const others = repeatable
    ? Array.from({ length: byBudget(planning, 60, 200, 200) }, (_, index) => `other-${index}`)
    : [];
  const first = names.map(
    (name): Wave => ({ steps: [scene.request(name, { key: key(name), body: bodyOf(scene, name) })] }),
  );
  // What lies between is sent several at a time, so that the wait begins early.
  const between = Array.from(
    { length: Math.ceil(others.length / atOnce) },
    (_, index): Wave => ({
      steps: others
        .slice(index * atOnce, (index + 1) * atOnce)
        .map((name) => scene.request(name, { role: 'setup', key: key(name), body: bodyOf(scene, name) })),
    }),
  );
  const again = names.map(
    (name): Wave => ({
      steps: [
        scene.request(`${name}-again`, {
          role: 'test',
          key: key(name),
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
      ...between,
      { wait: Math.min(lateMs(planning), lifetimeMs(planning) / 2) },
      // What a command goes on to do is done by then: a read before the wait would see it begun.
      ...reading(planning, scene, 'before'),
      ...again,
      ...reading(planning, scene, 'after'),
    ],
    Object.fromEntries([...names, ...others].map((name) => [name, scene.body()])),
  );
}

/**
 * A command that makes a record, and its key again when another command has changed the record, and when one has deleted it:
 * neither what was stored under the key nor the key itself goes with the record.
 */
function outdated(planning: Planning, { lead, operation }: Scene): readonly Scenario[] {
  if (!creates(operation)) return [];
  const on = planning.contract.operations.filter(
    ({ pathFields }) => pathFields.at(-1)?.source?.operation === operation.id,
  );
  const moving = new Set(on.map(({ conflict }) => conflict?.after));
  const changers = on.filter(({ kind, method }) => kind === 'command' && method !== 'DELETE');
  const changer = changers.find(({ id }) => moving.has(id)) ?? changers[0];
  const removal = on.find(({ method }) => method === 'DELETE');
  return [changer, removal].flatMap((other) => {
    if (other === undefined || !(other.permissions ?? []).every((name) => lead.permissions.includes(name)))
      return [];
    const scene = sceneOf(planning, other, lead);
    if ('remedy' in scene) return [];
    const first = stepsOf(scene.prelude).find((step) => step.operation === operation.id);
    if (first === undefined || first.as !== lead.name || first.key.use !== 'named') return [];
    const again: Step = {
      ...first,
      id: 'again',
      role: 'test',
      deviations: [{ kind: 'key-reuse', of: first.id, difference: 'late' }],
    };
    return [
      scenario(scene, `the key again after ${other.id} on its record`, [
        { steps: [scene.request('other')] },
        { when: { step: 'other', was: 'accepted' }, waves: [{ steps: [again] }] },
      ]),
    ];
  });
}

/** A duplicate that surely comes while its command is in flight: races meet only where they are lucky. */
function held(scene: Scene): Scenario {
  return scenario(scene, 'the same command under the key of one in flight', [
    {
      hook: 'slow',
      input: { key: 'key:key', operation: scene.operation.id, milliseconds: 2500 },
      as: 'slowed',
    },
    {
      steps: [
        scene.request('first', { key: key('key'), deviations: [{ kind: 'fault', how: 'slow' }] }),
        scene.request('meanwhile', {
          role: 'test',
          key: key('key'),
          delay: 400,
          deviations: [{ kind: 'key-reuse', of: 'first', difference: 'none' }],
        }),
      ],
    },
  ]);
}

/**
 * The hook holds a command; its key comes with another body meanwhile. Where the command has a target, on another one: the
 * first may be in a state, or have a version, that forbids a second command whatever its key.
 */
function inFlight(planning: Planning, scene: Scene, different: BodyValue): Scenario {
  const twin = twinOf(planning, scene);
  return scenario(
    scene,
    'another request under the key of a command in flight',
    [
      ...(twin === scene ? [] : twin.prelude),
      {
        hook: 'slow',
        input: { key: 'key:key', operation: scene.operation.id, milliseconds: 1500 },
        as: 'slowed',
      },
      {
        steps: [
          scene.request('slow', { key: key('key'), deviations: [{ kind: 'fault', how: 'slow' }] }),
          twin.request('meanwhile', {
            role: 'test',
            key: key('key'),
            body: named('different'),
            delay: 400,
            deviations: [
              { kind: 'key-reuse', of: 'slow', difference: twin === scene ? 'request' : 'target' },
            ],
          }),
        ],
      },
      ...(twin === scene
        ? []
        : [
            {
              steps: [
                twin.request('control', {
                  controls: 'meanwhile',
                  key: key('fresh'),
                  body: named('different'),
                }),
              ],
            },
          ]),
    ],
    { ...twin.bodies, body: scene.body(), different },
  );
}
