import type { Scenario } from '../../src/model/scenario.ts';
import { wrongBody } from '../../src/suite-kit/likely-faults.ts';
import { bodyOf, negative, type Refusal, refusals, type Scene } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { plainRefusals, traced } from '../../src/suite-kit/traced.ts';

/** A refusal of each class, made in a place of its own perhaps, of requests with an ID of the client's own. */
export function refusedWithRequestId(planning: Planning, scene: Scene): readonly Scenario[] {
  const plain = plainRefusals(planning, scene);
  const ofCaller = plain.filter(isOfCaller);
  const [first, ...others] = [...ofBody(planning, scene), ...plain.filter((one) => !isOfCaller(one))];
  const alone = ({ id, ...parts }: Refusal): Scenario =>
    negative(scene, `with X-Request-Id, and ${because[id] ?? id}`, traced(parts), {
      // Who is refused as a caller leaves the key free, which only the same request under it can show.
      sameKey: isOfCaller({ id }),
      bodies: { invalid: scene.body() },
    });
  return [
    ...ofCaller.slice(0, 1).map(alone),
    ...(first === undefined ? [] : [alone(first)]),
    ...ofCaller.slice(1).map(alone),
    ...(others.length === 0 ? [] : [together(scene, others)]),
  ];
}

/** Why each is refused, in the titles of scenarios. */
const because: Readonly<Record<string, string>> = {
  'no-token': 'without a credential',
  lacking: 'without the permission',
  'no-key': 'without a key',
};

function isOfCaller({ id }: Pick<Refusal, 'id'>): boolean {
  return id === 'no-token' || id === 'lacking';
}

function together(scene: Scene, tests: readonly Refusal[]): Scenario {
  // With one body for all, an effect of one would be taken for that of another.
  return refusals(
    scene,
    'with X-Request-Id, and refused',
    tests.map((one) => traced({ body: bodyOf(scene, one.id), ...one })),
    { bodies: Object.fromEntries(tests.map(({ id }) => [id, scene.body()])) },
  );
}

/** With a wrong body, or without the key, and with a body that is not JSON. */
function ofBody(planning: Planning, { operation }: Scene): readonly Refusal[] {
  const wrong = wrongBody(operation, planning.values(operation));
  return [
    wrong === undefined
      ? { id: 'no-key', key: { use: 'none' }, deviations: [{ kind: 'key', how: 'absent' }] }
      : {
          id: 'invalid',
          body: { use: 'named', name: 'invalid', edit: { at: '', set: wrong.value } },
          deviations: [{ kind: 'body', at: wrong.pointer, keyword: wrong.keyword }],
        },
    ...(operation.body === undefined
      ? []
      : [
          {
            id: 'malformed',
            body: { use: 'text', text: '{"assay":', name: 'malformed' } as const,
            deviations: [{ kind: 'body-syntax' } as const],
          },
        ]),
  ];
}
