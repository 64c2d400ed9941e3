import type { Need } from '../model/clause.ts';
import {
  choosesLast,
  idText,
  type Operation,
  type OperationId,
  operationOf,
  type PathField,
  type PathSource,
} from '../model/contract.ts';
import { valueAt } from '../model/json.ts';
import { bare, samePathTo, writtenName, writtenPath } from '../model/path.ts';
import type { Principal } from '../model/principal.ts';
import type { Ref } from '../model/ref.ts';
import type {
  BodySpec,
  BodyValue,
  Deviation,
  Name,
  Step,
  StepId,
  VerificationSpec,
  Wave,
} from '../model/scenario.ts';
import { holders, inScopeOf, standIn, thatHolds } from './cast.ts';
import { givenOf } from './given.ts';
import { refOf, verifying } from './issued.ts';
import { key, making, makingStep, type Setup } from './making.ts';
import type { Preparation } from './preparation.ts';
import { mayComeFirst } from './put-first.ts';
import { bodyOfMaker, readying } from './readying.ts';
import { deepestFirst } from './record-paths.ts';
import type { Planning } from './suite.ts';
import { untilVisible, versionOf } from './target-reads.ts';
import { targetsOf } from './vendor-targets.ts';

export { key };
/** A wave of one step, which may be a request of a scene. */
export function send(step: Step): Wave;
export function send(scene: Requesting, id: StepId, parts?: Partial<Step>): Wave;
export function send(of: Step | Requesting, id: StepId = '', parts?: Partial<Step>): Wave {
  return { steps: ['request' in of ? of.request(id, parts) : of] };
}

type Condition = Extract<Wave, { readonly when: unknown }>['when']['was'];

/** Waves that are sent only if a step before them was accepted, or was not, or if the service failed there; or if it was contradicted. */
export const when = (step: StepId, was: Condition, waves: readonly Wave[]): Wave => ({
  when: { step, was },
  waves,
});

type Requesting = { readonly request: (id: StepId, parts?: Partial<Step>) => Step };

/** What makes a request the test of a used key: the step `of` has used it, and the request differs from that one so. */
export const reuse = (
  of: StepId,
  difference: Extract<Deviation, { readonly kind: 'key-reuse' }>['difference'],
): Pick<Step, 'role' | 'key' | 'deviations'> => ({
  role: 'test',
  key: key('key'),
  deviations: [{ kind: 'key-reuse', of, difference }],
});
export const named = (name: Name): BodySpec => ({ use: 'named', name });

/** What a valid request of an operation lacks; undefined where everything is known. */
export function lacking(planning: Planning, operation: Operation): Need | undefined {
  const values = planning.values(operation);
  if (operation.body !== undefined && values.plain === undefined)
    return {
      kind: 'value',
      remedy: `Give a valid body under operations.${operation.id}.examples: none can be generated (${values.notes[0]?.why ?? 'the schema allows nothing'}).`,
    };
  const [missing] = givenOf(operation).missing;
  return missing === undefined
    ? undefined
    : { kind: 'value', remedy: `Give a value under operations.${operation.id}.parameters.${missing}.` };
}

/** Records that are there by then. */
export type Given = {
  /** Another target, whose record this one shares all with but its last ID. */
  readonly within?: Setup['target'];
  /** Those that the body names. */
  readonly records?: Setup['target'];
  /** The target itself. */
  readonly on?: Setup['target'];
};

type SetupGiven = Given & {
  readonly trail?: readonly OperationId[];
  /** Whether it comes before what it is to make ready: nothing that has a version need be there yet. */
  readonly first?: boolean;
};

/** Records within records, as programmes, calls, applications and documents are. */
const deepest = 6;

/**
 * What brings about the target, the version and the verification of an operation.
 * @param trail what this is made for, outermost first: what is needed to make itself cannot be made
 */
