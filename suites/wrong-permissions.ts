import type { Operation } from '../src/model/contract.ts';
import { bare } from '../src/model/path.ts';
import type { Principal } from '../src/model/principal.ts';
import type { Deviation, How, Scenario, Step, Wave } from '../src/model/scenario.ts';
import { inScopeOf, outsiders, passesFor, secondCaller, thatHolds } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { withHolder } from '../src/suite-kit/holder-readings.ts';
import { verifiedAs } from '../src/suite-kit/other-scope.ts';
import { optionalQuery } from '../src/suite-kit/query.ts';
import { readings } from '../src/suite-kit/readback.ts';
import {
  bodyOf,
  hasTarget,
  key,
  negative,
  refusals,
  type Scene,
  scenario,
  sceneOf,
  send,
  skip,
} from '../src/suite-kit/scene.ts';
import { byBudget, inParts, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import { laterPage } from './reads/later-page.ts';
import { exactHolder } from './wrong-permissions/exact-holder.ts';
import { otherForms } from './wrong-permissions/other-forms.ts';
import { withAllMembers } from './wrong-permissions/with-all-members.ts';
import { inWrongScope } from './wrong-permissions/wrong-scope.ts';

const lacking = (how: How<'permission'>): Deviation => ({ kind: 'permission', how });
const clauseOfHow: Readonly<Record<How<'permission'>, string>> = {
  none: 'PRM-1',
  'near-miss': 'PRM-3',
  sibling: 'PRM-4',
  withdrawn: 'PRM-10',
};
/** What only a caller who lacks a permission can test, or one who holds it alone. */
const ofNames = 'PRM-1 PRM-2 PRM-3 PRM-4 PRM-6 PRM-7 PRM-8 PRM-9 PRM-10 RDS-2 PRE-2';
const unnamed =
  'Name the exact permission of each operation in the contract, in the role list of its bearer token: security: [{ serverToken: [case.create] }].';

export default defineSuite({
  name: 'wrong-permissions',
  title: 'Callers without the permission, with one that resembles it, and in another scope',
  for: ({ permissions }) => permissions !== undefined,
  clauses: 'PRM-1 PRM-2 PRM-3 PRM-4 PRM-5 PRM-6 PRM-7 PRM-8 PRM-9 PRM-10 RDS-2',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    const names = operation.permissions ?? [];
    if (names.length === 0) {
      yield skip(operation, ofNames, { kind: 'declaration', remedy: unnamed });
      yield* inWrongScope(planning, scene);
      return;
    }
    const needed = names.join(' and ');
    // No other operation needs anything else: a permission that no operation needs stands for a sibling's.
    const alone = planning.contract.operations.every(({ permissions = [] }) =>
      permissions.every((name) => names.length === 1 && name === names[0]),
    );
    const everyone = outsiders(planning, operation);
    const others = byBudget(planning, informative(planning, operation, everyone), everyone, everyone);
    const [first] = others;
    if (first !== undefined)
      yield probe(`as-${first.principal.name}`, `${clauseOfHow[first.how]} PRM-6`, [
        negative(
          scene,
          `as ${first.principal.name}, which holds ${first.principal.permissions.join(', ') || 'nothing'}`,
          { as: first.principal.name, deviations: [lacking(first.how)] },
          { sameKey: true, around: withHolder(planning, scene, readings(planning, scene)) },
        ),
      ]);
    for (const how of ['none', 'near-miss', 'sibling'] as const) {
      const alike = others.filter((one) => one !== first && one.how === how);
      const parts = inParts(alike, mostInTurn);
      if (parts.length > 0)
        yield probe(
          how,
          `${clauseOfHow[how]} PRM-6`,
          parts.map((part) => inTurn(scene, part, how)),
        );
    }
    // A caller without a similar permission proves PRM-1, whatever else it holds.
    const broad = others.filter((one) => one.how === 'sibling' && one.principal.permissions.length > 1);
    if (broad.length > 0)
      yield probe(
        'none-of-it',
        'PRM-1 PRM-6',
        inParts(broad, mostInTurn).map((part) => inTurn(scene, part, 'none')),
      );
    for (const [how, remedy] of [
      ['none', `Give a valid principal without ${needed}.`],
      ['near-miss', `Give a valid principal whose permission resembles ${needed} without being it.`],
      ['sibling', `Give a valid principal that holds another operation's permission, and not ${needed}.`],
    ] as const)
      if (
        !others.some((one) => one.how === how || (how === 'none' && one.how === 'sibling')) &&
        !(how === 'sibling' && alone)
      )
        yield skip(
          operation,
          how === 'none' ? ['PRM-1', 'PRM-6', 'PRM-7', 'PRM-8', 'PRM-9', 'RDS-2', 'PRE-2'] : clauseOfHow[how],
          { kind: 'principal', remedy },
        );
    if (alone && !others.some((one) => one.how === 'sibling')) {
      const stranger = everyone.find(
        ({ principal: { permissions } }) =>
          permissions.length > 0 && !permissions.some((name) => names.some((one) => passesFor(name, one))),
      );
      if (stranger !== undefined)
        yield probe(`sibling-${stranger.principal.name}`, 'PRM-4', [
          negative(
            scene,
            `as ${stranger.principal.name}, with the permission of something else`,
            { as: stranger.principal.name, deviations: [lacking('sibling')] },
            { sameKey: true },
          ),
        ]);
      else
        yield skip(operation, 'PRM-4', {
          kind: 'principal',
          remedy: `Give a valid principal that holds another permission, and not ${needed}.`,
        });
    }
    const outsider = (others.find((one) => one.how === 'none') ?? others[0])?.principal;
    if (outsider !== undefined) {
      yield probe('stable', 'PRM-7', [stable(scene, outsider)]);
      const parts = { as: outsider.name, deviations: [lacking('none')] };
      const later = laterPage(planning, scene, 'without the permission', parts);
      if (later.length > 0) yield probe('later-page', 'PRM-1 RDS-2', later);
      const full = withAllMembers(planning, scene, outsider, lacking('none'));
      if (full.length > 0) yield probe('all-members', 'PRM-1 PRM-6', full);
      const optional = operation.kind === 'read' ? optionalQuery(operation) : [];
      if (optional.length > 0)
        yield probe('optional-fields', 'PRM-1 RDS-2', [
          negative(
            scene,
            'without the permission, with every query field that may be left out',
            { as: outsider.name, query: optional, deviations: [lacking('none')] },
            { control: { query: optional } },
          ),
        ]);
      const verified = verifiedAs(planning, scene, outsider, [lacking('none')]);
      if (verified.length > 0) yield probe('verified', 'PRM-1', verified);
      // With another's verification, a caller whose permission the service takes for the right one may be refused for that.
      for (const { how, principal } of others) {
        const own = how === 'none' ? [] : verifiedAs(planning, scene, principal, [lacking(how)]);
        if (own.length > 0 && principal !== outsider)
          yield probe(`verified-${principal.name}`, clauseOfHow[how], own);
      }
      if (operation.kind === 'command') yield probe('replay', 'PRM-8', [replayed(scene, outsider)]);
      yield probe('noise', 'PRM-9', [otherForms(scene, planning, outsider, lacking('none'))]);
    }
    yield* withdrawn(planning, scene);
    yield* exactHolder(planning, scene);
    yield* inWrongScope(planning, scene);
  },
});

