import type { Mutation } from '../../src/generate/index.ts';
import { type Json, valueAt } from '../../src/model/json.ts';
import {
  type BodySpec,
  bodyNameOf,
  type Deviation,
  type Scenario,
  type Wave,
} from '../../src/model/scenario.ts';
import type { drawn } from '../../src/suite-kit/drawn-texts.ts';
import type { LikelyFault } from '../../src/suite-kit/likely-faults.ts';
import type { readings } from '../../src/suite-kit/readback.ts';
import { key, negative, reuse, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import { type Faulty, faultOf, faulty } from './wrong-bodies.ts';

/** Several faulty bodies one after the other, and one control for all. */
export function inTurn(
  scene: Scene,
  title: string,
  all: readonly Faulty[],
  around: ReturnType<typeof readings> = { before: [], after: [] },
): Scenario {
  const names = all.flatMap(({ body }) => bodyNameOf(body) ?? []);
  return scenario(
    scene,
    title,
    [
      ...around.before,
      ...all.map(({ body, deviation, headers }, index) =>
        send(scene, `probe-${index + 1}`, {
          role: 'test',
          key: key(`key-${index + 1}`),
          body,
          ...(headers === undefined ? {} : { headers }),
          deviations: [deviation],
        }),
      ),
      ...around.after,
      send(scene, 'control', { controls: '*', key: key('fresh') }),
    ],
    { body: scene.body(), ...Object.fromEntries(names.map((name) => [name, scene.body()])) },
  );
}

/** The same, each with a target and a control of its own where the command has a target. */
export function alone(scene: Scene, title: string, all: readonly Faulty[]): readonly Scenario[] {
  return scene.prelude.length === 0
    ? [
        inTurn(
          scene,
          title,
          all.map((one, index) => ({
            ...one,
            body: one.body.use === 'none' ? one.body : { ...one.body, name: `faulty-${index + 1}` },
          })),
        ),
      ]
    : all.map(({ body, deviation, ...more }) => replaced(scene, title, deviation, body, more));
}

/** A body of another kind in place of the valid one. */
export function replaced(
  scene: Scene,
  title: string,
  deviation: Deviation,
  body: BodySpec,
  more: Pick<Faulty, 'headers'> = {},
): Scenario {
  const parts = { ...more, body, deviations: [deviation] };
  return negative(scene, title, parts, { bodies: { faulty: scene.body() } });
}

/** Another violation shows what is boilerplate; the control is the body itself, as a drawn one may be refused. */
export function violation(
  scene: Scene,
  mutation: Mutation,
  other: Mutation | undefined,
  around: ReturnType<typeof readings> | undefined,
  base?: ReturnType<typeof drawn> & { readonly value: Json },
): Scenario {
  const elsewhere: readonly Wave[] =
    other === undefined
      ? []
      : [
          send(scene, 'elsewhere', {
            role: 'test',
            key: key('elsewhere'),
            body: faulty(scene, other, 'other'),
            deviations: [faultOf(other)],
          }),
        ];
  return negative(
    scene,
    mutation.describes,
    { body: faulty(scene, mutation, 'faulty'), deviations: [faultOf(mutation)] },
    {
      // Whatever an earlier refusal left behind would be there before and after.
      ...(around === undefined
        ? { before: elsewhere }
        : { around: { before: around.before, after: [...around.after, ...elsewhere] } }),
      control: { controls: '*' },
      ...(base === undefined
        ? {}
        : { again: { deviations: base.deviations }, after: base.after('fallback') }),
      bodies: {
        ...(base === undefined ? {} : { ...base.bodies, body: scene.body(base.value) }),
        faulty: scene.body(),
        other: scene.body(),
      },
    },
  );
}

/** The corrected body under the key of the 422 (open point G5). */
export function corrected(scene: Scene, mutation: LikelyFault): Scenario {
  return scenario(
    scene,
    'the corrected body under the same key',
    [
      send(scene, 'first', {
        role: 'test',
        key: key('key'),
        body: faulty(scene, mutation, 'faulty'),
        deviations: [faultOf(mutation)],
      }),
      send(scene, 'corrected', reuse('first', 'correction')),
      when('corrected', 'refused', [send(scene, 'control', { controls: '*', key: key('fresh') })]),
    ],
    { body: scene.body(), faulty: scene.body() },
  );
}

export function again(scene: Scene, mutation: LikelyFault): Scenario {
  const body = faulty(scene, mutation, 'faulty');
  return scenario(
    scene,
    'the same invalid request twice',
    [
      send(scene, 'first', { role: 'test', key: key('key'), body, deviations: [faultOf(mutation)] }),
      send(scene, 'second', {
        role: 'test',
        key: key('key'),
        body,
        deviations: [faultOf(mutation), { kind: 'key-reuse', of: 'first', difference: 'none' }],
      }),
      send(scene, 'control', { controls: '*', key: key('fresh') }),
    ],
    { body: scene.body(), faulty: scene.body() },
  );
}

export function bothWrong(scene: Scene, first: Mutation, second: Mutation): Scenario {
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
    { bodies: { faulty: scene.body() } },
  );
}