export function setup(
  planning: Planning,
  operation: Operation,
  lead: Principal,
  tag: string,
  { first = false, on, records: known, trail = [], within }: SetupGiven = {},
): Setup | Need {
  const own = [...trail, operation.id];
  const waves: Wave[] = [];
  const bodies: Record<Name, BodyValue> = {};
  const made = new Map<string, Ref>();
  const makers = new Map<string, { readonly step: StepId; readonly target: Setup['target'] }>();
  const prepared = on === undefined ? planning.prepared?.get(operation.id) : undefined;
  const vendors = on === undefined ? targetsOf(planning, operation, lead, tag) : { waves: [], target: on };
  if ('remedy' in vendors) return vendors;
  waves.push(...vendors.waves);
  for (const [name, ref] of Object.entries(vendors.target)) made.set(name, ref);
  for (const { name } of operation.pathFields.slice(0, -1)) {
    const ref = within?.[name];
    if (ref !== undefined) made.set(name, ref);
  }
  for (const field of deepestFirst(planning, operation)) {
    if (made.has(field.name)) continue;
    if (field.chosen === true) {
      made.set(field.name, { chosen: `${tag}${field.name}` });
      continue;
    }
    if (field.source === undefined || isTooDeep(field.source, own))
      return {
        kind: 'target',
        remedy: `Let an OpenAPI link say which operation returns the ${writtenName(field)} of ${operation.method} ${writtenPath(operation)}, or give records under operations.${operation.id}.targets.`,
      };
    const maker = operationOf(planning.contract, field.source.operation);
    const before = makers.get(maker.id);
    if (before !== undefined) {
      // One record has them all.
      const ref = refOf(field.source, before.step, before.target);
      if (ref !== undefined) made.set(field.name, ref);
      continue;
    }
    const by = standIn(planning, maker, lead) ?? holders(planning, maker)[0];
    if (by === undefined)
      return {
        kind: 'principal',
        remedy: `Give a valid principal ${inScopeOf(lead)}${thatHolds(maker)}: ${maker.id} creates the target record of ${operation.id}.`,
      };
    const shared =
      within === undefined ? undefined : madeWithin(maker, operation, made, `${tag}${field.name}-`);
    const inner = shared ?? setup(planning, maker, by, `${tag}${field.name}-`, { first: true, trail: own });
    if ('remedy' in inner) return inner;
    const id = `${tag}make-${field.name}`;
    const short = lacking(planning, maker);
    if (short !== undefined) return short;
    waves.push(...making(planning, maker, by, id, inner, field.source));
    Object.assign(bodies, inner.bodies, bodyOfMaker(planning, maker, id, prepared));
    const ref = refOf(field.source, id, inner.target);
    if (ref !== undefined) made.set(field.name, ref);
    makers.set(maker.id, { step: id, target: inner.target });
    // What the record was made within is what its path goes through.
    for (const [name, ref] of Object.entries(inner.target ?? {}))
      if (!made.has(name) && samePathTo(name, maker.path, operation.path)) made.set(name, ref);
  }
  const records = namedIn(planning, operation, lead, tag, {
    trail,
    known: { ...kept(planning, operation, makers), ...known, ...on },
    above: made,
  });
  waves.push(...records.waves);
  Object.assign(bodies, records.bodies);
  const target = {
    ...Object.fromEntries(
      operation.pathFields.flatMap(({ name }) => {
        const ref = made.get(name);
        return ref === undefined ? [] : [[name, ref] as const];
      }),
    ),
    ...records.target,
  };
  const hasTarget = operation.pathFields.length > 0 || Object.keys(target).length > 0;
  if (makers.size > 0) waves.push(...untilVisible(planning, operation, lead, target, tag));
  const readied = firstOn(planning, operation, lead, target, tag, prepared, own);
  if ('remedy' in readied) return readied;
  waves.push(...readied.waves);
  Object.assign(bodies, readied.bodies);
  // A record that the command makes has no version yet.
  const version =
    choosesLast(operation) || (first && mayComeFirst(operation))
      ? undefined
      : versionOf(planning, operation, lead, target, waves, tag);
  if (version !== undefined && 'remedy' in version) return version;
  let verification: VerificationSpec | undefined;
  if (operation.verification !== undefined) {
    if (!planning.hooks.has(operation.verification.hook))
      return {
        kind: 'hook',
        remedy: `Configure the hook '${operation.verification.hook}': it issues the stronger verification of ${operation.id}.`,
      };
    const id = `${tag}verification`;
    waves.push(...verifying(operation, lead, target, id));
    verification = { use: 'hook', step: id };
  }
  return { waves, bodies, target: hasTarget ? target : undefined, version, verification };
}

