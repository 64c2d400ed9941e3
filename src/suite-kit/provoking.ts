import type { Operation } from '../model/contract.ts';
import { isPermitted } from '../model/principal.ts';
import type { Scenario, Step, Wave } from '../model/scenario.ts';
import { holders } from './cast.ts';
import { versionNow } from './readback.ts';
import { bodyOf, key, type Scene, sceneOf, send, verificationInput } from './scene.ts';
import type { Planning } from './suite.ts';

export type Provoking = { readonly waves: readonly Wave[]; readonly bodies: Scenario['bodies'] };

/** The command that brings about the forbidding state, on the target of the scene. */
export function provoking(planning: Planning, scene: Scene, operation: Operation): Provoking | undefined {
  const target = scene.request('test').target;
  const by = [scene.lead, ...holders(planning, operation)].find(
    (principal) => principal.scope === scene.lead.scope && isPermitted(principal, operation),
  );
  if (by === undefined || target === undefined) return undefined;
  const own = sceneOf(planning, operation, by, 'provoking-');
  if ('remedy' in own) return undefined;
  const asItIs = own.request('provoking');
  const { verification } = operation;
  const now = versionNow(planning, scene, 'provoking-look', operation);
  const step: Step = {
    ...asItIs,
    role: 'setup',
    key: key('provoking'),
    body: bodyOf(own, 'provoking'),
    target,
    ...(now === undefined ? {} : { version: now.version }),
  };
  return {
    waves: [
      ...(now?.waves ?? []),
      ...(verification === undefined
        ? [send(step)]
        : [
            {
              hook: verification.hook,
              as: 'provoking-verification',
              input: verificationInput(operation, by, target, 'valid'),
            },
            send({ ...step, verification: { use: 'hook', step: 'provoking-verification' } }),
          ]),
    ],
    bodies: { provoking: own.body() },
  };
}
