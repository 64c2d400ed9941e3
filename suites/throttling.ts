import { type Operation, operationOf } from '../src/model/contract.ts';
import { listWithin } from '../src/model/listed.ts';
import { isPermitted, type Principal } from '../src/model/principal.ts';
import type { Scenario, Step, StepId, Wave } from '../src/model/scenario.ts';
import { holders, throttled } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { elsewhere } from '../src/suite-kit/elsewhere.ts';
import {
  bodyOf,
  hasTarget,
  key,
  type Scene,
  scenario,
  sceneOf,
  send,
  skip,
  when,
} from '../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { traced } from '../src/suite-kit/traced.ts';
import { canPress, extent, pressing, reaching, smallest, visible } from './throttling/reaching.ts';
import { unchanged } from './throttling/unchanged.ts';
import { shown } from './valid-commands/shown.ts';

const aims = 'THR-1 THR-2 THR-3 THR-4 THR-5 THR-6 THR-7 THR-8 IDM-14';

export default defineSuite({
  name: 'throttling',
  title: 'Sending too fast: 429, its guidance, the honoured wait, and the key of the throttled command',
  *propose(planning): Iterable<Proposal> {
    const { operations } = planning.contract;
    const wanted = operations.filter(({ id }) => planning.wanted?.has(id) !== false);
    const first = wanted.find((one) => repeatable(planning, one)) ?? wanted[0];
    for (const operation of operations) {
      if (planning.declared.G8.unthrottled)
        yield skip(operation, aims, {
          kind: 'declaration',
          remedy: 'The vendor declares that nothing is throttled (G8: unthrottled).',
        });
      else if (planning.budget === 'quick' && operation !== first)
        yield skip(operation, aims, {
          kind: 'budget',
          remedy: 'Use the standard budget: the quick one tests throttling on one operation only.',
        });
      else yield proposal(planning, operation, operation === first);
    }
  },
});

/** True where a burst of the operation consists of requests that are all valid. */
function repeatable({ targets }: Planning, operation: Operation): boolean {
  if (operation.kind === 'read') return false;
  const given = targets?.get(operation.id);
  return (
    (operation.pathFields.length === 0 || (given !== undefined && 'ids' in given)) &&
    operation.verification === undefined &&
    operation.version === undefined
  );
}

function proposal(planning: Planning, operation: Operation, thorough: boolean): Proposal {
  const principal = throttled(planning, operation);
  const scene = sceneOf(planning, operation, principal);
  if ('remedy' in scene) return skip(operation, aims, scene);
  const burst = (scenarios: readonly Scenario[]): Proposal =>
    probesOf(operation)('burst', aims, scenarios, { alone: { limit: scene.lead.name } });
  const episodes = (): Proposal =>
    burst(Array.from({ length: thorough ? byBudget(planning, 1, 2, 3) : 1 }, () => episode(planning, scene)));
  const mayRepeat = operation.kind === 'read' || repeatable(planning, operation);
  // The record that a body names may allow one such command.
  if (mayRepeat && operation.named === undefined) return episodes();
  const fillers = planning.contract.operations
    .filter((other) => other.kind === 'read' || (other.named === undefined && repeatable(planning, other)))
    .toSorted((one, other) => Math.sign(one.pathFields.length) - Math.sign(other.pathFields.length))
    .flatMap((other) => {
      const made = sceneOf(planning, other, scene.lead, 'filler-');
      const held = isPermitted(scene.lead, other);
      return 'remedy' in made || !held ? [] : [made];
    });
  const [filler] = fillers;
  const again = sceneOf(planning, operation, principal, 'again-');
  if (mayRepeat && (filler === undefined || 'remedy' in again)) return episodes();
  return filler === undefined || 'remedy' in again
    ? skip(operation, aims, {
        kind: 'principal',
        remedy: `Let ${scene.lead.name} hold the permission of an operation without a target record, so that it can reach the limit without using up target records of ${operation.id}.`,
      })
    : burst([
        among(planning, scene, again, filler),
        ...(standsForKind(planning, operation) ? unchanged(planning, scene, again, fillers) : []),
      ]);
}