/**
 * Records that a body which replaces a whole record names as the body did that made it: many services let no record move to
 * another owner.
 */
function kept(
  planning: Planning,
  operation: Operation,
  makers: ReadonlyMap<OperationId, { readonly target: Setup['target'] }>,
): NonNullable<Given['records']> {
  const { method, named = [], path, pathFields } = operation;
  const last = pathFields.at(-1);
  if (method !== 'PUT' || last === undefined || !bare(path).endsWith(`{${last.name}}`)) return {};
  // Of a body that only says whose the record is, another one is what there is to change.
  const places = named.filter(({ second }) => second !== true);
  if (Object.keys(Object(planning.values(operation).plain)).length <= places.length) return {};
  const target = makers.get(last.source?.operation ?? '')?.target ?? {};
  return Object.fromEntries(
    named.flatMap(({ field: { name } }) => {
      const ref = target[name];
      return ref === undefined ? [] : [[name, ref] as const];
    }),
  );
}

/** What comes first on a target record, and on each record that the body names. */
export function firstOn(
  planning: Planning,
  operation: Operation,
  lead: Principal,
  target: NonNullable<Setup['target']>,
  tag: string,
  prepared: Preparation | undefined,
  trail: readonly OperationId[] = [],
): ReturnType<typeof readying> {
  return readying(planning, prepared, lead, tag, (command, by, id) => {
    const waves: Wave[] = [];
    const bodies: Record<Name, BodyValue> = {};
    for (const [index, on] of recordsOf(operation, command, target).entries()) {
      const own = index === 0 ? id : `${id}-${index + 1}`;
      const inner = setup(planning, command, by, `${own}-`, { first: true, on, trail });
      if ('remedy' in inner) return inner;
      waves.push(...inner.waves, send(makingStep(command, by, own, inner)));
      Object.assign(bodies, inner.bodies, bodyOfMaker(planning, command, own, prepared));
    }
    return { waves, bodies };
  });
}

/** The records on which a command comes first: the target itself, or those of its kind that the body names. */
function recordsOf(
  { named = [] }: Operation,
  { named: theirs = [], pathFields }: Operation,
  target: NonNullable<Setup['target']>,
): readonly NonNullable<Setup['target']>[] {
  // Where all operations are POST, the bodies of both name it.
  const fields = pathFields.length > 0 ? pathFields.slice(0, 1) : theirs.map(({ field }) => field);
  const isKnown = ({ name }: PathField): boolean => target[name] !== undefined;
  if (pathFields.length > 0 ? pathFields.every(isKnown) : fields.some(isKnown)) return [target];
  const isOfKind = (one: PathField, other: PathField): boolean =>
    one.source !== undefined && one.source.operation === other.source?.operation;
  const own = fields.find((one) => named.some(({ field }) => isOfKind(one, field)));
  if (own === undefined) return [];
  return named.flatMap(({ field }) => {
    const ref = isOfKind(own, field) ? target[field.name] : undefined;
    return ref === undefined ? [] : [{ [own.name]: ref }];
  });
}

function isTooDeep({ operation }: PathSource, own: readonly OperationId[]): boolean {
  return own.includes(operation) || own.length > deepest;
}

