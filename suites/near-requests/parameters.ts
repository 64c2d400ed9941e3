import type { Operation } from '../../src/model/contract.ts';
import type { Scenario, Step } from '../../src/model/scenario.ts';
import { twoValues } from '../../src/suite-kit/other-values.ts';
import { type currentVersion, reading } from '../../src/suite-kit/readback.ts';
import { key, named, reuse, type Scene, scenario, send, when } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';

/** A command whose key is used again; the control has a target of its own. */
export type Used = {
  readonly planning: Planning;
  readonly scene: Scene;
  readonly twin: Scene;
  readonly now: ReturnType<typeof currentVersion>;
};

/** A field of the query, or a header, with a name, an example and another value. */
type DifferingParameter = {
  readonly in: 'query' | 'header';
  readonly name: string;
  readonly values: readonly [string, string];
};

/** Those that a request must have come first: they surely say what is asked for. */
function parametersOf({ headerFields = [], queryFields }: Operation): readonly DifferingParameter[] {
  const all = [
    ...queryFields.map((field) => ({ field, in: 'query' as const })),
    ...headerFields
      .filter((field) => field.in === 'header')
      .map((field) => ({ field, in: 'header' as const })),
  ];
  return [
    ...all.filter(({ field }) => field.required),
    ...all.filter(({ field }) => !field.required),
  ].flatMap(({ field, in: place }): readonly DifferingParameter[] => {
    const values = twoValues(field);
    return values === undefined ? [] : [{ in: place, name: field.name, values }];
  });
}

/** The same command with another value of a declared parameter. */
export function otherParameters({ now, planning, scene, twin }: Used): readonly Scenario[] {
  const most = twin === scene ? byBudget(planning, 2, 4, 8) : byBudget(planning, 1, 3, 8);
  return parametersOf(scene.operation)
    .slice(0, most)
    .map((parameter): Scenario => {
      const { name, values } = parameter;
      const [one, other] = values;
      const saying = (value: string): Partial<Step> =>
        parameter.in === 'query' ? { query: [[name, value]] } : { headers: [[name, value]] };
      const asked = { kind: 'parameter', name } as const;
      return scenario(
        scene,
        `the key with another value of the ${parameter.in === 'query' ? 'query field' : 'header'} ${name}`,
        [
          send(scene, 'first', { key: key('key'), ...saying(one), deviations: [asked] }),
          ...now.before,
          send(scene, 'mismatch', {
            role: 'test',
            key: key('key'),
            ...now.parts,
            ...saying(other),
            deviations: [{ kind: 'key-reuse', of: 'first', difference: 'parameter' }, asked],
          }),
          ...(twin === scene ? [] : twin.prelude),
          send(twin, 'control', {
            controls: 'mismatch',
            key: key('fresh'),
            ...(scene.operation.body === undefined ? {} : { body: { use: 'named', name: 'valid' } }),
            ...saying(other),
            deviations: [asked],
          }),
        ],
        { ...twin.bodies, body: scene.body(), valid: scene.body() },
      );
    });
}

/** The same command with another of the values to which a field of its path is limited, such as an action. */
export function otherChoice({ planning, scene }: Used): readonly Scenario[] {
  const { body, otherPath, version } = scene.operation;
  if (otherPath === undefined || version !== undefined) return [];
  const asked = { kind: 'parameter', name: 'path' } as const;
  const again = reuse('first', 'parameter');
  return [
    scenario(
      scene,
      'the key with another value that the path allows',
      [
        send(scene, 'first', { key: key('key'), deviations: [asked] }),
        when('first', 'accepted', [
          ...reading(planning, scene, 'before'),
          send(scene, 'mismatch', {
            ...again,
            path: 'other-choice',
            deviations: [...again.deviations, asked],
          }),
          ...reading(planning, scene, 'after'),
          send(scene, 'control', {
            controls: 'mismatch',
            key: key('fresh'),
            path: 'other-choice',
            ...(body === undefined ? {} : { body: named('valid') }),
            deviations: [asked],
          }),
          ...reading(planning, scene, 'later'),
        ]),
      ],
      { body: scene.body(), valid: scene.body() },
    ),
  ];
}
