import { validator } from '../generate/index.ts';
import { isPlaced, operationOf } from '../model/contract.ts';
import { asText, isArray, isObject, type JsonObject, type JsonSchema } from '../model/json.ts';
import { asksInBody, namedTarget } from '../model/named-records.ts';
import { bare } from '../model/path.ts';
import type { Principal } from '../model/principal.ts';
import type { BodyValue, Deviation, Scenario, Step, Wave } from '../model/scenario.ts';
import { standIn } from './cast.ts';
import { claimedInBody, claimedInHeaders, claimedInQuery } from './claims.ts';
import { readings } from './readback.ts';
import {
  bodyOf,
  key,
  negative,
  readStep,
  type Scene,
  sceneOf,
  send,
  verificationInput,
  when,
  withoutVersion,
} from './scene.ts';
import type { Planning } from './suite.ts';

/** A caller of another scope on the target: as it is, claiming the scope in headers, and by ways around. */
export function otherScopeScenarios(planning: Planning, own: Scene, other: Principal): readonly Scenario[] {
  // Under a name that each scope has for itself, the version of the first scope conflicts in the other one.
  const isMade = own.operation.pathFields.every(
    ({ source, chosen }) => source !== undefined && chosen !== true,
  );
  const scene = isMade ? own : withoutVersion(own);
  const looks = lookedFor(planning, scene, other);
  return [
    ...[
      negative(
        scene,
        `as ${other.name}, of another scope`,
        { as: other.name, ...placed(scene), deviations: [{ kind: 'scope' }] },
        { cached: true, ...madeBefore(scene), around: readings(planning, scene) },
      ),
      ...choosing(planning, scene, other),
      ...verifiedAs(planning, scene, other, [{ kind: 'scope' }]),
    ].map((one) => ({ ...one, waves: [...one.waves, ...looks] })),
    ...asking(scene, other),
    ...outdated(planning, scene, other),
    ...underOwn(planning, scene, other),
    ...withinOwn(planning, scene, other),
  ];
}

/** A read that is asked for more, or for another form, may go another way to the record. */
function asking(scene: Scene, other: Principal): readonly Scenario[] {
  const { kind, method, pathFields, queryFields } = scene.operation;
  if (kind !== 'read' || method === 'HEAD' || pathFields.length === 0) return [];
  const query = queryFields.flatMap(({ filters, name, required, schema, style, value }) => {
    const [choice] = choicesOf(schema);
    const isLeftOut = !required && value === undefined && filters === undefined && style !== 'deepObject';
    return isLeftOut && choice !== undefined ? [[name, choice] as const] : [];
  });
  if (query.length === 0) return [];
  return [
    negative(
      scene,
      `as ${other.name}, of another scope, with ${query.map((field) => field.join('=')).join(' and ')}`,
      { as: other.name, ...placed(scene), query, deviations: [{ kind: 'scope' }] },
      { control: { query } },
    ),
  ];
}

/** Values that a schema names, or true where it takes true and false; of a list, those of its items. */
function choicesOf(schema: JsonSchema): readonly string[] {
  const { enum: named, items, type }: JsonObject = isObject(schema) ? schema : {};
  if (isArray(named)) return named.filter((one) => one !== null).map(asText);
  return type === 'boolean' ? ['true'] : isObject(items) ? choicesOf(items) : [];
}

/** With a wrong version as well: who compares versions first may show the record in the conflict. */
function outdated(planning: Planning, scene: Scene, other: Principal): readonly Scenario[] {
  const { pathFields, version, verification } = scene.operation;
  if (version === undefined || verification !== undefined || pathFields.some(({ chosen }) => chosen))
    return [];
  return [
    negative(
      scene,
      `as ${other.name}, of another scope, with a version that no record has`,
      {
        as: other.name,
        ...placed(scene),
        version: { use: 'literal', value: '9999' },
        deviations: [{ kind: 'scope' }, { kind: 'version', how: 'garbage' }],
      },
      { around: readings(planning, scene) },
    ),
  ];
}

