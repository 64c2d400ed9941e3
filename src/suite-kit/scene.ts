import { type Codes, codesOf, type Need } from '../model/clause.ts';
import type { Operation } from '../model/contract.ts';
import { canonicalJson, isArray, isObject, type Json } from '../model/json.ts';
import type { Principal } from '../model/principal.ts';
import type { BodySpec, BodyValue, Deviation, Name, Scenario, Step, Wave } from '../model/scenario.ts';
import { holders, thatHolds } from './cast.ts';
import { type Given, key, lacking, named, send, setup, when } from './setup.ts';
import type { Planning, Skip } from './suite.ts';
import { markable, markedIn } from './values.ts';
import { verifiedEach } from './verifications.ts';

// Suites import all that they build scenarios with from here.
export { verificationInput } from './issued.ts';
export { key, named, reuse, send, when } from './setup.ts';
export { readStep } from './target-reads.ts';

/** What is sent right before a request, and right after it: reads of its target, say. */
export type Around = { readonly before: readonly Wave[]; readonly after: readonly Wave[] };

/** One operation made ready to be sent: its target is made, its version read, its verification obtained. */
export type Scene = {
  readonly operation: Operation;
  readonly lead: Principal;
  readonly bodies: Readonly<Record<Name, BodyValue>>;
  /** Waves that come first: they make the target. */
  readonly prelude: readonly Wave[];
  /** A valid request; `parts` replaces what the probe is about. */
  readonly request: (id: string, parts?: Partial<Step>) => Step;
  readonly body: (value?: Json) => BodyValue;
  /** A valid body that makes another request than the plain one; undefined where none is known. */
  readonly different: BodyValue | undefined;
};

/** A scene for an operation, or what is missing for one. */
export function sceneOf(
  planning: Planning,
  operation: Operation,
  wanted?: Principal,
  tag = '',
  given: Given = {},
): Scene | Need {
  const lead = wanted ?? holders(planning, operation)[0];
  if (lead === undefined)
    return {
      kind: 'principal',
      remedy: `Give a valid principal${thatHolds(operation)} (for ${operation.method} ${operation.path}).`,
    };
  const values = planning.values(operation);
  const short = lacking(planning, operation);
  if (short !== undefined) return short;
  const setting = setup(planning, operation, lead, tag, given);
  if ('remedy' in setting) return setting;
  const { target, version, verification } = setting;
  const { different, marker, plain } = values;
  const other = different !== undefined && marker === undefined ? markable(values, different) : undefined;
  return {
    operation,
    lead,
    bodies:
      other !== undefined && isOtherList(plain, different)
        ? { ...setting.bodies, unlike: other }
        : setting.bodies,
    prelude: setting.waves,
    body: (value) => markedIn(operation, values, value),
    different: marker === undefined ? other : markable(values),
    request: (id, parts = {}) => ({
      id,
      operation: operation.id,
      as: lead.name,
      role: 'control',
      key: operation.kind === 'command' ? key(id) : { use: 'none' },
      body: operation.body === undefined ? { use: 'none' } : named('body'),
      deviations: [],
      ...(target === undefined ? {} : { target }),
      ...(version === undefined ? {} : { version }),
      ...(verification === undefined ? {} : { verification }),
      ...parts,
    }),
  };
}

/** Whether two bodies differ in lists alone: another value of a single member may close or lock its record for good. */
function isOtherList(one: Json | undefined, other: Json | undefined): boolean {
  if (!isObject(one) || !isObject(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) => {
    const [first, second] = [one[name] ?? null, other[name] ?? null];
    return canonicalJson(first) === canonicalJson(second) || (isArray(first) && isArray(second));
  });
}

/** The same scene without a version that the contract lets be left out: several commands would need one each. */
export function withoutVersion(scene: Scene): Scene {
  if (scene.operation.version?.optional !== true) return scene;
  return { ...scene, request: (id, parts) => scene.request(id, { version: { use: 'absent' }, ...parts }) };
}

/** Whether a second scene has another target: its path, or its body, names a record that is made for it. */
export function hasTarget({ operation, request }: Scene): boolean {
  return (
    operation.pathFields.length > 0 ||
    Object.values(request('target').target ?? {}).some((ref) => !('literal' in ref))
  );
}

/** The same scene on a second target; the scene itself where the command needs none. */
export function twinOf(planning: Planning, scene: Scene): Scene {
  if (!hasTarget(scene)) return scene;
  const twin = sceneOf(planning, scene.operation, scene.lead, 'other-');
  return 'remedy' in twin ? scene : twin;
}

/** The same scene on a second target that differs in its last ID alone: who looks at what it is within sees no difference. */
export function siblingOf(planning: Planning, scene: Scene): Scene | undefined {
  const { operation } = scene;
  const { target = {} } = scene.request('target');
  if (operation.pathFields.length < 2 || planning.targets?.has(operation.id) === true) return undefined;
  // What both share would be made ready twice.
  if (planning.prepared?.has(operation.id) === true) return undefined;
  const sibling = sceneOf(planning, operation, scene.lead, 'sibling-', { within: target });
  if ('remedy' in sibling) return undefined;
  const made = sibling.prelude.some(
    (wave) =>
      'steps' in wave &&
      wave.steps.some(({ role, target: of = {} }) => role === 'setup' && isSharedWith(of, target)),
  );
  return made ? sibling : undefined;
}

