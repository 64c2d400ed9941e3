import { validator } from '../src/generate/index.ts';
import { isSingleton, type Operation, operationNamed } from '../src/model/contract.ts';
import { isObject, type Json, type JsonPointer, type JsonSchema } from '../src/model/json.ts';
import { namedTarget, referencesOf } from '../src/model/named-records.ts';
import type { Principal } from '../src/model/principal.ts';
import type { BodyValue, Scenario, Wave } from '../src/model/scenario.ts';
import { schemasAt } from '../src/model/schema-places.ts';
import {
  foreigner,
  holders,
  inScopeOf,
  outsideScopeOf,
  secondCaller,
  thatHolds,
} from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { lookedFor, placed } from '../src/suite-kit/other-scope.ts';
import { reading } from '../src/suite-kit/readback.ts';
import {
  bodyOf,
  hasTarget,
  key,
  readStep,
  reuse,
  type Scene,
  scenario,
  sceneOf,
  send,
  skip,
  when,
} from '../src/suite-kit/scene.ts';
import { type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

export default defineSuite({
  name: 'borrowed-keys',
  title: 'A used key by another caller, from another scope, and with another operation',
  *propose(planning): Iterable<Proposal> {
    const commands = planning.contract.operations.filter((operation) => operation.kind === 'command');
    for (const operation of commands) {
      if (planning.wanted?.has(operation.id) === false) continue;
      const scene = sceneOf(planning, operation);
      if ('remedy' in scene) {
        yield skip(operation, 'IDM-12 IDM-13', scene);
        continue;
      }
      if (operation.body !== undefined || operation.pathFields.length > 0) yield* ofCallers(planning, scene);
      if (commands.length > 1) yield ofOperations(planning, scene, commands);
    }
  },
});

function* ofCallers(planning: Planning, scene: Scene): Iterable<Proposal> {
  const { operation, lead } = scene;
  const second = secondCaller(planning, operation, lead);
  const foreign = foreigner(planning, operation, lead);
  const scenarios = [
    ...(second === undefined ? [] : byOther(planning, scene, second, 'caller')),
    ...(foreign === undefined ? [] : byOther(planning, scene, foreign, 'scope')),
    ...(foreign === undefined ? [] : referredAfar(planning, scene, foreign)),
  ];
  const known = [second, foreign].flatMap((one) => one ?? []);
  const lacking = known
    .map((one) => sceneOf(planning, operation, one, 'control-'))
    .find((one) => 'remedy' in one);
  if (scenarios.length > 0) yield probesOf(operation)('callers', 'IDM-12', scenarios);
  else if (lacking !== undefined && 'remedy' in lacking) yield skip(operation, 'IDM-12', lacking);
  else
    yield skip(operation, 'IDM-12', {
      kind: 'principal',
      remedy: `Give a second caller${thatHolds(operation)}: preferably a valid principal ${outsideScopeOf(lead)}, or else one ${inScopeOf(lead)}.`,
    });
}

/** Where the command has a target, or needs a version, the other caller works on one of its own: both requests are valid. */
function byOther(
  planning: Planning,
  scene: Scene,
  principal: Principal,
  difference: 'caller' | 'scope',
): readonly Scenario[] {
  const targeted = hasTarget(scene);
  const apart = targeted || needsOwn(scene.operation);
  const own = apart ? sceneOf(planning, scene.operation, principal, 'other-') : scene;
  const again = apart ? sceneOf(planning, scene.operation, principal, 'control-') : scene;
  if ('remedy' in own || 'remedy' in again) return [];
  const others = scene.different === undefined ? [] : [false];
  return (targeted ? [false] : [true, ...others]).map((sameBody) => {
    const looks = difference === 'caller' ? noLooks : ownLooks(planning, scene, principal);
    return scenario(
      scene,
      `the key sent by ${principal.name}, with ${sameBody ? 'the same' : 'another'} request`,
      [
        send(scene, 'first', { key: key('key') }),
        // A version may be shown a little later (open point G15).
        ...(apart && !targeted ? [{ wait: 'settle' as const }] : []),
        ...(apart ? own.prelude : []),
        ...looks.before,
        send(own, 'other', {
          ...reuse('first', difference),
          as: principal.name,
          body: bodyOf(own, sameBody ? 'body' : 'different'),
        }),
        ...(sameBody && difference === 'scope' ? looked(planning, scene, principal) : []),
        ...(targeted && difference === 'scope' ? replayedAfar(planning, scene, principal) : []),
        ...(looks.before.length === 0
          ? unless(again, 'other', apart, principal)
          : [...looks.after, control(again, 'other', principal), ...looks.later]),
      ],
      {
        ...own.bodies,
        ...again.bodies,
        body: scene.body(),
        different: scene.different ?? scene.body(),
        // What refuses the other body for itself says nothing of the key.
        control: sameBody ? scene.body() : (scene.different ?? scene.body()),
      },
    );
  });
}

const noLooks: Readonly<Record<'before' | 'after' | 'later', readonly Wave[]>> = {
  before: [],
  after: [],
  later: [],
};

/** The first request again, by who may not reach its target; under an ID of one's choice each scope has its own. */
function replayedAfar(planning: Planning, scene: Scene, other: Principal): readonly Wave[] {
  const { deviations, ...parts } = reuse('first', 'scope');
  const { operation } = scene;
  if (operation.pathFields.some(({ chosen }) => chosen)) return [];
  // What a body only refers to need not be of the caller's scope.
  if (operation.pathFields.length === 0 && namedTarget(operation) === undefined) return [];
  return [
    send(scene, 'afar', {
      ...parts,
      as: other.name,
      ...placed(scene),
      deviations: [{ kind: 'scope' }, ...deviations],
    }),
    ...lookedFor(planning, scene, other, 'afar'),
  ];
}

/**
 * The first request again, by a caller of another scope whose records its body does not name. That may be refused, or make
 * a record of its own; but a key that all scopes share returns the first result.
 */
function referredAfar(planning: Planning, scene: Scene, other: Principal): readonly Scenario[] {
  const { operation } = scene;
  const { deviations, ...parts } = reuse('first', 'scope');
  const refers = referencesOf(planning.contract, operation).length > 0 && hasTarget(scene);
  if (!refers || operation.pathFields.length > 0 || namedTarget(operation) !== undefined) return [];
  if (operation.version !== undefined || operation.verification !== undefined) return [];
  return [
    scenario(
      scene,
      `the key sent by ${other.name}, with the same request, which refers to a record of another scope`,
      [
        send(scene, 'first', { key: key('key') }),
        send(scene, 'afar', { ...parts, as: other.name, deviations: [{ kind: 'reference' }, ...deviations] }),
        ...looked(planning, scene, other, 'afar'),
      ],
      { body: scene.body() },
    ),
  ];
}

/** What the other caller reads of what there is but one of in its scope: many results show nothing of it. */
function ownLooks(planning: Planning, { operation }: Scene, by: Principal): typeof noLooks {
  const own = isSingleton(operation) && !needsOwn(operation) ? sceneOf(planning, operation, by) : undefined;
  if (own === undefined || 'remedy' in own) return noLooks;
  const look = (observes: 'before' | 'after' | 'later') => reading(planning, own, observes);
  return { before: look('before'), after: look('after'), later: look('later') };
}

/** Where each scope counts its records, who cannot read the record that its result names has got that of the other. */
function looked(
  planning: Planning,
  { lead, operation }: Scene,
  other: Principal,
  test = 'other',
): readonly Wave[] {
  const { effect, success } = operation;
  const read = operationNamed(planning.contract, effect?.read);
  const [field, ...further] = read?.pathFields ?? [];
  const at = effect?.id ?? '/id';
  if (read === undefined || field === undefined || further.length > 0) return [];
  if (field.source?.operation !== operation.id || !mayBeCounted(success.schema, at)) return [];
  const readers = holders(planning, read);
  if (!readers.includes(lead) || !readers.includes(other)) return [];
  const look = (id: string, by: Principal, step: string): Wave =>
    send(readStep(planning, id, read, by, { [field.name]: { step, at } }, 'readback'));
  return [
    when(test, 'accepted', [
      { wait: 'settle' },
      look('own-result', other, test),
      look('first-result', lead, 'first'),
    ]),
  ];
}

/** Whether the schema of a result lets its ID be a number, or the digits of one. */
function mayBeCounted(schema: JsonSchema | undefined, at: JsonPointer): boolean {
  return schemasAt(schema ?? true, at).some((one) => {
    if (!isObject(one) || one['$ref'] !== undefined) return true;
    const { format, pattern, type } = one;
    const ids = {
      ...(format === undefined ? {} : { format }),
      ...(pattern === undefined ? {} : { pattern }),
    };
    const isId = validator({ ...ids, type: type ?? ['integer', 'string'] }, { formats: 'assert' });
    return [100112, '100112'].some((id) => isId(id).length === 0);
  });
}

/** Whether a second request needs a target, a version or a verification of its own. */
function needsOwn({ pathFields, verification, version }: Operation): boolean {
  return pathFields.length > 0 || version !== undefined || verification !== undefined;
}

/** Where the borrowed key was refused: the same request under a new one, on a target of its own. */
function unless(scene: Scene, test: string, apart: boolean, principal = scene.lead): readonly Wave[] {
  return [when(test, 'refused', [...(apart ? scene.prelude : []), control(scene, test, principal)])];
}

function control(scene: Scene, test: string, principal: Principal): Wave {
  return send(scene, 'control', {
    controls: test,
    as: principal.name,
    key: key('fresh'),
    body: bodyOf(scene, 'control'),
  });
}

/** The key of another command, which has a result of its own, with this one. */
function ofOperations(planning: Planning, scene: Scene, commands: readonly Operation[]): Proposal {
  const { operation } = scene;
  const twins = commands.flatMap((other) => {
    if (other.id === operation.id) return [];
    const made = sceneOf(planning, other, undefined, 'first-');
    return 'remedy' in made ? [] : [made];
  });
  // Best another kind of result: its ID could not come out of this operation by any other way.
  const sorted = [
    ...twins.filter((twin) => twin.operation.path !== operation.path),
    ...twins.filter((twin) => twin.operation.path === operation.path),
  ];
  const [other] = sorted;
  const again = sceneOf(planning, operation, scene.lead, 'control-');
  if ('remedy' in again) return skip(operation, 'IDM-13', again);
  if (other === undefined)
    return skip(operation, 'IDM-13', {
      kind: 'operation',
      remedy: 'Give a valid principal that holds the permission of a second command of the contract.',
    });
  const apart = hasTarget(again) || needsOwn(operation);
  const bodies = { ...scene.bodies, ...again.bodies };
  const shared = sorted.flatMap((twin) => {
    const body = sharedBody(twin, scene);
    return body === undefined ? [] : [{ twin, body }];
  })[0];
  return probesOf(operation)('operations', 'IDM-13', [
    scenario(
      other,
      `the key of ${other.operation.id} with ${operation.id}`,
      [
        send(other, 'first', { key: key('key'), body: bodyOf(other, 'first') }),
        ...scene.prelude,
        send(scene, 'other', reuse('first', 'operation')),
        ...unless(again, 'other', apart),
      ],
      { ...bodies, first: other.body(), body: scene.body(), control: scene.body() },
    ),
    // Where only bodies are compared, another one is refused whatever its operation.
    ...(shared === undefined
      ? []
      : [
          scenario(
            shared.twin,
            `the key and the body of ${shared.twin.operation.id} with ${operation.id}`,
            [
              send(shared.twin, 'first', { key: key('key') }),
              ...scene.prelude,
              send(scene, 'other', reuse('first', 'operation')),
              ...(apart ? again.prelude : []),
              control(again, 'other', scene.lead),
            ],
            shared.body === 'none' ? bodies : { ...bodies, body: shared.body, control: shared.body },
          ),
        ]),
  ]);
}

/** A body that is valid for two commands, without a part that each must have for itself; `none` where neither has any. */
function sharedBody(one: Scene, other: Scene): BodyValue | 'none' | undefined {
  if ([one, other].every(({ operation }) => operation.body === undefined)) return 'none';
  if ([one, other].some(({ operation }) => hasOwnParts(operation))) return undefined;
  return [other.body(), one.body()].find(({ value }) =>
    [one, other].every(({ operation: { body } }) => body !== undefined && isValid(body.schema, value)),
  );
}

/** Whether the body has a version or a verification, or names a record that is made for it. */
function hasOwnParts({ named = [], verification, version }: Operation): boolean {
  return named.length > 0 || [verification, version].some((part) => part?.carrier.in === 'body');
}

function isValid(schema: JsonSchema, value: Json): boolean {
  return validator(schema)(value).length === 0;
}