/** Reads the ID of the target in both scopes: where each counts its records, the ID alone does not show whose was meant. */
export function lookedFor(
  planning: Planning,
  scene: Scene,
  other: Principal,
  test = 'test',
): readonly Wave[] {
  const { lead, operation } = scene;
  const target = scene.request('test').target ?? {};
  if (operation.method === 'DELETE' || isPlaced(operation)) return [];
  if (operation.pathFields.some(({ chosen }) => chosen)) return [];
  const record = namedTarget(operation);
  const [read] = planning.contract.operations
    .filter(({ id }) => record === undefined || id === record.read)
    .filter(
      ({ id, kind, method, path, pathFields, shared }) =>
        ((method === 'GET' && bare(path).endsWith('}')) || asksInBody({ kind, pathFields })) &&
        id !== operation.id &&
        shared !== true &&
        (record !== undefined ||
          ((operation.path === path || /^[/:]/.test(bare(operation.path).slice(bare(path).length))) &&
            bare(operation.path).startsWith(bare(path)))) &&
        pathFields.length > 0 &&
        pathFields.every(({ name }) => Object.hasOwn(target, name)),
    )
    .toSorted((a, b) => b.path.length - a.path.length);
  if (read === undefined) return [];
  const near = standIn(planning, read, lead);
  const afar = standIn(planning, read, other);
  if (near === undefined || afar?.identity !== other.identity) return [];
  const asked = Object.fromEntries(
    Object.entries(target).filter(([name]) => read.pathFields.some((field) => field.name === name)),
  );
  const reads = [
    send({
      ...readStep(planning, 'from-afar', read, afar, asked, 'readback'),
      deviations: [{ kind: 'scope' }],
    }),
    send(readStep(planning, 'from-near', read, near, asked, 'readback')),
  ];
  const isCounted = read.pathFields.every(({ schema }) =>
    ['7', 7].some((one) => validator(schema, { formats: 'assert' })(one).length === 0),
  );
  // What other reads return shows itself whose it is; HEAD returns nothing.
  const shows = operation.kind === 'read' && operation.method !== 'HEAD';
  return [
    ...(shows ? [] : [when(test, 'accepted', [{ wait: 'settle' }, ...reads])]),
    ...(isCounted && test === 'test' ? [when(test, 'refused', reads)] : []),
  ];
}

/** Where a path names the scope of its caller: that of the first scope. */
export function placed({ lead, operation }: Scene): { readonly within?: string } {
  return isPlaced(operation) ? { within: lead.name } : {};
}

/** Who claims a scope fills in whatever names it. */
export function claiming({ lead, operation }: Scene): { readonly within?: string } {
  return operation.ownParameters === undefined ? {} : { within: lead.name };
}

/**
 * The record of the first scope, under a path that names the caller's own: there is none there. Under a name that callers
 * choose it may have a record of its own, unless that is within a record of the first scope.
 */
function underOwn(planning: Planning, scene: Scene, other: Principal): readonly Scenario[] {
  const isMade = scene.operation.pathFields.some(({ chosen }) => chosen !== true);
  if (!isPlaced(scene.operation) || !isMade) return [];
  return [
    negative(
      scene,
      `as ${other.name}, of another scope, under a path of its own`,
      { as: other.name, deviations: [{ kind: 'scope' }] },
      { around: readings(planning, scene) },
    ),
  ];
}

/** The caller of another scope claims the scope of the target in headers. */
function choosing(planning: Planning, scene: Scene, other: Principal): readonly Scenario[] {
  const { scope } = scene.lead;
  if (scope === undefined) return [];
  const claims = claimedInHeaders(scope);
  return [
    negative(
      scene,
      `as ${other.name}, of another scope, with headers that name the scope of the target`,
      {
        as: other.name,
        ...claiming(scene),
        headers: claims.headers,
        deviations: [{ kind: 'scope' }, ...claims.deviations],
      },
      { ...madeBefore(scene), around: readings(planning, scene) },
    ),
    ...claimedWithin(planning, scene, other, scope),
  ];
}

