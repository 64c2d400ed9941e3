import { validator } from '../generate/index.ts';
import type { Need } from '../model/clause.ts';
import { idText, type Operation, operationOf, type RequestBody } from '../model/contract.ts';
import { isObject, type Json, pointerOf, valueAt } from '../model/json.ts';
import type { Principal } from '../model/principal.ts';
import type { Ref } from '../model/ref.ts';
import { rememberedWith } from '../model/remembered.ts';
import type { BodySpec, Role, Step, StepId, VersionSpec, Wave } from '../model/scenario.ts';
import { requires } from '../model/schema-places.ts';
import { inScopeOf, standIn, thatHolds } from './cast.ts';
import type { Planning } from './suite.ts';

/** The version that a command needs, by what makes its target or by a read that is added to the waves. */
export function versionOf(
  planning: Planning,
  operation: Operation,
  lead: Principal,
  target: Readonly<Record<string, Ref>>,
  waves: Wave[],
  tag: string,
): VersionSpec | Need | undefined {
  const rule = operation.version;
  if (rule === undefined) return undefined;
  const from = (step: string): VersionSpec => ({
    use: 'of',
    ref: rule.source.in === 'body' ? { step, at: rule.source.at } : { step, header: rule.source.name },
  });
  const made = operation.pathFields.find((field) => field.source?.operation === rule.source.operation);
  const maker = made === undefined ? undefined : target[made.name];
  if (maker !== undefined && 'step' in maker) return from(maker.step);
  const read = operationOf(planning.contract, rule.source.operation);
  const by = standIn(planning, read, lead);
  if (by === undefined)
    return {
      kind: 'principal',
      remedy: `Give a valid principal ${inScopeOf(lead)}${thatHolds(read)}: ${read.id} shows the current version that ${operation.id} needs.`,
    };
  const shown = readOf(planning, operation, read, target);
  const lacks = read.pathFields.find(({ name }) => !Object.hasOwn(shown, name))?.name;
  if (lacks !== undefined)
    return {
      kind: 'target',
      remedy: `Let ${operation.id} have the ${lacks} of ${read.id}, in its path or in a body member of that name: ${read.id} shows the current version.`,
    };
  const id = `${tag}read-version`;
  // A read may show the record a little later (open point G15).
  waves.push({
    poll: readStep(planning, id, read, by, shown, 'setup'),
    until: 'found',
    max: 5,
  });
  return from(id);
}

/** What a read of the record of a command has in its path: what the path of the command names, else its body. */
export function readOf(
  planning: Planning,
  operation: Operation,
  read: Operation,
  target: NonNullable<Step['target']>,
): NonNullable<Step['target']> {
  const body = planning.values(operation).plain;
  const named = read.pathFields.flatMap(({ name }) => {
    const literal = body === undefined ? undefined : idText(valueAt(body, pointerOf([name])));
    return literal === undefined ? [] : [[name, { literal }] as const];
  });
  return { ...Object.fromEntries(named), ...target };
}

/** Until a read shows the record (G15), a refusal may be that of a record that does not exist. */
export function untilVisible(
  planning: Planning,
  read: Operation,
  lead: Principal,
  target: Readonly<Record<string, Ref>>,
  tag: string,
): readonly Wave[] {
  const lag = planning.declared.G15;
  if (read.kind !== 'read' || read.body !== undefined || lag === 0) return [];
  // Of several replicas one may show it before another does: a declared time counts for all of them.
  if (lag !== undefined) return [{ wait: 'settle' }];
  const by = standIn(planning, read, lead);
  if (by === undefined) return [];
  return [{ poll: readStep(planning, `${tag}visible`, read, by, target, 'setup'), until: 'found', max: 5 }];
}

export function readStep(
  planning: Pick<Planning, 'given' | 'values'>,
  id: StepId,
  read: Operation,
  by: Principal,
  target: NonNullable<Step['target']>,
  role: Role,
): Step {
  return {
    id,
    operation: read.id,
    as: by.name,
    role,
    key: { use: 'none' },
    body: askedOf(planning, read),
    target,
    deviations: [],
  };
}

/** The body of a read by POST: what its schema requires. A member more could leave records out. */
export function askedOf(planning: Pick<Planning, 'given' | 'values'>, read: Operation): BodySpec {
  const { body } = read;
  if (body === undefined) return { use: 'none' };
  const { plain = {} } = planning.values(read);
  return { use: 'asked', value: planning.given?.has(read.id) === true ? plain : required(body, plain) };
}

const required = rememberedWith(({ schema }: RequestBody, plain: Json): Json => {
  if (!isObject(plain)) return plain;
  const needed = Object.entries(plain).filter(([name]) => requires(schema, pointerOf([name])));
  const value = Object.fromEntries(needed);
  return validator(schema, { formats: 'assert' })(value).length === 0 ? value : plain;
});
