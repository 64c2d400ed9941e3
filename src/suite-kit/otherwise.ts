import { isCarried } from '../model/contract.ts';
import { canonicalJson, isObject, type Json, pointerOf } from '../model/json.ts';
import { isPutIn } from '../model/named-records.ts';
import type { Scenario } from '../model/scenario.ts';
import { type Scene, unmarked } from './scene.ts';
import type { Planning } from './suite.ts';
import { isIdName } from './texts.ts';
import { likeliestBodies } from './two-full-bodies.ts';

/**
 * A valid body with other values than those that the record of a command may have: those of its own plain body, and of the bodies
 * that made the record. A refused command that writes one of them is seen by that value alone. Undefined where the marker is all
 * that a body can say, or where no other body is known.
 */
export function otherwiseBody(planning: Planning, scene: Scene): Scenario['bodies'] {
  const { operation } = scene;
  if (operation.body === undefined) return {};
  const values = planning.values(operation);
  const known = [values.plain ?? null, ...Object.values(scene.bodies).map(({ value }) => value)].filter(
    isObject,
  );
  /** How many members have a value that no record has by now. The marker makes its own place new. */
  const newIn = (body: Json): number =>
    Object.entries(isObject(body) ? body : {}).filter(([name, value]) => {
      const at = pointerOf([name]);
      if (values.marker === at || isPutIn(operation, at) || isCarried(operation, at) || isIdName(at))
        return false;
      return known.every((other) => canonicalJson(other[name] ?? null) !== canonicalJson(value));
    }).length;
  const simple = unmarked(scene);
  const [best] = [...(likeliestBodies(planning.contract, operation, values) ?? [])]
    .map((value) => ({ value, news: newIn(value) }))
    .toSorted((one, other) => other.news - one.news);
  if (best !== undefined && best.news > (simple === undefined ? 0 : newIn(simple.value)))
    return { otherwise: scene.body(best.value) };
  return simple === undefined ? {} : { otherwise: simple };
}
