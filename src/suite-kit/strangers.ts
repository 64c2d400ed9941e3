import type { Deviation, Step } from '../model/scenario.ts';
import { inState, outsiders } from './cast.ts';
import type { Refusal, Scene } from './scene.ts';
import type { Planning } from './suite.ts';

/** A caller that an operation refuses before it looks at anything else. */
export type Stranger = {
  readonly name: 'unknown-token' | 'expired-token' | 'no-permission';
  readonly touches: 'token' | 'caller';
  readonly change: Partial<Step>;
  readonly deviation: Deviation;
};

/** Callers without a valid credential, and one without the permission; none where the operation asks for no permission. */
export function strangersOf(
  planning: Planning,
  { operation }: Pick<Scene, 'operation'>,
): readonly Stranger[] {
  if (operation.permissions === undefined) return [];
  const found: Stranger[] = [
    {
      name: 'unknown-token',
      touches: 'token',
      change: { token: 'unknown' },
      deviation: { kind: 'credential', how: 'unknown' },
    },
  ];
  const expired = inState(planning, 'expired');
  if (expired !== undefined)
    found.push({
      name: 'expired-token',
      touches: 'token',
      change: { as: expired.name },
      deviation: { kind: 'credential', how: 'expired' },
    });
  const outsider = outsiders(planning, operation).find((one) => one.how === 'none' || one.how === 'sibling');
  if (outsider !== undefined)
    found.push({
      name: 'no-permission',
      touches: 'caller',
      change: { as: outsider.principal.name },
      deviation: { kind: 'permission', how: 'none' },
    });
  return found;
}

/** A request that is wrong in other ways as well, from one stranger of each kind: these must not learn of it. */
export function fromStrangers(
  planning: Planning,
  scene: Scene,
  others: readonly Deviation[],
): readonly Refusal[] {
  return strangersOf(planning, scene)
    .filter(({ name }) => name !== 'expired-token')
    .map(({ change, deviation, name }) => ({ id: name, ...change, deviations: [deviation, ...others] }));
}