/** So many callers share a control. */
const mostInTurn = 8;

function inTurn(
  scene: Scene,
  callers: readonly { readonly principal: Principal }[],
  how: How<'permission'>,
): Scenario {
  return refusals(
    scene,
    `as ${callers.map(({ principal }) => principal.name).join(', ')}${how === 'none' ? ', without the permission' : ''}`,
    callers.map(({ principal: { name } }) => ({ id: `as-${name}`, as: name, deviations: [lacking(how)] })),
    { sameKey: true },
  );
}

/** The outsiders that show most: all near misses, and of the siblings who holds most, who holds what other reads or commands need, and who holds what the same resource does. */
function informative(
  planning: Planning,
  operation: Operation,
  others: ReturnType<typeof outsiders>,
): ReturnType<typeof outsiders> {
  const path = bare(operation.path);
  const near = [path, path.slice(0, path.lastIndexOf('/'))];
  const nearby = new Set(
    planning.contract.operations
      .filter((other) => other.id !== operation.id && near.includes(bare(other.path)))
      .flatMap((other) => other.permissions ?? []),
  );
  const siblings = others.filter((one) => one.how === 'sibling');
  const most = Math.max(0, ...siblings.map((one) => one.principal.permissions.length));
  const broadest = siblings.find((one) => one.principal.permissions.length === most);
  // A service may take any read permission for any read, or any permission on a resource for another one.
  const alike = new Set(
    planning.contract.operations
      .filter((other) => other.id !== operation.id && other.kind === operation.kind)
      .flatMap((other) => other.permissions ?? []),
  );
  const resources = new Set((operation.permissions ?? []).map(resourceOf));
  const likeliest = [
    (name: string) => alike.has(name),
    (name: string) => nearby.has(name) || resources.has(resourceOf(name)),
  ].map((isLike) => {
    const likeness = ({ principal }: (typeof others)[number]): number =>
      principal.permissions.filter(isLike).length;
    if (broadest === undefined || likeness(broadest) > 0) return undefined;
    const closest = Math.max(...siblings.map(likeness));
    return closest === 0 ? undefined : siblings.find((one) => likeness(one) === closest);
  });
  const none = others.find((one) => one.how === 'none');
  // Of several needed permissions each is lacked by somebody who holds the others, or most of them.
  const needed = operation.permissions ?? [];
  const held = ({ principal }: (typeof others)[number]): number =>
    needed.filter((name) => principal.permissions.includes(name)).length;
  const partial = new Set(
    needed.map((name) =>
      others
        .filter((one) => held(one) > 0 && !one.principal.permissions.includes(name))
        .reduce<(typeof others)[number] | undefined>(
          (most, one) => (most === undefined || held(one) > held(most) ? one : most),
          undefined,
        ),
    ),
  );
  const chosen = new Set(
    others.filter(
      (one) =>
        one.how === 'near-miss' ||
        one === broadest ||
        likeliest.includes(one) ||
        one === none ||
        partial.has(one) ||
        (one.how === 'sibling' &&
          one.principal.permissions.length === 1 &&
          one.principal.permissions.every((name) => nearby.has(name))),
    ),
  );
  // Whichever permission on the resource is taken for the needed one, somebody who holds it tries.
  const close = planning.contract.operations
    .flatMap(({ permissions = [] }) => permissions)
    .filter((name) => !needed.includes(name) && (nearby.has(name) || resources.has(resourceOf(name))));
  for (;;) {
    const missing = close.filter((name) => ![...chosen].some((one) => holdsOne(one, [name])));
    const next = siblings.find((one) => holdsOne(one, missing));
    if (next === undefined) break;
    chosen.add(next);
  }
  return others.filter((one) => chosen.has(one));
}

