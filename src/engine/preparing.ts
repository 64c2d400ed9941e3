import { type Operation, type OperationId, operationOf } from '../model/contract.ts';
import { type Trace, triedIn } from '../model/exchange.ts';
import { canonicalJson, type Json } from '../model/json.ts';
import { bare } from '../model/path.ts';
import { readyingStep } from '../model/readying-step.ts';
import { isAccepted } from '../model/response.ts';
import { stepsOf } from '../model/scenario.ts';
import { holders } from '../suite-kit/cast.ts';
import type { Preparation, Preparations } from '../suite-kit/preparation.ts';
import { putterOf } from '../suite-kit/put-first.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { fullerBodies, makersOf, withUsualCodes } from './fuller-bodies.ts';
import { plainRequest } from './plain-request.ts';
import type { Plan } from './plan.ts';
import { type AcceptedBodies, refusesBody, sentIn } from './rehearsal.ts';
import type { Stage } from './stage.ts';

/** More commands on a record are not tried. */
const mostCommands = 10;
const mostBoth = 6;
const mostTypical = 8;
/** What a command needs first may need something first itself. */
const mostRounds = 4;
/** Of a run: a target that refuses many commands for another reason is not kept busy. */
const mostTries = 120;

/** A conflict of state. */
const conflict = 409;
/** A record of which there is nothing yet, such as settings that a PUT makes. */
const absent = 404;

const probeOf = (operation: OperationId): string => `preparation ${operation}`;
const probeWithBody = (operation: OperationId): string => `preparation with a body ${operation}`;

/**
 * Commands of a plan on a record that is made for them, whose state may therefore be the wrong one, and reads of what a PUT
 * may have to make first.
 */
export function toPrepare(planning: Planning, plan: Pick<Plan, 'probes'>): readonly Operation[] {
  const wanted = new Set([...sentIn(plan), ...plan.probes.map(({ probe }) => probe.operation)]);
  return planning.contract.operations.filter(
    (operation) =>
      (operation.kind === 'command' ||
        (operation.body === undefined && putterOf(planning, operation) !== undefined)) &&
      operation.verification === undefined &&
      wanted.has(operation.id) &&
      planning.targets?.has(operation.id) !== true &&
      makersOf(planning, operation).length > 0,
  );
}

/** A record made ready, and the body of the command itself where the plain one is refused. */
type Candidate = Preparation & { readonly body?: Json | undefined };

/**
 * Sends a valid request of each such command that has not been sent yet. Where its new record is refused for its state, the
 * record is made with more in it, or another command on it comes first, until the command is accepted. A service may also
 * refuse the body for the state of a record: an amount that is more than there is.
 */