/**
 * A service throttles all commands in one way: of changes, deletions, other commands on a record, what makes a part of one and what
 * names one in its body, one of each is read; all, where the run is thorough.
 */
function standsForKind({ budget, contract, wanted }: Planning, operation: Operation): boolean {
  const kindOf = (one: Operation): string | undefined => {
    const { effect, kind, method, named, pathFields } = one;
    if (kind === 'read') return undefined;
    if (pathFields.length === 0) return named === undefined ? undefined : 'naming';
    if (method === 'PUT' || method === 'PATCH') return 'change';
    if (method === 'POST' && listWithin(contract, one) !== undefined) return 'part';
    return effect?.read === undefined ? undefined : method === 'DELETE' ? 'deletion' : 'action';
  };
  const kind = kindOf(operation);
  return (
    kind !== undefined &&
    (budget === 'thorough' ||
      operation === contract.operations.find((one) => wanted?.has(one.id) !== false && kindOf(one) === kind))
  );
}

function episode(planning: Planning, scene: Scene): Scenario {
  const keyed = scene.operation.kind === 'command' ? { key: key('key') } : {};
  const paced = (id: string, role: Step['role']): Step =>
    scene.request(id, { role, ...keyed, ...smallest(scene), deviations: [{ kind: 'pace' }] });
  // The other budgets send a burst of each operation.
  const others = planning.budget === 'quick' ? elsewhere(planning, scene) : undefined;
  const { alongside = [] } = bystander(planning, scene);
  const anonymous = anonymously(scene);
  return scenario(
    scene,
    'too fast, then as guided',
    [
      ...visible(scene),
      ...(others?.before ?? []),
      {
        repeat: paced('burst', 'test'),
        alongside: [...alongside, ...anonymous, withOwnRequestId(scene), ...(others?.meanwhile ?? [])],
        ...extent(planning),
      },
      ...afterwards(scene, 'burst', paced),
      ...(scene.operation.pagination === undefined
        ? []
        : [when('burst', 'emptied', [{ wait: unguided }, send(paced('rested', 'readback'))])]),
      ...(others?.after ?? []),
    ],
    {
      body: scene.body(),
      fresh: scene.body(),
      anonymous: scene.body(),
      traced: scene.body(),
      ...bystanderBodies(scene),
      ...others?.bodies,
    },
  );
}

/** For so long a list rests that no response said how long to wait. */
const unguided = 3000;

/** During the burst another integration sends a few at once: one may pass by luck, and a limit recovers later. */
function bystander(planning: Planning, scene: Scene): { readonly alongside?: readonly Step[] } {
  // The last one: the others are more likely to be near their own limit.
  const other = holders(planning, scene.operation).findLast(
    (principal) =>
      principal.identity !== scene.lead.identity &&
      (!hasTarget(scene) || principal.scope === scene.lead.scope),
  );
  if (other === undefined) return {};
  return {
    alongside: bystanders.map((id) =>
      scene.request(id, {
        role: 'readback',
        as: other.name,
        body: bodyOf(scene, id),
        ...smallest(scene),
        deviations: [{ kind: 'pace' }],
      }),
    ),
  };
}

/** A limiter may come before authentication, and refuse a caller without a token in another way. */
function anonymously(scene: Scene): readonly Step[] {
  if (scene.operation.permissions === undefined) return [];
  return [
    scene.request('anonymous', {
      role: 'readback',
      token: 'absent',
      body: bodyOf(scene, 'anonymous'),
      ...smallest(scene),
      deviations: [{ kind: 'pace' }, { kind: 'credential', how: 'absent' }],
    }),
  ];
}

