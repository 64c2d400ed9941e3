import type { Principal } from '../../src/model/principal.ts';
import { type StepId, stepsOf, type Wave } from '../../src/model/scenario.ts';
import { holders, inScopeOf } from '../../src/suite-kit/cast.ts';
import {
  type Scene,
  scenario,
  sceneOf,
  send,
  skip,
  verificationInput,
  when,
} from '../../src/suite-kit/scene.ts';
import { type Planning, type Proposal, probesOf } from '../../src/suite-kit/suite.ts';

export function* exactHolder(planning: Planning, scene: Scene): Iterable<Proposal> {
  const { operation } = scene;
  const needed = operation.permissions ?? [];
  const able = holders(planning, operation);
  const exact = able.find(
    ({ permissions, scope }) => permissions.length === needed.length && scope === scene.lead.scope,
  );
  if (exact === undefined) {
    yield skip(operation, 'PRM-2', {
      kind: 'principal',
      remedy: `Give a valid principal ${inScopeOf(scene.lead)} that holds ${needed.join(' and ')} and nothing else.`,
    });
    return;
  }
  const own = sceneOf(planning, operation, exact);
  if ('remedy' in own) return;
  const exactly = own.request('exact', { role: 'test' });
  const callers = broaderCallers(able, exact, own, needed.length);
  yield probesOf(operation)('exact-holder', 'PRM-2', [
    scenario(own, 'exactly the permission, and no other', [
      send(exactly),
      ...afterRefusal(own, 'exact', callers),
    ]),
  ]);
}

/** Where a step was refused, the same request by one caller after the other, until one is accepted. */
function afterRefusal(own: Scene, step: StepId, [caller, ...others]: readonly Principal[]): readonly Wave[] {
  if (caller === undefined) return [];
  const id = `as-${caller.name}`;
  return [when(step, 'refused', [...asBroader(own, caller, id), ...afterRefusal(own, id, others)])];
}

/** Callers with more permissions, one for each set of them; best such as did not make the target, and so do not own it. */
function broaderCallers(
  able: readonly Principal[],
  exact: Principal,
  { prelude }: Scene,
  needed: number,
): readonly Principal[] {
  const makers = new Set(stepsOf(prelude).flatMap(({ as, role }) => (role === 'setup' ? [as] : [])));
  const makes = ({ identity }: Principal): boolean =>
    able.some((one) => one.identity === identity && makers.has(one.name));
  const sets = new Map<string, Principal>();
  for (const one of able) {
    const set = [...one.permissions].sort().join(' ');
    const known = sets.get(set);
    if (one.permissions.length > needed && one.scope === exact.scope && (known === undefined || makes(known)))
      sets.set(set, one);
  }
  return [...sets.values()].slice(0, 4);
}

/** The refused request by a caller with more permissions. A read may show its record a little later (open point G15). */
function asBroader(own: Scene, caller: Principal, id: string): readonly Wave[] {
  const { operation } = own;
  const step = own.request(id, { as: caller.name, controls: 'exact' });
  if (operation.kind === 'read' && operation.pathFields.length > 0)
    return [
      { poll: step, until: 'found', max: 5 },
      when(id, 'accepted', [send(own, `after-${id}`, { role: 'test' })]),
    ];
  if (operation.verification === undefined) return [send(step)];
  const as = `issued-${id}`;
  return [
    {
      hook: operation.verification.hook,
      as,
      input: verificationInput(operation, caller, step.target, 'valid'),
    },
    send({ ...step, verification: { use: 'hook', step: as } }),
  ];
}