export async function prepare(
  stage: Stage,
  planning: Planning,
  plan: Pick<Plan, 'probes'>,
  nextTrace: () => string,
  planningWith: (prepared: Preparations, bodies: AcceptedBodies) => Planning,
  earlier: readonly Trace[] = [],
): Promise<{
  readonly prepared: Preparations;
  readonly bodies: AcceptedBodies;
  readonly traces: readonly Trace[];
}> {
  const prepared = new Map<OperationId, Preparation>();
  const accepted = new Map<OperationId, Json>();
  const traces: Trace[] = [];
  const known = statusesIn(earlier);
  const tried = async (operation: Operation, by?: Candidate, index = 0): Promise<Trace | undefined> => {
    const own =
      by === undefined
        ? planning
        : planningWith(
            new Map([[operation.id, by]]),
            new Map(by.body === undefined ? [] : [[operation.id, by.body]]),
          );
    const probe = by?.body === undefined ? probeOf(operation.id) : probeWithBody(operation.id);
    const trace =
      traces.length < mostTries
        ? await plainRequest(stage, own, operation, {
            ...{ id: nextTrace(), probe, scenarioIndex: index },
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
      if (step === readyingStep({ id }))
        if (answer?.status === conflict) refused.add(operationOf(planning.contract, id));
        else if (isSuccess(answer?.status)) wasRun.add(`${operation.id} ${id}`);
    return trace;
  };
  const statusOf = (trace: Trace | undefined): number | undefined =>
    trace === undefined ? undefined : triedIn(trace)?.answer?.status;
  const refused = new Set<Operation>();
  /** Operations that found nothing where a PUT may have to come first. */
  const unmade = new Set<Operation>();
  const isAbsent = (operation: Operation, status: number | undefined): boolean => {
    const put = putterOf(planning, operation);
    if (put === undefined) return false;
    // What needs a version is not sent at all where the read shows none.
    const seen = status ?? known.get(operation.version?.source.operation ?? '') ?? readStatus(operation);
    return seen === absent && (put.id !== operation.id || status === undefined);
  };
  const readStatus = ({ id, version }: Operation): number | undefined =>
    statusesIn(traces.filter(({ probe }) => probe === probeOf(id))).get(version?.source.operation ?? '');
  /** Commands that the target accepted on a record of another one, which refused the record all the same. */
  const wasRun = new Set<string>();
  const refusedBody = new Map<Operation, Json | undefined>();
  for (const operation of toPrepare(planning, plan)) {
    const status = known.get(operation.id) ?? statusOf(await tried(operation));
    if (status === conflict) refused.add(operation);
    if (isAbsent(operation, status)) unmade.add(operation);
    if (refusesBody(status))
      refusedBody.set(operation, planning.values(operation).standIns(stage.clock.wall())[0]);
  }
  for (const operation of unmade) {
    const put = putterOf(planning, operation);
    if (put === undefined) continue;
    const next: Candidate = { bodies: new Map(), first: [put.id] };
    const trace = await tried(operation, next, 1);
    const other = isSuccess(statusOf(trace))
      ? next
      : withOtherBody(planning, next, trace, stage.clock.wall());
    if (other === undefined) continue;
    const body = put.id === operation.id ? other.bodies.get(put.id) : undefined;
    const last = other === next ? trace : await tried(operation, { ...other, body }, 2);
    if (!isSuccess(statusOf(last))) continue;
    prepared.set(operation.id, { bodies: other.bodies, first: other.first });
    if (body !== undefined) accepted.set(operation.id, body);
  }
  // Most conflicts can be resolved, but few refusals of a body.
  for (const operation of refusedBody.keys()) refused.add(operation);
  const isRefused = (operation: Operation): boolean => refused.has(operation) && !prepared.has(operation.id);
  const done = new Map<Operation, Set<string>>();
  for (let round = 0; round < mostRounds; round += 1) {
    const before = refused.size + prepared.size;
    for (const operation of [...refused].filter(isRefused)) {
      const earlierTries = done.get(operation) ?? new Set();
      done.set(operation, earlierTries);
      const fuller = fullerBodies(planning, operation, stage.clock.wall());
      const steps = commandsOn(planning, operation)
        .filter((one) => !isRefused(one))
        .map((one) => after(one, prepared.get(one.id), makersOf(planning, operation)));
      const candidates: Candidate[] = [...fuller, ...steps].map((one) => ({
        ...one,
        body: refusedBody.get(operation),
      }));
      // A prescription is to be dispensed before a refill, and must allow some.
      const both = fuller.flatMap(({ bodies }) =>
        steps.map((one) => ({ ...one, bodies: new Map([...one.bodies, ...bodies]) })),
      );
      let isCombined = false;
      let typicalTries = 0;
      for (let next = candidates.shift(); next !== undefined; next = candidates.shift()) {
        const name = canonicalJson([Object.fromEntries(next.bodies), next.first, next.body ?? null]);
        if (earlierTries.has(name)) continue;
        earlierTries.add(name);
        const trace = await tried(operation, next, earlierTries.size);
        if (isSuccess(statusOf(trace))) {
          const { body, ...of } = next;
          prepared.set(operation.id, of);
          if (body !== undefined) accepted.set(operation.id, body);
          break;
        }
        const other = withOtherBody(planning, next, trace, stage.clock.wall());
        // The state may be the right one now, for a body that says more.
        const isShort = refusesBody(statusOf(trace)) && typicalTries < mostTypical;
        const typical = isShort ? typically(planning, operation, next, stage.clock.wall()) : [];
        typicalTries += typical.length;
        candidates.unshift(...(other === undefined ? [] : [other]), ...typical);
        if (candidates.length > 0 || isCombined) continue;
        isCombined = true;
        candidates.push(
          ...both
            .filter(({ first }) => first.every((id) => wasRun.has(`${operation.id} ${id}`)))
            .slice(0, mostBoth)
            .map((one) => ({ ...one, body: refusedBody.get(operation) })),
        );
      }
    }
    if (refused.size + prepared.size === before) break;
  }
  return { prepared, bodies: accepted, traces };
}

/** The same with another body of the command that comes first, where its plain one was refused. */
function withOtherBody(
  planning: Planning,
  candidate: Candidate,
  trace: Trace | undefined,
  now: number,
): Candidate | undefined {
  const exchange = trace?.exchanges.find(
    ({ answer, operation, step }) => refusesBody(answer?.status) && step === readyingStep({ id: operation }),
  );
  if (exchange === undefined || candidate.bodies.has(exchange.operation)) return undefined;
  const [body] = planning.values(operationOf(planning.contract, exchange.operation)).standIns(now);
  return body === undefined
    ? undefined
    : { ...candidate, bodies: new Map([...candidate.bodies, [exchange.operation, body]]) };
}

/**
 * The same with a typical body of the command, then with typical bodies of all that comes before it too: what is paid must be
 * above 0, of the currency of the invoice, and no more than its lines.
 */
function typically(
  planning: Planning,
  operation: Operation,
  candidate: Candidate,
  now: number,
): readonly Candidate[] {
  const [body = candidate.body] = planning.values(operation).standIns(now);
  const before = [...makersOf(planning, operation).map(({ id }) => id), ...candidate.first];
  const bodies = new Map(
    before.flatMap((id): readonly (readonly [OperationId, Json])[] => {
      const one = operationOf(planning.contract, id);
      const values = planning.values(one);
      const given = candidate.bodies.get(id);
      const other = given === undefined ? values.standIns(now)[0] : withUsualCodes(one, values, given);
      return other === undefined ? [] : [[id, other]];
    }),
  );
  return [
    { ...candidate, body },
    { ...candidate, bodies: new Map([...candidate.bodies, ...bodies]), body },
  ];
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

/**
 * Other commands on the record, on one that the body names, or within either, that nothing else must be known for. All operations
 * may be POST, and name their records in bodies alone.
 */
function commandsOn(planning: Planning, operation: Operation): readonly Operation[] {
  const makers = new Set(makersOf(planning, operation).map(({ id }) => id));
  const names = new Set(operation.pathFields.map(({ name }) => name));
  const above = bare(operation.path);
  const namedBy = new Set((operation.named ?? []).flatMap(({ field }) => field.source?.operation ?? []));
  const isOnNamed = ({ pathFields: [field, ...more] }: Operation): boolean =>
    more.length === 0 && field?.source !== undefined && namedBy.has(field.source.operation);
  const isOnSame = ({ named: others = [], pathFields }: Operation): boolean =>
    operation.pathFields.length + pathFields.length === 0 &&
    others.some(({ field }) => field.source !== undefined && namedBy.has(field.source.operation));
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
        (isOn(other) || isOnNamed(other) || isOnSame(other)) &&
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
        ![probeOf, probeWithBody].some((of) => trace.probe === of(last.operation)) ||
        !isAccepted(triedIn(trace)?.answer)
      )
        return [];
      const making = steps.filter(({ id, role }) => role === 'setup' && /^(make|ready)-[^-]/.test(id));
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

/** The bodies with which commands were accepted on records that were made ready, where their plain ones were not. */
export function bodiesIn(traces: readonly Trace[]): AcceptedBodies {
  return new Map(
    traces.flatMap((trace) => {
      const last = stepsOf(trace.scenario.waves).at(-1);
      const body = trace.scenario.bodies['body'];
      const isOwn = trace.suite === 'preflight' && trace.probe === probeWithBody(last?.operation ?? '');
      return isOwn && last !== undefined && body !== undefined && isAccepted(triedIn(trace)?.answer)
        ? [[last.operation, body.value] as const]
        : [];
    }),
  );
}
