import { creates, type Operation } from '../src/model/contract.ts';
import type { KeyEdit, Scenario, Step, Wave } from '../src/model/scenario.ts';
import { secondCaller } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { pauseAfter } from '../src/suite-kit/pauses.ts';
import {
  bodyOf,
  key,
  named,
  reuse,
  type Scene,
  scenario,
  sceneOf,
  send,
  twinOf,
  when,
} from '../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

/** Marks at which a careless service takes a key apart: those that most services allow, and others. */
const marks = ['.:_', '/|;=@#'];

const pairs: readonly { readonly title: string; readonly one: KeyEdit; readonly other: KeyEdit }[] = [
  { title: 'case', one: { kind: 'lower-case' }, other: { kind: 'upper-case' } },
  {
    title: 'the last character',
    one: { kind: 'last-character', last: 'a' },
    other: { kind: 'last-character', last: 'b' },
  },
  {
    title: 'the first character',
    one: { kind: 'first-character', first: 'a' },
    other: { kind: 'first-character', first: 'b' },
  },
  ...[36, 64, 128, 255].map((length) => ({
    title: `what follows ${length} equal characters`,
    one: { kind: 'suffix', length, last: 'a' } as const,
    other: { kind: 'suffix', length, last: 'b' } as const,
  })),
  ...marks.map((text) => ({
    title: `what follows ${[...text].join(' ')}`,
    one: { kind: 'followed', by: `${text}a` } as const,
    other: { kind: 'followed', by: `${text}b` } as const,
  })),
  {
    title: 'inner spaces',
    one: { kind: 'inner-space', spaces: 1 },
    other: { kind: 'inner-space', spaces: 2 },
  },
  { title: 'dashes', one: { kind: 'lower-case' }, other: { kind: 'without-dashes' } },
  { title: 'quotes around them', one: { kind: 'lower-case' }, other: { kind: 'quoted' } },
  { title: 'percent-encoding', one: { kind: 'lower-case' }, other: { kind: 'percent-encoded' } },
];

/** What a decoder, a clean-up or a weak hash takes for one: of Java's, Aa and BB are the same. A number may count attempts. */
const mistaken: typeof pairs = [
  ['a plus and a space', '+a', ' a'],
  ['an underscore and a dash', '_a', '-a'],
  ['the order of characters', 'ab', 'ba'],
  ['characters of one hash', 'Aa', 'BB'],
  ['a number at the end', '-1', '-2'],
].map(([title = '', one = '', other = '']) => ({
  title,
  one: { kind: 'followed', by: one },
  other: { kind: 'followed', by: other },
}));

const oddKeys = ['k', 'k'.repeat(1024), '"quoted"', "it's", 'schlüssel', 'a,b', '../../etc/passwd', '%00'];

export default defineSuite({
  name: 'key-forms',
  title: 'Similar keys, two keys in one request, and unusual keys',
  for: 'commands',
  clauses: 'IDM-11 IDM-22 IDM-23',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    yield probe('doubled', 'IDM-22', [
      doubled(planning, scene, 'two-lines'),
      doubled(planning, scene, 'folded'),
    ]);
    yield probe(
      'odd',
      'IDM-23',
      scene.prelude.length === 0
        ? [odd(scene, oddKeys)]
        : oddKeys.slice(0, 2).map((value) => odd(scene, [value])),
    );
    // Without a body, only targets of their own make two commands.
    if (operation.body === undefined && twinOf(planning, scene) === scene) return;
    yield probe(
      'near',
      'IDM-11',
      [...pairs, ...(isFirst(planning, operation) ? mistaken : [])].map((pair) =>
        near(planning, scene, pair),
      ),
    );
    if (operation.body === undefined) return;
    if (!creates(operation)) return;
    const times = manyTimes(planning, operation);
    const each = byBudget(planning, 20, 50, 50);
    const crowd = crowdOf(planning, scene, times * each);
    yield probe(
      'many',
      'IDM-11',
      Array.from({ length: times }, () => many(crowd, each)),
    );
  },
});

/** Two keys that differ in one detail; on a targeted command each has a target of its own, so that both are valid. */
function near(planning: Planning, scene: Scene, pair: (typeof pairs)[number]): Scenario {
  const other = twinOf(planning, scene);
  const step = (
    of: Scene,
    id: string,
    edit: KeyEdit,
    role: Step['role'],
    {
      body = id,
      name = 'key',
      ...more
    }: Partial<Pick<Step, 'controls'>> & { body?: string; name?: string } = {},
  ): Wave =>
    send(of, id, {
      ...more,
      role,
      key: { use: 'near', name, edit },
      body: bodyOf(of, body),
      deviations: [{ kind: 'key', how: 'odd' }],
    });
  return scenario(
    scene,
    `keys that differ in ${pair.title}`,
    [
      step(scene, 'first', pair.one, 'control'),
      ...(other === scene ? [] : other.prelude),
      step(other, 'second', pair.other, 'test'),
      // A service may refuse all keys of this form, with 409 as well: one that is like no other shows it.
      when('second', 'refused', [
        step(other, 'formed', pair.other, 'control', { body: 'control', name: 'unlike', controls: 'second' }),
        unless(other, 'formed', 'second'),
        // A conflict of state may have passed by then; a key that was taken for another stays so.
        when('formed', 'accepted', [
          { wait: 1000 },
          step(other, 'second-again', pair.other, 'control', { body: 'second' }),
        ]),
      ]),
    ],
    { ...other.bodies, first: scene.body(), second: scene.body(), control: scene.body() },
  );
}