/** The same in the query and the body; a record under a chosen ID may be the caller's own all the same. */
function claimedWithin(
  planning: Planning,
  scene: Scene,
  other: Principal,
  scope: string,
): readonly Scenario[] {
  const { operation } = scene;
  if (operation.kind === 'read' || operation.pathFields.some(({ chosen }) => chosen)) return [];
  const plain = scene.body();
  const query = claimedInQuery(scope, operation.queryFields);
  const body = claimedInBody(scope, operation, plain.value);
  return [
    negative(
      scene,
      `as ${other.name}, of another scope, with query fields and members that name the scope of the target`,
      {
        as: other.name,
        ...claiming(scene),
        query: query.query,
        ...(body === undefined ? {} : { body: { use: 'named', name: 'claiming', edit: body.edit } }),
        deviations: [{ kind: 'scope' }, ...query.deviations, ...(body?.deviations ?? [])],
      },
      { around: readings(planning, scene), bodies: { claiming: plain } },
    ),
  ];
}

/** The record of the other scope, sought within a record of the caller's own: `/own parent/foreign child`. */
function withinOwn(planning: Planning, scene: Scene, other: Principal): readonly Scenario[] {
  const last = scene.operation.pathFields.at(-1);
  if (scene.operation.pathFields.length < 2 || last?.source === undefined) return [];
  // What makes such a record goes through the same parents: there the caller's own have no record yet.
  const maker = operationOf(planning.contract, last.source.operation);
  const own = sceneOf(planning, maker, other, 'own-');
  const child = scene.request('test').target?.[last.name];
  if ('remedy' in own || child === undefined) return [];
  const target = { ...own.request('test').target, [last.name]: child };
  if (scene.operation.pathFields.some(({ name }) => !Object.hasOwn(target, name))) return [];
  const { before, verification } = issuedTo(scene, other, target);
  return [
    negative(
      scene,
      `as ${other.name}, of another scope, within a record of its own`,
      { as: other.name, target, ...verification, deviations: [{ kind: 'scope', through: 'own' }] },
      { before: [...own.prelude, ...before], bodies: own.bodies, around: readings(planning, scene) },
    ),
  ];
}

/** A stronger verification of the caller's own for a target, where the operation asks for one. */
function issuedTo(
  { operation }: Scene,
  caller: Principal,
  target: Step['target'],
): { readonly before: readonly Wave[]; readonly verification: Pick<Step, 'verification'> } {
  if (operation.verification === undefined) return { before: [], verification: {} };
  const { hook } = operation.verification;
  return {
    before: [{ hook, as: 'issued', input: verificationInput(operation, caller, target, 'valid') }],
    verification: { verification: { use: 'hook', step: 'issued' } },
  };
}

/** With the caller's own verification: with one of somebody else the refusal may be for that alone. */
export function verifiedAs(
  planning: Planning,
  scene: Scene,
  other: Principal,
  deviations: readonly Deviation[],
): readonly Scenario[] {
  if (scene.operation.verification === undefined) return [];
  const issued = issuedTo(scene, other, scene.request('test').target);
  const { before = [], bodies = {} } = madeBefore(scene);
  return [
    negative(
      scene,
      `as ${other.name}, with a stronger verification of its own`,
      { as: other.name, ...placed(scene), ...issued.verification, deviations },
      { before: [...before, ...issued.before], bodies, around: readings(planning, scene) },
    ),
  ];
}

/** A record under a chosen ID is somebody's only when it is there; its content is unlike what the other scope writes. */
function madeBefore(scene: Scene): {
  readonly before?: readonly Wave[];
  readonly bodies?: Readonly<Record<string, BodyValue>>;
} {
  if (!scene.operation.pathFields.some(({ chosen }) => chosen)) return {};
  return {
    before: [send(scene, 'made', { key: key('made'), body: bodyOf(scene, 'made') })],
    bodies: { made: scene.body() },
  };
}
