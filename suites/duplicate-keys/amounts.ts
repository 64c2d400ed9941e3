import { type Scenario, stepsOf } from '../../src/model/scenario.ts';
import { withAmounts } from '../../src/suite-kit/amounts.ts';
import { holderReadings } from '../../src/suite-kit/holder-readings.ts';
import { key, reuse, type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** Amounts that no count of requests or records shows. */
const amounts = [13, 7, 4, 3] as const;

/**
 * A command with another amount than one, sent twice in sequence: a total that goes up by one looks like a count of requests. The
 * record that shows it is the last one that the body names, as the first one is read elsewhere.
 */
export function ofAmount(planning: Planning, scene: Scene): readonly Scenario[] {
  const { operation } = scene;
  const holder = holderReadings(planning, scene, 'last');
  const { marker, plain } = planning.values(operation);
  if (holder('before').length === 0 || plain === undefined || operation.method !== 'POST') return [];
  const [first, last] = [holderReadings(planning, scene), holder].map((reads) =>
    stepsOf(reads('before')).map(({ target }) => target),
  );
  const isOther = JSON.stringify(first) !== JSON.stringify(last);
  const body = withAmounts(operation, plain, marker, amounts) ?? (isOther ? plain : undefined);
  return body === undefined
    ? []
    : [
        scenario(
          scene,
          'one command with another amount than one, sent twice in sequence',
          [
            ...holder('before'),
            send(scene, 'first', { key: key('key') }),
            ...holder('between', 'again'),
            send(scene, 'second', reuse('first', 'none')),
            ...holder('after'),
          ],
          { body: scene.body(body) },
        ),
      ];
}
