import type { OperationId } from '../model/contract.ts';
import { type Trace, triedIn } from '../model/exchange.ts';
import type { Mark } from '../model/marker.ts';
import { isAccepted } from '../model/response.ts';
import { type Scenario, stepsOf } from '../model/scenario.ts';
import { scenario, sceneOf } from '../suite-kit/scene.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { attempt } from './attempt.ts';
import type { Plan } from './plan.ts';
import { halted, type Stage } from './stage.ts';

/** Operations of the steps that send a body which may carry marks. */
function usesOfMarks({ bodies, waves }: Scenario): readonly OperationId[] {
  return stepsOf(waves).flatMap(({ body, operation }) =>
    body.use === 'named' && bodies[body.name]?.marks !== undefined ? [operation] : [],
  );
}

/** The marks that the target takes, and the traces that show it. A value may be valid and against a business rule. */
export async function acceptedMarks(
  stage: Stage,
  planning: Planning,
  { probes }: Pick<Plan, 'probes'>,
  nextTrace: () => string,
): Promise<{ readonly marks: ReadonlyMap<OperationId, Mark>; readonly traces: readonly Trace[] }> {
  const marks = new Map<OperationId, Mark>();
  const traces: Trace[] = [];
  const wanted = new Set(
    probes.flatMap(({ probe }) => [
      ...(probe.random === undefined ? [] : [probe.operation]),
      ...probe.scenarios.flatMap(usesOfMarks),
    ]),
  );
  for (const operation of planning.contract.operations) {
    if (!wanted.has(operation.id) || operation.body === undefined) continue;
    const scene = sceneOf(planning, operation);
    if ('remedy' in scene) continue;
    const { value, marks: possible = [] } = scene.body();
    for (const [index, mark] of possible.entries()) {
      if (halted({ stage })) return { marks, traces };
      const trace = await attempt(stage, {
        id: nextTrace(),
        suite: 'preflight',
        probe: `marker ${operation.id}`,
        scenarioIndex: index,
        attempt: 0,
        seed: 0,
        path: undefined,
        purpose: 'first',
        repeats: undefined,
        scenario: scenario(
          scene,
          `preflight with a marker at ${mark.at}`,
          [{ steps: [scene.request('preflight')] }],
          { body: { value, marker: mark.at, form: mark.form } },
        ),
      });
      traces.push(trace);
      const last = triedIn(trace);
      if (last?.answer === undefined) break;
      if (!isAccepted(last.answer)) continue;
      marks.set(operation.id, mark);
      break;
    }
  }
  return { marks, traces };
}