export type Records = Pick<Setup, 'waves' | 'bodies'> & { readonly target: NonNullable<Setup['target']> };

type NamedGiven = {
  readonly trail?: readonly OperationId[];
  readonly known?: NonNullable<Given['records']>;
  /** The records that the path of the operation goes through: what a body names may be within the same. */
  readonly above?: ReadonlyMap<string, Ref>;
};

/** The records that the plain body names: made for it, or those of the configuration where the command acts on one. */
export function namedIn(
  planning: Planning,
  operation: Operation,
  lead: Principal,
  tag: string,
  { above = new Map(), known = {}, trail = [] }: NamedGiven = {},
): Records {
  const plain = planning.values(operation).plain ?? null;
  const found = (operation.named ?? []).map(({ acts, at, field }): Records | undefined => {
    const id = idText(valueAt(plain, at));
    const isGiven = planning.given?.has(operation.id) === true;
    // What the command acts on is put into a body that may leave it out, except one that is sent unchanged.
    if (id === undefined && (acts !== true || isGiven)) return undefined;
    const ref = known[field.name];
    if (ref !== undefined) return { waves: [], bodies: {}, target: { [field.name]: ref } };
    if (isGiven && id !== undefined)
      return acts === true ? { waves: [], bodies: {}, target: { [field.name]: { literal: id } } } : undefined;
    return madeFor(planning, field, lead, tag, { own: [...trail, operation.id], above, operation });
  });
  return {
    waves: found.flatMap((one) => one?.waves ?? []),
    bodies: Object.assign({}, ...found.map((one) => one?.bodies ?? {})),
    target: Object.assign({}, ...found.map((one) => one?.target ?? {})),
  };
}

/** A record of the lead's scope; undefined where nobody can make one, as the service need not ask for one that is there. */
export function madeFor(
  planning: Planning,
  { name, source }: PathField,
  lead: Principal,
  tag: string,
  {
    above,
    operation,
    own,
  }: {
    readonly own: readonly OperationId[];
    readonly above: ReadonlyMap<string, Ref>;
    readonly operation: Operation;
  },
): Records | undefined {
  if (source === undefined || isTooDeep(source, own)) return undefined;
  const maker = operationOf(planning.contract, source.operation);
  const by = standIn(planning, maker, lead);
  if (by === undefined || lacking(planning, maker) !== undefined) return undefined;
  const inner =
    madeWithin(maker, operation, above, `${tag}${name}-`) ??
    setup(planning, maker, by, `${tag}${name}-`, { trail: own });
  if ('remedy' in inner) return undefined;
  const id = `${tag}make-${name}`;
  const ref = refOf(source, id, inner.target);
  if (ref === undefined) return undefined;
  return {
    waves: making(planning, maker, by, id, inner, source),
    bodies: { ...inner.bodies, ...bodyOfMaker(planning, maker, id, planning.prepared?.get(operation.id)) },
    target: { [name]: ref },
  };
}

/** What a maker needs, where nothing is missing but records that are there. */
function madeWithin(
  maker: Operation,
  operation: Operation,
  made: ReadonlyMap<string, Ref>,
  tag: string,
): Setup | undefined {
  const { named, pathFields, verification, version } = maker;
  if ([named, verification, version].some((one) => one !== undefined)) return undefined;
  const target = pathFields.flatMap(({ chosen, name }): readonly (readonly [string, Ref])[] => {
    const ref = samePathTo(name, maker.path, operation.path) ? made.get(name) : undefined;
    return ref !== undefined ? [[name, ref]] : chosen === true ? [[name, { chosen: `${tag}${name}` }]] : [];
  });
  const isWithin = target.some(([name]) => made.has(name));
  return !isWithin || target.length < pathFields.length
    ? undefined
    : {
        waves: [],
        bodies: {},
        target: Object.fromEntries(target),
        version: undefined,
        verification: undefined,
      };
}
