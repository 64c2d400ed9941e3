import type { Deviation, Scenario, Step } from '../../src/model/scenario.ts';
import { wrongBody } from '../../src/suite-kit/likely-faults.ts';
import { clientRequestIds, withRequestId } from '../../src/suite-kit/request-ids.ts';
import { negative, type Scene } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';

type Parts = { readonly deviations: readonly Deviation[] } & Partial<Step>;

/** Refusals of two classes, each made in a place of its own, of requests with an ID of the client's own. */
export function refusedWithRequestId(planning: Planning, scene: Scene): readonly Scenario[] {
  const { deviations, headers = [] } = withRequestId(clientRequestIds[1] ?? '');
  const noisy = (parts: Parts): Parts => ({
    ...parts,
    headers,
    deviations: [...deviations, ...parts.deviations],
  });
  const wrong = invalid(planning, scene);
  return [
    // A public operation needs no credential: nothing is wrong with the request.
    ...(scene.operation.permissions === undefined
      ? []
      : [
          negative(
            scene,
            'with X-Request-Id, and without a credential',
            noisy({ token: 'absent', deviations: [{ kind: 'credential', how: 'absent' }] }),
            { sameKey: true },
          ),
        ]),
    negative(scene, 'with X-Request-Id, and invalid', noisy(wrong), { bodies: { faulty: scene.body() } }),
  ];
}

function invalid(planning: Planning, { operation }: Scene): Parts {
  const wrong = wrongBody(operation, planning.values(operation));
  return wrong === undefined
    ? { key: { use: 'none' }, deviations: [{ kind: 'key', how: 'absent' }] }
    : {
        body: { use: 'named', name: 'faulty', edit: { at: '', set: wrong.value } },
        deviations: [{ kind: 'body', at: wrong.pointer, keyword: wrong.keyword }],
      };
}