function isSharedWith(one: NonNullable<Step['target']>, other: NonNullable<Step['target']>): boolean {
  return Object.entries(one).some(([name, ref]) => JSON.stringify(ref) === JSON.stringify(other[name]));
}

export function bodyOf(scene: Scene, name: Name): BodySpec {
  return scene.operation.body === undefined ? { use: 'none' } : named(name);
}

/** Other values, where a command can mark none of its own: its record may have what it sends already. */
export function unmarked({ body, different, operation }: Scene): BodyValue | undefined {
  return operation.body === undefined || body().marker !== undefined ? undefined : different;
}

/** Holds the next command under the key `key`, by the hook. */
export function slowed({ operation }: Scene, milliseconds: number): Wave {
  return {
    hook: 'slow',
    input: { key: 'key:key', operation: operation.id, milliseconds },
    as: 'slowed',
  };
}

export function scenario(
  scene: Scene,
  title: string,
  waves: readonly Wave[],
  bodies: Readonly<Record<Name, BodyValue>> = { body: scene.body() },
): Scenario {
  const { body, kind } = scene.operation;
  // A read with a body is never asked without it, whatever else the scenario sends.
  const asked = kind === 'read' && body !== undefined ? { body: scene.body() } : {};
  return {
    title,
    bodies: { ...asked, ...scene.bodies, ...bodies },
    waves: verifiedEach([...scene.prelude, ...waves]),
  };
}

export function skip(operation: Operation, clauses: Codes, need: Need): Skip {
  return { kind: 'skip', operation: operation.id, clauses: codesOf(clauses), need };
}

/**
 * A faulty request, then the same made valid. After credential and permission errors the control has the same key, to show
 * that it is free. If that is refused, one under a new key distinguishes an occupied key from a general refusal.
 */
export function negative(
  scene: Scene,
  title: string,
  parts: { readonly deviations: readonly Deviation[] } & Partial<Step>,
  options: {
    readonly sameKey?: boolean;
    readonly control?: Partial<Step>;
    /** Of the control under a new key, and what follows it. */
    readonly again?: Partial<Step>;
    readonly after?: readonly Wave[];
    readonly before?: readonly Wave[];
    /** Right before the faulty request, and right after it: reads of the target, say. */
    readonly around?: Around;
    /** Sent at the same time as the faulty request. */
    readonly along?: readonly Step[];
    readonly bodies?: Readonly<Record<Name, BodyValue>>;
    /** A read sends the faulty request again after the control, whose response a cache may have kept. */
    readonly cached?: boolean;
  } = {},
): Scenario {
  const command = scene.operation.kind === 'command';
  const twice = options.cached === true && !command;
  const test = scene.request('test', {
    role: 'test',
    ...(command ? { key: key('key') } : {}),
    ...parts,
  });
  const control = scene.request('control', {
    controls: twice ? '*' : 'test',
    ...(command ? { key: key(options.sameKey === true ? 'key' : 'fresh') } : {}),
    ...options.control,
  });
  const fallback = scene.request('fallback', {
    controls: 'test',
    ...(command ? { key: key('again') } : {}),
    ...options.control,
    ...options.again,
  });
  return scenario(
    scene,
    title,
    [
      ...(options.before ?? []),
      ...(options.around?.before ?? []),
      { steps: [test, ...(options.along ?? [])] },
      ...(options.around?.after ?? []),
      send(control),
      ...(twice ? [send({ ...test, id: 'test-again' })] : []),
      ...(command ? [when('control', 'refused', [send(fallback), ...(options.after ?? [])])] : []),
    ],
    { body: scene.body(), ...options.bodies },
  );
}

/** One of several faulty requests. */
export type Refusal = Partial<Step> & Pick<Step, 'id' | 'deviations'>;

/**
 * Several faulty requests one after the other, all under one key where that is to stay free, and one valid request for all:
 * what is refused leaves key and target as they were. Where only a new key helps the valid request, the key was occupied.
 */
export function refusals(
  scene: Scene,
  title: string,
  tests: readonly Refusal[],
  options: {
    readonly sameKey?: boolean;
    readonly before?: readonly Wave[];
    /** Right before the first faulty request, and right after the last: reads of the target, say. */
    readonly around?: Around;
    readonly bodies?: Scenario['bodies'];
    /** A read sends the faulty requests again after the control, whose response a cache may have kept. */
    readonly cached?: boolean;
  } = {},
): Scenario {
  const { around, before = [], bodies = {}, cached, sameKey = false } = options;
  const command = scene.operation.kind === 'command';
  const under = (name: Name): Partial<Step> => (command ? { key: key(name) } : {});
  const faulty = (test: Refusal, id = test.id): Wave =>
    send(scene, id, { role: 'test', ...under(sameKey ? 'key' : id), ...test, id });
  return scenario(
    scene,
    title,
    [
      ...before,
      ...(around?.before ?? []),
      ...tests.map((test) => faulty(test)),
      ...(around?.after ?? []),
      send(scene, 'control', { controls: '*', ...under(sameKey ? 'key' : 'fresh') }),
      ...(cached === true && !command ? tests.map((test) => faulty(test, `${test.id}-again`)) : []),
      ...(command && sameKey
        ? [when('control', 'refused', [send(scene, 'fallback', { controls: 'control', ...under('again') })])]
        : []),
    ],
    { body: scene.body(), ...bodies },
  );
}
