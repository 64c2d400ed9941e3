import type { Operation } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { scenario, sceneOf } from '../suite-kit/scene.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { attempt } from './attempt.ts';
import { halted, type Stage } from './stage.ts';

/** The trace of a plain request before the tests begin; undefined where none can be sent. */
export async function plainRequest(
  stage: Stage,
  planning: Planning,
  operation: Operation,
  { title, ...named }: Pick<Trace, 'id' | 'probe' | 'scenarioIndex'> & { readonly title: string },
): Promise<Trace | undefined> {
  const scene = sceneOf(planning, operation);
  if ('remedy' in scene || halted({ stage })) return undefined;
  return attempt(stage, {
    ...named,
    suite: 'preflight',
    attempt: 0,
    seed: 0,
    path: undefined,
    purpose: 'first',
    repeats: undefined,
    scenario: scenario(scene, title, [{ steps: [scene.request('preflight')] }]),
  });
}