function holdsOne({ principal }: { readonly principal: Principal }, names: readonly string[]): boolean {
  return names.some((name) => principal.permissions.includes(name));
}

/** What a permission is on, where its name says so: `case` of `case.read`. */
function resourceOf(permission: string): string {
  return permission.replace(/[.:/][^.:/]*$/, '');
}

/** The refused request three times, with an accepted one of another principal between. */
function stable(scene: Scene, outsider: Principal): Scenario {
  const refused = (id: string): Wave =>
    send(scene, id, { role: 'test', as: outsider.name, deviations: [lacking('none')] });
  const accepted = (id: string): Wave => send(scene, id, { controls: '*' });
  const repeatable =
    scene.operation.conflict === undefined &&
    scene.operation.method !== 'DELETE' &&
    scene.operation.version === undefined &&
    scene.operation.verification === undefined;
  return scenario(
    scene,
    'the refusal is stable',
    repeatable
      ? [
          refused('one'),
          accepted('between'),
          refused('two'),
          accepted('again'),
          refused('three'),
          refused('four'),
          refused('five'),
        ]
      : [refused('one'), refused('two'), refused('three'), accepted('after')],
  );
}

/** Another's key and body, by a caller without the permission. */
function replayed(scene: Scene, outsider: Principal): Scenario {
  const test: Step = scene.request('test', {
    role: 'test',
    as: outsider.name,
    key: key('used'),
    deviations: [lacking('none'), { kind: 'key-reuse', of: 'first', difference: 'caller' }],
  });
  return scenario(scene, "another's key and body, without the permission", [
    send(scene, 'first', { key: key('used'), controls: 'test' }),
    send(test),
  ]);
}

