import { type Operation, type OperationId, operationOf } from '../model/contract.ts';
import { type Trace, triedIn } from '../model/exchange.ts';
import { canonicalJson, isArray, isObject, type Json } from '../model/json.ts';
import { bare } from '../model/path.ts';
import { isAccepted } from '../model/response.ts';
import { stepsOf } from '../model/scenario.ts';
import { holders } from '../suite-kit/cast.ts';
import { fullBody } from '../suite-kit/full-body.ts';
import { type Preparation, type Preparations, readyingStep } from '../suite-kit/preparation.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { sendable } from '../suite-kit/texts.ts';
import type { OperationValues } from '../suite-kit/values.ts';
import { plainRequest } from './plain-request.ts';
import type { Plan } from './plan.ts';
import type { Stage } from './stage.ts';

/** More bodies of a command that makes a record are not tried, nor more commands on the record. */
const mostBodies = 3;
const mostCommands = 10;
/** What a command needs first may need something first itself. */
const mostRounds = 4;
/** Of a run: a target that refuses many commands for another reason is not kept busy. */
const mostTries = 120;

/** A conflict of state. */
const conflict = 409;

const probeOf = (operation: OperationId): string => `preparation ${operation}`;

/** Commands of a plan on a record that is made for them, whose state may therefore be the wrong one. */
export function toPrepare(planning: Planning, { probes }: Pick<Plan, 'probes'>): readonly Operation[] {
  const wanted = new Set(probes.map(({ probe }) => probe.operation));
  return planning.contract.operations.filter(
    (operation) =>
      operation.kind === 'command' &&
      operation.verification === undefined &&
      wanted.has(operation.id) &&
      planning.targets?.has(operation.id) !== true &&
      makersOf(planning, operation).length > 0,
  );
}

/** The commands that make the records of a command. */
function makersOf(
  { contract }: Planning,
  { named = [], pathFields, version }: Operation,
): readonly Operation[] {
  const sources = [...pathFields, ...named.map(({ field }) => field)].flatMap(({ source }) =>
    source === undefined ? [] : [source.operation],
  );
  // The result of what made a record shows no version that it gets later.
  return version !== undefined && sources.includes(version.source.operation)
    ? []
    : [...new Set(sources)].map((id) => operationOf(contract, id)).filter(({ kind }) => kind === 'command');
}

/**
 * Sends a valid request of each such command that has not been sent yet. Where its new record is refused for its state, the
 * record is made with more in it, or another command on it comes first, until the command is accepted.
 */
export async function prepare(
  stage: Stage,
  planning: Planning,
  plan: Pick<Plan, 'probes'>,
  nextTrace: () => string,
  planningWith: (prepared: Preparations) => Planning,
  earlier: readonly Trace[] = [],
): Promise<{ readonly prepared: Preparations; readonly traces: readonly Trace[] }> {
  const prepared = new Map<OperationId, Preparation>();
  const traces: Trace[] = [];
  const known = statusesIn(earlier);
  const tried = async (operation: Operation, by?: Preparation, index = 0): Promise<number | undefined> => {
    const own = by === undefined ? planning : planningWith(new Map([[operation.id, by]]));
    const trace =
      traces.length < mostTries
        ? await plainRequest(stage, own, operation, {
            ...{ id: nextTrace(), probe: probeOf(operation.id), scenarioIndex: index },
            title:
              index === 0
                ? 'preflight on a new record'
                : `preflight on a record that was made ready (${index})`,
          })
        : undefined;
    if (trace === undefined) return undefined;
    traces.push(trace);
    // What is to come first may need something first itself.
    for (const { answer, operation: id, step } of trace.exchanges)
      if (answer?.status === conflict && step === readyingStep({ id }))
        refused.add(operationOf(planning.contract, id));
    return triedIn(trace)?.answer?.status;
  };
  const refused = new Set<Operation>();
  for (const operation of toPrepare(planning, plan))
    if ((known.get(operation.id) ?? (await tried(operation))) === conflict) refused.add(operation);
  const isRefused = (operation: Operation): boolean => refused.has(operation) && !prepared.has(operation.id);
  const done = new Map<Operation, Set<string>>();
  for (let round = 0; round < mostRounds; round += 1) {
    const before = refused.size + prepared.size;
    for (const operation of [...refused].filter(isRefused)) {
      const earlierTries = done.get(operation) ?? new Set();
      done.set(operation, earlierTries);
      const candidates = [
        ...fullerBodies(planning, operation, stage.clock.wall()),
        ...commandsOn(planning, operation)
          .filter((one) => !isRefused(one))
          .map((one) => after(one, prepared.get(one.id), makersOf(planning, operation))),
      ];
      for (const candidate of candidates) {
        const name = canonicalJson([Object.fromEntries(candidate.bodies), candidate.first]);
        if (earlierTries.has(name)) continue;
        earlierTries.add(name);
        if (!isSuccess(await tried(operation, candidate, earlierTries.size))) continue;
        prepared.set(operation.id, candidate);
        break;
      }
    }
    if (refused.size + prepared.size === before) break;
  }
  return { prepared, traces };
}

