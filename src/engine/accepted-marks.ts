import type { Operation, OperationId } from '../model/contract.ts';
import { type Trace, triedIn } from '../model/exchange.ts';
import type { Mark } from '../model/marker.ts';
import { isAccepted } from '../model/response.ts';
import { type BodyValue, type Scenario, stepsOf } from '../model/scenario.ts';
import { scenario, sceneOf } from '../suite-kit/scene.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { attempt } from './attempt.ts';
import type { Plan } from './plan.ts';
import { halted, type Stage } from './stage.ts';

/** Operations of the steps that send a body which may carry marks, or values of its own. */
function usesOfMarks({ bodies, waves }: Scenario): readonly OperationId[] {
  const has = ({ marks, own }: Partial<BodyValue>): boolean => marks !== undefined || own !== undefined;
  return stepsOf(waves).flatMap(({ body, operation }) =>
    body.use === 'named' && has(bodies[body.name] ?? {}) ? [operation] : [],
  );
}

/** Where the bodies of commands differ from others. */
export type AcceptedMarks = {
  readonly marks: ReadonlyMap<OperationId, Mark>;
  readonly ownValues: ReadonlyMap<OperationId, readonly Mark[]>;
};

/**
 * The marks and own values that the target takes, in addition to those of the stage: a value may be valid and against a
 * business rule.
 */
export async function acceptedMarks(
  stage: Stage,
  planning: Planning,
  { probes }: Pick<Plan, 'probes'>,
  nextTrace: () => string,
  isWanted: (operation: Operation) => boolean = () => true,
): Promise<AcceptedMarks & { readonly traces: readonly Trace[] }> {
  const marks = new Map(stage.marks);
  const ownValues = new Map(stage.ownValues);
  const traces: Trace[] = [];
  const wanted = new Set(
    probes.flatMap(({ probe }) => [
      ...(probe.random === undefined ? [] : [probe.operation]),
      ...probe.scenarios.flatMap(usesOfMarks),
    ]),
  );
  // What makes records comes first: the others need such records, with values of their own.
  const depth = ({ pathFields }: Operation): number => pathFields.length;
  const makersFirst = [...planning.contract.operations].sort((one, other) => depth(one) - depth(other));
  for (const operation of makersFirst) {
    if (!wanted.has(operation.id) || operation.body === undefined || !isWanted(operation)) continue;
    const scene = sceneOf(planning, operation);
    if ('remedy' in scene) continue;
    const { marks: possible = [], own = [], ...bare } = scene.body();
    let tries = 0;
    const takes = async (
      what: string,
      body: BodyValue,
      places: readonly Mark[],
    ): Promise<boolean | undefined> => {
      if (halted({ stage })) return undefined;
      const trace = await attempt(
        { ...stage, marks, ownValues: new Map([...ownValues, [operation.id, places]]) },
        {
          id: nextTrace(),
          suite: 'preflight',
          probe: `marker ${operation.id}`,
          scenarioIndex: tries,
          attempt: 0,
          seed: 0,
          path: undefined,
          purpose: 'first',
          repeats: undefined,
          scenario: scenario(scene, `preflight with ${what}`, [{ steps: [scene.request('preflight')] }], {
            body,
          }),
        },
      );
      tries += 1;
      traces.push(trace);
      const answer = triedIn(trace)?.answer;
      return answer === undefined ? undefined : isAccepted(answer);
    };
    const takesOwn = (places: readonly Mark[]): Promise<boolean | undefined> =>
      takes(`values of their own at ${places.map(({ at }) => at).join(', ')}`, { ...bare, own }, places);
    // All at once, since each of several may have to be new; then each alone, since one may break a rule.
    const together = own.length > 0 && (await takesOwn(own));
    const places: Mark[] = together === true ? [...own] : [];
    if (together === false && own.length > 1)
      for (const place of own) if ((await takesOwn([place])) === true) places.push(place);
    ownValues.set(operation.id, places);
    for (const mark of possible) {
      const took = await takes(
        `a marker at ${mark.at}`,
        { ...bare, own, marker: mark.at, form: mark.form },
        places,
      );
      if (took === undefined) break;
      if (!took) continue;
      marks.set(operation.id, mark);
      break;
    }
  }
  return { marks, ownValues, traces };
}
