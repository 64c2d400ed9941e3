import { validator } from '../src/generate/index.ts';
import { type JsonSchema, valueAt, withValueAt } from '../src/model/json.ts';
import type { Scenario, Step } from '../src/model/scenario.ts';
import { fresh, type Scene, scenario, sceneOf } from '../src/suite-kit/scene.ts';
import { byBudget, defineSuite, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

/** Where the engine writes the marker of a body. */
const markerPlace = '$' + '{marker}';

/** Free text that differs in one detail. Blanks around it are left alone: a service may take them away before it compares. */
const details: readonly { readonly title: string; readonly turn: (text: string) => string }[] = [
  { title: 'the case of a letter', turn: turned },
  { title: 'the order of words', turn: (text) => text.split(' ').reverse().join(' ') },
  { title: 'a punctuation mark', turn: (text) => text.replace(' ', '-') },
  { title: 'blanks between words', turn: (text) => text.replace(' ', '  ') },
];

/** Two texts that begin with the same sixty characters. */
const long = (last: string): string => `${'Conformance probe of texts. '.repeat(3)}${last}`;

export default defineSuite({
  name: 'near-requests',
  title: 'The key of a command with another request that differs from the first in one detail',
  *propose(planning): Iterable<Proposal> {
    for (const operation of planning.contract.operations) {
      if (operation.kind !== 'command') continue;
      const scene = sceneOf(planning, operation);
      if ('remedy' in scene || operation.body === undefined || operation.verification !== undefined) continue;
      const twin =
        operation.pathFields.length > 0 ? sceneOf(planning, operation, scene.lead, 'other-') : scene;
      if ('remedy' in twin) continue;
      const all = [...near(scene, twin), ...late(scene, twin, operation.body.schema)];
      // Each takes two targets where the command has one.
      const cases = twin === scene ? all : all.slice(0, byBudget(planning, 1, 2, all.length));
      if (cases.length > 0) yield probesOf(operation)('text', ['IDM-6'], cases);
    }
  },
});

function near(scene: Scene, twin: Scene): readonly Scenario[] {
  const { marker: at, value } = scene.body();
  const text = at === undefined ? undefined : valueAt(value, at);
  if (at === undefined || typeof text !== 'string') return [];
  return details.flatMap(({ title, turn }): readonly Scenario[] => {
    const other = turn(text);
    if (other === text) return [];
    const body = (name: string): Step['body'] => ({
      use: 'named',
      name,
      edit: { at, set: `${other} ${markerPlace}` },
    });
    return [reused(scene, twin, title, undefined, body('body'), body('valid'))];
  });
}

/** One key, first with one text and then with another; where the command has a target, the control has its own. */
function reused(
  scene: Scene,
  twin: Scene,
  title: string,
  first: Step['body'] | undefined,
  other: Step['body'],
  valid: Step['body'],
): Scenario {
  return scenario(
    scene,
    `the key with a text that differs in ${title}`,
    [
      {
        steps: [
          scene.request('first', { key: fresh('key'), ...(first === undefined ? {} : { body: first }) }),
        ],
      },
      {
        steps: [
          scene.request('mismatch', {
            role: 'probe',
            key: fresh('key'),
            body: other,
            deviations: [{ kind: 'key-reuse', of: 'first', difference: 'request' }],
          }),
        ],
      },
      ...(twin === scene ? [] : twin.prelude),
      {
        steps: [twin.request('control', { controls: 'mismatch', key: fresh('fresh'), body: valid })],
      },
    ],
    { ...twin.bodies, body: scene.body(), valid: scene.body() },
  );
}

/** Two long texts that differ at their end. */
function late(scene: Scene, twin: Scene, schema: JsonSchema): readonly Scenario[] {
  const { marker: at, value } = scene.body();
  if (at === undefined) return [];
  const check = validator(schema);
  if (check(withValueAt(value, at, `${long('a')} asy-0123456789abcdef`)).length > 0) return [];
  const body = (name: string, last: string): Step['body'] => ({
    use: 'named',
    name,
    edit: { at, set: `${markerPlace} ${long(last)}` },
  });
  return [
    reused(
      scene,
      twin,
      'what follows a hundred equal characters',
      body('body', 'a'),
      body('body', 'b'),
      body('valid', 'b'),
    ),
  ];
}

/** The first letter in the other case. */
function turned(text: string): string {
  return text.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