const isSuccess = (status: number | undefined): boolean => status !== undefined && isAccepted({ status });

/** What valid requests got so far, by operation: 2xx if any did. */
function statusesIn(traces: readonly Trace[]): ReadonlyMap<OperationId, number> {
  const statuses = new Map<OperationId, number>();
  for (const { exchanges } of traces)
    for (const { answer, operation } of exchanges)
      if (answer !== undefined && !isSuccess(statuses.get(operation))) statuses.set(operation, answer.status);
  return statuses;
}

/** The command, and what it needs first itself, without what makes a record that is there. */
function after(command: Operation, of: Preparation | undefined, makers: readonly Operation[]): Preparation {
  const needed = (of?.first ?? []).filter((id) => makers.every((one) => one.id !== id));
  return { bodies: of?.bodies ?? new Map(), first: [...needed, command.id] };
}

/** Valid bodies that put more into the record: lists, such as the lines of an order, or whatever may be left out. */
function fullerBodies(planning: Planning, operation: Operation, now: number): readonly Preparation[] {
  return makersOf(planning, operation).flatMap((maker) => {
    const values = planning.values(maker);
    const full = fullBody(maker, values);
    const bodies = new Map(
      [withLists(maker, values, full) ?? [], values.standIns(now), full ?? []]
        .flat()
        .map((body) => [canonicalJson(body), body] as const),
    );
    return [...bodies.values()]
      .slice(0, mostBodies)
      .map((body) => ({ bodies: new Map([[maker.id, body]]), first: [] }));
  });
}

/** The plain body with the lists of the full one. */
function withLists(
  { body }: Operation,
  { marker, plain }: OperationValues,
  full: Json | undefined,
): Json | undefined {
  if (body === undefined || !isObject(plain) || !isObject(full)) return undefined;
  const lists = Object.entries(full).filter(([name, value]) => isArray(value) && !Object.hasOwn(plain, name));
  const listed = { ...plain, ...Object.fromEntries(lists) };
  return lists.length > 0 && sendable(body.schema, marker)(listed) ? listed : undefined;
}

/** Other commands on the record, or within it, that nothing else must be known for. */
function commandsOn(planning: Planning, operation: Operation): readonly Operation[] {
  const makers = new Set(makersOf(planning, operation).map(({ id }) => id));
  const names = new Set(operation.pathFields.map(({ name }) => name));
  const above = bare(operation.path);
  const isOn = ({ path, pathFields }: Operation): boolean => {
    const upTo = path.slice(0, path.lastIndexOf('}') + 1);
    return (
      pathFields.length > 0 &&
      pathFields.every(({ chosen, name }) => names.has(name) && chosen !== true) &&
      (above === bare(upTo) || above.startsWith(`${bare(upTo)}/`) || above.startsWith(`${bare(upTo)}:`))
    );
  };
  return planning.contract.operations
    .filter(
      (other) =>
        other.kind === 'command' &&
        other.id !== operation.id &&
        other.verification === undefined &&
        !makers.has(other.id) &&
        isOn(other) &&
        holders(planning, other).length > 0,
    )
    .slice(0, mostCommands);
}

/** What an earlier part of a run was seen to need. */
export function preparedIn(traces: readonly Trace[]): Preparations {
  return new Map(
    traces.flatMap((trace) => {
      const steps = stepsOf(trace.scenario.waves);
      const last = steps.at(-1);
      if (
        last === undefined ||
        trace.suite !== 'preflight' ||
        trace.scenarioIndex === 0 ||
        trace.probe !== probeOf(last.operation) ||
        !isAccepted(triedIn(trace)?.answer)
      )
        return [];
      const making = steps.filter(({ id, role }) => role === 'setup' && /^make-[^-]/.test(id));
      const bodies = new Map(
        making.flatMap(({ body, operation }): readonly (readonly [OperationId, Json])[] => {
          const value = body.use === 'named' ? trace.scenario.bodies[body.name]?.value : undefined;
          return value === undefined ? [] : [[operation, value]];
        }),
      );
      const first = steps.flatMap(({ id, operation }) =>
        id === readyingStep({ id: operation }) ? [operation] : [],
      );
      return [[last.operation, { bodies, first }] as const];
    }),
  );
}
