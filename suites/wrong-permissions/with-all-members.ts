import type { Principal } from '../../src/model/principal.ts';
import type { Deviation, Scenario } from '../../src/model/scenario.ts';
import { fullBody } from '../../src/suite-kit/full-body.ts';
import { negative, type Scene } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

/** What a member asks for, a branch of its own may do, which forgets to ask for the permission. */
export function withAllMembers(
  planning: Planning,
  scene: Scene,
  outsider: Principal,
  lacks: Deviation,
): readonly Scenario[] {
  const { operation } = scene;
  const body = operation.kind === 'command' ? fullBody(operation, planning.values(operation)) : undefined;
  return body === undefined
    ? []
    : [
        negative(
          scene,
          'without the permission, with all that the body may leave out',
          { as: outsider.name, deviations: [lacks] },
          { sameKey: true, bodies: { body: scene.body(body) } },
        ),
      ];
}
