import { valueAt } from '../src/model/json.ts';
import type { Scenario, Step } from '../src/model/scenario.ts';
import { fresh, type Scene, scenario, sceneOf } from '../src/suite-kit/scene.ts';
import { defineSuite, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

/** Where the engine writes the marker of a body. */
const markerPlace = '$' + '{marker}';

/** Free text that differs in one detail. Blanks are left alone: a service may take them away before it compares. */
const details: readonly { readonly title: string; readonly turn: (text: string) => string }[] = [
  { title: 'the case of a letter', turn: turned },
  { title: 'the order of words', turn: (text) => text.split(' ').reverse().join(' ') },
  { title: 'a punctuation mark', turn: (text) => text.replace(' ', '-') },
];

export default defineSuite({
  name: 'near-requests',
  title: 'The key of a command with another request that differs from the first in one detail',
  *propose(planning): Iterable<Proposal> {
    for (const operation of planning.contract.operations) {
      if (operation.kind !== 'command' || operation.pathFields.length > 0) continue;
      const scene = sceneOf(planning, operation);
      if ('remedy' in scene || operation.body === undefined || operation.verification !== undefined) continue;
      const cases = near(scene);
      if (cases.length > 0) yield probesOf(operation)('text', ['IDM-6'], cases);
    }
  },
});

function near(scene: Scene): readonly Scenario[] {
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
    return [
      scenario(
        scene,
        `the key with a text that differs in ${title}`,
        [
          { steps: [scene.request('first', { key: fresh('key') })] },
          {
            steps: [
              scene.request('mismatch', {
                role: 'probe',
                key: fresh('key'),
                body: body('body'),
                deviations: [{ kind: 'key-reuse', of: 'first', difference: 'request' }],
              }),
            ],
          },
          {
            steps: [
              scene.request('control', { controls: 'mismatch', key: fresh('fresh'), body: body('valid') }),
            ],
          },
        ],
        { body: scene.body(), valid: scene.body() },
      ),
    ];
  });
}

/** The first letter in the other case. */
function turned(text: string): string {
  return text.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
