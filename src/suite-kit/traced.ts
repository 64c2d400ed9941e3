import type { Step } from '../model/scenario.ts';
import { absentTarget } from './absent.ts';
import { outsiders } from './cast.ts';
import { wrongQueries } from './query.ts';
import { clientRequestIds, withRequestId } from './request-ids.ts';
import type { Refusal, Scene } from './scene.ts';
import type { Planning } from './suite.ts';

/** The same request with a request ID of the client's own. */
export function traced<Parts extends Pick<Step, 'deviations'>>(parts: Parts): Parts & Pick<Step, 'headers'> {
  const { deviations, headers = [] } = withRequestId(clientRequestIds[1] ?? '');
  return { ...parts, headers, deviations: [...deviations, ...parts.deviations] };
}

/** Refusals that need no body: each class of failure may be made in a place of its own. */
export function plainRefusals(planning: Planning, scene: Scene): readonly Refusal[] {
  return [...ofCaller(planning, scene), ...ofQuery(scene), ...ofTarget(scene)];
}

/** Without a credential, and without the permission; a public operation needs neither. */
function ofCaller(planning: Planning, { operation }: Scene): readonly Refusal[] {
  if (operation.permissions === undefined) return [];
  const others = operation.permissions.length === 0 ? [] : outsiders(planning, operation);
  const outsider = others.find(({ how }) => how === 'none') ?? others[0];
  return [
    { id: 'no-token', token: 'absent', deviations: [{ kind: 'credential', how: 'absent' }] },
    ...(outsider === undefined
      ? []
      : [
          {
            id: 'lacking',
            as: outsider.principal.name,
            deviations: [{ kind: 'permission', how: outsider.how } as const],
          },
        ]),
  ];
}

function ofQuery({ operation: { kind, queryFields } }: Scene): readonly Refusal[] {
  if (kind !== 'read') return [];
  const [wrong] = queryFields.flatMap((field) =>
    field.at === undefined ? wrongQueries(field).map((one) => ({ ...one, name: field.name })) : [],
  );
  if (wrong === undefined) return [];
  const { keyword, name, value } = wrong;
  return [
    { id: 'wrong-query', query: [[name, value]], deviations: [{ kind: 'query', field: name, keyword }] },
  ];
}

/** A record that is not there; where the caller chooses its ID, a command may make it. */
function ofTarget(scene: Scene): readonly Refusal[] {
  const field = scene.operation.pathFields.at(-1);
  if (field === undefined || field.chosen === true) return [];
  return [{ id: 'not-there', target: absentTarget(scene), deviations: [{ kind: 'target', how: 'absent' }] }];
}
