import { isCarried, type Operation } from '../../src/model/contract.ts';
import { type Json, type JsonPointer, withValueAt } from '../../src/model/json.ts';
import { type Scenario, stepsOf } from '../../src/model/scenario.ts';
import { holderReadings } from '../../src/suite-kit/holder-readings.ts';
import { leavesOf, type Scalar } from '../../src/suite-kit/other-values.ts';
import { key, reuse, type Scene, scenario, send } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { isIdName, sendable } from '../../src/suite-kit/texts.ts';

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
  const body = withAmounts(operation, plain, marker) ?? (isOther ? plain : undefined);
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

/** The plain body with such numbers where it has zero or one; undefined where it has none, or may have no other. */
function withAmounts(operation: Operation, plain: Json, marker: JsonPointer | undefined): Json | undefined {
  const fits = sendable(operation.body?.schema ?? true, marker);
  const grown = leavesOf(plain, []).reduce<Json>((body, { at, value }) => {
    if (at === marker || isIdName(at) || isCarried(operation, at)) return body;
    return (
      amountsLike(value)
        .map((other) => withValueAt(body, at, other))
        .find(fits) ?? body
    );
  }, plain);
  return grown === plain ? undefined : grown;
}

/** Of zero and one, as a number or a decimal in a text. */
function amountsLike(value: Scalar): readonly Json[] {
  if (value === 0 || value === 1) return amounts;
  const decimals = typeof value === 'string' ? /^[01](\.\d+)$/.exec(value)?.[1] : undefined;
  return decimals === undefined ? [] : amounts.map((amount) => `${amount}${decimals}`);
}