/** The permission is withdrawn by a hook; the retry under the used key, or a second read, must be refused. */
function* withdrawn(planning: Planning, scene: Scene): Iterable<Proposal> {
  const { operation } = scene;
  const subject = secondCaller(planning, operation, scene.lead);
  if (!planning.hooks.has('revoke') || !planning.hooks.has('restore')) {
    yield skip(operation, 'PRM-10', {
      kind: 'hook',
      remedy:
        'Configure the hooks `revoke` and `restore`, which withdraw a permission from a principal and give it back.',
    });
    return;
  }
  if (subject === undefined) {
    yield skip(operation, 'PRM-10', {
      kind: 'principal',
      remedy: `Give a second caller${thatHolds(operation)}, a valid principal ${inScopeOf(scene.lead)}: its permission is withdrawn for a moment.`,
    });
    return;
  }
  const own = sceneOf(planning, operation, subject);
  if ('remedy' in own) {
    yield skip(operation, 'PRM-10', own);
    return;
  }
  // Where several are needed, each is withdrawn alone: no hook has to take a list apart.
  for (const [index, permission] of (operation.permissions ?? []).entries())
    yield withdrawnOnce(own, subject, permission, index === 0 ? 'withdrawn' : `withdrawn-${index + 1}`);
}

function withdrawnOnce(own: Scene, subject: Principal, permission: string, id: string): Proposal {
  const input = { principal: subject.name, permission };
  const isRead = own.operation.kind === 'read';
  const revoke: Wave = { hook: 'revoke', input, as: 'revoked' };
  const restore: Wave = { hook: 'restore', input, as: 'restored' };
  const used = isRead ? {} : { key: key('used'), body: bodyOf(own, 'used') };
  const first = send(own, 'first', { ...used, controls: 'again' });
  const again = own.request('again', {
    role: 'test',
    ...used,
    deviations: [
      lacking('withdrawn'),
      ...(isRead ? [] : [{ kind: 'key-reuse', of: 'first', difference: 'none' } as const]),
    ],
  });
  // Nobody else uses the caller meanwhile: where no command needs a target of its own, both keys are sent at once.
  const together = !isRead && !hasTarget(own) && own.prelude.length === 0;
  const bodies = isRead ? {} : { used: own.body() };
  // Each caller may have its own keys (open point G18): only the same one can show that its key is free.
  const free = negative(
    own,
    `a new key after the permission was withdrawn, and again when it is back${together ? '; the used key' : ''}`,
    { deviations: [lacking('withdrawn')] },
    {
      sameKey: true,
      before: together ? [first, revoke] : [revoke],
      along: together ? [again] : [],
      around: { before: [], after: [restore] },
      // A permission that comes back late is missed under every key at first.
      after: [send(own, 'later', { key: key('key'), controls: 'test' })],
      ...(together ? { bodies } : {}),
    },
  );
  const alone = scenario(
    own,
    `${isRead ? 'a read' : 'the used key'} after the permission was withdrawn`,
    [first, revoke, send(again), restore],
    isRead ? undefined : bodies,
  );
  return probesOf(own.operation)(
    id,
    isRead ? 'PRM-10' : 'PRM-6 PRM-10',
    together ? [free] : [alone, ...(isRead ? [] : [free])],
    { alone: { principal: subject.name } },
  );
}