/** A limiter may repeat the request ID of a client where the service behind it does not. */
function withOwnRequestId(scene: Scene): Step {
  return scene.request('traced', {
    role: 'readback',
    body: bodyOf(scene, 'traced'),
    ...smallest(scene),
    ...traced({ deviations: [{ kind: 'pace' }] }),
  });
}

const bystanders = ['bystander', 'bystander-2', 'bystander-3'];

function bystanderBodies(scene: Scene): Scenario['bodies'] {
  return Object.fromEntries(bystanders.map((id) => [id, scene.body()]));
}

/** The wait as guided, up to three times; then a new key, and the first one again, distinguish an occupied key from throttling. */
function afterwards(
  scene: Scene,
  from: string,
  paced: (id: string, role: Step['role']) => Step,
  tag = '',
): readonly Wave[] {
  const again = (before: string, id: string, waves: readonly Wave[]): Wave =>
    when(before, 'refused', [{ wait: { guidance: before } }, send(paced(id, 'control')), ...waves]);
  const ids = ['honoured', 'honoured-again', 'honoured-thrice'].map((id) => `${tag}${id}`);
  const [one = '', two = '', three = ''] = ids;
  const fresh = `${tag}fresh`;
  return [
    { wait: { guidance: from } },
    send(paced(one, 'control')),
    again(one, two, [
      again(two, three, [
        when(three, 'refused', [
          send(scene, fresh, {
            ...(scene.operation.kind === 'command' ? { key: key(fresh) } : {}),
            body: bodyOf(scene, 'fresh'),
          }),
          // A limit that others had used up refuses for a while; an occupied key refuses still.
          when(fresh, 'accepted', [
            { wait: { guidance: three } },
            send(paced(`${tag}honoured-last`, 'control')),
          ]),
        ]),
      ]),
    ]),
  ];
}

/** A read of what a step made by the caller that made it, if it may: another one need not see that. */
function readByItself(planning: Planning, scene: Scene, step: StepId): readonly Wave[] {
  const { lead } = scene;
  return shown(planning, scene, true, step).map((wave) =>
    'waves' in wave
      ? {
          ...wave,
          waves: wave.waves.map((each) =>
            'steps' in each ? { steps: each.steps.map((one) => asCaller(planning, lead, one)) } : each,
          ),
        }
      : wave,
  );
}

function asCaller({ contract }: Planning, lead: Principal, step: Step): Step {
  return isPermitted(lead, operationOf(contract, step.operation)) ? { ...step, as: lead.name } : step;
}

/**
 * Another operation reaches the limit for a command that cannot be sent again and again. If it slipped through, the limit may be
 * its own: then the record of that command is used to reach it.
 */
function among(planning: Planning, scene: Scene, again: Scene, filler: Scene): Scenario {
  const reach = (tag: string, limited: Step): Wave =>
    tag === '' || !canPress(scene)
      ? { ...reaching(planning, filler, tag, limited), ...(tag === '' ? bystander(planning, filler) : {}) }
      : pressing(planning, scene, limited);
  const round = (own: Scene, tag: string): readonly Wave[] => {
    const paced = (id: string, role: Step['role']): Step =>
      own.request(id, { role, key: key(`${tag}key`), deviations: [{ kind: 'pace' }] });
    const limited = `${tag}limited`;
    return [
      reach(tag, paced(limited, 'test')),
      when(limited, 'refused', afterwards(own, limited, paced, tag)),
      // What slipped through is there, unless only its result says that it was done.
      ...(tag === '' ? readByItself(planning, own, limited) : []),
    ];
  };
  return scenario(
    scene,
    `too fast with ${filler.operation.id}, then ${scene.operation.id}`,
    [
      ...filler.prelude,
      ...visible(filler),
      ...round(scene, ''),
      when('limited', 'unlimited', [...again.prelude, ...round(again, 'again-')]),
    ],
    {
      ...filler.bodies,
      ...again.bodies,
      body: scene.body(),
      filler: filler.body(),
      press: scene.body(),
      ...bystanderBodies(filler),
      fresh: scene.body(),
    },
  );
}