/** A service stores all keys in one way, so that the first command that makes records stands for the others. */
function isFirst({ contract, wanted }: Planning, { id }: Operation): boolean {
  const first = contract.operations.find(
    (one) => one.body !== undefined && creates(one) && wanted?.has(one.id) !== false,
  );
  return first?.id === id;
}

/** How often many keys are sent. Two of eight hundred have the same 16 bits nearly always. */
function manyTimes(planning: Planning, operation: Operation): number {
  return isFirst(planning, operation) ? byBudget(planning, 1, 8, 20) : byBudget(planning, 1, 1, 20);
}

/** So many requests of one probe may keep others of their caller waiting for its limit. */
const crowding = 100;

/** A large number of keys is sent by another caller where there is one: most services limit each caller apart. */
function crowdOf(planning: Planning, scene: Scene, requests: number): Scene {
  if (requests < crowding) return scene;
  const other = secondCaller(planning, scene.operation, scene.lead);
  const others = sceneOf(planning, scene.operation, other);
  return 'remedy' in others ? scene : others;
}

/** Many keys that share no more than their form: a short hash takes two of them for one. */
function many(scene: Scene, count: number): Scenario {
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  return scenario(
    scene,
    `${count} keys`,
    names.flatMap((name, index) => {
      const parts = { role: 'test', key: key(name), body: named(name) } as const;
      // A conflict of state may have passed by then; a key that was taken for another stays so.
      const again = send(scene, `${name}-again`, { ...reuse(name, 'none'), ...parts });
      return [send(scene, name, parts), when(name, 'refused', [...pauseAfter(names[index - 1]), again])];
    }),
    Object.fromEntries(names.map((name) => [name, scene.body()])),
  );
}

/** Another key that looks the same: each letter is the next one of the alphabet. */
function ofSameForm(key: string): string {
  return key.replaceAll(/[a-y]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1));
}

/** Odd keys one after the other, and one control where that needs no further target. */
function odd(scene: Scene, values: readonly string[]): Scenario {
  const names = values.map((_, index) => (index === 0 ? 'odd' : `odd-${index + 1}`));
  return scenario(
    scene,
    values.length === 1 ? 'an unusual key' : 'unusual keys',
    [
      ...values.map((value, index) => {
        const id = names[index] ?? 'odd';
        return send(scene, id, {
          role: 'test' as const,
          key: { use: 'literal' as const, value },
          body: bodyOf(scene, id),
          deviations: [{ kind: 'key' as const, how: 'odd' as const }],
        });
      }),
      ...(scene.prelude.length === 0
        ? [
            send(scene, 'control', {
              controls: '*',
              key: key('fresh'),
              body: bodyOf(scene, 'control'),
            }),
          ]
        : [unless(scene, 'odd')]),
      // One failure may be passing, and a duplicate may get a stored one (G12).
      ...values.map((value, index) => {
        const id = names[index] ?? 'odd';
        return when(id, 'failed', [
          send(scene, `${id}-again`, {
            role: 'test',
            key: { use: 'literal', value: ofSameForm(value) },
            body: bodyOf(scene, id),
            deviations: [{ kind: 'key', how: 'odd' }],
          }),
        ]);
      }),
    ],
    Object.fromEntries([...names, 'control'].map((name) => [name, scene.body()])),
  );
}

/** Where a key was refused: the same command under a plain one. */
function unless(scene: Scene, test: string, controls = test): Wave {
  const control = scene.request('control', {
    controls,
    key: key('plain'),
    body: bodyOf(scene, 'control'),
  });
  return when(test, 'refused', [send(control)]);
}

function doubled(planning: Planning, scene: Scene, form: 'two-lines' | 'folded'): Scenario {
  const other = twinOf(planning, scene);
  const step = (id: string, more: Step['deviations']): Wave =>
    send(scene, id, {
      role: 'test',
      key: { use: 'doubled', name: 'one', second: 'two', form },
      deviations: [{ kind: 'key', how: 'doubled' }, ...more],
    });
  return scenario(
    scene,
    form === 'folded' ? 'two keys in one line' : 'two lines of keys',
    [
      step('first', []),
      step('second', [{ kind: 'key-reuse', of: 'first', difference: 'none' }]),
      ...(other === scene ? [] : other.prelude),
      send(other, 'control', { controls: '*', key: key('fresh'), body: bodyOf(scene, 'control') }),
    ],
    { ...other.bodies, body: scene.body(), control: scene.body() },
  );
}
